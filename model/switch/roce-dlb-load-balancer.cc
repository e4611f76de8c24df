/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dlb-load-balancer.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(DlbLoadBalancer);

TypeId
DlbLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::DlbLoadBalancer")
            .SetParent<FlowletLoadBalancer>()
            .SetGroupName("Roce")
            .AddConstructor<DlbLoadBalancer>()
            .AddAttribute(
                "Mode",
                "When a flow may move",
                EnumValue(ELIGIBLE),
                CompatMakeEnumAccessor<Mode>(&DlbLoadBalancer::m_mode),
                MakeEnumChecker(ELIGIBLE, "eligible", FIXED, "fixed", PER_PACKET, "per-packet"))
            .AddAttribute("UpdateInterval",
                          "Least age at which a band is worked out anew",
                          TimeValue(MicroSeconds(2)),
                          MakeTimeAccessor(&DlbLoadBalancer::m_updateInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("QueueUnit",
                          "Time to send what waits at a port that makes one queue band",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&DlbLoadBalancer::m_queueUnit),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("QueueWeight",
                          "Weight of the queue band; the load band has the rest of 1",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&DlbLoadBalancer::m_queueWeight),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

DlbLoadBalancer::DlbLoadBalancer() = default;

uint32_t
DlbLoadBalancer::Band(double utilization, double backlog, double weight)
{
    constexpr double top = BANDS - 1;
    const double load = std::min(top, std::floor(utilization * BANDS));
    const double queue = std::min(top, std::floor(backlog));
    return static_cast<uint32_t>((1 - weight) * load + weight * queue);
}

Tick
DlbLoadBalancer::ChooseGap(Tick set) const
{
    switch (m_mode)
    {
    case FIXED:
        return NEVER;
    case PER_PACKET:
        return 0;
    default:
        return set;
    }
}

void
DlbLoadBalancer::Prepare()
{
    m_quality.assign(GetPortLoad().GetNumPorts(), Quality());
}

uint32_t
DlbLoadBalancer::GetBand(uint32_t port, Tick now)
{
    Quality& quality = m_quality[port];
    if (quality.evaluated == NEVER || now - quality.evaluated >= ToTick(m_updateInterval))
    {
        PortLoad& load = GetPortLoad();
        quality.evaluated = now;
        quality.band = Band(load.GetUtilization(port, now),
                            load.GetBacklog(port, now) / double(ToTick(m_queueUnit)),
                            m_queueWeight);
    }
    return quality.band;
}

uint32_t
DlbLoadBalancer::ChooseMember(uint32_t hash, const uint16_t* members, uint32_t count, Tick now)
{
    uint32_t best = BANDS;
    uint32_t ties = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t band = GetBand(members[i], now);
        ties = band < best ? 1 : ties + (band == best);
        best = std::min(best, band);
    }
    uint32_t left = (m_mode == PER_PACKET ? m_turn++ : hash) % ties;
    uint32_t index = 0;
    while (m_quality[members[index]].band != best || left-- > 0)
    {
        ++index;
    }
    return index;
}

} // namespace roce
} // namespace ns3
