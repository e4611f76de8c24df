/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-letflow-load-balancer.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(LetFlowLoadBalancer);

TypeId
LetFlowLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::LetFlowLoadBalancer")
                            .SetParent<FlowletLoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<LetFlowLoadBalancer>();
    return tid;
}

LetFlowLoadBalancer::LetFlowLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
LetFlowLoadBalancer::ChooseMember(uint32_t, const uint16_t*, uint32_t count, Tick)
{
    return m_random->GetInteger(0, count - 1);
}

int64_t
LetFlowLoadBalancer::DoAssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace roce
} // namespace ns3
