/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-load-balancer.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::LoadBalancer").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

void
LoadBalancer::Assemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    DoAssemble(id, transmitters);
}

int64_t
LoadBalancer::AssignStreams(int64_t stream)
{
    return DoAssignStreams(stream);
}

int64_t
LoadBalancer::DoAssignStreams(int64_t)
{
    return 0;
}

} // namespace roce
} // namespace ns3
