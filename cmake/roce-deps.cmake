# SPDX-License-Identifier: GPL-2.0-only
#
# What roce needs besides ns-3: two header-only libraries. Used in both build modes.

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
