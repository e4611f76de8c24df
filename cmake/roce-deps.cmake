# SPDX-License-Identifier: GPL-2.0-only
#
# What roce needs besides ns-3: two header-only libraries; and one it can do without. Used in both
# build modes.

# roce_need_header(<variable> <header> <Debian package> <name>)
macro(roce_need_header var header package name)
  find_path(${var} ${header})
  mark_as_advanced(${var})
  if(NOT ${var})
    message(FATAL_ERROR "roce needs ${name} (header <${header}>), which was not found.\n"
                        "Debian and Ubuntu: apt-get install ${package}, or run tools/setup.sh.\n"
                        "Elsewhere: cmake -D${var}=<the folder that holds ${header}>.")
  endif()
endmacro()

macro(roce_need_headers)
  roce_need_header(ROCE_JSON_INCLUDE_DIR nlohmann/json.hpp nlohmann-json3-dev "nlohmann JSON")
  roce_need_header(ROCE_BOOST_INCLUDE_DIR boost/graph/adjacency_list.hpp libboost-graph-dev
                   "Boost.Graph")
endmacro()

# roce_find_protobuf(): Chakra execution traces are protocol buffers. Takes the decoder, or what says
# that there is none, out of roce_sources; sets roce_have_protobuf, roce_protobuf (to link) and
# roce_protobuf_include.
include(CheckCXXSourceCompiles)
macro(roce_find_protobuf)
  set(roce_have_protobuf OFF)
  set(roce_protobuf)
  set(roce_protobuf_include)
  find_package(Protobuf QUIET)
  if(Protobuf_FOUND)
    # newer ones need more than their own headers
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_INCLUDES ${Protobuf_INCLUDE_DIRS})
    set(CMAKE_REQUIRED_LIBRARIES ${Protobuf_LIBRARIES})
    check_cxx_source_compiles(
      "#include <google/protobuf/io/coded_stream.h>
       int main()
       {
           google::protobuf::io::CodedInputStream in(nullptr, 0);
           return in.CurrentPosition();
       }"
      ROCE_HAVE_PROTOBUF)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_QUIET)
  endif()
  if(Protobuf_FOUND AND ROCE_HAVE_PROTOBUF)
    set(roce_have_protobuf ON)
    set(roce_protobuf ${Protobuf_LIBRARIES})
    foreach(dir ${Protobuf_INCLUDE_DIRS})
      if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
        list(APPEND roce_protobuf_include ${dir})
      endif()
    endforeach()
    list(REMOVE_ITEM roce_sources model/workload/roce-chakra-decoder-absent.cc)
  else()
    list(REMOVE_ITEM roce_sources model/workload/roce-chakra-decoder.cc)
  endif()
endmacro()
