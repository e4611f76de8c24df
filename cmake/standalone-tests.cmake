# SPDX-License-Identifier: GPL-2.0-only
#
# test-runner (ns-3 suites), roce-catch2 (pure parts), and their entries in ctest.

add_executable(test-runner test/test-runner.cc ${roce_tests})
target_link_libraries(test-runner PRIVATE roce)
target_compile_definitions(test-runner PRIVATE
  NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test")
# one entry a TestSuite, found after the link
add_custom_command(TARGET test-runner POST_BUILD
  COMMAND ${CMAKE_COMMAND} -DRUNNER=$<TARGET_FILE:test-runner>
          -DOUT=${CMAKE_CURRENT_BINARY_DIR}/roce-suites.cmake -DPREFIX=ns3:
          -DWORKDIR=${CMAKE_CURRENT_BINARY_DIR}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/discover-suites.cmake VERBATIM)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/roce-suites-include.cmake
  "if(EXISTS \"${CMAKE_CURRENT_BINARY_DIR}/roce-suites.cmake\")
  include(\"${CMAKE_CURRENT_BINARY_DIR}/roce-suites.cmake\")
else()
  add_test(test-runner_NOT_BUILT test-runner_NOT_BUILT)
endif()\n")
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
             ${CMAKE_CURRENT_BINARY_DIR}/roce-suites-include.cmake)
# half the time to compile, and what takes time to run is in the library
target_compile_options(test-runner PRIVATE -O0)
list(LENGTH roce_tests n)
roce_report("ns-3 suites" "built: ${n} files, build/bin/test-runner")

find_package(Catch2 2 QUIET)
if(Catch2_FOUND)
  add_executable(roce-catch2 test/catch2/catch-main.cc ${roce_catch_tests})
  target_compile_options(roce-catch2 PRIVATE -O0)
  target_link_libraries(roce-catch2 PRIVATE roce Catch2::Catch2)
  target_compile_definitions(roce-catch2 PRIVATE
    NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test")
  if(ROCE_SANITIZE)
    # an entry a file: with sanitizers, a process takes longer to start than most tests to run
    foreach(f ${roce_catch_tests})
      get_filename_component(n ${f} NAME_WE)
      add_test(NAME catch2:${n} COMMAND roce-catch2 -\# "[\#${n}]~[.]")
      set_tests_properties(catch2:${n} PROPERTIES LABELS catch2 TIMEOUT 600)
    endforeach()
  elseif(roce_catch_tests)
    include(Catch)
    catch_discover_tests(roce-catch2 TEST_PREFIX "catch2:"
                         WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
                         PROPERTIES LABELS catch2 TIMEOUT 600)
  endif()
  list(LENGTH roce_catch_tests n)
  roce_report("Catch2 tests" "built: ${n} files, build/bin/roce-catch2")
elseif(roce_catch_tests)
  message(FATAL_ERROR "the tests need Catch2 version 2, which was not found.\n"
                      "Debian: apt-get install catch2, or run tools/setup.sh.\n"
                      "Without tests: cmake -DBUILD_TESTING=OFF.")
else()
  roce_report("Catch2 tests" "skipped: Catch2 version 2 not found (package catch2)")
endif()

include(${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/replay.cmake)
roce_report("fuzz replay" "built: build/bin/roce-fuzz-replay")

# slow ones, minutes in all: ctest -C Slow -L slow, or tools/test.sh --slow
if(TARGET roce-validate)
  foreach(case d1 d2 d3 d4 d9 d10 d11 a33 a34)
    add_test(NAME "slow:roce-validate --case=${case}" CONFIGURATIONS Slow
             COMMAND roce-validate --case=${case} --check)
    set_tests_properties("slow:roce-validate --case=${case}" PROPERTIES TIMEOUT 1800 LABELS slow)
  endforeach()
endif()

# an installed roce serves a program that does find_package(roce)
set(consumer_flags)
if(ROCE_SANITIZE)
  set(consumer_flags -fsanitize=${ROCE_SANITIZE})
endif()
add_test(NAME install:find_package
  COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_CURRENT_BINARY_DIR} "-DGENERATOR=${CMAKE_GENERATOR}"
          -DWORK=${CMAKE_CURRENT_BINARY_DIR}/test-install -DCXX_FLAGS=${consumer_flags}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/test/install/test-install.cmake)
set_tests_properties(install:find_package PROPERTIES TIMEOUT 600 LABELS build
                     RESOURCE_LOCK install)

# the programs that test.py runs in-tree, and the tools' own tests
if(EXISTS ${ROCE_PYTHON})
  set(examples_to_run ${CMAKE_CURRENT_SOURCE_DIR}/test/examples-to-run.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${examples_to_run})
  execute_process(
    COMMAND ${ROCE_PYTHON} -c "import sys
scope = {}
exec(open(sys.argv[1]).read(), scope)
print(';'.join(e[0] for e in scope['cpp_examples'] if e[1] == 'True'))" ${examples_to_run}
    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cannot read ${examples_to_run}")
  endif()
  # paths in examples-to-run.py are those that a module in-tree has under test.py
  set(top ${CMAKE_CURRENT_BINARY_DIR}/test-examples)
  file(MAKE_DIRECTORY ${top}/contrib ${top}/output/run)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${top}/contrib/roce SYMBOLIC)
  foreach(line ${lines})
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words program)
    if(TARGET ${program})
      add_test(NAME "example:${line}" COMMAND ${program} ${words}
               WORKING_DIRECTORY ${top}/output/run)
      set_tests_properties("example:${line}" PROPERTIES TIMEOUT 600 LABELS examples)
    elseif(ROCE_EXAMPLES)
      message(FATAL_ERROR "test/examples-to-run.py names ${program}, which is no program here")
    endif()
  endforeach()
  add_test(NAME tools:test-checkers
           COMMAND ${ROCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tools/test-checkers.py)
  set_tests_properties(tools:test-checkers PROPERTIES LABELS tools)
  add_test(NAME tools:test-report
           COMMAND ${ROCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tools/test-report.py)
  set_tests_properties(tools:test-report PROPERTIES LABELS tools TIMEOUT 300)
  if(ROCE_EXAMPLES)
    add_test(NAME tools:test-cli
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/test-cli.sh $<TARGET_FILE_DIR:roce-first>)
    set_tests_properties(tools:test-cli PROPERTIES LABELS tools TIMEOUT 600)
    add_test(NAME docs:schema
             COMMAND ${ROCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tools/test-schema.py
                     --build=${CMAKE_CURRENT_BINARY_DIR})
    set_tests_properties(docs:schema PROPERTIES LABELS docs TIMEOUT 300 SKIP_RETURN_CODE 77)
    if(NOT ROCE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Release") # else minutes
      add_test(NAME docs:blocks
               COMMAND ${ROCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tools/test-docs.py
                       --build=${CMAKE_CURRENT_BINARY_DIR})
      set_tests_properties(docs:blocks PROPERTIES LABELS docs TIMEOUT 600 RESOURCE_LOCK install)
    endif()
  endif()
endif()
