/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-dctcp-rate.h"

#include "roce-law-check.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(DctcpRate);

TypeId
DctcpRate::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::DctcpRate")
            .SetParent<CongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<DctcpRate>()
            .AddAttribute("Gain",
                          "g, weight of a window's share of marked bytes in alpha, in (0, 1]",
                          DoubleValue(0.0625),
                          MakeDoubleAccessor(&DctcpRate::m_gain),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("InitialAlpha",
                          "Alpha before the first window has ended, in [0, 1]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&DctcpRate::m_initialAlpha),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RateAiBps",
                          "What a window without a cut adds to the rate, bit/s; 0 = one full "
                          "packet each base RTT",
                          UintegerValue(615000000),
                          MakeUintegerAccessor(&DctcpRate::m_rateAiBps),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("RateReferenceBps",
                          "Link rate for which RateAiBps holds, bit/s: it is multiplied by line "
                          "rate / reference; 0 = not scaled",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DctcpRate::m_rateReferenceBps),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MinRateBps",
                          "Floor of the rate, bit/s, at least 1",
                          UintegerValue(100000000),
                          MakeUintegerAccessor(&DctcpRate::m_minRateBps),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("LimitWindow",
                          "Whether line rate x base RTT bytes may be unacknowledged and no more; "
                          "without effect if the base RTT is unknown",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DctcpRate::m_limitWindow),
                          MakeBooleanChecker())
            .AddAttribute("WindowFollowsRate",
                          "Whether that window shrinks with the rate",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DctcpRate::m_windowFollowsRate),
                          MakeBooleanChecker());
    return tid;
}

DctcpRate::DctcpRate() = default;
DctcpRate::~DctcpRate() = default;

void
DctcpRate::Check() const
{
    const FlowParameters& flow = GetFlow();
    const char* law = "DctcpRate";
    RequireParameter(m_gain > 0, law, flow.qpn, "Gain", m_gain, "in (0, 1]");
    RequireParameter(m_minRateBps <= flow.lineRate,
                     law,
                     flow.qpn,
                     "MinRateBps",
                     m_minRateBps,
                     "at most the line rate, " + std::to_string(flow.lineRate) + " bit/s");
    RequireParameter(m_rateAiBps > 0 || flow.baseRtt > 0,
                     law,
                     flow.qpn,
                     "RateAiBps",
                     m_rateAiBps,
                     "> 0 as the base RTT is unknown; set it or give the queue pair its base RTT");
}

void
DctcpRate::DoStart(Tick)
{
    Check();
    const FlowParameters& flow = GetFlow();
    const auto line = static_cast<double>(flow.lineRate);
    const auto second = static_cast<double>(TicksPerSecond());
    m_bdp = 0;
    if (m_limitWindow && flow.baseRtt > 0)
    {
        const double bytes = line / 8 * (static_cast<double>(flow.baseRtt) / second);
        m_bdp = std::max<uint64_t>(flow.mtu, static_cast<uint64_t>(bytes));
    }
    m_step = static_cast<double>(m_rateAiBps);
    if (m_rateAiBps == 0)
    {
        const uint32_t bytes = flow.frameBytes > 0 ? flow.frameBytes : flow.mtu;
        m_step = 8.0 * bytes * second / static_cast<double>(flow.baseRtt);
    }
    else if (m_rateReferenceBps > 0)
    {
        m_step *= line / static_cast<double>(m_rateReferenceBps);
    }
    m_current = line;
    m_alpha = m_initialAlpha;
    m_acked = 0;
    m_windowStart = 0;
    m_windowEnd = 0;
    m_marked = 0;
    m_reducedEnd = 0;
    m_reduced = false;
    m_cuts = 0;
    m_windows = 0;
    m_hearsAck = true;
    Publish();
}

void
DctcpRate::DoAck(const AckInfo& ack, Tick)
{
    const bool first = m_acked == 0;
    m_acked += ack.ackedBytes;
    if (ack.congestion)
    {
        m_marked += ack.ackedBytes;
    }
    const bool ended = m_acked > m_windowEnd;
    if (ended && first)
    {
        m_windowEnd = m_acked + ack.inflight; // the first ACK belongs to the first window
    }
    else if (ended)
    {
        EndWindow(ack.inflight);
    }
    if (m_acked > m_reducedEnd)
    {
        m_reduced = false;
    }
    if (ack.congestion && !m_reduced)
    {
        m_current *= 1 - m_alpha / 2;
        m_reduced = true;
        m_reducedEnd = m_acked + ack.inflight;
        ++m_cuts;
    }
    if (ended && !m_reduced)
    {
        m_current += m_step;
    }
    Publish();
}

void
DctcpRate::EndWindow(uint64_t inflight)
{
    const auto bytes = static_cast<double>(m_acked - m_windowStart);
    const double share = static_cast<double>(m_marked) / bytes;
    m_alpha = (1 - m_gain) * m_alpha + m_gain * share;
    m_marked = 0;
    m_windowStart = m_acked;
    m_windowEnd = m_acked + inflight;
    ++m_windows;
}

void
DctcpRate::Publish()
{
    const FlowParameters& flow = GetFlow();
    const auto line = static_cast<double>(flow.lineRate);
    m_current = std::clamp(m_current, static_cast<double>(m_minRateBps), line);
    m_rate = static_cast<uint64_t>(m_current);
    if (m_bdp > 0)
    {
        const double share = m_windowFollowsRate ? m_current / line : 1;
        m_window = std::max<uint64_t>(
            {flow.mtu, static_cast<uint64_t>(static_cast<double>(m_bdp) * share), 1});
    }
}

} // namespace roce
} // namespace ns3
