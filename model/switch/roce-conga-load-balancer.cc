/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-conga-load-balancer.h"

#include "roce-conga-header.h"
#include "roce-switch-hash.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-transmitter.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CongaLoadBalancer);

TypeId
CongaLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CongaLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Roce")
            .AddConstructor<CongaLoadBalancer>()
            .AddAttribute("Gap",
                          "Silence after which a flow may move; 0: each frame may",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&CongaLoadBalancer::m_gap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TableSize",
                          "Entries of the flowlet table, made a power of two",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&CongaLoadBalancer::m_tableSize),
                          MakeUintegerChecker<uint32_t>(1, 1u << 24))
            .AddAttribute("EstimatorPeriod",
                          "Period T of the rate estimators; tau is T / EstimatorPart",
                          TimeValue(MicroSeconds(16)),
                          MakeTimeAccessor(&CongaLoadBalancer::m_period),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("EstimatorPart",
                          "Part alpha that an estimator forgets each period",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&CongaLoadBalancer::m_alpha),
                          MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("MetricBits",
                          "Bits Q of a metric; alike at all switches",
                          UintegerValue(3),
                          MakeUintegerAccessor(&CongaLoadBalancer::m_bits),
                          MakeUintegerChecker<uint32_t>(1, Dre::MAX_BITS))
            .AddAttribute("AgingTime",
                          "A metric from elsewhere falls by 1 each time it was not renewed so long",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&CongaLoadBalancer::m_aging),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

CongaLoadBalancer::CongaLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
CongaLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    m_seed = static_cast<uint32_t>(FlowKey::Mix(uint64_t(id) + 1));
    m_flowlets.Configure(m_tableSize, ToTick(m_gap));
    m_tables.Configure(std::max<Tick>(ToTick(m_aging), 1));
    m_equals.reserve(transmitters.size());
    m_ports.clear();
    for (const Transmitter* tx : transmitters)
    {
        const LinkTiming* timing = tx->GetTiming();
        // a port without cable sends nothing; any rate will do
        const double rate = timing ? static_cast<double>(timing->GetRate()) : 1e9;
        PortState port{Dre(), timing ? timing->GetOverhead() : 0, CongaHeader::NO_TAG};
        port.dre.Configure(rate / 8 / static_cast<double>(TicksPerSecond()),
                           ToTick(m_period),
                           m_alpha,
                           m_bits);
        m_ports.push_back(port);
    }
}

void
CongaLoadBalancer::Join(std::shared_ptr<const LocatorTable> locators, uint32_t ownLeaf)
{
    m_locators = std::move(locators);
    m_ownLeaf = ownLeaf;
    if (ownLeaf == LocatorTable::NO_LEAF)
    {
        return;
    }
    std::vector<bool> hosts(m_ports.size());
    for (uint32_t i = 0; i < m_locators->GetSize(); ++i)
    {
        const Locator* host = m_locators->Find(LocatorTable::BASE_ADDRESS + (i << 8));
        if (host->leaf == ownLeaf && host->port < hosts.size())
        {
            hosts[host->port] = true;
        }
    }
    uint32_t uplinks = 0;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        if (hosts[port])
        {
            continue;
        }
        if (uplinks == CongaHeader::NO_TAG)
        {
            throw std::invalid_argument(
                "CONGA: leaf " + std::to_string(ownLeaf) + " has more than " +
                std::to_string(uplinks) +
                " ports without hosts, one for each LBTag; use fewer or another load balancer");
        }
        m_ports[port].tag = static_cast<uint8_t>(uplinks++);
    }
}

void
CongaLoadBalancer::Forward(Frame* frame, uint32_t out, Tick now)
{
    if (m_ownLeaf == LocatorTable::NO_LEAF)
    {
        return;
    }
    const bool up = m_ports[out].tag != CongaHeader::NO_TAG;
    if (up != CongaHeader::IsIn(frame))
    {
        up ? Encapsulate(frame, out, now) : Decapsulate(frame, now);
    }
}

void
CongaLoadBalancer::Encapsulate(Frame* frame, uint32_t out, Tick now)
{
    CongaHeader header;
    header.tag = m_ports[out].tag;
    if (const Locator* goal = m_locators->Find(frame->destination))
    {
        const CongaTables::Feedback feedback = m_tables.NextFeedback(goal->leaf, now);
        header.feedbackTag = feedback.tag;
        header.feedback = feedback.metric;
    }
    header.Write(frame);
}

void
CongaLoadBalancer::Decapsulate(Frame* frame, Tick now)
{
    const CongaHeader header = CongaHeader::Read(frame);
    CongaHeader::Remove(frame);
    const Locator* origin = m_locators->Find(frame->source);
    if (!origin || origin->leaf == LocatorTable::NO_LEAF)
    {
        return;
    }
    m_tables.SetFrom(origin->leaf, header.tag, header.congestion, now);
    if (header.feedbackTag != CongaHeader::NO_TAG)
    {
        m_tables.SetTo(origin->leaf, header.feedbackTag, header.feedback, now);
    }
}

void
CongaLoadBalancer::Depart(Frame* frame, uint32_t out, Tick now)
{
    PortState& port = m_ports[out];
    port.dre.Add(frame->size + port.gap, now);
    if (CongaHeader::IsIn(frame))
    {
        CongaHeader::Raise(frame, port.dre.GetMetric(now));
    }
}

uint32_t
CongaLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now)
{
    NS_ABORT_MSG_IF(!m_locators,
                    "a CongaLoadBalancer hears nothing; call CongaStage::Install before Freeze");
    const uint32_t hash = SwitchHash::Mix32(frame->hash ^ m_seed);
    if (m_ownLeaf == LocatorTable::NO_LEAF || CongaHeader::IsIn(frame))
    {
        return members[hash % count];
    }
    bool start;
    FlowletTable::Entry& entry = m_flowlets.Use(hash, members, count, now, start);
    if (start)
    {
        const Locator* goal = m_locators->Find(frame->destination);
        const uint32_t leaf = goal ? goal->leaf : LocatorTable::NO_LEAF;
        const uint16_t before = entry.port;
        entry.port = Choose(leaf, members, count, before, now);
        NoteMove(*frame, before, entry.port, now);
    }
    return entry.port;
}

uint16_t
CongaLoadBalancer::Choose(uint32_t leaf,
                          const uint16_t* members,
                          uint32_t count,
                          uint16_t previous,
                          Tick now)
{
    uint8_t least = UINT8_MAX;
    m_equals.clear();
    for (uint32_t i = 0; i < count; ++i)
    {
        PortState& port = m_ports[members[i]];
        const uint8_t metric =
            std::max(port.dre.GetMetric(now), m_tables.GetTo(leaf, port.tag, now));
        if (metric < least)
        {
            least = metric;
            m_equals.clear();
        }
        if (metric == least)
        {
            m_equals.push_back(members[i]);
        }
    }
    if (m_equals.size() == 1 ||
        std::find(m_equals.begin(), m_equals.end(), previous) != m_equals.end())
    {
        return m_equals.size() == 1 ? m_equals.front() : previous;
    }
    return m_equals[m_random->GetInteger(0, static_cast<uint32_t>(m_equals.size()) - 1)];
}

uint8_t
CongaLoadBalancer::GetLocalMetric(uint32_t port, Tick now)
{
    return m_ports.at(port).dre.GetMetric(now);
}

uint8_t
CongaLoadBalancer::GetPathMetric(uint32_t leaf, uint32_t port, Tick now) const
{
    return m_tables.GetTo(leaf, m_ports.at(port).tag, now);
}

uint8_t
CongaLoadBalancer::GetTag(uint32_t port) const
{
    return m_ports.at(port).tag;
}

const CongaTables&
CongaLoadBalancer::GetTables() const
{
    return m_tables;
}

LoadBalancer*
CongaLoadBalancer::GetMover()
{
    return this;
}

int64_t
CongaLoadBalancer::DoAssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace roce
} // namespace ns3
