/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-clos-builder.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse a count of zero. \param name of the field \param value its value */
void
RequirePositive(const char* name, uint32_t value)
{
    if (value == 0)
    {
        throw std::invalid_argument(std::string("Clos: ") + name + " is 0; expected at least 1");
    }
}

/** Refuse plans with more nodes than ids. \param nodes the number */
void
RequireIds(uint64_t nodes)
{
    if (nodes > UINT32_MAX)
    {
        throw std::invalid_argument("Clos: the plan has " + std::to_string(nodes) +
                                    " nodes; expected at most " + std::to_string(UINT32_MAX));
    }
}

/** Refuse more links on a switch than can be counted. \param peers switches above it
 *  \param links parallel links to each */
void
RequirePorts(uint32_t peers, uint32_t links)
{
    if (uint64_t{peers} * links > UINT32_MAX)
    {
        throw std::invalid_argument("Clos: " + std::to_string(peers) + " switches with " +
                                    std::to_string(links) +
                                    " parallel links each; expected at "
                                    "most " +
                                    std::to_string(UINT32_MAX) + " links");
    }
}

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

} // namespace

FabricGraph
ClosBuilder::Build(const LeafSpinePlan& plan)
{
    RequirePositive("leaves", plan.leaves);
    RequirePositive("hostsPerLeaf", plan.hostsPerLeaf);
    RequirePositive("linksPerPair", plan.linksPerPair);
    if (plan.spines == 0 && plan.leaves > 1)
    {
        throw std::invalid_argument("Clos: " + std::to_string(plan.leaves) +
                                    " leaves and 0 spines; expected at least 1 spine");
    }
    RequireIds(uint64_t{plan.leaves} * plan.hostsPerLeaf + plan.leaves + plan.spines);
    RequirePorts(plan.spines, plan.linksPerPair);

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
ClosBuilder::Build(const ThreeTierPlan& plan)
{
    RequirePositive("pods", plan.pods);
    RequirePositive("leavesPerPod", plan.leavesPerPod);
    RequirePositive("podSpines", plan.podSpines);
    RequirePositive("superSpines", plan.superSpines);
    RequirePositive("hostsPerLeaf", plan.hostsPerLeaf);
    RequirePositive("linksPerPair", plan.linksPerPair);
    RequirePositive("coreLinksPerPair", plan.coreLinksPerPair);
    if (plan.superSpines % plan.podSpines != 0)
    {
        throw std::invalid_argument("Clos: superSpines " + std::to_string(plan.superSpines) +
                                    " is no multiple of podSpines " +
                                    std::to_string(plan.podSpines));
    }
    const uint64_t wide = uint64_t{plan.pods} * plan.leavesPerPod;
    RequireIds(wide);
    RequireIds(wide * plan.hostsPerLeaf);
    RequireIds(wide * plan.hostsPerLeaf + wide + uint64_t{plan.pods} * plan.podSpines +
               plan.superSpines);
    RequirePorts(plan.podSpines, plan.linksPerPair);
    RequirePorts(plan.superSpines / plan.podSpines, plan.coreLinksPerPair);

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
