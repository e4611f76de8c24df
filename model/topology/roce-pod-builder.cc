/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-pod-builder.h"

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

/** \return "4 racks x 1 links". \param count how many \param what they are \param links to each */
std::string
Times(uint64_t count, const char* what, uint32_t links)
{
    return std::to_string(count) + " " + what + " x " + std::to_string(links) + " parallel links";
}

/** Refuse zero counts and more nodes than can be. \param plan sizes */
void
CheckCounts(const PodPlan& plan)
{
    const PlanCheck check("pods");
    check.Positive("pods", plan.pods);
    check.Positive("racksPerPod", plan.racksPerPod);
    check.Positive("gpusPerRack", plan.gpusPerRack);
    check.Positive("podSpines", plan.podSpines);
    check.Positive("podLinks", plan.podLinks);
    check.Positive("coreLinks", plan.coreLinks);
    check.Rate("hostRateBps", plan.hostRateBps);
    check.Rate("podRateBps", plan.podRateBps);
    check.Rate("coreRateBps", plan.coreRateBps);
    check.Metres("hostMetres", plan.hostMetres);
    check.Metres("podMetres", plan.podMetres);
    check.Metres("coreMetres", plan.coreMetres);
    if (plan.superSpines == 0 && plan.pods > 1)
    {
        throw std::invalid_argument("pods: " + std::to_string(plan.pods) +
                                    " pods and 0 superSpines; expected at least 1");
    }
    const uint64_t racks = uint64_t{plan.pods} * plan.racksPerPod;
    check.Nodes(racks);
    check.Nodes(racks * plan.gpusPerRack);
    check.Nodes(racks * plan.gpusPerRack + racks + uint64_t{plan.pods} * plan.podSpines +
                plan.superSpines);
}

/** Refuse a plan whose switches have too few ports. \param plan sizes */
void
CheckPorts(const PodPlan& plan)
{
    const PlanCheck check("pods");
    const uint64_t racks = uint64_t{plan.pods} * plan.racksPerPod;
    const uint64_t spines = uint64_t{plan.pods} * plan.podSpines;
    const uint64_t first = racks * plan.gpusPerRack;
    const uint64_t up = uint64_t{plan.superSpines} * plan.coreLinks;
    check.Ports("leaf0 (node " + std::to_string(first) + ")",
                plan.gpusPerRack + uint64_t{plan.podSpines} * plan.podLinks,
                plan.leafRadix,
                std::to_string(plan.gpusPerRack) + " GPUs + " +
                    Times(plan.podSpines, "pod spines", plan.podLinks));
    check.Ports("spine0 (node " + std::to_string(first + racks) + ")",
                uint64_t{plan.racksPerPod} * plan.podLinks + up,
                plan.spineRadix,
                Times(plan.racksPerPod, "racks", plan.podLinks) + " + " +
                    Times(plan.superSpines, "super-spines", plan.coreLinks));
    check.Ports("super-spine0 (node " + std::to_string(first + racks + spines) + ")",
                spines * plan.coreLinks,
                plan.superRadix,
                Times(spines, "pod spines", plan.coreLinks));
    check.Links(racks, uint64_t{plan.podSpines} * plan.podLinks);
    check.Links(spines, up);
}

} // namespace

FabricGraph
PodBuilder::Build(const PodPlan& plan)
{
    CheckCounts(plan);
    CheckPorts(plan);
    FabricDraft draft;
    const uint32_t racks = plan.pods * plan.racksPerPod;
    const uint32_t host = draft.Hosts(racks * plan.gpusPerRack);
    const uint32_t leaf = draft.Tier(racks, "leaf");
    const uint32_t spine = draft.Tier(plan.pods * plan.podSpines, "spine");
    const uint32_t super = draft.Tier(plan.superSpines, "super-spine");
    for (uint32_t i = 0; i < racks * plan.gpusPerRack; i++)
    {
        draft.Link(host + i, leaf + i / plan.gpusPerRack, 1, plan.hostRateBps, plan.hostMetres);
    }
    for (uint32_t i = 0; i < racks; i++)
    {
        const uint32_t first = spine + i / plan.racksPerPod * plan.podSpines;
        for (uint32_t s = 0; s < plan.podSpines; s++)
        {
            draft.Link(leaf + i, first + s, plan.podLinks, plan.podRateBps, plan.podMetres);
        }
    }
    draft.Planes(spine,
                 plan.pods * plan.podSpines,
                 super,
                 plan.superSpines,
                 1,
                 {plan.coreLinks, plan.coreRateBps, plan.coreMetres});
    return draft.Take();
}

} // namespace roce
} // namespace ns3
