/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-mix.h"
#include "roce-scenario-plans.h"

#include <stdexcept>

// scenarios with one or two bottlenecks; those with names are in roce-scenario-plans.cc

namespace ns3
{
namespace roce
{

ScenarioPlan
ScenarioPlans::MakeIncast(uint32_t flows, uint32_t senders, uint64_t bytes)
{
    constexpr uint32_t racks = 8;
    constexpr uint32_t hosts = 8;
    if (flows == 0 || senders == 0 || senders > (racks - 1) * hosts)
    {
        throw std::invalid_argument("an incast of " + std::to_string(flows) + " flows from " +
                                    std::to_string(senders) +
                                    " hosts: at least 1 flow, and 1 to 56 hosts are needed");
    }
    ScenarioPlan plan{"incast-" + std::to_string(flows),
                      ScenarioMix::Pod(racks, 8, hosts),
                      16,
                      MilliSeconds(25), // what line rate put into the fabric drains at C / 10
                      MilliSeconds(10)};
    for (uint32_t i = 0; i < flows; ++i)
    {
        // as many of each rack as possible: rack 1 + i % 7
        const uint32_t sender = i % senders;
        const uint32_t host = (1 + sender % (racks - 1)) * hosts + sender / (racks - 1);
        plan.flows.push_back({host, 0, bytes, "incast"});
    }
    return plan;
}

ScenarioPlan
ScenarioPlans::MakeParkingLot(uint32_t flows, bool pods)
{
    if (flows == 0 || flows > 64)
    {
        throw std::invalid_argument("a parking lot with " + std::to_string(flows) +
                                    " flows a group: 1 to 64 are possible");
    }
    const uint32_t hosts = 2 * flows; // a rack
    ScenarioPlan plan{pods ? "parking-lot-pods" : "parking-lot",
                      pods ? ScenarioMix::Pods(2, 3, 1, 1, hosts) : ScenarioMix::Pod(4, 1, hosts),
                      hosts + 1,
                      MilliSeconds(10),
                      MilliSeconds(40)};
    // racks by what they do; with pods the far one is the first of the second pod
    const uint32_t near = 0;
    const uint32_t aside = hosts;
    const uint32_t other = 2 * hosts;
    const uint32_t far = 3 * hosts;
    for (uint32_t i = 0; i < flows; ++i)
    {
        for (ScenarioFlow flow : {ScenarioFlow{near + i, far + i, 1000000, "both"},
                                  ScenarioFlow{near + flows + i, aside + i, 1000000, "first"},
                                  ScenarioFlow{other + i, far + flows + i, 1000000, "second"}})
        {
            flow.ahead = 2; // a queue pair always has something to send
            plan.flows.push_back(flow);
        }
    }
    return plan;
}

} // namespace roce
} // namespace ns3
