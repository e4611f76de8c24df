/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-mix.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace ns3
{
namespace roce
{

ClosHelper
ScenarioMix::Pod(uint32_t racks, uint32_t spines, uint32_t hosts)
{
    ClosHelper clos(racks, spines, hosts);
    clos.SetHostLinks("100Gbps", "100ns");
    clos.SetFabricLinks("100Gbps", "400ns");
    return clos;
}

ClosHelper
ScenarioMix::Pods(uint32_t pods, uint32_t racks, uint32_t spines, uint32_t tops, uint32_t hosts)
{
    ClosHelper clos(pods, racks, spines, tops, hosts);
    clos.SetHostLinks("100Gbps", "100ns");
    clos.SetFabricLinks("100Gbps", "400ns");
    clos.SetCoreLinks("400Gbps", "2us");
    return clos;
}

std::vector<uint32_t>
ScenarioMix::Draw(uint32_t first, uint32_t end, uint32_t seed)
{
    std::mt19937 engine(seed);
    std::vector<uint32_t> order(end - first);
    std::iota(order.begin(), order.end(), first);
    for (auto i = static_cast<uint32_t>(order.size()); i > 1; --i)
    {
        std::swap(order[i - 1], order[engine() % i]);
    }
    return order;
}

void
ScenarioMix::AddRing(ScenarioPlan& plan,
                     uint32_t racks,
                     uint32_t hosts,
                     uint32_t qps,
                     uint64_t bytes,
                     bool dependent)
{
    const auto base = static_cast<int64_t>(plan.flows.size());
    for (uint32_t host = 0; host < racks * hosts; ++host)
    {
        const uint32_t rack = host / hosts;
        const uint32_t place = host % hosts;
        const uint32_t before = (rack + racks - 1) % racks * hosts + place;
        for (uint32_t k = 0; k < qps; ++k)
        {
            ScenarioFlow flow{host, (rack + 1) % racks * hosts + place, bytes, "ring"};
            flow.after = dependent ? base + before * qps + k : -1;
            flow.reported = flow.destination != 0;
            plan.flows.push_back(flow);
        }
    }
}

void
ScenarioMix::AddHotspot(ScenarioPlan& plan,
                        uint32_t all,
                        uint32_t hosts,
                        uint32_t senders,
                        uint64_t bytes,
                        uint32_t seed)
{
    const std::vector<uint32_t> order = Draw(hosts, all, seed);
    for (uint32_t i = 0; i < senders; ++i)
    {
        ScenarioFlow flow{order[i % order.size()], 0, bytes, "hot"};
        flow.reported = false;
        plan.flows.push_back(flow);
    }
}

void
ScenarioMix::AddVictims(ScenarioPlan& plan,
                        uint32_t all,
                        uint32_t hosts,
                        uint32_t senders,
                        uint64_t bytes,
                        uint32_t seed)
{
    AddHotspot(plan, all, hosts, senders, bytes, seed);
    const std::vector<uint32_t> order = Draw(hosts, all, seed);
    for (uint32_t i = 0; i < senders; ++i)
    {
        plan.flows.push_back({order[i % order.size()], 1 + i % (hosts - 1), bytes, "victim"});
    }
}

void
ScenarioMix::AddAllToAll(ScenarioPlan& plan, uint32_t all, uint32_t half, uint64_t bytes)
{
    for (uint32_t host = 0; host < all; ++host)
    {
        const uint32_t other = host < half ? half : 0;
        for (uint32_t i = 0; i < half; ++i)
        {
            plan.flows.push_back({host, other + i, bytes, "all"});
        }
    }
}

void
ScenarioMix::AddPermutation(ScenarioPlan& plan,
                            uint32_t all,
                            uint32_t qps,
                            uint64_t bytes,
                            uint32_t seed)
{
    // one cycle through a random order of all: nobody writes to itself
    const std::vector<uint32_t> order = Draw(0, all, seed);
    for (uint32_t i = 0; i < all; ++i)
    {
        for (uint32_t k = 0; k < qps; ++k)
        {
            plan.flows.push_back({order[i], order[(i + 1) % all], bytes, "pair"});
        }
    }
}

} // namespace roce
} // namespace ns3
