/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hpcc-load-balancer.h"

#include "ns3/roce-hpcc-hash.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(HpccLoadBalancer);

TypeId
HpccLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::HpccLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<HpccLoadBalancer>();
    return tid;
}

HpccLoadBalancer::HpccLoadBalancer() = default;

void
HpccLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>&)
{
    m_id = id;
}

uint32_t
HpccLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick)
{
    return members[HpccHash::Choose(frame->source,
                                    frame->destination,
                                    frame->sourcePort,
                                    frame->destinationPort,
                                    m_id,
                                    count)];
}

} // namespace roce
} // namespace ns3
