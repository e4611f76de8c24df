/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-clos-builder.h"

#include "roce-plan-check.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Add hosts 0, 1, ... \param graph the fabric \param count how many */
void
AddHosts(FabricGraph& graph, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
    {
        graph.AddHost(i);
    }
}

/** Add a tier. \param graph the fabric \param first its first id \param count how many
 *  \param tier its label */
void
AddTier(FabricGraph& graph, uint32_t first, uint32_t count, const char* tier)
{
    for (uint32_t i = 0; i < count; i++)
    {
        graph.AddSwitch(first + i, tier, tier + std::to_string(i));
    }
}

/** Cable hosts to leaves. \param graph the fabric \param leaves how many \param perLeaf hosts on
 *  each \param rateBps rate \param delayPs delay */
void
LinkHosts(FabricGraph& graph, uint32_t leaves, uint32_t perLeaf, uint64_t rateBps, int64_t delayPs)
{
    for (uint32_t host = 0; host < leaves * perLeaf; host++)
    {
        graph.AddLink(host, leaves * perLeaf + host / perLeaf, rateBps, delayPs);
    }
}

/** \return a node in messages. \param tier its tier \param id its id */
std::string
FirstOf(const char* tier, uint64_t id)
{
    return std::string(tier) + "0 (node " + std::to_string(id) + ")";
}

/** \return "4 leaves x 2 parallel links". \param count how many \param what they are
 *  \param links to each */
std::string
Times(uint32_t count, const char* what, uint32_t links)
{
    return std::to_string(count) + " " + what + " x " + std::to_string(links) + " parallel links";
}

/** \return the plan, its oversubscription turned into links; refused if impossible.
 *  \param plan sizes */
LeafSpinePlan
Checked(LeafSpinePlan plan)
{
    const PlanCheck check("Clos");
    check.Positive("leaves", plan.leaves);
    check.Positive("hostsPerLeaf", plan.hostsPerLeaf);
    check.Positive("linksPerPair", plan.linksPerPair);
    if (plan.spines == 0 && plan.leaves > 1)
    {
        throw std::invalid_argument("Clos: " + std::to_string(plan.leaves) +
                                    " leaves and 0 spines; expected at least 1 spine");
    }
    const uint64_t hosts = uint64_t{plan.leaves} * plan.hostsPerLeaf;
    check.Nodes(hosts + plan.leaves + plan.spines);
    check.Rate("hostRateBps", plan.hostRateBps);
    const std::string leaf = FirstOf("leaf", hosts);
    if (plan.oversubscription != 0)
    {
        plan.linksPerPair =
            check.LinksPerPeer(leaf,
                               static_cast<double>(plan.hostRateBps) * plan.hostsPerLeaf,
                               plan.fabricRateBps,
                               plan.oversubscription,
                               plan.spines);
    }
    check.Ports(leaf,
                plan.hostsPerLeaf + uint64_t{plan.spines} * plan.linksPerPair,
                plan.leafRadix,
                std::to_string(plan.hostsPerLeaf) + " hosts + " +
                    Times(plan.spines, "spines", plan.linksPerPair));
    check.Ports(FirstOf("spine", hosts + plan.leaves),
                uint64_t{plan.leaves} * plan.linksPerPair,
                plan.spineRadix,
                Times(plan.leaves, "leaves", plan.linksPerPair));
    check.Links(plan.leaves, uint64_t{plan.spines} * plan.linksPerPair);
    return plan;
}

/** Refuse zero counts and what does not divide. \param plan sizes */
void
CheckCounts(const ThreeTierPlan& plan)
{
    const PlanCheck check("Clos");
    check.Positive("pods", plan.pods);
    check.Positive("leavesPerPod", plan.leavesPerPod);
    check.Positive("podSpines", plan.podSpines);
    check.Positive("superSpines", plan.superSpines);
    check.Positive("hostsPerLeaf", plan.hostsPerLeaf);
    check.Positive("linksPerPair", plan.linksPerPair);
    check.Positive("coreLinksPerPair", plan.coreLinksPerPair);
    check.Rate("hostRateBps", plan.hostRateBps);
    check.Rate("fabricRateBps", plan.fabricRateBps);
    if (plan.superSpines % plan.podSpines != 0)
    {
        throw std::invalid_argument("Clos: superSpines " + std::to_string(plan.superSpines) +
                                    " is no multiple of podSpines " +
                                    std::to_string(plan.podSpines));
    }
    const uint64_t wide = uint64_t{plan.pods} * plan.leavesPerPod;
    check.Nodes(wide);
    check.Nodes(wide * plan.hostsPerLeaf);
    check.Nodes(wide * plan.hostsPerLeaf + wide + uint64_t{plan.pods} * plan.podSpines +
                plan.superSpines);
}

/** \return the plan, its oversubscription turned into links; refused if impossible.
 *  \param plan sizes */
ThreeTierPlan
Checked(ThreeTierPlan plan)
{
    CheckCounts(plan);
    const PlanCheck check("Clos");
    const uint64_t leaves = uint64_t{plan.pods} * plan.leavesPerPod;
    const uint64_t hosts = leaves * plan.hostsPerLeaf;
    const std::string leaf = FirstOf("leaf", hosts);
    const std::string spine = FirstOf("spine", hosts + leaves);
    if (plan.leafOversubscription != 0)
    {
        plan.linksPerPair =
            check.LinksPerPeer(leaf,
                               static_cast<double>(plan.hostRateBps) * plan.hostsPerLeaf,
                               plan.fabricRateBps,
                               plan.leafOversubscription,
                               plan.podSpines);
    }
    const uint32_t perPlane = plan.superSpines / plan.podSpines;
    const uint64_t down = uint64_t{plan.leavesPerPod} * plan.linksPerPair;
    check.Ports(leaf,
                plan.hostsPerLeaf + uint64_t{plan.podSpines} * plan.linksPerPair,
                plan.leafRadix,
                std::to_string(plan.hostsPerLeaf) + " hosts + " +
                    Times(plan.podSpines, "spines", plan.linksPerPair));
    check.Ports(spine,
                down,
                plan.spineRadix,
                Times(plan.leavesPerPod, "leaves", plan.linksPerPair));
    if (plan.podOversubscription != 0)
    {
        plan.coreLinksPerPair =
            check.LinksPerPeer(spine,
                               static_cast<double>(plan.fabricRateBps) * static_cast<double>(down),
                               plan.coreRateBps,
                               plan.podOversubscription,
                               perPlane);
    }
    check.Ports(spine,
                down + uint64_t{perPlane} * plan.coreLinksPerPair,
                plan.spineRadix,
                Times(plan.leavesPerPod, "leaves", plan.linksPerPair) + " + " +
                    Times(perPlane, "super-spines", plan.coreLinksPerPair));
    check.Ports(FirstOf("super-spine", hosts + leaves + uint64_t{plan.pods} * plan.podSpines),
                uint64_t{plan.pods} * plan.coreLinksPerPair,
                plan.superRadix,
                Times(plan.pods, "pods", plan.coreLinksPerPair));
    check.Links(leaves, uint64_t{plan.podSpines} * plan.linksPerPair);
    check.Links(uint64_t{plan.pods} * plan.podSpines, uint64_t{perPlane} * plan.coreLinksPerPair);
    return plan;
}

} // namespace

FabricGraph
ClosBuilder::Build(const LeafSpinePlan& given)
{
    const LeafSpinePlan plan = Checked(given);
    FabricGraph graph;
    const uint32_t hosts = plan.leaves * plan.hostsPerLeaf;
    const uint32_t firstSpine = hosts + plan.leaves;
    AddHosts(graph, hosts);
    AddTier(graph, hosts, plan.leaves, "leaf");
    AddTier(graph, firstSpine, plan.spines, "spine");
    LinkHosts(graph, plan.leaves, plan.hostsPerLeaf, plan.hostRateBps, plan.hostDelayPs);
    for (uint32_t leaf = 0; leaf < plan.leaves; leaf++)
    {
        for (uint32_t i = 0; i < plan.spines * plan.linksPerPair; i++)
        {
            graph.AddLink(hosts + leaf,
                          firstSpine + i / plan.linksPerPair,
                          plan.fabricRateBps,
                          plan.fabricDelayPs);
        }
    }
    return graph;
}

FabricGraph
ClosBuilder::Build(const ThreeTierPlan& given)
{
    const ThreeTierPlan plan = Checked(given);
    FabricGraph graph;
    const uint32_t leaves = plan.pods * plan.leavesPerPod;
    const uint32_t hosts = leaves * plan.hostsPerLeaf;
    const uint32_t firstSpine = hosts + leaves;
    const uint32_t firstSuper = firstSpine + plan.pods * plan.podSpines;
    AddHosts(graph, hosts);
    AddTier(graph, hosts, leaves, "leaf");
    AddTier(graph, firstSpine, plan.pods * plan.podSpines, "spine");
    AddTier(graph, firstSuper, plan.superSpines, "super-spine");
    LinkHosts(graph, leaves, plan.hostsPerLeaf, plan.hostRateBps, plan.hostDelayPs);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
    {
        const uint32_t podFirst = firstSpine + leaf / plan.leavesPerPod * plan.podSpines;
        for (uint32_t i = 0; i < plan.podSpines * plan.linksPerPair; i++)
        {
            graph.AddLink(hosts + leaf,
                          podFirst + i / plan.linksPerPair,
                          plan.fabricRateBps,
                          plan.fabricDelayPs);
        }
    }
    const uint32_t perPlane = plan.superSpines / plan.podSpines;
    for (uint32_t spine = 0; spine < plan.pods * plan.podSpines; spine++)
    {
        const uint32_t planeFirst = firstSuper + spine % plan.podSpines * perPlane;
        for (uint32_t i = 0; i < perPlane * plan.coreLinksPerPair; i++)
        {
            graph.AddLink(firstSpine + spine,
                          planeFirst + i / plan.coreLinksPerPair,
                          plan.coreRateBps,
                          plan.coreDelayPs);
        }
    }
    return graph;
}

} // namespace roce
} // namespace ns3
