/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hpcc-rate.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(HpccRate);

TypeId
HpccRate::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::HpccRate")
            .SetParent<WindowControl>()
            .SetGroupName("Roce")
            .AddConstructor<HpccRate>()
            .AddAttribute("TargetUtil",
                          "Target of u, in [0.01, 1]",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&HpccRate::m_targetUtil),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("MiThresh",
                          "Additive rounds after which a multiplicative one comes; the artifact's "
                          "configuration has 0",
                          UintegerValue(5),
                          MakeUintegerAccessor(&HpccRate::m_miThresh),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RateAiBps",
                          "Step of the additive increase, bit/s",
                          UintegerValue(50000000),
                          MakeUintegerAccessor(&HpccRate::m_rateAi),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MultiRate",
                          "Keep a rate for each hop",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HpccRate::m_multiRate),
                          MakeBooleanChecker())
            .AddAttribute("FastReact",
                          "React to each ACK, not only to one a round",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HpccRate::m_fastReact),
                          MakeBooleanChecker())
            .AddAttribute("SampleFeedback",
                          "Within a round, skip hops without a queue",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HpccRate::m_sampleFeedback),
                          MakeBooleanChecker())
            .AddAttribute("Window",
                          "Limit unacknowledged bytes to rate x T",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HpccRate::m_limitWindow),
                          MakeBooleanChecker());
    return tid;
}

HpccRate::HpccRate() = default;
HpccRate::~HpccRate() = default;

void
HpccRate::DoStart(Tick)
{
    StartWindow();
    m_path.Start(TicksPerSecond());
    m_hops.clear();
    SetRate(static_cast<double>(GetFlow().lineRate));
}

void
HpccRate::DoAck(const AckInfo& ack, Tick now)
{
    CountAcked(ack);
    if (ack.record == nullptr)
    {
        CountUnknown();
        return;
    }
    const bool first = m_path.GetHops() == 0;
    const bool over = IsRoundOver();
    if (!over && !m_fastReact && !first)
    {
        return;
    }
    const IntPath::Result result = m_path.Update(*ack.record, now, m_sampleFeedback && !over);
    if (result == IntPath::REFERENCE)
    {
        Resize();
        if (first)
        {
            BeginRound();
        }
    }
    if (result != IntPath::SAMPLES)
    {
        return;
    }
    SetRate(m_multiRate ? ReactPerHop(over) : ReactOnce(over));
    if (over)
    {
        BeginRound();
    }
}

void
HpccRate::Resize()
{
    const std::size_t states = m_multiRate ? m_path.GetHops() : 1;
    if (m_hops.size() != states)
    {
        HopState state;
        state.rc = static_cast<double>(m_rate);
        m_hops.assign(states, state);
    }
}

double
HpccRate::Load(const IntPath::Sample& sample) const
{
    const double bdp = sample.rate / 8e9 * GetBaseRttNs();
    return std::min(sample.queue, sample.oldQueue) / bdp + sample.txRate / sample.rate;
}

void
HpccRate::Smooth(HopState& state, double u, double nanoseconds) const
{
    const double weight = std::min(nanoseconds, GetBaseRttNs()) / GetBaseRttNs();
    state.u = (1 - weight) * state.u + weight * u;
}

double
HpccRate::React(HopState& state, bool update) const
{
    const double c = state.u / m_targetUtil;
    const bool multiply = c >= 1 || state.stage >= m_miThresh;
    // u of 0 gives infinity, which Limit cuts to the line rate.
    const double wanted = (multiply ? state.rc / c : state.rc) + static_cast<double>(m_rateAi);
    const double rate = Limit(wanted / 8e9 * GetBaseRttNs()) * 8e9 / GetBaseRttNs();
    if (update)
    {
        state.stage = multiply ? 0 : state.stage + 1;
        state.rc = rate;
    }
    return rate;
}

double
HpccRate::ReactPerHop(bool update)
{
    auto least = static_cast<double>(GetFlow().lineRate);
    for (unsigned i = 0; i < m_hops.size(); ++i)
    {
        const IntPath::Sample& sample = m_path.GetSample(i);
        double rate = m_hops[i].rc;
        if (sample.fresh)
        {
            Smooth(m_hops[i], Load(sample), sample.nanoseconds);
            rate = React(m_hops[i], update);
        }
        least = std::min(least, rate);
    }
    return least;
}

double
HpccRate::ReactOnce(bool update)
{
    double most = 0;
    double tau = 0;
    for (unsigned i = 0; i < m_path.GetHops(); ++i)
    {
        const IntPath::Sample& sample = m_path.GetSample(i);
        if (sample.fresh && (Load(sample) > most || tau == 0))
        {
            most = Load(sample);
            tau = sample.nanoseconds;
        }
    }
    if (tau == 0)
    {
        return static_cast<double>(m_rate);
    }
    Smooth(m_hops[0], most, tau);
    return React(m_hops[0], update);
}

void
HpccRate::SetRate(double rate)
{
    SetLinkWindow(rate / 8e9 * GetBaseRttNs());
    if (!m_limitWindow)
    {
        m_window = UNLIMITED;
    }
}

} // namespace roce
} // namespace ns3
