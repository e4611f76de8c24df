/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-conga-stage.h"

#include "roce-pinned-load-balancer.h"
#include "roce-switch.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CongaStage);

TypeId
CongaStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CongaStage").SetParent<SwitchStage>().SetGroupName("Roce");
    return tid;
}

void
CongaStage::Install(Switch& device, std::shared_ptr<const LocatorTable> locators)
{
    Ptr<LoadBalancer> balancer = device.GetLoadBalancer();
    if (Ptr<PinnedLoadBalancer> pinned = DynamicCast<PinnedLoadBalancer>(balancer))
    {
        balancer = pinned->GetFallback();
    }
    if (Ptr<CongaLoadBalancer> conga = DynamicCast<CongaLoadBalancer>(balancer))
    {
        Ptr<CongaStage> stage = CreateObject<CongaStage>();
        stage->m_balancer = conga;
        stage->m_locators = std::move(locators);
        device.AddStage(stage);
    }
}

void
CongaStage::DoDispose()
{
    m_balancer = nullptr;
    m_locators = nullptr;
    SwitchStage::DoDispose();
}

uint8_t
CongaStage::GetHears() const
{
    return HEARS_ENQUEUE | HEARS_DEPARTURE;
}

void
CongaStage::Assemble(Switch& device)
{
    m_balancer->Join(m_locators, device.GetForwarding().GetOwnLeaf());
}

bool
CongaStage::MayEnqueue(Frame* frame, uint32_t, uint32_t out, Tick now)
{
    m_balancer->Forward(frame, out, now);
    return true;
}

void
CongaStage::OnDeparture(Frame* frame, uint32_t out, Tick now)
{
    m_balancer->Depart(frame, out, now);
}

} // namespace roce
} // namespace ns3
