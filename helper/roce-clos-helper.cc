/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-clos-helper.h"

#include "ns3/roce-quantity.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

ClosHelper::ClosHelper(uint32_t leaves, uint32_t spines, uint32_t hostsPerLeaf)
{
    LeafSpinePlan plan;
    plan.leaves = leaves;
    plan.spines = spines;
    plan.hostsPerLeaf = hostsPerLeaf;
    m_plan = plan;
}

ClosHelper::ClosHelper(uint32_t pods,
                       uint32_t leavesPerPod,
                       uint32_t podSpines,
                       uint32_t superSpines,
                       uint32_t hostsPerLeaf)
{
    ThreeTierPlan plan;
    plan.pods = pods;
    plan.leavesPerPod = leavesPerPod;
    plan.podSpines = podSpines;
    plan.superSpines = superSpines;
    plan.hostsPerLeaf = hostsPerLeaf;
    m_plan = plan;
}

void
ClosHelper::SetHostLinks(const std::string& rate, const std::string& delay)
{
    const uint64_t bps = Quantity::RateBps(rate);
    const int64_t ps = Quantity::DelayPs(delay);
    std::visit(
        [bps, ps](auto& plan) {
            plan.hostRateBps = bps;
            plan.hostDelayPs = ps;
        },
        m_plan);
}

void
ClosHelper::SetFabricLinks(const std::string& rate, const std::string& delay, uint32_t parallel)
{
    const uint64_t bps = Quantity::RateBps(rate);
    const int64_t ps = Quantity::DelayPs(delay);
    std::visit(
        [bps, ps, parallel](auto& plan) {
            plan.fabricRateBps = bps;
            plan.fabricDelayPs = ps;
            plan.linksPerPair = parallel;
        },
        m_plan);
}

void
ClosHelper::SetCoreLinks(const std::string& rate, const std::string& delay, uint32_t parallel)
{
    auto plan = std::get_if<ThreeTierPlan>(&m_plan);
    if (!plan)
    {
        throw std::invalid_argument("core links: this fabric has two tiers; use SetFabricLinks, or "
                                    "the constructor with pods and super-spines");
    }
    plan->coreRateBps = Quantity::RateBps(rate);
    plan->coreDelayPs = Quantity::DelayPs(delay);
    plan->coreLinksPerPair = parallel;
}

void
ClosHelper::SetOversubscription(double leaf, double pod)
{
    if (const auto plan = std::get_if<ThreeTierPlan>(&m_plan))
    {
        plan->leafOversubscription = leaf;
        plan->podOversubscription = pod;
        return;
    }
    if (pod != 0)
    {
        throw std::invalid_argument("oversubscription of pod spines: this fabric has two tiers; "
                                    "give that of leaves alone");
    }
    std::get<LeafSpinePlan>(m_plan).oversubscription = leaf;
}

void
ClosHelper::SetRadix(uint32_t leaf, uint32_t spine, uint32_t super)
{
    if (super != 0 && std::holds_alternative<LeafSpinePlan>(m_plan))
    {
        throw std::invalid_argument("radix of super-spines: this fabric has two tiers; give those "
                                    "of leaves and spines alone");
    }
    std::visit(
        [leaf, spine](auto& plan) {
            plan.leafRadix = leaf;
            plan.spineRadix = spine;
        },
        m_plan);
    if (const auto plan = std::get_if<ThreeTierPlan>(&m_plan))
    {
        plan->superRadix = super;
    }
}

FabricGraph
ClosHelper::MakeGraph() const
{
    return std::visit([](const auto& plan) { return ClosBuilder::Build(plan); }, m_plan);
}

uint32_t
ClosHelper::GetNHosts() const
{
    return MakeGraph().HostCount();
}

Ptr<Fabric>
ClosHelper::Install(const RoceHelper& roce) const
{
    return roce.Install(MakeGraph());
}

} // namespace roce
} // namespace ns3
