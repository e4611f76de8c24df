/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The stand-alone build's runner of the ns-3 test suites: try --help, --list, --suite=NAME.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
