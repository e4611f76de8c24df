/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-plan.h"

#include "roce-fabric-check.h"

namespace ns3
{
namespace roce
{

namespace
{

/** \return the fabric, if it is in order. \param fabric the fabric */
const FabricDocument&
Checked(const FabricDocument& fabric)
{
    FabricCheck::Require(fabric, PartitionPolicy::Allow);
    return fabric;
}

} // namespace

TopologyPlan::TopologyPlan(const FabricDocument& fabric, const RttFrames& frames)
    : m_tiers(Checked(fabric)),
      m_stages(fabric.graph, frames),
      m_middle(fabric.graph)
{
}

const FabricTiers&
TopologyPlan::Tiers() const
{
    return m_tiers;
}

const StageCensus&
TopologyPlan::Stages() const
{
    return m_stages;
}

const Bisection&
TopologyPlan::Middle() const
{
    return m_middle;
}

std::string
TopologyPlan::StageName(uint32_t links) const
{
    switch (links)
    {
    case 1:
        return "one cable";
    case 2:
        return "under one switch";
    case 4:
        return m_stages.Diameter() == 6 ? "within a pod" : "between leaves";
    case 6:
        return "between pods";
    default:
        return std::to_string(links) + " links apart";
    }
}

} // namespace roce
} // namespace ns3
