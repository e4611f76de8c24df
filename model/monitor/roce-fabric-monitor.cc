/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fabric-monitor.h"

#include "ns3/node.h"
#include "ns3/roce-congestion-point.h"
#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-leave-notifier.h"
#include "ns3/roce-pfc-watchdog.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

FabricMonitor::FabricMonitor(const NodeContainer& hosts,
                             const NodeContainer& switches,
                             const std::vector<uint32_t>& ids)
    : m_hosts(hosts, ids),
      m_core(EventCore::Get()),
      m_eventsBefore(m_core->GetEventCount()),
      m_hopsBefore(m_core->GetFrameHops()),
      m_onCnp(MakeBoundCallback(&FabricMonitor::OnCnp, this)),
      m_onPfc(MakeBoundCallback(&FabricMonitor::OnPfc, this))
{
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        Nic& nic = m_hosts.GetNic(i);
        for (uint32_t p = 0; p < nic.GetNPorts(); ++p)
        {
            m_ports.push_back(nic.GetPort(p));
        }
        m_onCompleted.push_back(MakeBoundCallback(&FabricMonitor::OnCompleted, this, i));
        m_onArrived.push_back(MakeBoundCallback(&FabricMonitor::OnArrived, this, i));
        m_onState.push_back(MakeBoundCallback(&FabricMonitor::OnState, this, i));
        nic.TraceConnectWithoutContext("Completed", m_onCompleted.back());
        nic.TraceConnectWithoutContext("Arrived", m_onArrived.back());
        nic.TraceConnectWithoutContext("StateChange", m_onState.back());
        nic.TraceConnectWithoutContext("CnpReceived", m_onCnp);
    }
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        Ptr<Switch> device = switches.Get(i)->GetObject<Switch>();
        if (!device)
        {
            throw std::invalid_argument("node " + std::to_string(switches.Get(i)->GetId()) +
                                        " has no Switch");
        }
        for (uint32_t p = 0; p < device->GetNumPorts(); ++p)
        {
            m_ports.push_back(device->GetPort(p));
        }
        device->TraceConnectWithoutContext("PfcState", m_onPfc);
        m_switches.push_back(device);
    }
}

FabricMonitor::~FabricMonitor()
{
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        Nic& nic = m_hosts.GetNic(i);
        nic.TraceDisconnectWithoutContext("Completed", m_onCompleted[i]);
        nic.TraceDisconnectWithoutContext("Arrived", m_onArrived[i]);
        nic.TraceDisconnectWithoutContext("StateChange", m_onState[i]);
        nic.TraceDisconnectWithoutContext("CnpReceived", m_onCnp);
    }
    for (const auto& device : m_switches)
    {
        device->TraceDisconnectWithoutContext("PfcState", m_onPfc);
    }
}

void
FabricMonitor::SetIdealTime(IdealTime ideal)
{
    m_ideal = std::move(ideal);
}

const std::vector<MessageRecord>&
FabricMonitor::GetMessages() const
{
    return m_messages;
}

const HostDirectory&
FabricMonitor::GetHosts() const
{
    return m_hosts;
}

namespace
{

/** Key of a queue pair of a host. */
uint64_t
KeyOf(uint32_t host, uint32_t qpn)
{
    return uint64_t(host) << 32 | qpn;
}

/** What was asked for, as far as a completion tells. */
Operation
OperationOf(CompletionKind kind)
{
    switch (kind)
    {
    case CompletionKind::SEND:
        return Operation::SEND;
    case CompletionKind::READ:
        return Operation::READ;
    case CompletionKind::FETCH_ADD:
        return Operation::FETCH_ADD;
    case CompletionKind::COMPARE_SWAP:
        return Operation::COMPARE_SWAP;
    default:
        return Operation::WRITE;
    }
}

} // namespace

void
FabricMonitor::OnArrived(FabricMonitor* self, uint32_t host, const Completion& completion)
{
    const Ptr<QueuePair> qp = self->m_hosts.GetNic(host).Find(completion.qpn);
    if (!qp || completion.status != CompletionStatus::SUCCESS ||
        qp->GetConfig().service == TransportService::UD)
    {
        return;
    }
    const uint32_t sender = self->m_hosts.Find(qp->GetConfig().remoteAddress);
    if (sender == HostDirectory::NOBODY)
    {
        return;
    }
    const uint64_t key = KeyOf(sender, qp->GetConfig().remoteQpn);
    if (qp->GetConfig().service == TransportService::UC)
    {
        self->Confirm(key, qp->GetResponder().GetExpected(), completion.completed);
        return;
    }
    self->m_arrivals[key].ticks.push_back(completion.completed);
}

void
FabricMonitor::Confirm(uint64_t key, uint64_t end, Tick now)
{
    auto& waiting = m_unconfirmed[key];
    while (!waiting.empty() && waiting.front().end <= end)
    {
        Unconfirmed& oldest = waiting.front();
        if (oldest.end == end)
        {
            oldest.record.arrived = now;
            oldest.record.completed = now;
            m_lastCompletion = std::max(m_lastCompletion, now);
            --m_notArrived;
            m_notArrivedBytes -= oldest.record.bytes;
            m_messages.push_back(oldest.record);
        }
        waiting.pop_front(); // those before the one that arrived are lost
    }
}

void
FabricMonitor::OnState(FabricMonitor* self, uint32_t host, uint32_t qpn, QueuePairState state)
{
    const uint64_t key = KeyOf(host, qpn);
    if (state == QueuePairState::RESET || state == QueuePairState::ERROR)
    {
        self->m_arrivals.erase(key); // what was sent before is not completed any more
    }
    if (state == QueuePairState::RESET)
    {
        self->m_unconfirmed.erase(key); // numbers begin anew
    }
}

Tick
FabricMonitor::TakeArrival(uint32_t host, const QueuePair& qp, const Completion& completion)
{
    auto found = m_arrivals.find(KeyOf(host, qp.GetQpn()));
    if (found == m_arrivals.end())
    {
        return completion.completed;
    }
    // a long request travels as several messages, each of which tells of its arrival
    const Requester& requester = qp.GetRequester();
    const uint64_t longest = MAX_MESSAGE_BYTES / requester.GetMtu() * requester.GetMtu();
    const uint64_t parts = completion.bytes ? (completion.bytes - 1) / longest + 1 : 1;
    Arrivals& arrivals = found->second;
    if (arrivals.ticks.size() - arrivals.head < parts)
    {
        return completion.completed;
    }
    arrivals.head += parts;
    const Tick tick = arrivals.ticks[arrivals.head - 1];
    if (arrivals.head == arrivals.ticks.size())
    {
        arrivals.ticks.clear();
        arrivals.head = 0;
    }
    return tick;
}

void
FabricMonitor::OnCompleted(FabricMonitor* self, uint32_t host, const Completion& completion)
{
    self->m_firstPost = std::min(self->m_firstPost, completion.posted);
    self->m_lastCompletion = std::max(self->m_lastCompletion, completion.completed);
    if (completion.status != CompletionStatus::SUCCESS)
    {
        return;
    }
    MessageRecord record;
    record.host = host;
    record.peer = HostDirectory::NOBODY;
    record.qpn = completion.qpn;
    record.id = completion.id;
    record.bytes = completion.bytes;
    record.posted = completion.posted;
    record.arrived = completion.completed;
    record.completed = completion.completed;
    record.operation = OperationOf(completion.kind);
    const Ptr<QueuePair> qp = self->m_hosts.GetNic(host).Find(completion.qpn);
    if (qp)
    {
        record.peer = self->m_hosts.Find(qp->GetConfig().remoteAddress);
        record.service = qp->GetConfig().service;
        if (record.service == TransportService::UC)
        {
            ++self->m_notArrived;
            self->m_notArrivedBytes += record.bytes;
            self->m_unconfirmed[KeyOf(host, record.qpn)].push_back(
                {qp->GetRequester().GetUnacknowledged(), record});
        }
        else if (!IsReadOrAtomic(record.operation))
        {
            record.arrived = self->TakeArrival(host, *qp, completion);
        }
    }
    if (record.service == TransportService::RC)
    {
        self->m_messages.push_back(record);
    }
}

void
FabricMonitor::OnCnp(FabricMonitor* self, uint32_t, Tick now)
{
    self->m_cnps.Add(now);
}

void
FabricMonitor::OnPfc(FabricMonitor* self, uint32_t, uint32_t, bool xoff)
{
    if (xoff)
    {
        self->m_xoffs.Add(self->m_core->Now());
    }
}

Tick
FabricMonitor::GetFirstPost() const
{
    Tick first = m_firstPost;
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        if (m_hosts.GetNic(i).GetOpenRequests() == 0)
        {
            continue;
        }
        for (const auto& qp : m_hosts.GetNic(i).GetQueuePairs())
        {
            const auto& open = qp->GetRequester().GetOpen();
            if (!open.empty())
            {
                first = std::min(first, open.front().posted);
            }
        }
    }
    return first;
}

Tick
FabricMonitor::GetLastCompletion() const
{
    return m_lastCompletion;
}

RunResult
FabricMonitor::Collect(const std::string& label) const
{
    RunResult result;
    result.label = label;
    result.events = m_core->GetEventCount() - m_eventsBefore;
    result.frameHops = m_core->GetFrameHops() - m_hopsBefore;
    CollectNics(result);
    CollectMessages(result);
    CollectSwitches(result);
    CollectPorts(result);
    result.xoffPerS = m_xoffs.GetRates();
    result.cnpPerS = m_cnps.GetRates();
    return result;
}

void
FabricMonitor::CollectMessages(RunResult& result) const
{
    const double nsPerTick = 1e9 / double(TicksPerSecond());
    result.lost = m_notArrived;
    for (const MessageRecord& record : m_messages)
    {
        const double fct = double(record.completed - record.posted) * nsPerTick;
        result.fctNs.Add(fct);
        result.ttdNs.Add(double(record.arrived - record.posted) * nsPerTick);
        if (m_ideal && record.peer != HostDirectory::NOBODY)
        {
            // measured times are whole ticks: up to one tick is no difference
            const double ideal = m_ideal(record);
            result.slowdown.Add(std::abs(fct - ideal) <= nsPerTick ? 1.0 : fct / ideal);
        }
    }
    const Tick end = m_lastCompletion > 0 ? m_lastCompletion : ToTick(Simulator::Now());
    result.simTimeS = double(end) / double(TicksPerSecond());
    const Tick first = GetFirstPost();
    if (first < end)
    {
        const double seconds = double(end - first) / double(TicksPerSecond());
        result.goodputBps = 8.0 * double(result.bytesCompleted - m_notArrivedBytes) / seconds;
    }
}

void
FabricMonitor::CollectNics(RunResult& result) const
{
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        const NicCounters& nic = m_hosts.GetNic(i).GetCounters();
        result.posted += nic.requestsPosted;
        result.completed += nic.requestsCompleted;
        result.failed += nic.requestsFailed;
        result.bytesCompleted += nic.bytesCompleted;
        result.cnpSent += nic.cnpsSent;
        result.cnpReceived += nic.cnpsReceived;
        result.intAcks += nic.intAcks;
        result.rateChanges += nic.rateChanges;
        result.windowChanges += nic.windowChanges;
        for (const auto& qp : m_hosts.GetNic(i).GetQueuePairs())
        {
            result.rateChanges += qp->GetCongestionControl()->GetRateChanges();
            result.windowChanges += qp->GetCongestionControl()->GetWindowChanges();
        }
        result.retransmitted += nic.retransmitted;
        result.readResponses += nic.responsesSent;
        result.naks += nic.naksSent;
        result.rnrNaks += nic.rnrNaksReceived;
        result.timeouts += nic.timeouts;
        result.drops[static_cast<unsigned>(DropReason::NO_QP)] += nic.refused;
        result.drops[static_cast<unsigned>(DropReason::LINK_DOWN)] += nic.discarded;
    }
}

void
FabricMonitor::CollectSwitches(RunResult& result) const
{
    for (const auto& device : m_switches)
    {
        for (unsigned reason = 0; reason < NUM_DROP_REASONS; ++reason)
        {
            result.drops[reason] += device->GetDrops(static_cast<DropReason>(reason));
        }
        for (const auto& stage : device->GetStages())
        {
            const Ptr<PfcWatchdog> watchdog = DynamicCast<PfcWatchdog>(stage);
            result.storms += watchdog ? watchdog->GetTotals().storms : 0;
            const Ptr<CongestionPoint> points = DynamicCast<CongestionPoint>(stage);
            result.cnpSent += points ? points->GetCnps() : 0;
            const Ptr<LeaveNotifier> leaves = DynamicCast<LeaveNotifier>(stage);
            result.cnpSent += leaves ? leaves->GetLeaves() + leaves->GetRepeats() : 0;
        }
        result.ecnMarked += device->GetEcnMarks();
        const Ptr<PfcController> pfc = device->GetPfcController();
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            result.xoff += pfc->GetXoffs(p);
            result.xon += pfc->GetXons(p);
        }
    }
}

double
FabricMonitor::GetWorkSeconds() const
{
    uint64_t open = 0;
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        open += m_hosts.GetNic(i).GetOpenRequests();
    }
    // a run that was stopped has sent after its last completion; one that is over may have waited
    const bool stopped = open > 0 || m_lastCompletion == 0;
    const Tick last = stopped ? ToTick(Simulator::Now()) : m_lastCompletion;
    const Tick first = GetFirstPost();
    return first < last ? double(last - first) / double(TicksPerSecond()) : 0;
}

double
FabricMonitor::GetUtilization(const Port& port, double seconds)
{
    const InFlight& in = port.GetReceived();
    if (!port.GetPeer() || seconds <= 0 || in.GetFrames() <= port.GetPauseState().GetFrames())
    {
        return 0;
    }
    const double bits = 8.0 * double(in.GetBytes() + in.GetFrames() * port.GetGap());
    return bits / (double(port.GetRate()) * seconds);
}

void
FabricMonitor::CollectPorts(RunResult& result) const
{
    const Tick end = std::max(ToTick(Simulator::Now()), m_lastCompletion);
    const double seconds = GetWorkSeconds();
    double sum = 0;
    uint64_t used = 0;
    for (const auto& port : m_ports)
    {
        CollectPort(*port, result, end);
        const double busy = GetUtilization(*port, seconds);
        result.utilizationBottleneck = std::max(result.utilizationBottleneck, busy);
        if (busy > 0 && CarriesData(*port))
        {
            sum += busy;
            ++used;
        }
    }
    result.utilizationMean = used ? sum / double(used) : 0;
}

bool
FabricMonitor::CarriesData(const Port& port)
{
    UintegerValue pauseBytes;
    port.GetPeer()->GetAttribute("PauseFrameBytes", pauseBytes);
    const uint64_t pauses = port.GetPauseState().GetFrames();
    const uint64_t frames = port.GetReceived().GetFrames() - pauses;
    const uint64_t bytes = port.GetReceived().GetBytes() - pauses * pauseBytes.Get();
    return bytes > frames * FrameSizes().cnpBytes;
}

void
FabricMonitor::CollectPort(const Port& port, RunResult& result, Tick end) const
{
    for (unsigned reason = 0; reason < NUM_DROP_REASONS; ++reason)
    {
        result.drops[reason] += port.GetDrops(static_cast<DropReason>(reason));
    }
    const PauseState& pause = port.GetPauseState();
    result.pauseFrames += pause.GetFrames();
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        result.pausedS += double(pause.GetPaused(p, end)) / double(TicksPerSecond());
    }
}

} // namespace roce
} // namespace ns3
