/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Uses an installed roce: all of its headers, its definitions, ns-3 behind it.

#include "ns3/core-module.h"
#include "ns3/roce-module.h"

#include <iostream>

using namespace ns3;

int
main()
{
    bool ran = false;
    Simulator::Schedule(NanoSeconds(42), [&ran] { ran = Simulator::Now() == NanoSeconds(42); });
    Simulator::Run();
    Simulator::Destroy();
    std::cout << "roce " << ROCE_VERSION << " ns-3 " << ROCE_NS3_VERSION << "\n";
    return ran ? 0 : 1;
}
