# SPDX-License-Identifier: GPL-2.0-only
#
# Parts that a build can do without: found quietly, or skipped with the reason in the summary.

# roce_optional(<part> <folder> <found?> <reason if not found>): builds <folder> if it can
macro(roce_optional part folder found reason)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    roce_report("${part}" "skipped: this version has no ${folder}/")
  elseif(${found})
    add_subdirectory(${folder})
    roce_report("${part}" "built: ${folder}/")
  else()
    roce_report("${part}" "skipped: ${reason}")
  endif()
endmacro()

# Python: Debian's interpreter, as the notebook packages are Debian's; another may be first on PATH.
# pip (scikit-build-core) has named its own
if(NOT SKBUILD)
  set(Python_EXECUTABLE ${ROCE_PYTHON})
  set(PYTHON_EXECUTABLE ${ROCE_PYTHON}) # pybind11's classic mode
endif()
set(PYBIND11_FINDPYTHON ON)
set(roce_have_bindings OFF)
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
if(Python_FOUND)
  find_package(pybind11 2.9 CONFIG QUIET)
  set(roce_have_bindings ${pybind11_FOUND})
endif()
roce_optional("Python bindings" bindings roce_have_bindings
              "needs pybind11 2.9 and Python headers (packages pybind11-dev python3-dev)")

# Execution traces of AI training (Chakra) are protobuf; found before the library was defined
if(roce_have_protobuf)
  roce_report("Chakra traces" "built: reader, with protobuf ${Protobuf_VERSION}")
else()
  roce_report("Chakra traces" "skipped: needs protobuf (package libprotobuf-dev)")
endif()

# libFuzzer comes with clang only
set(CMAKE_REQUIRED_QUIET ON)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
check_cxx_source_compiles(
  "#include <cstddef>
   #include <cstdint>
   extern \"C\" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) { return 0; }"
  ROCE_HAVE_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_QUIET)
roce_optional("fuzz targets" test/fuzz ROCE_HAVE_LIBFUZZER
              "needs libFuzzer (configure with CXX=clang++)")

# Pages of results: Python's standard library alone. build/bin has a link, so an edit needs no build
if(EXISTS ${ROCE_PYTHON})
  file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/tools/roce-report
       ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/roce-report SYMBOLIC)
  install(PROGRAMS tools/roce-report DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY tools/report DESTINATION ${CMAKE_INSTALL_DATADIR}/roce
          PATTERN __pycache__ EXCLUDE)
  roce_report("result pages" "built: build/bin/roce-report")
else()
  roce_report("result pages" "skipped: no ${ROCE_PYTHON} (package python3)")
endif()

roce_report("MPI" "skipped: in-tree builds only (an ns-3 configured with --enable-mpi)")
