# SPDX-License-Identifier: GPL-2.0-only
#
# The stand-alone build: library, examples, tests, install, against an installed ns-3.

include(GNUInstallDirs)
include(CTest) # BUILD_TESTING
include(CheckCXXSourceCompiles)

option(ROCE_LOG "NS_LOG in our code (OFF: no code for it at all)" ON)
option(ROCE_ASSERT "NS_ASSERT in our code" OFF)
option(ROCE_WERROR "warnings are errors" OFF)
option(ROCE_EXAMPLES "build the programs in examples/" ON)
set(ROCE_PYTHON /usr/bin/python3 CACHE FILEPATH "interpreter of the bindings and tool tests")
set(ROCE_SANITIZE "OFF" CACHE STRING "OFF, or a list for -fsanitize=, as address,undefined")
option(ROCE_SANITIZE_ALL "UBSan's checks of each pointer too: twice the time to compile" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG") # CMake's default; yours is kept
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g0 -DNDEBUG" CACHE STRING "flags of Release" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17 CACHE STRING "C++ standard")
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(ROCE_CCACHE ccache)
mark_as_advanced(ROCE_CCACHE)
find_program(ROCE_ENV env)
mark_as_advanced(ROCE_ENV)
if(ROCE_CCACHE AND ROCE_ENV AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # depend mode: a file that is new to the cache is not preprocessed twice
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ROCE_ENV} CCACHE_DEPEND=1 ${ROCE_CCACHE})
endif()

# ---------------------------------------------------------------- what we need
include(${CMAKE_CURRENT_LIST_DIR}/roce-deps.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/roce-ns3.cmake)
set(roce_ns3_modules core network internet traffic-control bridge stats point-to-point csma
                     applications)
roce_find_ns3(${roce_ns3_modules})
if(roce_ns3_missing)
  message(FATAL_ERROR "roce needs ns-3 (3.37 or later); not found: ${roce_ns3_missing}.\n"
                      "Debian: apt-get install libns3-dev, or run tools/setup.sh.\n"
                      "Elsewhere: cmake -DCMAKE_PREFIX_PATH=<where ns-3 is installed>.")
endif()
roce_need_headers()
roce_find_protobuf()
roce_ns3_version(roce_ns3_version)
set(roce_ns3_targets)
foreach(m ${roce_ns3_modules})
  list(APPEND roce_ns3_targets ns3::lib${m})
endforeach()

# ---------------------------------------------------------------- flags of everything we build
add_compile_options(-Wall -Wextra $<$<BOOL:${ROCE_WERROR}>:-Werror>)
if(ROCE_SANITIZE)
  # -O1: with sanitizers, -O2 takes twice the time to compile and finds no more
  add_compile_options(-O1 -fsanitize=${ROCE_SANITIZE} -fno-omit-frame-pointer -g1
                      -fno-sanitize-recover=all)
  if(NOT ROCE_SANITIZE_ALL)
    # half the time to compile: AddressSanitizer finds most of what these find
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
  add_link_options(-fsanitize=${ROCE_SANITIZE})
endif()

# ---------------------------------------------------------------- headers
# build/include/ns3/*.h are links (an edit needs no new configure), plus the aggregate header
set(roce_inc ${CMAKE_CURRENT_BINARY_DIR}/include)
file(REMOVE_RECURSE ${roce_inc}/ns3)
file(MAKE_DIRECTORY ${roce_inc}/ns3)
set(aggregate "#ifndef NS3_MODULE_ROCE\n#define NS3_MODULE_ROCE\n")
foreach(h ${roce_headers})
  get_filename_component(n ${h} NAME)
  if(EXISTS ${roce_inc}/ns3/${n})
    message(FATAL_ERROR "two headers of roce_headers are called ${n}; ns-3 needs unique names")
  endif()
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${h})
    message(FATAL_ERROR "roce_headers lists ${h}, which does not exist")
  endif()
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${h} ${roce_inc}/ns3/${n} COPY_ON_ERROR SYMBOLIC)
  string(APPEND aggregate "#include \"ns3/${n}\"\n")
endforeach()
string(APPEND aggregate "#endif\n")
file(WRITE ${roce_inc}/ns3/roce-module.h "${aggregate}")

# ---------------------------------------------------------------- library
if(NOT roce_sources) # a library needs one
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty.cc "\n")
  set(roce_sources ${CMAKE_CURRENT_BINARY_DIR}/empty.cc)
endif()
add_library(roce SHARED ${roce_sources})
add_library(roce::roce ALIAS roce)
target_include_directories(roce PUBLIC $<BUILD_INTERFACE:${roce_inc}>
                                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
foreach(dir ${ROCE_JSON_INCLUDE_DIR} ${ROCE_BOOST_INCLUDE_DIR})
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    target_include_directories(roce SYSTEM PUBLIC $<BUILD_INTERFACE:${dir}>)
  endif()
endforeach()
target_link_libraries(roce PUBLIC ${roce_ns3_targets} PRIVATE ${roce_protobuf})
if(roce_protobuf_include)
  target_include_directories(roce SYSTEM PRIVATE ${roce_protobuf_include})
endif()
target_compile_features(roce PUBLIC cxx_std_17)
# calls within the library need not go through the PLT; nobody replaces our symbols
target_compile_options(roce PRIVATE -fno-semantic-interposition)
# These only switch macros of ns-3's headers on; no class layout depends on them.
target_compile_definitions(roce PUBLIC
  ROCE_VERSION="${PROJECT_VERSION}"
  ROCE_NS3_VERSION="${roce_ns3_version}"
  $<$<BOOL:${ROCE_LOG}>:NS3_LOG_ENABLE>
  $<$<OR:$<BOOL:${ROCE_ASSERT}>,$<CONFIG:Debug>>:NS3_ASSERT_ENABLE>)
set_target_properties(roce PROPERTIES
  OUTPUT_NAME ns3-roce VERSION ${PROJECT_VERSION} SOVERSION 0
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bin)

set(roce_summary)
# roce_report(<part> <text>): a line of the summary at the end
macro(roce_report part text)
  string(LENGTH "${part}" _n)
  math(EXPR _n "16 - ${_n}")
  string(REPEAT " " ${_n} _pad)
  list(APPEND roce_summary "  ${part}${_pad}${text}")
endmacro()

# ---------------------------------------------------------------- programs
if(ROCE_EXAMPLES)
  # the same examples/CMakeLists.txt serves both modes: give it a build_lib_example() of our own
  function(build_lib_example)
    cmake_parse_arguments(E "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK"
                          ${ARGN})
    add_executable(${E_NAME} ${E_SOURCE_FILES})
    list(FILTER E_LIBRARIES_TO_LINK INCLUDE REGEX "-part$")
    target_link_libraries(${E_NAME} PRIVATE ${E_LIBRARIES_TO_LINK} roce)
  endfunction()
  add_subdirectory(examples)
  list(LENGTH roce_example_names n)
  roce_report("programs" "built: ${n} in build/bin")
else()
  roce_report("programs" "skipped: ROCE_EXAMPLES=OFF")
endif()

# ---------------------------------------------------------------- tests
if(BUILD_TESTING)
  include(${CMAKE_CURRENT_LIST_DIR}/standalone-tests.cmake)
else()
  roce_report("tests" "skipped: BUILD_TESTING=OFF")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/standalone-optional.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/standalone-install.cmake)

# ---------------------------------------------------------------- summary
message(STATUS "")
message(STATUS "roce ${PROJECT_VERSION}, ns-3 ${roce_ns3_version} in ${ROCE_NS3_INCLUDE_DIR}")
message(STATUS "  build type      ${CMAKE_BUILD_TYPE}, C++${CMAKE_CXX_STANDARD}, log ${ROCE_LOG}, "
               "sanitize ${ROCE_SANITIZE}")
foreach(line ${roce_summary})
  message(STATUS "${line}")
endforeach()
message(STATUS "")
