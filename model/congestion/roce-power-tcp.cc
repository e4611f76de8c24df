/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-power-tcp.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcp);

TypeId
PowerTcp::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::PowerTcp")
            .SetParent<WindowControl>()
            .SetGroupName("Roce")
            .AddConstructor<PowerTcp>()
            .AddAttribute("Gamma",
                          "Weight of the new window, in (0, 1]",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&PowerTcp::m_gamma),
                          MakeDoubleChecker<double>(0.001, 1))
            .AddAttribute("Flows",
                          "N: flows expected at a NIC, for beta = line rate x T / N",
                          UintegerValue(10),
                          MakeUintegerAccessor(&PowerTcp::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinCurrent",
                          "Floor of a hop's current, as a share of its rate",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&PowerTcp::m_minCurrent),
                          MakeDoubleChecker<double>(0.01, 1));
    return tid;
}

PowerTcp::PowerTcp() = default;
PowerTcp::~PowerTcp() = default;

void
PowerTcp::DoStart(Tick)
{
    StartWindow();
    m_path.Start(TicksPerSecond());
    m_history.Start(GetLinkWindow());
    m_power = 1;
    m_beta = GetBdpBytes() / m_flows;
}

void
PowerTcp::DoAck(const AckInfo& ack, Tick now)
{
    CountAcked(ack);
    if (ack.record == nullptr)
    {
        CountUnknown();
        return;
    }
    if (m_path.Update(*ack.record, now) != IntPath::SAMPLES || !MeasurePower())
    {
        return;
    }
    const double old = m_history.At(GetAcked());
    const double window =
        SetLinkWindow(m_gamma * (old / m_power + m_beta) + (1 - m_gamma) * GetLinkWindow());
    m_history.Note(GetSent(), GetAcked(), window);
    if (IsRoundOver())
    {
        BeginRound();
    }
}

bool
PowerTcp::MeasurePower()
{
    const double rtt = GetBaseRttNs();
    double most = 0;
    double dt = 0;
    for (unsigned i = 0; i < m_path.GetHops(); ++i)
    {
        const IntPath::Sample& hop = m_path.GetSample(i);
        if (!hop.fresh)
        {
            continue;
        }
        const double growth = (hop.queue - hop.oldQueue) * 8e9 / hop.nanoseconds;
        const double current = std::max(m_minCurrent * hop.rate, growth + hop.txRate);
        const double voltage = hop.queue * 8e9 / rtt + hop.rate; // in units of bits / T
        const double power = current * voltage / (hop.rate * hop.rate);
        if (power > most || dt == 0)
        {
            most = power;
            dt = hop.nanoseconds;
        }
    }
    const double weight = std::min(dt, rtt) / rtt;
    m_power = (1 - weight) * m_power + weight * most;
    return dt > 0;
}

} // namespace roce
} // namespace ns3
