/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-swift.h"

#include "roce-law-check.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Swift);

TypeId
Swift::GetTypeId()
{
    static TypeId tid = AddWindow(
        TypeId("ns3::roce::Swift")
            .SetParent<CongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<Swift>()
            .AddAttribute("BaseTarget",
                          "Target delay without hops and flow scaling",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Swift::m_baseTarget),
                          MakeTimeChecker())
            .AddAttribute("HopScale",
                          "What each link between the two ends adds to the target delay",
                          TimeValue(NanoSeconds(3053)),
                          MakeTimeAccessor(&Swift::m_hopScale),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleRange",
                          "Most that flow scaling adds to the target delay; 0 = no flow scaling",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Swift::m_flowScaleRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleMinCwnd",
                          "Window at and below which flow scaling adds all of its range, packets",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Swift::m_flowScaleMin),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("FlowScaleMaxCwnd",
                          "Window from which on flow scaling adds nothing, packets",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Swift::m_flowScaleMax),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("AdditiveIncrease",
                          "Packets that a window of ACKs below the target adds",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Swift::m_increase),
                          MakeDoubleChecker<double>(0)));
    return tid;
}

TypeId
Swift::AddWindow(TypeId tid)
{
    return tid
        .AddAttribute("Beta",
                      "Decrease factor for a delay above the target, in (0, 1]",
                      DoubleValue(0.8),
                      MakeDoubleAccessor(&Swift::m_beta),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MaxMdf",
                      "Greatest share of the window that a decrease takes, in (0, 1)",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&Swift::m_maxMdf),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MinCwnd",
                      "Least window, packets, > 0",
                      DoubleValue(0.01),
                      MakeDoubleAccessor(&Swift::m_minCwnd),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("MaxCwnd",
                      "Greatest window, packets; 0 = what line rate carries in the target delay",
                      DoubleValue(0),
                      MakeDoubleAccessor(&Swift::m_maxCwnd),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("InitialCwnd",
                      "Window of a new flow, packets; 0 = what line rate carries in the base RTT, "
                      "or the greatest window if that is unknown",
                      DoubleValue(0),
                      MakeDoubleAccessor(&Swift::m_initialCwnd),
                      MakeDoubleChecker<double>(0))
        .AddAttribute("ResetThreshold",
                      "Timeouts in a row from which on the window is the least one",
                      UintegerValue(5),
                      MakeUintegerAccessor(&Swift::m_resetThreshold),
                      MakeUintegerChecker<uint32_t>(1));
}

Swift::Swift() = default;
Swift::~Swift() = default;

void
Swift::Check() const
{
    const uint32_t qpn = GetFlow().qpn;
    const char* law = "Swift";
    RequireParameter(GetFlow().mtu > 0, law, qpn, "mtu", GetFlow().mtu, "> 0 bytes");
    RequireParameter(m_baseTarget > Time(0), law, qpn, "BaseTarget", m_baseTarget, "> 0");
    RequireParameter(m_flowScaleMin > 0, law, qpn, "FlowScaleMinCwnd", m_flowScaleMin, "> 0");
    RequireParameter(m_flowScaleMax > m_flowScaleMin,
                     law,
                     qpn,
                     "FlowScaleMaxCwnd",
                     m_flowScaleMax,
                     "> FlowScaleMinCwnd, " + std::to_string(m_flowScaleMin));
    RequireParameter(m_increase > 0, law, qpn, "AdditiveIncrease", m_increase, "> 0");
    RequireParameter(m_beta > 0, law, qpn, "Beta", m_beta, "in (0, 1]");
    RequireParameter(m_maxMdf > 0 && m_maxMdf < 1, law, qpn, "MaxMdf", m_maxMdf, "in (0, 1)");
    RequireParameter(m_minCwnd > 0, law, qpn, "MinCwnd", m_minCwnd, "> 0");
    RequireParameter(m_maxCwnd == 0 || m_maxCwnd >= m_minCwnd,
                     law,
                     qpn,
                     "MaxCwnd",
                     m_maxCwnd,
                     "0, or at least MinCwnd, " + std::to_string(m_minCwnd));
}

void
Swift::CheckTarget() const
{
    const FlowParameters& flow = GetFlow();
    const auto base = static_cast<double>(flow.baseRtt);
    const double target = GetTarget(std::max(1.0, PacketsIn(base)));
    RequireParameter(base < target,
                     "Swift",
                     flow.qpn,
                     "base RTT",
                     FromTick(flow.baseRtt).As(Time::US),
                     "below the target delay of a flow at line rate, " +
                         std::to_string(target * 1e6 / static_cast<double>(TicksPerSecond())) +
                         " us with " + std::to_string(flow.hops) +
                         " hops, else its window only shrinks; raise BaseTarget or HopScale");
}

double
Swift::PacketsIn(double ticks) const
{
    const auto line = static_cast<double>(GetFlow().lineRate);
    return line * ticks / static_cast<double>(TicksPerSecond()) / m_frameBits;
}

double
Swift::LoneCwnd() const
{
    // The target falls with the window, so the two meet once: halve the interval.
    double low = 0;
    double high = PacketsIn(m_fixedTarget + m_range);
    for (int i = 0; i < 60; ++i)
    {
        const double middle = (low + high) / 2;
        (PacketsIn(GetTarget(middle)) > middle ? low : high) = middle;
    }
    return std::max({high, m_minCwnd, 1.0});
}

double
Swift::GetTarget(double cwnd) const
{
    const double scaling = m_scaleA / std::sqrt(cwnd) + m_scaleB;
    return m_fixedTarget + std::clamp(scaling, 0.0, m_range);
}

void
Swift::DoStart(Tick now)
{
    Check();
    const FlowParameters& flow = GetFlow();
    m_frameBits = 8.0 * (flow.frameBytes > 0 ? flow.frameBytes : flow.mtu);
    m_fixedTarget = static_cast<double>(ToTick(m_baseTarget)) +
                    static_cast<double>(flow.hops) * static_cast<double>(ToTick(m_hopScale));
    m_range = static_cast<double>(ToTick(m_flowScaleRange));
    m_scaleA = m_range / (1 / std::sqrt(m_flowScaleMin) - 1 / std::sqrt(m_flowScaleMax));
    m_scaleB = -m_scaleA / std::sqrt(m_flowScaleMax);
    if (flow.baseRtt > 0)
    {
        CheckTarget();
    }
    m_rtt = flow.baseRtt;
    m_decreasedAt = now;
    m_decreased = false;
    m_timeouts = 0;
    m_decreases = 0;
    m_hearsAck = true;
    m_max = m_maxCwnd > 0 ? m_maxCwnd : LoneCwnd();
    m_cwnd = 0; // what follows is no decrease
    if (m_initialCwnd > 0)
    {
        SetCwnd(m_initialCwnd, now);
    }
    else if (flow.baseRtt > 0)
    {
        SetCwnd(std::ceil(PacketsIn(static_cast<double>(flow.baseRtt))), now);
    }
    else
    {
        SetCwnd(m_max, now);
    }
}

void
Swift::DoAck(const AckInfo& ack, Tick now)
{
    if (ack.ackedBytes > 0)
    {
        m_timeouts = 0;
    }
    if (ack.rtt <= 0)
    {
        return;
    }
    m_rtt = ack.rtt;
    const auto delay = static_cast<double>(ack.rtt);
    const double target = GetTarget(m_cwnd);
    double cwnd = m_cwnd;
    if (delay < target)
    {
        const double packets = static_cast<double>(ack.ackedBytes) / GetFlow().mtu;
        cwnd += m_increase * packets / std::max(1.0, m_cwnd);
    }
    else if (CanDecrease(now))
    {
        cwnd *= std::max(1 - m_beta * (delay - target) / delay, 1 - m_maxMdf);
    }
    SetCwnd(cwnd, now);
}

void
Swift::DoLoss(bool timeout, Tick now)
{
    m_timeouts = timeout ? m_timeouts + 1 : 0;
    if (m_timeouts >= m_resetThreshold)
    {
        SetCwnd(m_minCwnd, now);
    }
    else if (CanDecrease(now))
    {
        SetCwnd(m_cwnd * (1 - m_maxMdf), now);
    }
}

bool
Swift::CanDecrease(Tick now) const
{
    return !m_decreased || now - m_decreasedAt >= m_rtt;
}

void
Swift::SetCwnd(double cwnd, Tick now)
{
    const double old = m_cwnd;
    m_cwnd = std::clamp(cwnd, m_minCwnd, m_max);
    if (m_cwnd < old)
    {
        m_decreased = true;
        m_decreasedAt = now;
        ++m_decreases;
    }
    const FlowParameters& flow = GetFlow();
    const double packets = std::floor(std::max(1.0, m_cwnd));
    m_window = static_cast<uint64_t>(packets) * flow.mtu;
    m_rate = flow.lineRate;
    if (m_cwnd < 1)
    {
        const double trip = m_rtt > 0 ? static_cast<double>(m_rtt) : m_fixedTarget;
        const double rate = m_cwnd * m_frameBits * static_cast<double>(TicksPerSecond()) / trip;
        m_rate = static_cast<uint64_t>(std::clamp(rate, 1.0, static_cast<double>(flow.lineRate)));
    }
}

} // namespace roce
} // namespace ns3
