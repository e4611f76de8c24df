# SPDX-License-Identifier: GPL-2.0-only
#
# Writes one add_test() for each suite that an ns-3 test-runner lists.
# cmake -DRUNNER=... -DOUT=... -DPREFIX=... -DWORKDIR=... -P discover-suites.cmake
execute_process(COMMAND ${RUNNER} --list
                OUTPUT_VARIABLE listed RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${RUNNER} --list failed: ${result}")
endif()
string(REPLACE "\n" ";" suites "${listed}")
set(text "")
foreach(suite ${suites})
  string(APPEND text
    "add_test([==[${PREFIX}${suite}]==] [==[${RUNNER}]==] --suite=${suite} --verbose)\n"
    "set_tests_properties([==[${PREFIX}${suite}]==] PROPERTIES"
    " WORKING_DIRECTORY [==[${WORKDIR}]==] LABELS ns3 TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUT} "${text}")
