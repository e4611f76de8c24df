/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does with answers, timers and the ends of requests
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/log.h"
#include "ns3/roce-int-record.h"

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceNic");

void
Nic::ReceiveAnswer(Frame* frame, Tick now)
{
    QueuePair* qp = Lookup(frame->destinationQp);
    if (__builtin_expect(frame->kind == FrameKind::RESPONSE, 0))
    {
        ++m_counters.responsesReceived;
        if (qp && qp->m_receiving && frame->ecn == ECN_CE)
        {
            NoteMark(qp, *frame, now);
        }
    }
    else
    {
        const uint32_t kind = (frame->aeth >> 24) & SYNDROME_CLASS_MASK;
        ++(kind != SYNDROME_CLASS_ACK ? m_counters.naksReceived : m_counters.acksReceived);
        m_counters.rnrNaksReceived += kind == SYNDROME_CLASS_RNR;
    }
    if (!qp || !qp->m_maySend || !qp->m_requester.HasOpen())
    {
        // credits may come when nothing is open
        if (qp && qp->m_maySend && frame->kind == FrameKind::ACK && !qp->m_unreliable)
        {
            qp->m_completer.Receive(*frame);
        }
        ++m_counters.lateFrames;
        m_core->GetPool().Free(frame);
        return;
    }
    HandleAnswer(qp, *frame, now);
    m_core->GetPool().Free(frame);
    Activate(qp, now);
}

void
Nic::HandleAnswer(QueuePair* qp, const Frame& frame, Tick now)
{
    const bool response = frame.kind == FrameKind::RESPONSE;
    const Tick rtt = static_cast<uint32_t>(static_cast<uint32_t>(now) - frame.stamp);
    if (!m_rtt.IsEmpty() && !response)
    {
        m_rtt(qp->m_qpn, rtt);
    }
    if (__builtin_expect(frame.flags & FRAME_BECN, 0))
    {
        ++m_counters.cnpsReceived;
        m_cnpReceived(qp->m_qpn, now);
        qp->m_control->OnCnp(CnpInfo(), now);
        qp->Refresh();
    }
    if (__builtin_expect(!response && (frame.aeth >> 24) == SYNDROME_ACK && !qp->m_ownTimeout &&
                             qp->m_requester.IsPlain() && frame.opcode == Opcode::RC_ACKNOWLEDGE,
                         1))
    {
        // what Completer::Receive comes to for most answers
        const uint64_t acked = qp->m_requester.Acknowledge(frame.psn);
        if (acked > 0)
        {
            Retire(qp, now);
        }
        if (qp->m_hearsAck)
        {
            TellAck(qp, frame, acked, rtt, now);
        }
        return;
    }
    const uint64_t answers = qp->m_completer.GetResponses();
    const Completer::Outcome outcome = qp->m_completer.Receive(frame);
    m_counters.bytesDelivered +=
        (qp->m_completer.GetResponses() - answers) * (response ? frame.payload : 8);
    if (outcome.progress)
    {
        Retire(qp, now);
    }
    if (__builtin_expect(outcome.failed, 0))
    {
        const int64_t number = qp->m_requester.NumberOf(frame.psn);
        Fail(qp, outcome.status, static_cast<uint64_t>(number), now);
        return;
    }
    if (__builtin_expect(outcome.waitNs > 0, 0))
    {
        qp->m_deadline = now + ToTick(NanoSeconds(outcome.waitNs));
        ArmTimer(qp);
    }
    if (__builtin_expect(outcome.loss, 0))
    {
        qp->m_control->OnLoss(false, now);
        qp->Refresh();
    }
    else if (qp->m_hearsAck && !response)
    {
        TellAck(qp, frame, outcome.acked, rtt, now);
    }
}

void
Nic::TellAck(QueuePair* qp, const Frame& frame, uint64_t acked, Tick rtt, Tick now)
{
    AckInfo info;
    info.ackedBytes = acked * qp->m_requester.GetMtu();
    info.inflight = qp->m_requester.GetInflight();
    info.rtt = rtt;
    info.congestion = frame.flags & FRAME_BECN;
    info.record = (frame.flags & FRAME_INT) ? frame.record : nullptr;
    m_counters.intAcks += info.record != nullptr;
    qp->m_control->OnAck(info, now);
    if (qp->m_config.paths)
    {
        // as switches count them: from destination address to FCS, with telemetry
        const uint64_t bytes =
            acked * (m_factory.GetFrameSizes().DataBytes(qp->m_config.mtu, false) +
                     (info.record ? info.record->counted : 0));
        qp->m_config.paths->Observe(qp->GetPath(), bytes, info.record, now);
    }
    qp->Refresh();
}

void
Nic::Retire(QueuePair* qp, Tick now)
{
    qp->m_retries = 0;
    SetDeadline(qp, now);
    while (qp->m_requester.HasDone())
    {
        SendQueue::OpenRequest open;
        qp->m_requester.Flush(open);
        Complete(qp, open, CompletionStatus::SUCCESS, now);
    }
    if (__builtin_expect(qp->m_state == QueuePairState::SQD, 0))
    {
        NoteDrained(qp, now);
    }
}

void
Nic::Complete(QueuePair* qp, const SendQueue::OpenRequest& open, CompletionStatus status, Tick now)
{
    Completion completion;
    completion.id = open.request.id;
    completion.bytes = open.request.bytes;
    completion.posted = open.posted;
    completion.completed = now;
    completion.qpn = qp->m_qpn;
    completion.kind = CompletionKindOf(open.request.operation);
    completion.status = status;
    if (IsAtomic(open.request.operation))
    {
        completion.original = qp->m_completer.GetOriginal();
    }
    if (status == CompletionStatus::SUCCESS)
    {
        ++m_counters.requestsCompleted;
        m_counters.bytesCompleted += open.request.bytes;
    }
    else
    {
        ++m_counters.requestsFailed;
    }
    if (qp->m_sendQueue && (open.request.signalled || status != CompletionStatus::SUCCESS))
    {
        qp->m_sendQueue->Push(completion);
    }
    m_completed(completion);
}

void
Nic::SetDeadline(QueuePair* qp, Tick now)
{
    if (__builtin_expect(qp->m_requester.GetHolds() & SendQueue::HOLD_RNR, 0))
    {
        return; // the RNR timer runs
    }
    const bool waits = qp->m_requester.IsWaiting();
    const Tick span = qp->m_ownTimeout && waits ? qp->m_recovery->GetTimeout(qp->m_requester)
                                                : qp->m_config.ackTimeout;
    if (span == 0 || !waits)
    {
        qp->m_deadline = NEVER;
        return;
    }
    qp->m_deadline = now + span;
    if (qp->m_ownTimeout)
    {
        qp->m_waitingSince = now;
    }
    if (!qp->m_timerSet || (qp->m_ownTimeout && qp->m_deadline < qp->m_timerAt))
    {
        ArmTimer(qp);
    }
}

void
Nic::ArmTimer(QueuePair* qp)
{
    if (qp->m_timerSet && qp->m_timerAt <= qp->m_deadline)
    {
        return; // it is looked at in time
    }
    qp->m_timerSet = true;
    qp->m_timerAt = qp->m_deadline;
    m_timers->Arm(qp, qp->m_deadline);
}

void
Nic::CheckTimer(QueuePair* qp, Tick deadline, Tick now)
{
    if (!qp->m_timerSet || deadline != qp->m_timerAt)
    {
        return; // an earlier one has been set meanwhile
    }
    qp->m_timerSet = false;
    if (qp->m_deadline == NEVER || !qp->m_maySend)
    {
        return;
    }
    if (now < qp->m_deadline)
    {
        ArmTimer(qp);
        return;
    }
    if (qp->m_requester.GetHolds() & SendQueue::HOLD_RNR)
    {
        qp->m_completer.Resume();
        SetDeadline(qp, now);
        Activate(qp, now);
        return;
    }
    if (qp->m_ownTimeout)
    {
        // more may be outstanding than when it was set
        const Tick due = qp->m_waitingSince + qp->m_recovery->GetTimeout(qp->m_requester);
        if (now < due)
        {
            qp->m_deadline = due;
            ArmTimer(qp);
            return;
        }
    }
    Expire(qp, now);
}

void
Nic::Expire(QueuePair* qp, Tick now)
{
    ++qp->m_timeouts;
    ++m_counters.timeouts;
    m_timeout(qp->m_qpn, now);
    if (++qp->m_retries > qp->m_config.retryLimit)
    {
        NS_LOG_WARN("QP " << qp->m_qpn << " at node " << m_nodeId << ": " << qp->m_retries
                          << " timeouts in a row, limit " << qp->m_config.retryLimit);
        Fail(qp, CompletionStatus::RETRY_EXCEEDED, qp->m_requester.GetUnacknowledged(), now);
        return;
    }
    qp->m_completer.Timeout();
    qp->m_control->OnLoss(true, now);
    qp->Refresh();
    SetDeadline(qp, now);
    Activate(qp, now);
}

void
Nic::Fail(QueuePair* qp, CompletionStatus status, uint64_t number, Tick now)
{
    ChangeState(qp, QueuePairState::ERROR);
    while (Frame* frame = qp->m_responder.DropKept())
    {
        m_core->GetPool().Free(frame);
    }
    SendQueue::OpenRequest open;
    while (qp->m_requester.Flush(open))
    {
        const bool guilty = open.first <= number && number < open.first + open.packets;
        Complete(qp, open, guilty ? status : CompletionStatus::FLUSHED, now);
    }
    FlushReceives(qp, now);
}

void
Nic::FlushReceives(QueuePair* qp, Tick now)
{
    Completion completion;
    if (qp->m_responder.AbortReceive(completion))
    {
        NoteReceived(qp, completion, now);
    }
    ReceiveRequest request;
    while (!qp->m_config.receiveQueue && qp->m_receiveRequests &&
           qp->m_receiveRequests->Take(request))
    {
        completion = Completion();
        completion.id = request.id;
        completion.kind = CompletionKind::RECEIVE;
        completion.status = CompletionStatus::FLUSHED;
        completion.posted = now;
        NoteReceived(qp, completion, now);
    }
}

} // namespace roce
} // namespace ns3
