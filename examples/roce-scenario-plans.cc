/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-plans.h"

#include "roce-scenario-mix.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t RACKS = 8;
constexpr uint32_t HOSTS = 8; // a rack
constexpr uint64_t MB = 1000000;
constexpr uint64_t RING_BYTES = 250000;

// Gap of flowlets in rings, us. A dependent ring is silent from the end of one message to the begin
// of the next, 4.6 us (doc/headline.rst): a gap of 5 us, as in the exploration, is just missed, and
// flows stay for good where they began.
constexpr int64_t RING_GAP = 2;

using Maker = ScenarioPlan (*)(uint32_t seed);

/** \return a pod of 8 racks, 8 spines, without traffic. \param name in results */
ScenarioPlan
MakePod(const std::string& name)
{
    return {name, ScenarioMix::Pod(RACKS, 8, HOSTS), 16, MilliSeconds(4), MilliSeconds(5)};
}

/** \return pods, without traffic. \param name in results \param clos fabric \param ports of the
 *  largest switch, in 100 Gb/s \param warmup ms \param measure ms */
ScenarioPlan
MakePods(const std::string& name, ClosHelper clos, uint32_t ports, int64_t warmup, int64_t measure)
{
    return {name, clos, ports, MilliSeconds(warmup), MilliSeconds(measure)};
}

/** \return racks in a ring and a hotspot. \param name in results \param dependent messages
 *  \param senders of the hotspot \param gap of flowlets, us; 0: static paths \param seed draws */
ScenarioPlan
MakeRing(const std::string& name, bool dependent, uint32_t senders, int64_t gap, uint32_t seed)
{
    ScenarioPlan plan = MakePod(name);
    plan.pinned = gap == 0;
    plan.gap = MicroSeconds(gap);
    ScenarioMix::AddRing(plan, RACKS, HOSTS, 4, RING_BYTES, dependent);
    ScenarioMix::AddHotspot(plan, RACKS * HOSTS, HOSTS, senders, MB, seed);
    return plan;
}

ScenarioPlan
MakeVictim(uint32_t seed)
{
    ScenarioPlan plan = MakePod("victim");
    ScenarioMix::AddVictims(plan, RACKS * HOSTS, HOSTS, 32, RING_BYTES, seed);
    return plan;
}

ScenarioPlan
MakeAllToAll(uint32_t)
{
    ScenarioPlan plan = MakePods("all-to-all", ScenarioMix::Pods(2, 8, 4, 4, 4), 12, 1, 2);
    ScenarioMix::AddAllToAll(plan, 64, 32, 64000);
    return plan;
}

ScenarioPlan
MakePermutation(uint32_t seed)
{
    ScenarioPlan plan = MakePods("permutation", ScenarioMix::Pods(4, 2, 8, 8, 8), 16, 2, 5);
    ScenarioMix::AddPermutation(plan, 64, 4, RING_BYTES, seed);
    return plan;
}

ScenarioPlan
MakeRingOfPods(uint32_t)
{
    ScenarioPlan plan = MakePods("pods-ring-dep-dlb", ScenarioMix::Pods(2, 4, 8, 8, 8), 16, 4, 5);
    plan.pinned = false;
    plan.gap = MicroSeconds(RING_GAP);
    ScenarioMix::AddRing(plan, 8, 8, 2, RING_BYTES, true);
    return plan;
}

ScenarioPlan
MakeSteady(uint32_t)
{
    ScenarioPlan plan = ScenarioPlans::MakeIncast(8, 8, 4 * MB);
    plan.name = "steady-incast";
    plan.profile = "steady";
    plan.warmup = MilliSeconds(10);
    plan.measure = MilliSeconds(40);
    return plan;
}

const std::map<std::string, Maker>&
GetMakers()
{
    static const std::map<std::string, Maker> makers = {
        {"hotspot", [](uint32_t s) { return MakeRing("hotspot", false, 32, 1, s); }},
        {"victim", MakeVictim},
        {"steady-incast", MakeSteady},
        {"all-to-all", MakeAllToAll},
        {"permutation", MakePermutation},
        {"ring", [](uint32_t s) { return MakeRing("ring", false, 0, 0, s); }},
        {"ring-dep", [](uint32_t s) { return MakeRing("ring-dep", true, 0, 0, s); }},
        {"ring-dlb", [](uint32_t s) { return MakeRing("ring-dlb", false, 0, RING_GAP, s); }},
        {"ring-dep-dlb", [](uint32_t s) { return MakeRing("ring-dep-dlb", true, 0, RING_GAP, s); }},
        {"dep16", [](uint32_t s) { return MakeRing("dep16", true, 16, 0, s); }},
        {"dep16-dlb", [](uint32_t s) { return MakeRing("dep16-dlb", true, 16, RING_GAP, s); }},
        {"pods-ring-dep-dlb", MakeRingOfPods},
        {"incast-96", [](uint32_t) { return ScenarioPlans::MakeIncast(96, 48, MB); }},
        {"incast-448", [](uint32_t) { return ScenarioPlans::MakeIncast(448, 56, MB); }},
        {"parking-lot", [](uint32_t) { return ScenarioPlans::MakeParkingLot(4, false); }},
        {"parking-lot-pods", [](uint32_t) { return ScenarioPlans::MakeParkingLot(4, true); }},
    };
    return makers;
}

} // namespace

ScenarioPlan
ScenarioPlans::Make(const std::string& name, uint32_t seed)
{
    auto found = GetMakers().find(name);
    if (found == GetMakers().end())
    {
        std::string known;
        for (const auto& maker : GetMakers())
        {
            known += " " + maker.first;
        }
        throw std::invalid_argument("--scenario=" + name + ": choose" + known);
    }
    return found->second(seed);
}

} // namespace roce
} // namespace ns3
