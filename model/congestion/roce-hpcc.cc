/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hpcc.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Hpcc);

TypeId
Hpcc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::Hpcc")
            .SetParent<WindowControl>()
            .SetGroupName("Roce")
            .AddConstructor<Hpcc>()
            .AddAttribute("Eta",
                          "Target of U, in [0.01, 1]",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&Hpcc::m_eta),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MaxStage",
                          "Additive rounds after which a multiplicative one comes",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Hpcc::m_maxStage),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Flows",
                          "N: flows expected on a link, for W_AI = line rate x T x (1 - Eta) / N",
                          UintegerValue(100),
                          MakeUintegerAccessor(&Hpcc::m_flows),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AdditiveBytes",
                          "W_AI, bytes on the link; 0 = by Flows",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Hpcc::m_additiveBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

Hpcc::Hpcc() = default;
Hpcc::~Hpcc() = default;

void
Hpcc::DoStart(Tick)
{
    StartWindow();
    m_path.Start(TicksPerSecond());
    m_u = 1;
    m_wc = GetLinkWindow();
    m_wai = m_additiveBytes != 0 ? static_cast<double>(m_additiveBytes)
                                 : GetBdpBytes() * (1 - m_eta) / m_flows;
    m_stage = 0;
}

void
Hpcc::DoAck(const AckInfo& ack, Tick now)
{
    CountAcked(ack);
    if (ack.record == nullptr)
    {
        CountUnknown();
        return;
    }
    const bool first = m_path.GetHops() == 0;
    const IntPath::Result result = m_path.Update(*ack.record, now);
    if (result == IntPath::REFERENCE && first)
    {
        BeginRound();
    }
    if (result != IntPath::SAMPLES || !MeasureInflight())
    {
        return;
    }
    const bool over = IsRoundOver();
    SetLinkWindow(ComputeWindow(over));
    if (over)
    {
        BeginRound();
    }
}

bool
Hpcc::MeasureInflight()
{
    const double rtt = GetBaseRttNs();
    double most = 0;
    double tau = 0;
    for (unsigned i = 0; i < m_path.GetHops(); ++i)
    {
        const IntPath::Sample& hop = m_path.GetSample(i);
        if (!hop.fresh)
        {
            continue;
        }
        const double bdp = hop.rate / 8e9 * rtt;
        const double u = std::min(hop.queue, hop.oldQueue) / bdp + hop.txRate / hop.rate;
        if (u > most || tau == 0)
        {
            most = u;
            tau = hop.nanoseconds;
        }
    }
    const double weight = std::min(tau, rtt) / rtt;
    m_u = (1 - weight) * m_u + weight * most;
    return tau > 0;
}

double
Hpcc::ComputeWindow(bool update)
{
    const bool multiply = m_u >= m_eta || m_stage >= m_maxStage;
    // U of 0 (an idle path) gives infinity, which Limit cuts to the line rate.
    const double window = Limit((multiply ? m_wc / (m_u / m_eta) : m_wc) + m_wai);
    if (update)
    {
        m_stage = multiply ? 0 : m_stage + 1;
        m_wc = window;
    }
    return window;
}

} // namespace roce
} // namespace ns3
