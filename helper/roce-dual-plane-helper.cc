/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dual-plane-helper.h"

#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

DualPlaneHelper::DualPlaneHelper(uint32_t racks, uint32_t hostsPerRack, uint32_t spines, Kind kind)
{
    m_plan.separatePlanes = kind == DUAL_PLANE;
    m_plan.racks = racks;
    m_plan.hostsPerRack = hostsPerRack;
    m_plan.spines = spines;
}

void
DualPlaneHelper::SetPlan(const DualPlanePlan& plan)
{
    m_plan = plan;
}

const DualPlanePlan&
DualPlaneHelper::GetPlan() const
{
    return m_plan;
}

void
DualPlaneHelper::SetHostLinks(const std::string& rate, double metres)
{
    m_plan.hostRateBps = Quantity::RateBps(rate);
    m_plan.hostMetres = metres;
}

void
DualPlaneHelper::SetFabricLinks(const std::string& rate, double metres, uint32_t parallel)
{
    m_plan.fabricRateBps = Quantity::RateBps(rate);
    m_plan.fabricMetres = metres;
    m_plan.linksPerPair = parallel;
}

void
DualPlaneHelper::SetRadix(uint32_t leaf, uint32_t spine)
{
    m_plan.leafRadix = leaf;
    m_plan.spineRadix = spine;
}

FabricGraph
DualPlaneHelper::MakeGraph() const
{
    return DualPlaneBuilder::Build(m_plan);
}

Ptr<Fabric>
DualPlaneHelper::Install(const RoceHelper& roce) const
{
    return roce.Install(MakeGraph());
}

} // namespace roce
} // namespace ns3
