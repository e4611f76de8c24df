/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-dual-plane-builder.h"

#include "roce-fabric-draft.h"
#include "roce-plan-check.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse a plan that makes no fabric. \param plan sizes */
void
Check(const DualPlanePlan& plan)
{
    const PlanCheck check("dual plane");
    check.Positive("racks", plan.racks);
    check.Positive("hostsPerRack", plan.hostsPerRack);
    check.Positive("linksPerPair", plan.linksPerPair);
    check.Rate("hostRateBps", plan.hostRateBps);
    check.Rate("fabricRateBps", plan.fabricRateBps);
    check.Metres("hostMetres", plan.hostMetres);
    check.Metres("fabricMetres", plan.fabricMetres);
    if (plan.spines == 0 && plan.racks > 1)
    {
        throw std::invalid_argument("dual plane: " + std::to_string(plan.racks) +
                                    " racks and 0 spines; expected at least 1 spine a plane");
    }
    if (plan.separatePlanes && plan.spines % 2 != 0)
    {
        throw std::invalid_argument("dual plane: spines " + std::to_string(plan.spines) +
                                    " is odd; expected as many in each of two planes");
    }
    const uint64_t hosts = uint64_t{plan.racks} * plan.hostsPerRack;
    const uint64_t leaves = uint64_t{plan.racks} * 2;
    check.Nodes(hosts);
    check.Nodes(hosts + leaves + plan.spines);
    const uint32_t above = plan.separatePlanes ? plan.spines / 2 : plan.spines;
    const uint64_t below = plan.separatePlanes ? plan.racks : leaves;
    const std::string links = " x " + std::to_string(plan.linksPerPair) + " parallel links";
    check.Ports("leaf0 (node " + std::to_string(hosts) + ")",
                plan.hostsPerRack + uint64_t{above} * plan.linksPerPair,
                plan.leafRadix,
                std::to_string(plan.hostsPerRack) + " hosts + " + std::to_string(above) +
                    " spines" + links);
    check.Ports("spine0 (node " + std::to_string(hosts + leaves) + ")",
                below * plan.linksPerPair,
                plan.spineRadix,
                std::to_string(below) + " leaves" + links);
    check.Links(leaves, uint64_t{above} * plan.linksPerPair);
}

} // namespace

FabricGraph
DualPlaneBuilder::Build(const DualPlanePlan& plan)
{
    Check(plan);
    FabricDraft draft;
    const uint32_t host = draft.Hosts(plan.racks * plan.hostsPerRack);
    const uint32_t leaf = draft.Tier(plan.racks * 2, "leaf");
    const uint32_t spine = draft.Tier(plan.spines, "spine");
    for (uint32_t i = 0; i < plan.racks * plan.hostsPerRack; i++)
    {
        for (uint32_t side = 0; side < 2; side++)
        {
            draft.Link(host + i,
                       leaf + i / plan.hostsPerRack * 2 + side,
                       1,
                       plan.hostRateBps,
                       plan.hostMetres);
        }
    }
    const uint32_t planes = plan.separatePlanes ? 2 : 1;
    draft.Planes(leaf,
                 plan.racks * 2 / planes,
                 spine,
                 plan.spines / planes,
                 planes,
                 {plan.linksPerPair, plan.fabricRateBps, plan.fabricMetres});
    return draft.Take();
}

} // namespace roce
} // namespace ns3
