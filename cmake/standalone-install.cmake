# SPDX-License-Identifier: GPL-2.0-only
#
# make install, and the package files for find_package(roce) with its target roce::roce.

include(CMakePackageConfigHelpers)

foreach(h ${roce_headers})
  install(FILES ${h} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
endforeach()
install(FILES ${roce_inc}/ns3/roce-module.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
install(TARGETS roce EXPORT roceTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(roce_cfg ${CMAKE_INSTALL_LIBDIR}/cmake/roce)
install(EXPORT roceTargets NAMESPACE roce:: DESTINATION ${roce_cfg})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/roceConfig.cmake.in
"@PACKAGE_INIT@
include(\"\${CMAKE_CURRENT_LIST_DIR}/roce-ns3.cmake\")
roce_find_ns3(${roce_ns3_modules})
if(roce_ns3_missing)
  set(roce_FOUND FALSE)
  set(roce_NOT_FOUND_MESSAGE
      \"roce needs ns-3 (Debian: libns3-dev); not found: \${roce_ns3_missing}\")
  return()
endif()
include(\"\${CMAKE_CURRENT_LIST_DIR}/roceTargets.cmake\")
check_required_components(roce)
")
configure_package_config_file(${CMAKE_CURRENT_BINARY_DIR}/roceConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/roceConfig.cmake INSTALL_DESTINATION ${roce_cfg})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/roceConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/roce-ns3.cmake ${CMAKE_CURRENT_BINARY_DIR}/roceConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/roceConfigVersion.cmake
        DESTINATION ${roce_cfg})
