# SPDX-License-Identifier: GPL-2.0-only
#
# Targets ns3::lib<module> for an installed ns-3, without its ns3Config.cmake: the one in Debian 12's
# libns3-dev stops with FATAL_ERROR unless the packages "ns3" and "libgsl-dev" are there too, and
# libns3-dev depends on neither. -DROCE_NS3_USE_CONFIG=ON uses ns3Config.cmake nevertheless.
# Also installed, for the users of find_package(roce).

option(ROCE_NS3_USE_CONFIG "find ns-3 by its own ns3Config.cmake" OFF)

# Sets roce_ns3_missing to what is not found; makes the targets of what is found.
macro(roce_find_ns3)
  set(roce_ns3_missing)
  if(ROCE_NS3_USE_CONFIG)
    find_package(ns3 REQUIRED)
  endif()
  find_path(ROCE_NS3_INCLUDE_DIR ns3/core-module.h)
  mark_as_advanced(ROCE_NS3_INCLUDE_DIR)
  if(NOT ROCE_NS3_INCLUDE_DIR)
    list(APPEND roce_ns3_missing "ns3/core-module.h")
  endif()
  foreach(_m ${ARGN})
    if(TARGET ns3::lib${_m})
      continue()
    endif()
    if(TARGET ns3::${_m})
      add_library(ns3::lib${_m} ALIAS ns3::${_m})
      continue()
    endif()
    # libns3-core.so (Debian), libns3.44-core-default.so (installed from source) and the like
    set(_names ns3-${_m} ns3-${_m}-optimized ns3-${_m}-default ns3-${_m}-debug)
    file(GLOB _globbed RELATIVE ${ROCE_NS3_INCLUDE_DIR}/../lib
         ${ROCE_NS3_INCLUDE_DIR}/../lib/libns3*-${_m}.so
         ${ROCE_NS3_INCLUDE_DIR}/../lib/libns3*-${_m}-*.so)
    find_library(ROCE_NS3_LIB_${_m} NAMES ${_names} ${_globbed}
                 HINTS ${ROCE_NS3_INCLUDE_DIR}/../lib)
    mark_as_advanced(ROCE_NS3_LIB_${_m})
    if(NOT ROCE_NS3_LIB_${_m})
      list(APPEND roce_ns3_missing "libns3-${_m}.so")
      continue()
    endif()
    add_library(ns3::lib${_m} SHARED IMPORTED)
    set_target_properties(ns3::lib${_m} PROPERTIES
      IMPORTED_LOCATION ${ROCE_NS3_LIB_${_m}}
      INTERFACE_INCLUDE_DIRECTORIES ${ROCE_NS3_INCLUDE_DIR})
  endforeach()
endmacro()

# roce_ns3_version(<variable>): "3.37", from the library's name, else pkg-config, else "unknown"
function(roce_ns3_version out)
  set(_v "unknown")
  if(ROCE_NS3_LIB_core MATCHES "libns3\\.([0-9][0-9.]*)-core")
    set(_v "3.${CMAKE_MATCH_1}")
  else()
    find_program(ROCE_PKG_CONFIG pkg-config)
    mark_as_advanced(ROCE_PKG_CONFIG)
    if(ROCE_PKG_CONFIG)
      execute_process(COMMAND ${ROCE_PKG_CONFIG} --modversion ns3-core
                      OUTPUT_VARIABLE _o OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(_o MATCHES "^3\\.[0-9.]+$")
        set(_v "${_o}")
      endif()
    endif()
    if(_v STREQUAL "unknown" AND ROCE_NS3_LIB_core)
      get_filename_component(_real "${ROCE_NS3_LIB_core}" REALPATH)
      if(_real MATCHES "\\.so\\.([0-9][0-9.]*)$")
        set(_v "3.${CMAKE_MATCH_1}")
      endif()
    endif()
  endif()
  set(${out} "${_v}" PARENT_SCOPE)
endfunction()
