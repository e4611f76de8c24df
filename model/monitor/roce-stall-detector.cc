/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-stall-detector.h"

#include "roce-wait-for-graph.h"

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
                          "waited. Frames of a queue pair that tries again for ever without a "
                          "receive request do not count",
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

uint64_t
StallDetector::CountProgress() const
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        const NicCounters& nic = m_hosts.GetNic(i).GetCounters();
        count += nic.bytesDelivered + nic.messagesDelivered + nic.responsesReceived +
                 nic.requestsCompleted + nic.requestsFailed;
    }
    return count;
}

void
StallDetector::ForEachOpen(
    const std::function<void(uint32_t host, const QueuePair& qp)>& visit) const
{
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        if (m_hosts.GetNic(i).GetOpenRequests() == 0)
        {
            continue;
        }
        for (const auto& qp : m_hosts.GetNic(i).GetQueuePairs())
        {
            if (!qp->GetRequester().GetOpen().empty())
            {
                visit(i, *qp);
            }
        }
    }
}

bool
StallDetector::IsRetryingForEver() const
{
    bool all = true;
    ForEachOpen([&all](uint32_t, const QueuePair& qp) {
        all = all && qp.GetConfig().rnrRetryLimit == Completer::RNR_FOR_EVER &&
              qp.GetCompleter().GetRnrNaks() > 0;
    });
    return all;
}

Tick
StallDetector::GetPatience() const
{
    Tick timer = 0;
    ForEachOpen([&timer](uint32_t, const QueuePair& qp) {
        const Ptr<LossRecovery> recovery = qp.GetLossRecovery();
        timer = std::max({timer,
                          recovery->HasTimeout() ? recovery->GetTimeout(qp.GetRequester())
                                                 : qp.GetConfig().ackTimeout,
                          ToTick(NanoSeconds(qp.GetCompleter().GetRnrWaitNs()))});
    });
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
    const uint64_t progress = CountProgress();
    const bool moves = data != m_data && (progress != m_progress || !IsRetryingForEver());
    m_data = data;
    m_progress = progress;
    if (moves || m_hosts.GetOpenRequests() == 0)
    {
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
    const SendQueue::OpenRequest& oldest = requester.GetOpen().front();
    const uint64_t una = requester.GetUnacknowledged();
    const uint64_t acked = una > oldest.first ? (una - oldest.first) * config.mtu : 0;
    StalledQueuePair pair;
    pair.host = m_hosts.GetId(host);
    pair.qpn = qp.GetQpn();
    pair.peer = m_hosts.GetId(m_hosts.Find(config.remoteAddress));
    pair.peerQpn = config.remoteQpn;
    pair.openRequests = requester.GetOpen().size();
    pair.bytesLeft = oldest.request.bytes - std::min(acked, oldest.request.bytes);
    pair.packet = una;
    pair.port = config.localPort;
    pair.priority = config.priority;
    const auto& reads = requester.GetReads();
    pair.answer = !reads.empty() && reads.front().first <= una;
    FindCause(pair, host, qp);
    return pair;
}

void
StallDetector::FindCause(StalledQueuePair& pair, uint32_t host, const QueuePair& qp) const
{
    const QueuePairConfig& config = qp.GetConfig();
    const Requester& requester = qp.GetRequester();
    const Ptr<Port> port = m_hosts.GetNic(host).GetPort(config.localPort);
    const bool paused = (port->GetTransmitter().GetPaused() >> config.priority) & 1;
    const bool waiting = requester.IsWaiting();
    const bool rnr = requester.GetHolds() & SendQueue::HOLD_RNR;
    pair.state = qp.GetState();
    if (pair.state != QueuePairState::RTS && pair.state != QueuePairState::SQD)
    {
        pair.cause = StallCause::NOT_CONNECTED;
    }
    else if (!port->IsLinkUp())
    {
        pair.cause = StallCause::LINK_DOWN;
    }
    else if (!rnr && requester.GetState() != RequesterState::IDLE && paused)
    {
        pair.cause = StallCause::PAUSED;
    }
    else if (FindPeerCause(pair, qp))
    {
        return;
    }
    else if (waiting && config.ackTimeout == 0 && !qp.GetLossRecovery()->HasTimeout())
    {
        pair.cause = StallCause::ACK_NO_TIMER;
    }
    else
    {
        pair.limit = config.maxReads;
        pair.cause = FindHold(qp);
    }
}

bool
StallDetector::FindPeerCause(StalledQueuePair& pair, const QueuePair& qp) const
{
    if (qp.GetCompleter().GetRnrNaks() > 0)
    {
        pair.limit = qp.GetConfig().rnrRetryLimit;
        pair.cause = StallCause::RNR;
        return true;
    }
    const uint32_t host = m_hosts.Find(qp.GetConfig().remoteAddress);
    if (host == HostDirectory::NOBODY || !qp.GetRequester().IsWaiting())
    {
        return false;
    }
    const Ptr<QueuePair> peer = m_hosts.GetNic(host).Find(qp.GetConfig().remoteQpn);
    if (!peer)
    {
        return false;
    }
    if (!IsReceiving(peer->GetState()))
    {
        pair.state = peer->GetState();
        pair.cause = StallCause::PEER_STATE;
        return true;
    }
    const QueuePairConfig& config = peer->GetConfig();
    const Ptr<Port> port = m_hosts.GetNic(host).GetPort(config.localPort);
    const unsigned paused = port->GetTransmitter().GetPaused();
    pair.peerPort = config.localPort;
    pair.cause = StallCause::RESPONSES_PAUSED;
    return pair.answer && peer->GetResponder().IsAnswering() && (paused >> config.priority) & 1;
}

StallCause
StallDetector::FindHold(const QueuePair& qp) const
{
    const Requester& requester = qp.GetRequester();
    const uint8_t holds = requester.GetHolds();
    if (holds & SendQueue::HOLD_READS)
    {
        const SendQueue::OpenRequest* next = requester.FindOpen(requester.GetNext());
        const bool full = requester.GetReads().size() >= qp.GetConfig().maxReads;
        return full && next && IsReadOrAtomic(next->request.operation) ? StallCause::READ_LIMIT
                                                                       : StallCause::FENCE;
    }
    if (holds & SendQueue::HOLD_CREDIT)
    {
        return StallCause::CREDIT;
    }
    const bool idle = requester.GetState() == RequesterState::IDLE;
    if (requester.IsWaiting() && idle)
    {
        const auto& reads = requester.GetReads();
        const bool answer = !reads.empty() && reads.front().first <= requester.GetUnacknowledged();
        return answer ? StallCause::READ_ANSWER : StallCause::ACK;
    }
    if (!idle && !requester.IsWaiting() && (holds & SendQueue::HOLD_DRAIN))
    {
        return StallCause::DRAIN;
    }
    return !idle && !qp.CanSend() ? StallCause::WINDOW : StallCause::SLOT;
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
    ForEachOpen([this, &report](uint32_t host, const QueuePair& qp) {
        report.pairs.push_back(Describe(host, qp));
    });
    if (!report.IsEmpty())
    {
        DescribeQueues(report);
        report.rings = WaitForGraph(m_switches).FindCycles(report.at, 0);
    }
    return report;
}

} // namespace roce
} // namespace ns3
