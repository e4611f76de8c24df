/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pod-helper.h"

#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

PodHelper::PodHelper(uint32_t pods,
                     uint32_t racksPerPod,
                     uint32_t gpusPerRack,
                     uint32_t podSpines,
                     uint32_t superSpines)
{
    m_plan.pods = pods;
    m_plan.racksPerPod = racksPerPod;
    m_plan.gpusPerRack = gpusPerRack;
    m_plan.podSpines = podSpines;
    m_plan.superSpines = superSpines;
}

void
PodHelper::SetPlan(const PodPlan& plan)
{
    m_plan = plan;
}

const PodPlan&
PodHelper::GetPlan() const
{
    return m_plan;
}

void
PodHelper::SetHostLinks(const std::string& rate, double metres)
{
    m_plan.hostRateBps = Quantity::RateBps(rate);
    m_plan.hostMetres = metres;
}

void
PodHelper::SetPodLinks(const std::string& rate, double metres, uint32_t parallel)
{
    m_plan.podRateBps = Quantity::RateBps(rate);
    m_plan.podMetres = metres;
    m_plan.podLinks = parallel;
}

void
PodHelper::SetCoreLinks(const std::string& rate, double metres, uint32_t parallel)
{
    m_plan.coreRateBps = Quantity::RateBps(rate);
    m_plan.coreMetres = metres;
    m_plan.coreLinks = parallel;
}

void
PodHelper::SetRadix(uint32_t leaf, uint32_t spine, uint32_t super)
{
    m_plan.leafRadix = leaf;
    m_plan.spineRadix = spine;
    m_plan.superRadix = super;
}

FabricGraph
PodHelper::MakeGraph() const
{
    return PodBuilder::Build(m_plan);
}

Ptr<Fabric>
PodHelper::Install(const RoceHelper& roce) const
{
    return roce.Install(MakeGraph());
}

} // namespace roce
} // namespace ns3
