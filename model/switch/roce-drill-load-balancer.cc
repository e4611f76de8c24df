/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-drill-load-balancer.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(DrillLoadBalancer);

TypeId
DrillLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::DrillLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<DrillLoadBalancer>()
                            .AddAttribute("Samples",
                                          "Random members to compare, d",
                                          UintegerValue(2),
                                          MakeUintegerAccessor(&DrillLoadBalancer::m_samples),
                                          MakeUintegerChecker<uint32_t>(1, 64));
    return tid;
}

DrillLoadBalancer::DrillLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
DrillLoadBalancer::DoAssemble(uint32_t, const std::vector<const Transmitter*>& transmitters)
{
    m_load.Configure(transmitters, 1, 1, static_cast<double>(TicksPerSecond()));
    m_memory.clear();
    for (uint32_t port = 0; port < transmitters.size(); ++port)
    {
        m_memory.push_back(static_cast<uint16_t>(port));
    }
}

uint32_t
DrillLoadBalancer::DoPick(const Frame*, const uint16_t* members, uint32_t count, Tick now)
{
    uint16_t& memory = m_memory[members[0]];
    if (std::find(members, members + count, memory) == members + count)
    {
        memory = members[0]; // its link is gone
    }
    uint16_t best = memory;
    double least = m_load.GetBacklog(best, now);
    for (uint32_t i = 0; i < m_samples; ++i)
    {
        const uint16_t port = members[m_random->GetInteger(0, count - 1)];
        const double backlog = m_load.GetBacklog(port, now);
        if (backlog < least)
        {
            least = backlog;
            best = port;
        }
    }
    memory = best;
    return best;
}

int64_t
DrillLoadBalancer::DoAssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace roce
} // namespace ns3
