/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-rail-builder.h"

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

/** Refuse spines that do not serve the leaves. \param plan sizes */
void
CheckSpines(const RailPlan& plan)
{
    if (plan.spines == 0 && plan.groups > 1)
    {
        throw std::invalid_argument("rails: " + std::to_string(plan.groups) +
                                    " groups and 0 spines; expected at least 1 spine");
    }
    if (plan.separateRails && plan.spines % plan.rails != 0)
    {
        throw std::invalid_argument("rails: spines " + std::to_string(plan.spines) +
                                    " is no multiple of rails " + std::to_string(plan.rails) +
                                    ", which separate rails need");
    }
}

/** Refuse a plan that makes no fabric. \param plan sizes */
void
Check(const RailPlan& plan)
{
    const PlanCheck check("rails");
    check.Positive("groups", plan.groups);
    check.Positive("nodesPerGroup", plan.nodesPerGroup);
    check.Positive("rails", plan.rails);
    check.Positive("linksPerPair", plan.linksPerPair);
    check.Rate("hostRateBps", plan.hostRateBps);
    check.Rate("fabricRateBps", plan.fabricRateBps);
    check.Metres("hostMetres", plan.hostMetres);
    check.Metres("fabricMetres", plan.fabricMetres);
    CheckSpines(plan);
    const uint64_t nodes = uint64_t{plan.groups} * plan.nodesPerGroup;
    const uint64_t leaves = uint64_t{plan.groups} * plan.rails;
    check.Nodes(nodes);
    check.Nodes(leaves);
    check.Nodes(nodes * plan.rails);
    const uint64_t hosts = plan.gpusAsHosts ? nodes * plan.rails : nodes;
    check.Nodes(hosts + leaves + plan.spines);
    const uint32_t above = plan.separateRails ? plan.spines / plan.rails : plan.spines;
    const uint64_t below = plan.separateRails ? plan.groups : leaves;
    const std::string links = " x " + std::to_string(plan.linksPerPair) + " parallel links";
    check.Ports("leaf0 (node " + std::to_string(hosts) + ")",
                plan.nodesPerGroup + uint64_t{above} * plan.linksPerPair,
                plan.leafRadix,
                std::to_string(plan.nodesPerGroup) + " servers + " + std::to_string(above) +
                    " spines" + links);
    check.Ports("spine0 (node " + std::to_string(hosts + leaves) + ")",
                below * plan.linksPerPair,
                plan.spineRadix,
                std::to_string(below) + " leaves" + links);
    check.Links(nodes, plan.rails);
    check.Links(leaves, uint64_t{above} * plan.linksPerPair);
}

} // namespace

uint32_t
RailBuilder::HostOf(const RailPlan& plan, uint32_t node, uint32_t rail)
{
    if (rail >= plan.rails || node / plan.nodesPerGroup >= plan.groups)
    {
        throw std::invalid_argument(
            "rails: there is no rail " + std::to_string(rail) + " of server " +
            std::to_string(node) + "; the plan has " + std::to_string(plan.rails) + " rails and " +
            std::to_string(plan.groups) + " x " + std::to_string(plan.nodesPerGroup) + " servers");
    }
    return plan.gpusAsHosts ? node * plan.rails + rail : node;
}

FabricGraph
RailBuilder::Build(const RailPlan& plan)
{
    Check(plan);
    FabricDraft draft;
    const uint32_t nodes = plan.groups * plan.nodesPerGroup;
    draft.Hosts(plan.gpusAsHosts ? nodes * plan.rails : nodes);
    const uint32_t leaf = draft.Tier(plan.groups * plan.rails, "leaf");
    const uint32_t spine = draft.Tier(plan.spines, "spine");
    for (uint32_t node = 0; node < nodes; node++)
    {
        for (uint32_t rail = 0; rail < plan.rails; rail++)
        {
            const uint32_t group = node / plan.nodesPerGroup;
            draft.Link(HostOf(plan, node, rail),
                       leaf + group * plan.rails + rail,
                       1,
                       plan.hostRateBps,
                       plan.hostMetres);
        }
    }
    const uint32_t planes = plan.separateRails ? plan.rails : 1;
    draft.Planes(leaf,
                 plan.groups * plan.rails / planes,
                 spine,
                 plan.spines / planes,
                 planes,
                 {plan.linksPerPair, plan.fabricRateBps, plan.fabricMetres});
    return draft.Take();
}

} // namespace roce
} // namespace ns3
