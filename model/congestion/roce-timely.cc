/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-timely.h"

#include "roce-law-check.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Timely);

namespace
{

/** Hyperactive increase is so many delta (SIGCOMM 2015, Algorithm 1: N = 5). */
constexpr double HAI_FACTOR = 5;

} // namespace

TypeId
Timely::GetTypeId()
{
    static TypeId tid = AddRates(
        TypeId("ns3::roce::Timely")
            .SetParent<CongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<Timely>()
            .AddAttribute("EwmaWeight",
                          "Weight of a new difference of round trips, in (0, 1]",
                          DoubleValue(0.875),
                          MakeDoubleAccessor(&Timely::m_ewmaWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Beta",
                          "Decrease factor, in (0, 1]; negative = as published (0.8, patched "
                          "0.008)",
                          DoubleValue(-1),
                          MakeDoubleAccessor(&Timely::m_beta),
                          MakeDoubleChecker<double>(-1, 1))
            .AddAttribute("LowThreshold",
                          "Below this round trip the rate only rises",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&Timely::m_low),
                          MakeTimeChecker())
            .AddAttribute("HighThreshold",
                          "Above this round trip the rate only falls",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&Timely::m_high),
                          MakeTimeChecker())
            .AddAttribute("MinRtt",
                          "Round trip by which differences are divided; 0 = base RTT",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Timely::m_minRtt),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LimitUpdates",
                          "Whether at least MinRtt passes between two updates",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Timely::m_limitUpdates),
                          MakeBooleanChecker())
            .AddAttribute("SegmentBytes",
                          "Payload bytes acknowledged that give one sample, at least 1",
                          UintegerValue(16000),
                          MakeUintegerAccessor(&Timely::m_segmentBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("HaiEvents",
                          "Events in a row with gradient <= 0 from which on the step is 5 delta; "
                          "0 = never; unused by the patched law",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Timely::m_haiEvents),
                          MakeUintegerChecker<uint32_t>()));
    return tid;
}

TypeId
Timely::AddRates(TypeId tid)
{
    return tid
        .AddAttribute("RateAiBps",
                      "Delta, additive step, bit/s",
                      UintegerValue(10000000),
                      MakeUintegerAccessor(&Timely::m_rateAiBps),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("RateReferenceBps",
                      "Link rate for which delta holds, bit/s: it is multiplied by line rate / "
                      "reference; 0 = not scaled, as published",
                      UintegerValue(0),
                      MakeUintegerAccessor(&Timely::m_rateReferenceBps),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("MinRateBps",
                      "Floor of the rate, bit/s, at least 1",
                      UintegerValue(100000000),
                      MakeUintegerAccessor(&Timely::m_minRateBps),
                      MakeUintegerChecker<uint64_t>(1))
        .AddAttribute("StartRateBps",
                      "Rate of a new flow, bit/s; 0 = line rate",
                      UintegerValue(0),
                      MakeUintegerAccessor(&Timely::m_startRateBps),
                      MakeUintegerChecker<uint64_t>());
}

Timely::Timely() = default;
Timely::~Timely() = default;

double
Timely::PublishedBeta() const
{
    return 0.8;
}

void
Timely::Check() const
{
    const FlowParameters& flow = GetFlow();
    const std::string law = GetInstanceTypeId().GetName();
    const std::string line = std::to_string(flow.lineRate) + " bit/s, the line rate";
    RequireParameter(m_ewmaWeight > 0, law, flow.qpn, "EwmaWeight", m_ewmaWeight, "in (0, 1]");
    RequireParameter(m_beta != 0, law, flow.qpn, "Beta", m_beta, "in (0, 1], or negative");
    RequireParameter(m_low > Time(0), law, flow.qpn, "LowThreshold", m_low, "> 0");
    RequireParameter(m_high >= m_low,
                     law,
                     flow.qpn,
                     "HighThreshold",
                     m_high.As(Time::US),
                     "at least LowThreshold");
    RequireParameter(m_minRtt > Time(0) || flow.baseRtt > 0,
                     law,
                     flow.qpn,
                     "MinRtt",
                     m_minRtt,
                     "> 0 as the base RTT is unknown; set it or give the queue pair its base RTT");
    RequireParameter(m_minRateBps <= flow.lineRate,
                     law,
                     flow.qpn,
                     "MinRateBps",
                     m_minRateBps,
                     "at most " + line);
    RequireParameter(m_startRateBps == 0 ||
                         (m_startRateBps >= m_minRateBps && m_startRateBps <= flow.lineRate),
                     law,
                     flow.qpn,
                     "StartRateBps",
                     m_startRateBps,
                     "0, or at least MinRateBps and at most " + line);
}

void
Timely::DoStart(Tick now)
{
    Check();
    const FlowParameters& flow = GetFlow();
    const auto line = static_cast<double>(flow.lineRate);
    const Tick minRtt = m_minRtt.IsZero() ? flow.baseRtt : ToTick(m_minRtt);
    m_lowTicks = static_cast<double>(ToTick(m_low));
    m_highTicks = static_cast<double>(ToTick(m_high));
    m_minRttTicks = static_cast<double>(minRtt);
    m_gap = m_limitUpdates ? minRtt : 0;
    m_betaUsed = m_beta < 0 ? PublishedBeta() : m_beta;
    m_delta = static_cast<double>(m_rateAiBps);
    if (m_rateReferenceBps > 0)
    {
        m_delta *= line / static_cast<double>(m_rateReferenceBps);
    }
    m_current = m_startRateBps > 0 ? static_cast<double>(m_startRateBps) : line;
    m_lastRtt = 0;
    m_diff = 0;
    m_lastUpdate = now;
    m_acked = 0;
    m_haiRow = 0;
    m_updates = 0;
    m_hearsAck = true;
    Publish();
}

void
Timely::DoAck(const AckInfo& ack, Tick now)
{
    m_acked += ack.ackedBytes;
    if (m_acked < m_segmentBytes || ack.rtt <= 0 || now - m_lastUpdate < m_gap)
    {
        return;
    }
    m_acked %= m_segmentBytes;
    m_lastUpdate = now;
    Update(static_cast<double>(ack.rtt));
    Publish();
}

void
Timely::Update(double rtt)
{
    const bool known = m_lastRtt > 0;
    if (known)
    {
        m_diff = (1 - m_ewmaWeight) * m_diff + m_ewmaWeight * (rtt - m_lastRtt);
    }
    m_lastRtt = rtt;
    ++m_updates;
    if (rtt < m_lowTicks)
    {
        m_current += m_delta;
        m_haiRow = 0;
    }
    else if (rtt > m_highTicks)
    {
        m_current *= 1 - m_betaUsed * (1 - m_highTicks / rtt);
        m_haiRow = 0;
    }
    else if (known)
    {
        m_current = Between(rtt, GetGradient(), m_current);
    }
}

double
Timely::Between(double, double gradient, double rate)
{
    if (gradient > 0)
    {
        m_haiRow = 0;
        return rate * std::max(0.0, 1 - m_betaUsed * gradient);
    }
    ++m_haiRow;
    const bool hyper = m_haiEvents > 0 && m_haiRow >= m_haiEvents;
    return rate + (hyper ? HAI_FACTOR : 1) * m_delta;
}

void
Timely::Publish()
{
    m_current = std::clamp(m_current,
                           static_cast<double>(m_minRateBps),
                           static_cast<double>(GetFlow().lineRate));
    m_rate = static_cast<uint64_t>(m_current);
}

} // namespace roce
} // namespace ns3
