/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-theta-power-tcp.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(ThetaPowerTcp);

TypeId
ThetaPowerTcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::ThetaPowerTcp")
            .SetParent<WindowControl>()
            .SetGroupName("Roce")
            .AddConstructor<ThetaPowerTcp>()
            .AddAttribute("Gamma",
                          "Weight of the new window, in (0, 1]",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&ThetaPowerTcp::m_gamma),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("Flows",
                          "N: flows expected at a NIC, for beta = line rate x T / N",
                          UintegerValue(10),
                          MakeUintegerAccessor(&ThetaPowerTcp::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinCurrent",
                          "Floor of the growth of the RTT per time + 1",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&ThetaPowerTcp::m_minCurrent),
                          MakeDoubleChecker<double>(0.01, 1));
    return tid;
}

ThetaPowerTcp::ThetaPowerTcp() = default;
ThetaPowerTcp::~ThetaPowerTcp() = default;

void
ThetaPowerTcp::DoStart(Tick now)
{
    StartWindow();
    m_history.Start(GetLinkWindow());
    m_power = 1;
    m_beta = GetBdpBytes() / m_flows;
    m_nsPerTick = 1e9 / static_cast<double>(TicksPerSecond());
    m_lastRttNs = 0;
    m_lastAt = now;
    m_hasLast = false;
}

void
ThetaPowerTcp::DoAck(const AckInfo& ack, Tick now)
{
    CountAcked(ack);
    if (ack.rtt <= 0)
    {
        CountUnknown();
        return;
    }
    const bool first = !m_hasLast;
    MeasurePower(static_cast<double>(ack.rtt) * m_nsPerTick, now);
    if (first)
    {
        BeginRound();
    }
    if (!IsRoundOver())
    {
        return;
    }
    const double old = m_history.At(GetAcked());
    const double window =
        SetLinkWindow(m_gamma * (old / m_power + m_beta) + (1 - m_gamma) * GetLinkWindow());
    m_history.Note(GetSent(), GetAcked(), window);
    BeginRound();
}

void
ThetaPowerTcp::MeasurePower(double rttNs, Tick now)
{
    const double dt = static_cast<double>(now - m_lastAt) * m_nsPerTick;
    if (m_hasLast && dt <= 0)
    {
        return;
    }
    if (m_hasLast)
    {
        const double rtt = GetBaseRttNs();
        const double current = std::max(m_minCurrent, (rttNs - m_lastRttNs) / dt + 1);
        const double weight = std::min(dt, rtt) / rtt;
        m_power = (1 - weight) * m_power + weight * current * rttNs / rtt;
    }
    m_lastRttNs = rttNs;
    m_lastAt = now;
    m_hasLast = true;
}

} // namespace roce
} // namespace ns3
