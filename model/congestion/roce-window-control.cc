/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-window-control.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(WindowControl);

TypeId
WindowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::WindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("Roce")
            .AddAttribute("BaseRtt",
                          "T, unloaded round trip; 0 = that of the queue pair. HPCC's paper takes "
                          "one a little above the longest of the network for all",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WindowControl::m_baseRtt),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MinRateBps",
                          "Floor of the rate, bit/s",
                          UintegerValue(100000000),
                          MakeUintegerAccessor(&WindowControl::m_minRateBps),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

WindowControl::WindowControl() = default;
WindowControl::~WindowControl() = default;

void
WindowControl::StartWindow()
{
    const FlowParameters& flow = GetFlow();
    const Tick rtt = m_baseRtt.IsZero() ? flow.baseRtt : ToTick(m_baseRtt);
    const std::string who =
        GetInstanceTypeId().GetName() + " of QP " + std::to_string(flow.qpn) + ": ";
    if (rtt <= 0)
    {
        throw std::invalid_argument(who + "the base RTT is " + std::to_string(rtt) +
                                    " ticks, must be > 0; set the attribute BaseRtt, or baseRtt of "
                                    "the queue pair's configuration");
    }
    if (m_minRateBps > flow.lineRate)
    {
        throw std::invalid_argument(who + "MinRateBps is " + std::to_string(m_minRateBps) +
                                    ", must be at most the line rate of " +
                                    std::to_string(flow.lineRate) + " bit/s; lower it");
    }
    m_rttNs = static_cast<double>(rtt) * 1e9 / static_cast<double>(TicksPerSecond());
    m_bdp = static_cast<double>(flow.lineRate) / 8e9 * m_rttNs;
    m_least = static_cast<double>(m_minRateBps) / 8e9 * m_rttNs;
    const bool known = flow.mtu != 0 && flow.frameBytes > flow.mtu;
    m_payloadShare = known ? double(flow.mtu) / flow.frameBytes : 1;
    m_acked = 0;
    m_sent = 0;
    m_roundEnd = 0;
    m_rounds = 0;
    m_unknown = 0;
    m_hearsAck = true;
    SetLinkWindow(m_bdp);
}

double
WindowControl::Limit(double bytes) const
{
    return std::min(std::max(bytes, m_least), m_bdp);
}

double
WindowControl::SetLinkWindow(double bytes)
{
    const FlowParameters& flow = GetFlow();
    m_linkWindow = Limit(bytes);
    const auto rate = static_cast<uint64_t>(std::llround(m_linkWindow * 8e9 / m_rttNs));
    m_rate = std::min(std::max(rate, m_minRateBps), flow.lineRate);
    m_window = std::max<uint64_t>(static_cast<uint64_t>(m_linkWindow * m_payloadShare),
                                  std::max<uint32_t>(flow.mtu, 1));
    return m_linkWindow;
}

} // namespace roce
} // namespace ns3
