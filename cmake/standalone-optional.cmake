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

# Python: Debian's interpreter, as the notebook packages are Debian's; another may be first on PATH
set(Python_EXECUTABLE ${ROCE_PYTHON})
set(PYTHON_EXECUTABLE ${ROCE_PYTHON}) # pybind11's classic mode
set(PYBIND11_FINDPYTHON ON)
set(roce_have_bindings OFF)
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
if(Python_FOUND)
  find_package(pybind11 2.9 CONFIG QUIET)
  set(roce_have_bindings ${pybind11_FOUND})
endif()
roce_optional("Python bindings" bindings roce_have_bindings
              "needs pybind11 2.9 and Python headers (packages pybind11-dev python3-dev)")

# Execution traces of AI training (Chakra) are protobuf
find_package(Protobuf QUIET)
roce_optional("Chakra traces" tools/chakra Protobuf_FOUND
              "needs protobuf (packages protobuf-compiler libprotobuf-dev)")

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

roce_report("MPI" "skipped: in-tree builds only (an ns-3 configured with --enable-mpi)")
