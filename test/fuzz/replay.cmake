# SPDX-License-Identifier: GPL-2.0-only
#
# The fuzz targets without libFuzzer: any compiler; ctest runs them over the corpus.

set(fuzz_dir ${CMAKE_CURRENT_LIST_DIR})
add_executable(roce-fuzz-replay
  ${fuzz_dir}/roce-fuzz-codec.cc
  ${fuzz_dir}/roce-fuzz-experiment.cc
  ${fuzz_dir}/roce-fuzz-frame-codec.cc
  ${fuzz_dir}/roce-fuzz-int.cc
  ${fuzz_dir}/roce-fuzz-repair.cc
  ${fuzz_dir}/roce-fuzz-replay.cc
  ${fuzz_dir}/roce-fuzz-text.cc
  ${fuzz_dir}/roce-fuzz-workload.cc)
target_link_libraries(roce-fuzz-replay PRIVATE roce)
foreach(target codec experiment frame-codec int text workload)
  add_test(NAME fuzz:replay-${target} COMMAND roce-fuzz-replay ${fuzz_dir}/corpus ${target})
  set_tests_properties(fuzz:replay-${target} PROPERTIES LABELS fuzz TIMEOUT 120)
endforeach()
if(EXISTS ${ROCE_PYTHON})
  add_test(NAME fuzz:corpus COMMAND ${ROCE_PYTHON} ${fuzz_dir}/make-corpus.py --check)
  set_tests_properties(fuzz:corpus PROPERTIES LABELS fuzz)
endif()
