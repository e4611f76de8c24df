/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-flowlet-load-balancer.h"

#include "roce-switch-hash.h"

#include "ns3/double.h"
#include "ns3/roce-constants.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-transmitter.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t FULL_FRAME = 4174; //!< bytes of a frame with a payload of 4096 and RETH
constexpr uint32_t ONE_WAY_LINKS = 4; //!< host, leaf, spine, leaf, host

/** \return half the round trip of a leaf-spine fabric whose links are like the slowest and longest
 *  of these, in ticks. \param transmitters ports */
Tick
HalfRoundTrip(const std::vector<const Transmitter*>& transmitters)
{
    Tick link = 0;
    for (const Transmitter* tx : transmitters)
    {
        if (LinkTiming* timing = tx->GetTiming())
        {
            const auto bits = 8.0 * (FULL_FRAME + timing->GetOverhead());
            const double frame = bits * timing->GetTicksPerSecond() / double(timing->GetRate());
            link = std::max(link, tx->GetDelay() + static_cast<Tick>(frame));
        }
    }
    return ONE_WAY_LINKS * link;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(FlowletLoadBalancer);

TypeId
FlowletLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::FlowletLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Roce")
            .AddConstructor<FlowletLoadBalancer>()
            .AddAttribute("Gap",
                          "Silence after which a flow may move; 0: half the round trip of a "
                          "leaf-spine fabric with links like the slowest of the switch",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FlowletLoadBalancer::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TableSize",
                          "Entries of the flowlet table, made a power of two",
                          UintegerValue(8192),
                          MakeUintegerAccessor(&FlowletLoadBalancer::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1, 1u << 24))
            .AddAttribute("EstimatorPeriod",
                          "Period T of the rate estimator",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&FlowletLoadBalancer::m_estimatorPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("EstimatorPart",
                          "Part A that the estimator forgets each period",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&FlowletLoadBalancer::m_estimatorPart),
                          MakeDoubleChecker<double>(1e-6, 1));
    return tid;
}

FlowletLoadBalancer::FlowletLoadBalancer() = default;

Tick
FlowletLoadBalancer::GetGap() const
{
    return m_table.GetGap();
}

PortLoad&
FlowletLoadBalancer::GetPortLoad()
{
    return m_load;
}

Tick
FlowletLoadBalancer::ChooseGap(Tick set) const
{
    return set;
}

void
FlowletLoadBalancer::Prepare()
{
}

void
FlowletLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    m_seed = static_cast<uint32_t>(FlowKey::Mix(uint64_t(id) + 1));
    const Tick set = m_gap.IsZero() ? HalfRoundTrip(transmitters) : ToTick(m_gap);
    m_table.Configure(m_tableSize, ChooseGap(set));
    m_load.Configure(transmitters,
                     ToTick(m_estimatorPeriod),
                     m_estimatorPart,
                     static_cast<double>(TicksPerSecond()));
    Prepare();
}

uint32_t
FlowletLoadBalancer::ChooseMember(uint32_t hash, const uint16_t* members, uint32_t count, Tick now)
{
    uint32_t best = hash % count;
    double least = m_load.GetLoad(members[best], now);
    for (uint32_t i = 1; i < count && least > 0; ++i)
    {
        const uint32_t index = (hash + i) % count;
        const double load = m_load.GetLoad(members[index], now);
        if (load < least)
        {
            least = load;
            best = index;
        }
    }
    return best;
}

LoadBalancer*
FlowletLoadBalancer::GetMover()
{
    return this;
}

uint32_t
FlowletLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now)
{
    const uint32_t hash = SwitchHash::Mix32(frame->hash ^ m_seed);
    bool start;
    FlowletTable::Entry& entry = m_table.Use(hash, members, count, now, start);
    if (start)
    {
        const uint16_t before = entry.port;
        // other bits than those that chose the entry
        entry.port = members[ChooseMember(SwitchHash::Mix32(hash), members, count, now)];
        NoteMove(*frame, before, entry.port, now);
    }
    m_load.Add(entry.port, frame->size, now);
    return entry.port;
}

} // namespace roce
} // namespace ns3
