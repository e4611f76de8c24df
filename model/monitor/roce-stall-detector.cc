/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-stall-detector.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(StallDetector);

TypeId
StallDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::StallDetector")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<StallDetector>()
            .AddAttribute("CheckInterval",
                          "Time between looks",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&StallDetector::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("StallTime",
                          "Time without a data or control frame anywhere after which a run with "
                          "open requests is stopped; at least twice the retransmission timer is "
                          "waited",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&StallDetector::m_stallTime),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

StallDetector::StallDetector() = default;
StallDetector::~StallDetector() = default;

void
StallDetector::DoDispose()
{
    m_heartbeat.reset();
    m_beat = nullptr;
    m_switches.clear();
    m_ports.clear();
    Object::DoDispose();
}

void
StallDetector::Install(const NodeContainer& hosts,
                       const NodeContainer& switches,
                       const std::vector<uint32_t>& ids)
{
    m_core = EventCore::Get();
    m_hosts = HostDirectory(hosts, ids);
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        for (uint32_t p = 0; p < m_hosts.GetNic(i).GetNPorts(); ++p)
        {
            m_ports.push_back(m_hosts.GetNic(i).GetPort(p));
        }
    }
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        m_switches.push_back(switches.Get(i)->GetObject<Switch>());
        for (uint32_t p = 0; p < m_switches.back()->GetNumPorts(); ++p)
        {
            m_ports.push_back(m_switches.back()->GetPort(p));
        }
    }
    m_heartbeat = std::make_unique<Heartbeat>(m_hosts, [this](Tick now) { Beat(now); });
    Start();
}

void
StallDetector::Start()
{
    m_heartbeat->Start(m_interval);
}

void
StallDetector::SetBeat(std::function<void(Tick)> beat)
{
    m_beat = std::move(beat);
}

uint64_t
StallDetector::CountData() const
{
    uint64_t pauses = 0;
    for (const auto& port : m_ports)
    {
        pauses += port->GetPauseState().GetFrames();
    }
    return m_core->GetFrameHops() - pauses;
}

Tick
StallDetector::GetPatience() const
{
    Tick timer = 0;
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        if (m_hosts.GetNic(i).GetOpenRequests() == 0)
        {
            continue;
        }
        for (const auto& qp : m_hosts.GetNic(i).GetQueuePairs())
        {
            timer =
                qp->GetRequester().GetOpen() ? std::max(timer, qp->GetConfig().ackTimeout) : timer;
        }
    }
    return std::max(ToTick(m_stallTime), 2 * timer);
}

void
StallDetector::Beat(Tick now)
{
    if (m_beat)
    {
        m_beat(now);
    }
    const Tick interval = ToTick(m_interval);
    if (now - m_lastBeat > interval)
    {
        m_moved = m_lastCheck = now - interval; // begins (again) with the post that woke it
    }
    m_lastBeat = now;
    // a fine interval serves progress; counting all ports as often would cost
    if (now - m_lastCheck >= ToTick(m_stallTime) / 8)
    {
        m_lastCheck = now;
        Check(now);
    }
}

void
StallDetector::Check(Tick now)
{
    const uint64_t data = CountData();
    if (data != m_data || m_hosts.GetOpenRequests() == 0)
    {
        m_data = data;
        m_moved = now;
        return;
    }
    if (now - m_moved < GetPatience())
    {
        return;
    }
    m_report = Describe();
    m_stopped = true;
    m_heartbeat->Stop();
    Simulator::Stop();
}

bool
StallDetector::HasStopped() const
{
    return m_stopped;
}

const StallReport&
StallDetector::GetReport() const
{
    return m_report;
}

StalledQueuePair
StallDetector::Describe(uint32_t host, const QueuePair& qp) const
{
    const QueuePairConfig& config = qp.GetConfig();
    const Requester& requester = qp.GetRequester();
    const Requester::OpenRequest& oldest = requester.GetOldest();
    const uint64_t una = requester.GetUnacknowledged();
    const uint64_t acked = una > oldest.first ? (una - oldest.first) * config.mtu : 0;
    StalledQueuePair pair;
    pair.host = m_hosts.GetId(host);
    pair.qpn = qp.GetQpn();
    pair.peer = m_hosts.GetId(m_hosts.Find(config.remoteAddress));
    pair.peerQpn = config.remoteQpn;
    pair.openRequests = requester.GetOpen();
    pair.bytesLeft = oldest.request.bytes - std::min(acked, oldest.request.bytes);
    pair.packet = una;
    pair.port = config.localPort;
    pair.priority = config.priority;

    const Ptr<Port> port = m_hosts.GetNic(host).GetPort(config.localPort);
    const bool waiting = requester.IsWaiting();
    if (qp.GetState() != QueuePairState::RTS)
    {
        pair.cause = StallCause::NOT_CONNECTED;
    }
    else if (!port->IsLinkUp())
    {
        pair.cause = StallCause::LINK_DOWN;
    }
    else if (requester.HasPackets() && (port->GetTransmitter().GetPaused() >> config.priority) & 1)
    {
        pair.cause = StallCause::PAUSED;
    }
    else if (waiting && config.ackTimeout == 0)
    {
        pair.cause = StallCause::ACK_NO_TIMER;
    }
    else if (requester.HasPackets() && !qp.CanSend())
    {
        pair.cause = StallCause::WINDOW;
    }
    else
    {
        pair.cause = waiting && !requester.HasPackets() ? StallCause::ACK : StallCause::SLOT;
    }
    return pair;
}

void
StallDetector::DescribeQueues(StallReport& report) const
{
    for (const auto& device : m_switches)
    {
        report.noRouteDrops += device->GetDrops(DropReason::NO_ROUTE);
        for (uint32_t i = 0; i < device->GetNumPorts(); ++i)
        {
            const Ptr<Port> port = device->GetPort(i);
            const Transmitter& tx = port->GetTransmitter();
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                if (tx.GetQueueBytes(p) && (tx.GetPaused() >> p) & 1)
                {
                    report.queues.push_back(BlockedQueue{device->GetId(),
                                                         i,
                                                         p,
                                                         tx.GetQueueBytes(p),
                                                         !port->IsLinkUp()});
                }
            }
        }
    }
}

StallReport
StallDetector::Describe() const
{
    StallReport report;
    report.at = ToTick(Simulator::Now());
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        if (m_hosts.GetNic(i).GetOpenRequests() == 0)
        {
            continue;
        }
        for (const auto& qp : m_hosts.GetNic(i).GetQueuePairs())
        {
            if (qp->GetRequester().GetOpen())
            {
                report.pairs.push_back(Describe(i, *qp));
            }
        }
    }
    if (!report.IsEmpty())
    {
        DescribeQueues(report);
    }
    return report;
}

} // namespace roce
} // namespace ns3
