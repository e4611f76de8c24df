/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-spray-load-balancer.h"

#include "roce-switch-hash.h"

#include "ns3/enum.h"
#include "ns3/roce-compat.h"

namespace ns3
{
namespace roce
{

namespace
{
constexpr uint32_t TURNS = 1024; //!< destinations with a turn of their own, a power of two
} // namespace

NS_OBJECT_ENSURE_REGISTERED(SprayLoadBalancer);

TypeId
SprayLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::SprayLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<SprayLoadBalancer>()
                            .AddAttribute("Mode",
                                          "How the member is found",
                                          EnumValue(RANDOM),
                                          CompatMakeEnumAccessor<Mode>(&SprayLoadBalancer::m_mode),
                                          MakeEnumChecker(RANDOM,
                                                          "random",
                                                          ROUND_ROBIN,
                                                          "round-robin",
                                                          LEAST_QUEUE,
                                                          "least-queue"));
    return tid;
}

SprayLoadBalancer::SprayLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
SprayLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    m_load.Configure(transmitters, 1, 1, static_cast<double>(TicksPerSecond()));
    m_turns.clear();
    if (m_mode == ROUND_ROBIN)
    {
        // switches and destinations must not march in step
        for (uint32_t i = 0; i < TURNS; ++i)
        {
            m_turns.push_back(SwitchHash::Mix32(id * TURNS + i + 1) >> 8);
        }
    }
}

uint32_t
SprayLoadBalancer::PickLeast(const uint16_t* members, uint32_t count, Tick now)
{
    const uint32_t first = m_turn++ % count;
    uint32_t best = members[first];
    double least = m_load.GetBacklog(best, now);
    for (uint32_t i = 1; i < count && least > 0; ++i)
    {
        const uint32_t port = members[(first + i) % count];
        const double backlog = m_load.GetBacklog(port, now);
        if (backlog < least)
        {
            least = backlog;
            best = port;
        }
    }
    return best;
}

uint32_t
SprayLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now)
{
    switch (m_mode)
    {
    case ROUND_ROBIN:
        // the last byte of an address is the port of the host
        return members[m_turns[(frame->destination >> 8) & (TURNS - 1)]++ % count];
    case LEAST_QUEUE:
        return PickLeast(members, count, now);
    default:
        return members[m_random->GetInteger(0, count - 1)];
    }
}

int64_t
SprayLoadBalancer::DoAssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace roce
} // namespace ns3
