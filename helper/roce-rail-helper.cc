/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rail-helper.h"

#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

RailHelper::RailHelper(uint32_t groups, uint32_t nodesPerGroup, uint32_t rails, uint32_t spines)
{
    m_plan.groups = groups;
    m_plan.nodesPerGroup = nodesPerGroup;
    m_plan.rails = rails;
    m_plan.spines = spines;
}

void
RailHelper::SetPlan(const RailPlan& plan)
{
    m_plan = plan;
}

const RailPlan&
RailHelper::GetPlan() const
{
    return m_plan;
}

void
RailHelper::SetHostLinks(const std::string& rate, double metres)
{
    m_plan.hostRateBps = Quantity::RateBps(rate);
    m_plan.hostMetres = metres;
}

void
RailHelper::SetFabricLinks(const std::string& rate, double metres, uint32_t parallel)
{
    m_plan.fabricRateBps = Quantity::RateBps(rate);
    m_plan.fabricMetres = metres;
    m_plan.linksPerPair = parallel;
}

void
RailHelper::SetRadix(uint32_t leaf, uint32_t spine)
{
    m_plan.leafRadix = leaf;
    m_plan.spineRadix = spine;
}

FabricGraph
RailHelper::MakeGraph() const
{
    return RailBuilder::Build(m_plan);
}

Ptr<Fabric>
RailHelper::Install(const RoceHelper& roce) const
{
    return roce.Install(MakeGraph());
}

} // namespace roce
} // namespace ns3
