/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fat-tree-helper.h"

#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

FatTreeHelper::FatTreeHelper(uint32_t k, uint32_t oversubscription)
{
    m_plan.k = k;
    m_plan.oversubscription = oversubscription;
}

void
FatTreeHelper::SetPlan(const FatTreePlan& plan)
{
    m_plan = plan;
}

const FatTreePlan&
FatTreeHelper::GetPlan() const
{
    return m_plan;
}

void
FatTreeHelper::SetHostLinks(const std::string& rate, const std::string& delay)
{
    m_plan.hostRateBps = Quantity::RateBps(rate);
    m_plan.hostDelayPs = Quantity::DelayPs(delay);
}

void
FatTreeHelper::SetFabricLinks(const std::string& rate, const std::string& delay)
{
    m_plan.fabricRateBps = Quantity::RateBps(rate);
    m_plan.fabricDelayPs = Quantity::DelayPs(delay);
}

FabricGraph
FatTreeHelper::MakeGraph() const
{
    return FatTreeBuilder::Build(m_plan);
}

Ptr<Fabric>
FatTreeHelper::Install(const RoceHelper& roce) const
{
    return roce.Install(MakeGraph());
}

} // namespace roce
} // namespace ns3
