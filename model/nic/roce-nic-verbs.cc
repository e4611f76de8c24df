/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what applications ask of Nic: queue pairs, their states, requests
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/abort.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

QueuePairConfig
Nic::GetDefaults() const
{
    QueuePairConfig config;
    config.mtu = m_mtu;
    config.priority = m_priority;
    config.ackInterval = m_ackInterval;
    config.ackTimeout = ToTick(m_ackTimeout);
    config.retryLimit = m_retryLimit;
    config.ecnCapable = m_ecnCapable;
    m_transport->Fill(config);
    return config;
}

Ptr<QueuePair>
Nic::CreateQueuePair(const QueuePairConfig& config)
{
    if (config.localPort >= m_lanes.size())
    {
        throw std::invalid_argument("queue pair at node " + std::to_string(m_nodeId) +
                                    ": local port " + std::to_string(config.localPort) +
                                    ", the NIC has " + std::to_string(m_lanes.size()));
    }
    auto qp = m_factory.Create(FIRST_QPN + static_cast<uint32_t>(m_qps.size()),
                               config,
                               GetOwner(config.localPort, config.priority));
    m_qps.push_back(qp);
    return qp;
}

QueuePairOwner
Nic::GetOwner(uint32_t port, uint8_t priority) const
{
    QueuePairOwner owner;
    owner.node = m_nodeId;
    owner.lineRate = m_lanes[port].port->GetRate();
    owner.gapBytes = m_lanes[port].port->GetGap();
    owner.sameSourcePort = m_sameSourcePort;
    owner.answersInOrder = m_controlPriority >= NUM_PRIORITIES || m_controlPriority == priority;
    owner.now = m_core->Now();
    return owner;
}

void
Nic::Connect(Ptr<QueuePair> qp, uint32_t remoteQpn)
{
    NS_ABORT_MSG_IF(qp->m_state != QueuePairState::RESET,
                    "QP " << qp->m_qpn << " at node " << m_nodeId << " is connected already");
    Modify(qp, QueuePairState::INIT);
    Modify(qp, QueuePairState::RTR, remoteQpn);
    Modify(qp, QueuePairState::RTS);
}

void
Nic::Modify(Ptr<QueuePair> qp, QueuePairState state, uint32_t remoteQpn)
{
    std::ostringstream problem;
    const bool datagrams = qp->m_config.service == TransportService::UD;
    if (!IsLegalTransition(qp->m_state, state))
    {
        problem << "cannot go from state " << QueuePairStateName(qp->m_state) << " to "
                << QueuePairStateName(state)
                << "; the steps are RESET, INIT, RTR, RTS, SQD and back to RTS, and RESET or ERROR "
                   "from anywhere";
    }
    else if (remoteQpn > MASK_24)
    {
        problem << "remote QPN " << remoteQpn << " has more than 24 bits";
    }
    else if (state == QueuePairState::RTR && !datagrams && !remoteQpn && !qp->m_config.remoteQpn)
    {
        problem << "goes to RTR without a remote queue pair; give its number";
    }
    if (!problem.str().empty())
    {
        throw std::invalid_argument("QP " + std::to_string(qp->m_qpn) + " at node " +
                                    std::to_string(m_nodeId) + " " + problem.str());
    }
    const Tick now = m_core->Now();
    if (remoteQpn && !datagrams)
    {
        qp->SetRemoteQpn(remoteQpn);
    }
    if (state == QueuePairState::ERROR)
    {
        Fail(PeekPointer(qp), CompletionStatus::FLUSHED, ~uint64_t(0), now);
        return;
    }
    if (state == QueuePairState::RESET)
    {
        Restart(PeekPointer(qp));
    }
    ChangeState(PeekPointer(qp), state);
    if (state == QueuePairState::SQD)
    {
        NoteDrained(PeekPointer(qp), now);
    }
    Activate(PeekPointer(qp), now);
}

void
Nic::Migrate(Ptr<QueuePair> qp, const QueuePairPath& path)
{
    if (path.localPort >= m_lanes.size() || qp->m_config.service == TransportService::UD)
    {
        throw std::invalid_argument(
            "QP " + std::to_string(qp->m_qpn) + " at node " + std::to_string(m_nodeId) +
            " cannot migrate to port " + std::to_string(path.localPort) + ": " +
            (path.localPort >= m_lanes.size()
                 ? "the NIC has " + std::to_string(m_lanes.size()) + " ports"
                 : "each datagram has its own address (service UD)"));
    }
    const Tick now = m_core->Now();
    if (qp->m_queued)
    {
        m_lanes[qp->m_config.localPort].arbiter.Erase(PeekPointer(qp), qp->m_config.priority);
        qp->m_queued = false;
    }
    qp->SetPath(path);
    m_counters.rateChanges += qp->m_control->GetRateChanges();
    m_counters.windowChanges += qp->m_control->GetWindowChanges();
    qp->SetControl(m_factory.MakeControl(qp->m_qpn,
                                         qp->m_config,
                                         GetOwner(path.localPort, qp->m_config.priority)));
    qp->m_retries = 0;
    qp->m_nextSlot = now;
    qp->m_slotFraction = 0;
    if (qp->m_maySend && qp->m_requester.IsWaiting())
    {
        qp->m_completer.Timeout();
        SetDeadline(PeekPointer(qp), now);
    }
    Activate(PeekPointer(qp), now);
}

void
Nic::ChangeState(QueuePair* qp, QueuePairState state)
{
    const bool changed = qp->m_state != state;
    qp->SetState(state);
    qp->m_draining = state == QueuePairState::SQD;
    if (changed)
    {
        m_stateChange(qp->m_qpn, state);
    }
}

void
Nic::NoteDrained(QueuePair* qp, Tick now)
{
    if (qp->m_draining && !qp->m_requester.IsWaiting() &&
        !qp->m_requester.CanSend(CongestionControl::UNLIMITED))
    {
        qp->m_draining = false;
        m_drained(qp->m_qpn, now);
    }
}

void
Nic::DropState(QueuePair* qp)
{
    m_counters.rateChanges += qp->m_control->GetRateChanges();
    m_counters.windowChanges += qp->m_control->GetWindowChanges();
    SendQueue::OpenRequest open;
    while (qp->m_requester.Flush(open))
    {
        ++m_counters.requestsFailed;
    }
    while (Frame* frame = qp->m_responder.DropKept())
    {
        m_core->GetPool().Free(frame);
    }
    if (!qp->m_config.receiveQueue)
    {
        qp->m_receiveRequests = nullptr;
    }
}

void
Nic::Restart(QueuePair* qp)
{
    DropState(qp);
    const QueuePairOwner owner = GetOwner(qp->m_config.localPort, qp->m_config.priority);
    qp->SetControl(m_factory.MakeControl(qp->m_qpn, qp->m_config, owner));
    qp->m_recovery = m_factory.MakeRecovery(qp->m_config, owner);
    qp->m_lastCnp = CnpGenerator::NO_CNP;
    qp->m_echo = false;
    qp->m_retries = 0;
    qp->Configure();
}

void
Nic::Destroy(Ptr<QueuePair> qp)
{
    NS_ABORT_MSG_IF(Lookup(qp->m_qpn) != PeekPointer(qp),
                    "QP " << qp->m_qpn << " is not of node " << m_nodeId);
    DropState(PeekPointer(qp));
    qp->SetState(QueuePairState::ERROR);
    qp->m_sendQueue = nullptr;
    qp->m_receiveQueue = nullptr;
    if (qp->m_queued)
    {
        m_retired.push_back(qp);
    }
    m_qps[qp->m_qpn - FIRST_QPN] = nullptr;
    if (qp->m_timerSet)
    {
        m_timers->Forget();
    }
    if (qp->m_grantAt != NEVER)
    {
        m_grants->Forget();
    }
    if (qp->m_lastCnp > m_core->Now())
    {
        m_cnpChecks->Forget();
    }
}

void
Nic::Post(Ptr<QueuePair> qp, const WorkRequest& request)
{
    QueuePairFactory::CheckRequest(*qp, request, m_nodeId);
    if (IsAtomic(request.operation) && request.bytes == 0)
    {
        WorkRequest whole = request;
        whole.bytes = 8;
        Post(qp, whole);
        return;
    }
    const Tick now = m_core->Now();
    ++m_counters.requestsPosted;
    m_counters.bytesPosted += request.bytes;
    m_posted(qp->m_qpn, request);
    if (qp->m_state == QueuePairState::ERROR)
    {
        SendQueue::OpenRequest open;
        open.request = request;
        open.posted = now;
        Complete(PeekPointer(qp), open, CompletionStatus::FLUSHED, now);
        return;
    }
    if (!qp->m_requester.HasOpen())
    {
        Begin(PeekPointer(qp), now);
    }
    qp->m_requester.Post(request, now);
    Activate(PeekPointer(qp), now);
}

void
Nic::Begin(QueuePair* qp, Tick now)
{
    if (qp->m_config.pacing != Pacing::PLAIN)
    {
        const FlowParameters& flow = qp->m_control->GetFlow();
        qp->m_nextSlot =
            std::max(qp->m_nextSlot, now) +
            Pacing::StartPhase(qp->m_config.pacing, flow.hash, flow.frameBytes, qp->m_rate);
    }
    // nothing on the way may be overtaken: a message over UC, or READ responses, unless a request
    // went behind them, which has been acknowledged
    if (qp->m_config.paths && !qp->m_unreliable && !qp->m_answering && !qp->m_answered)
    {
        const uint16_t port = qp->m_config.paths->Choose(qp->GetPath(), now);
        if (port != qp->m_config.sourcePort)
        {
            qp->SetSourcePort(port);
        }
    }
}

void
Nic::PostReceive(Ptr<QueuePair> qp, const ReceiveRequest& request)
{
    if (qp->m_config.receiveQueue || qp->m_state == QueuePairState::RESET)
    {
        throw std::invalid_argument(
            "QP " + std::to_string(qp->m_qpn) + " at node " + std::to_string(m_nodeId) +
            (qp->m_config.receiveQueue ? " has a shared receive queue; post to that"
                                       : " is in state RESET; bring it to INIT before"));
    }
    const Tick now = m_core->Now();
    if (qp->m_state == QueuePairState::ERROR)
    {
        Completion completion;
        completion.id = request.id;
        completion.kind = CompletionKind::RECEIVE;
        completion.status = CompletionStatus::FLUSHED;
        completion.posted = now;
        NoteReceived(PeekPointer(qp), completion, now);
        return;
    }
    if (!qp->m_receiveRequests)
    {
        qp->m_receiveRequests = CreateObject<ReceiveQueue>();
        qp->m_responder.SetReceiveQueue(PeekPointer(qp->m_receiveRequests));
    }
    const bool first = qp->m_receiveRequests->GetDepth() == 0;
    qp->m_receiveRequests->Post(request);
    if (first && qp->m_config.credits && qp->m_receiving && qp->m_responder.GetExpected() > 0)
    {
        // the other side may be waiting for credits (IBTA 9.7.7.2.3)
        AnswerAnew(PeekPointer(qp),
                   qp->m_responder.Acknowledge(qp->m_responder.GetExpected() - 1),
                   static_cast<uint32_t>(now),
                   now);
    }
}

} // namespace roce
} // namespace ns3
