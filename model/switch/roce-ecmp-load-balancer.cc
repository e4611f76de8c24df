/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ecmp-load-balancer.h"

#include "ns3/roce-flow-key.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{
/** \return a bijective mix of 32 bits. \param x any number */
uint32_t
Mix32(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}
} // namespace

NS_OBJECT_ENSURE_REGISTERED(EcmpLoadBalancer);

TypeId
EcmpLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::EcmpLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<EcmpLoadBalancer>()
                            .AddAttribute("Seed",
                                          "Changes the choices of all switches; each also has its "
                                          "own seed, from its number",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&EcmpLoadBalancer::m_seed),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

EcmpLoadBalancer::EcmpLoadBalancer() = default;

void
EcmpLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>&)
{
    // + 1 because Mix(0) is 0
    m_mixed = static_cast<uint32_t>(FlowKey::Mix(((uint64_t(m_seed) << 32) | id) + 1));
}

uint32_t
EcmpLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick)
{
    const uint64_t hash = Mix32(frame->hash ^ m_mixed);
    return members[(hash * count) >> 32];
}

} // namespace roce
} // namespace ns3
