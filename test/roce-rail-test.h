/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RAIL_TEST_H
#define ROCE_RAIL_TEST_H

#include "roce-test-fabric.h"

#include "ns3/nstime.h"
#include "ns3/roce-rail-failover.h"
#include "ns3/string.h"

#include <array>
#include <string>
#include <vector>

/**
 * \file
 * What the tests of RailFailover share.
 */

namespace ns3
{
namespace roce
{

/** \return hosts 0 and 1 with a port on each of the switches 2 and 3; links: host 0 on 2 (index 0),
 *  host 1 on 2, host 0 on 3, host 1 on 3 */
inline FabricGraph
TwoRails()
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    graph.AddSwitch(2);
    graph.AddSwitch(3);
    for (const auto& [a, b] : {std::pair(0, 2), {1, 2}, {0, 3}, {1, 3}})
    {
        graph.AddLink(a, b, 100 * GBPS, 1000000);
    }
    return graph;
}

/** \return two rails of two leaves and a spine each. Hosts 0, 1; rail 0: leaves 2, 3, spine 4
 *  (links 0 to 3: 0-2, 1-3, 2-4, 3-4); rail 1: leaves 5, 6, spine 7 */
inline FabricGraph
TwoRailsOfLeaves()
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    for (uint32_t id = 2; id < 8; ++id)
    {
        graph.AddSwitch(id);
    }
    for (const uint32_t leaf : {2, 5})
    {
        graph.AddLink(0, leaf, 100 * GBPS, 1000000);
        graph.AddLink(1, leaf + 1, 100 * GBPS, 1000000);
        graph.AddLink(leaf, leaf + 2, 100 * GBPS, 1000000);
        graph.AddLink(leaf + 1, leaf + 2, 100 * GBPS, 1000000);
    }
    return graph;
}

/** What RailFailover tells. */
struct Told
{
    std::vector<std::array<uint32_t, 3>> moves; //!< host, from, to
    std::vector<Time> times;                    //!< of each

    /** Trace sink. \param host of it \param from port \param to port */
    void Moved(uint32_t host, uint32_t, uint32_t from, uint32_t to)
    {
        moves.push_back({host, from, to});
        times.push_back(Simulator::Now());
    }
};

/** \return one for a fabric. \param fabric whose \param policy wait, fail, move \param delay of
 *  detection */
inline Ptr<RailFailover>
Watch(Ptr<Fabric> fabric, const std::string& policy, Time delay)
{
    auto failover = CreateObject<RailFailover>();
    failover->SetAttribute("Policy", StringValue(policy));
    failover->SetAttribute("DetectionDelay", TimeValue(delay));
    failover->Install(fabric);
    return failover;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_RAIL_TEST_H
