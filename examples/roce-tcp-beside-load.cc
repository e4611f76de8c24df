/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-load.h"

#include "ns3/simulator.h"

#include <random>

// what BesideLoad does; what it reads is in roce-tcp-beside-load-read.cc and -figures.cc

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint16_t FIRST_PORT = 5000; //!< of TCP readers
constexpr uint32_t SPREAD_NS = 10000; //!< in which senders begin, as in the headline scenarios

} // namespace

BesideLoad::BesideLoad(const BesideSettings& settings,
                       const BesideSetup& setup,
                       const std::string& label,
                       uint32_t seed,
                       Ptr<Fabric> fabric)
    : m_settings(settings),
      m_label(label),
      m_bytes(setup.GetBytes()),
      m_fabric(fabric)
{
    const double each = 8e9 * double(m_bytes) * settings.senders / BesideSetup::LINE_BPS; // ns
    m_begin = NanoSeconds(static_cast<int64_t>(each * settings.warmup));
    m_end = m_begin + NanoSeconds(static_cast<int64_t>(each * settings.messages));
    std::mt19937 engine(seed);
    std::vector<uint32_t> hosts;
    for (uint32_t host = BesideSetup::FIRST; host <= BesideSetup::LAST; ++host)
    {
        hosts.push_back(host);
    }
    for (std::size_t i = hosts.size() - 1; i > 0; --i)
    {
        std::swap(hosts[i], hosts[engine() % (i + 1)]);
    }
    const bool both = BesideSetup::HasRoce(label) && BesideSetup::HasTcp(label);
    m_roce.reserve(settings.senders);
    m_tcp.reserve(settings.senders);
    for (uint32_t i = 0; i < settings.senders; ++i)
    {
        const Time begin = NanoSeconds(engine() % SPREAD_NS);
        if (BesideSetup::HasRoce(label))
        {
            AddRoce(hosts[i], begin);
        }
        if (BesideSetup::HasTcp(label))
        {
            AddTcp(hosts[both ? settings.senders + i : i],
                   begin,
                   static_cast<uint16_t>(FIRST_PORT + i),
                   setup.GetTcp(label));
        }
    }
    for (uint32_t id : fabric->GetGraph().Switches())
    {
        fabric->GetSwitch(id)->TraceConnectWithoutContext("EcnMark",
                                                          MakeCallback(&BesideLoad::OnMark, this));
    }
}

BesideLoad::~BesideLoad()
{
    for (uint32_t id : m_fabric->GetGraph().Switches())
    {
        m_fabric->GetSwitch(id)->TraceDisconnectWithoutContext(
            "EcnMark",
            MakeCallback(&BesideLoad::OnMark, this));
    }
    for (const Loop& loop : m_roce)
    {
        loop.completions->SetHandler(0, CompletionQueue::Handler());
    }
}

void
BesideLoad::AddRoce(uint32_t host, Time begin)
{
    ConnectionOptions options;
    if (m_label == "pfc-cap")
    {
        const Time rtt = m_fabric->GetBaseRtt(host, BesideSetup::RECEIVER);
        options.windowBytes = static_cast<uint64_t>(BesideSetup::LINE_BPS / 8 * rtt.GetSeconds());
    }
    m_roce.push_back(
        {begin, m_fabric->Connect(host, BesideSetup::RECEIVER, options), nullptr, nullptr});
    Loop& loop = m_roce.back(); // stays where it is: reserved
    loop.completions = CreateObject<CompletionQueue>();
    loop.connection.qp->SetSendQueue(loop.completions);
    loop.completions->SetHandler(m_fabric->GetNode(host)->GetId(),
                                 [this, &loop](const Completion&) {
                                     if (Simulator::Now() < m_end)
                                     {
                                         Post(loop);
                                     }
                                 });
}

void
BesideLoad::AddTcp(uint32_t host, Time begin, uint16_t port, const TcpOptions& options)
{
    m_tcp.push_back({begin, {}, nullptr, nullptr});
    m_tcp.back().stream =
        Create<TcpMessageStream>(m_fabric, host, BesideSetup::RECEIVER, port, m_bytes, options);
}

void
BesideLoad::Post(Loop& loop)
{
    WorkRequest request;
    request.bytes = m_bytes;
    loop.connection.nic->Post(loop.connection.qp, request);
}

void
BesideLoad::Start()
{
    for (Loop& loop : m_roce)
    {
        Simulator::ScheduleWithContext(loop.connection.nic->GetObject<Node>()->GetId(),
                                       loop.begin,
                                       [this, &loop]() { Post(loop); });
    }
    for (Loop& loop : m_tcp)
    {
        loop.stream->Start(loop.begin, [this]() { return Simulator::Now() < m_end; });
    }
    Simulator::Schedule(m_begin, &BesideLoad::Begin, this);
    Simulator::Schedule(m_end, &BesideLoad::End, this);
}

} // namespace roce
} // namespace ns3
