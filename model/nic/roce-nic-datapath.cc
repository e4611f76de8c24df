/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// the part of Nic that each packet runs through
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/ipv4-header.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceNicDatapath");

void
Nic::Wake(uint32_t port, Tick now)
{
    m_lanes[port].tx->Kick(now);
}

bool
Nic::Pull(uint32_t port, Tick now)
{
    Lane& lane = m_lanes[port];
    Transmitter& tx = *lane.tx;
    const unsigned paused = tx.GetPaused();
    Tick busy = now; // nothing started yet
    while (QueuePair* qp = lane.arbiter.Choose(now, paused))
    {
        if (qp->CanSend())
        {
            SendData(lane, qp, now);
            busy = tx.GetBusyUntil();
            break;
        }
        lane.arbiter.Remove();
        qp->m_queued = false;
        qp->Unref();
    }
    const Tick next = lane.arbiter.GetNextSlot(paused);
    if (busy > now && next <= busy)
    {
        return true;
    }
    if (next != NEVER)
    {
        lane.pace->Arm(next);
    }
    return false;
}

void
Nic::SendData(Lane& lane, QueuePair* qp, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    qp->m_requester.Build(*frame);
    frame->stamp = static_cast<uint32_t>(now);
    const uint32_t size = frame->size;
    ++m_counters.dataSent;
    if (__builtin_expect(frame->flags & FRAME_RETRANSMIT, 0))
    {
        ++m_counters.retransmitted;
    }
    const uint16_t fraction = qp->m_nextSlot == now ? qp->m_slotFraction : 0;
    lane.tx->Start(frame, now, fraction);

    const uint32_t bytes = size + lane.tx->GetTiming()->GetOverhead();
    if (qp->m_hearsSent || now >= qp->m_controlDeadline)
    {
        qp->m_control->OnSent(bytes, now);
        qp->Refresh();
    }
    if (qp->m_deadline == NEVER)
    {
        SetDeadline(qp, now);
    }
    qp->m_nextSlot = NextSlot(*lane.tx, qp, bytes, now);
    if (qp->CanSend())
    {
        lane.arbiter.Reschedule(qp->m_nextSlot, lane.tx->GetBusyUntil());
        lane.arbiter.PrefetchNext();
        return;
    }
    lane.arbiter.Remove();
    qp->m_queued = false;
    qp->Unref();
}

Tick
Nic::NextSlot(const Transmitter& tx, QueuePair* qp, uint32_t bytes, Tick now)
{
    const LinkTiming& timing = *tx.GetTiming();
    const uint64_t rate = qp->m_rate;
    if (rate >= timing.GetRate())
    {
        qp->m_slotFraction = tx.GetBusyFraction();
        return tx.GetBusyUntil();
    }
    const double ticks = timing.GetTicksPerSecond();
    if (timing.IsTruncated())
    {
        qp->m_slotFraction = 0;
        return now + TruncateToTicks(bytes * 8.0 / double(rate), static_cast<int64_t>(ticks));
    }
    constexpr double scale = 1u << FRACTION_BITS;
    const double carried = qp->m_nextSlot == now ? qp->m_slotFraction / scale : 0.0;
    const double gap = bytes * 8.0 * ticks / double(rate) + carried;
    const auto whole = static_cast<Tick>(gap);
    qp->m_slotFraction = static_cast<uint16_t>((gap - double(whole)) * scale);
    return now + whole;
}

void
Nic::Activate(QueuePair* qp, Tick now)
{
    if (qp->m_queued || !qp->CanSend())
    {
        return;
    }
    qp->m_queued = true;
    qp->Ref();
    Lane& lane = m_lanes[qp->m_config.localPort];
    lane.arbiter.Insert(qp, qp->m_config.priority, std::max(now, qp->m_nextSlot));
    lane.tx->Kick(now);
}

void
Nic::Receive(Frame* frame, uint32_t port, Tick now)
{
    switch (frame->kind)
    {
    case FrameKind::REQUEST:
        ReceiveRequest(frame, now);
        return;
    case FrameKind::ACK:
        ReceiveAck(frame, now);
        return;
    case FrameKind::CNP:
        ReceiveCnp(frame, now);
        return;
    case FrameKind::PACKET:
        ReceivePacket(frame, port);
        return;
    case FrameKind::PFC:
        break; // ends in the port
    }
    m_core->GetPool().Free(frame);
}

void
Nic::ReceivePacket(Frame* frame, uint32_t port)
{
    Ptr<Packet> packet(frame->packet, true);
    if (frame->ecn == ECN_CE)
    {
        // switches mark the frame; the stack looks into the header
        Ipv4Header header;
        packet = packet->Copy();
        packet->RemoveHeader(header);
        header.SetEcn(Ipv4Header::ECN_CE);
        if (Node::ChecksumEnabled())
        {
            header.EnableChecksum();
        }
        packet->AddHeader(header);
    }
    m_lanes[port].port->DeliverPacket(packet, frame->protocol);
    m_core->GetPool().Free(frame);
}

void
Nic::ReceiveRequest(Frame* frame, Tick now)
{
    QueuePair* qp = Lookup(frame->destinationQp);
    ++m_counters.dataReceived;
    if (!qp || qp->m_state != QueuePairState::RTS)
    {
        ++m_counters.refused;
        m_core->GetPool().Free(frame);
        return;
    }
    if (frame->ecn == ECN_CE)
    {
        ++m_counters.marksReceived;
        if (m_cnpGenerator->GetEchoInAck())
        {
            qp->m_echo = true;
        }
        else if (m_cnpGenerator->OnMarked(qp->m_lastCnp, now))
        {
            SendCnp(qp, frame, now);
        }
    }
    const Responder::Result result = qp->m_responder.Receive(*frame, now);
    if (result.accepted)
    {
        m_counters.bytesDelivered += frame->payload;
        if (result.messageEnd)
        {
            NoteArrival(qp, now);
        }
    }
    if (result.answer == Responder::Answer::NONE)
    {
        m_core->GetPool().Free(frame);
        return;
    }
    Answer(qp, frame, result, now);
}

void
Nic::Answer(QueuePair* qp, Frame* frame, const Responder::Result& result, Tick now)
{
    // the answer travels in the frame of the request
    qp->m_requester.GetAddress().Apply(*frame);
    frame->kind = FrameKind::ACK;
    frame->opcode = Opcode::RC_ACKNOWLEDGE;
    frame->psn = result.psn;
    frame->aeth = uint32_t(result.syndrome) << 24 | qp->m_responder.GetMsn();
    frame->payload = 0;
    frame->size = static_cast<uint16_t>(m_sizes.ackBytes);
    frame->flags = 0;
    frame->hops = 0;
    if (qp->m_echo)
    {
        qp->m_echo = false;
        frame->flags = FRAME_BECN;
        ++m_counters.cnpsSent;
        m_cnpSent(qp->m_qpn, now);
    }
    if (result.answer == Responder::Answer::ACK)
    {
        ++m_counters.acksSent;
    }
    else
    {
        ++m_counters.naksSent;
    }
    SendControl(frame, now);
}

void
Nic::SendControl(Frame* frame, Tick now)
{
    if (m_controlPriority < NUM_PRIORITIES)
    {
        frame->priority = m_controlPriority;
    }
    frame->ecn = ECN_NOT_ECT;
    const unsigned queue = m_controlQueue < NUM_PRIORITIES ? m_controlQueue : frame->priority;
    m_lanes[frame->inPort].tx->Enqueue(frame, queue, now);
}

void
Nic::SendCnp(QueuePair* qp, Frame* cause, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    qp->m_requester.GetAddress().Apply(*frame);
    frame->kind = FrameKind::CNP;
    frame->opcode = Opcode::CNP;
    frame->psn = 0;
    frame->payload = 0;
    frame->size = static_cast<uint16_t>(m_sizes.cnpBytes);
    frame->flags = FRAME_BECN;
    frame->fraction = cause->fraction;
    ++m_counters.cnpsSent;
    m_cnpSent(qp->m_qpn, now);
    const Tick delay = m_cnpGenerator->GetProcessingDelay();
    if (delay > 0)
    {
        m_cnpOut->Push(frame, now + delay);
        return;
    }
    SendControl(frame, now);
}

void
Nic::ReceiveCnp(Frame* frame, Tick now)
{
    if (m_cnpHandling.IsStrictlyPositive())
    {
        m_cnpIn->Push(frame, now + ToTick(m_cnpHandling));
        return;
    }
    HandleCnp(frame, now);
}

void
Nic::HandleCnp(Frame* frame, Tick now)
{
    ++m_counters.cnpsReceived;
    QueuePair* qp = Lookup(frame->destinationQp);
    if (qp && qp->m_state == QueuePairState::RTS)
    {
        m_cnpReceived(qp->m_qpn, now);
        CnpInfo info;
        info.body = (frame->flags & FRAME_EXTENDED) ? frame->cnpBody : nullptr;
        info.hops = frame->hops;
        qp->m_control->OnCnp(info, now);
        qp->Refresh();
    }
    else
    {
        ++m_counters.lateFrames;
    }
    m_core->GetPool().Free(frame);
}

void
Nic::ReceiveAck(Frame* frame, Tick now)
{
    QueuePair* qp = Lookup(frame->destinationQp);
    const bool nak = (frame->aeth >> 24) != SYNDROME_ACK;
    ++(nak ? m_counters.naksReceived : m_counters.acksReceived);
    if (!qp || qp->m_state != QueuePairState::RTS || !qp->m_requester.HasOpen())
    {
        ++m_counters.lateFrames;
        m_core->GetPool().Free(frame);
        return;
    }
    const Tick rtt = static_cast<uint32_t>(static_cast<uint32_t>(now) - frame->stamp);
    if (!m_rtt.IsEmpty())
    {
        m_rtt(qp->m_qpn, rtt);
    }
    if (frame->flags & FRAME_BECN)
    {
        ++m_counters.cnpsReceived;
        m_cnpReceived(qp->m_qpn, now);
        qp->m_control->OnCnp(CnpInfo(), now);
        qp->Refresh();
    }
    if (__builtin_expect(nak, 0))
    {
        ReceiveNak(qp, *frame, now);
    }
    else
    {
        const uint64_t acked = qp->m_requester.Acknowledge(frame->psn);
        if (acked)
        {
            Retire(qp, now);
        }
        if (qp->m_hearsAck)
        {
            AckInfo info;
            info.ackedBytes = acked * qp->m_config.mtu;
            info.inflight = qp->m_requester.GetInflight();
            info.rtt = rtt;
            info.congestion = frame->flags & FRAME_BECN;
            qp->m_control->OnAck(info, now);
            qp->Refresh();
        }
    }
    m_core->GetPool().Free(frame);
    Activate(qp, now);
}

void
Nic::ReceiveNak(QueuePair* qp, const Frame& frame, Tick now)
{
    const auto syndrome = static_cast<uint8_t>(frame.aeth >> 24);
    if (syndrome != SYNDROME_NAK_SEQUENCE)
    {
        Fail(qp, CompletionStatus::INVALID_REQUEST, now);
        return;
    }
    if (qp->m_requester.GoBack(frame.psn) > 0)
    {
        Retire(qp, now);
    }
    qp->m_control->OnLoss(false, now);
    qp->Refresh();
}

void
Nic::Retire(QueuePair* qp, Tick now)
{
    qp->m_retries = 0;
    SetDeadline(qp, now);
    Requester::OpenRequest open;
    while (qp->m_requester.Retire(open))
    {
        Complete(qp, open, CompletionStatus::SUCCESS, now);
    }
}

void
Nic::Complete(QueuePair* qp,
              const Requester::OpenRequest& open,
              CompletionStatus status,
              Tick now)
{
    Completion completion;
    completion.id = open.request.id;
    completion.bytes = open.request.bytes;
    completion.posted = open.posted;
    completion.completed = now;
    completion.qpn = qp->m_qpn;
    completion.kind = CompletionKind::WRITE;
    completion.status = status;
    if (status == CompletionStatus::SUCCESS)
    {
        ++m_counters.requestsCompleted;
        m_counters.bytesCompleted += open.request.bytes;
    }
    else
    {
        ++m_counters.requestsFailed;
    }
    if (qp->m_sendQueue)
    {
        qp->m_sendQueue->Push(completion);
    }
    m_completed(completion);
}

void
Nic::NoteArrival(QueuePair* qp, Tick now)
{
    ++m_counters.messagesDelivered;
    if (!qp->m_receiveQueue && m_arrived.IsEmpty())
    {
        return;
    }
    Completion completion;
    completion.id = qp->m_responder.GetMessages() - 1;
    completion.bytes = qp->m_responder.GetMessageBytes();
    completion.posted = qp->m_responder.GetMessageStart();
    completion.completed = now;
    completion.qpn = qp->m_qpn;
    completion.kind = CompletionKind::ARRIVAL;
    if (qp->m_receiveQueue)
    {
        qp->m_receiveQueue->Push(completion);
    }
    m_arrived(completion);
}

void
Nic::SetDeadline(QueuePair* qp, Tick now)
{
    if (qp->m_config.ackTimeout == 0 || !qp->m_requester.IsWaiting())
    {
        qp->m_deadline = NEVER;
        return;
    }
    qp->m_deadline = now + qp->m_config.ackTimeout;
    if (!qp->m_timerSet)
    {
        qp->m_timerSet = true;
        m_timers->Arm(qp, qp->m_deadline);
    }
}

void
Nic::CheckTimer(QueuePair* qp, Tick now)
{
    qp->m_timerSet = false;
    if (qp->m_deadline == NEVER || qp->m_state != QueuePairState::RTS)
    {
        return;
    }
    if (now < qp->m_deadline)
    {
        qp->m_timerSet = true;
        m_timers->Arm(qp, qp->m_deadline);
        return;
    }
    ++qp->m_timeouts;
    ++m_counters.timeouts;
    m_timeout(qp->m_qpn, now);
    if (++qp->m_retries > qp->m_config.retryLimit)
    {
        NS_LOG_WARN("QP " << qp->m_qpn << " at node " << m_nodeId << ": " << qp->m_retries
                          << " timeouts in a row, limit " << qp->m_config.retryLimit);
        Fail(qp, CompletionStatus::RETRY_EXCEEDED, now);
        return;
    }
    qp->m_requester.GoBackToOldest();
    qp->m_control->OnLoss(true, now);
    qp->Refresh();
    SetDeadline(qp, now);
    Activate(qp, now);
}

void
Nic::Fail(QueuePair* qp, CompletionStatus status, Tick now)
{
    qp->m_state = QueuePairState::ERROR;
    qp->m_deadline = NEVER;
    Requester::OpenRequest open;
    while (qp->m_requester.Flush(open))
    {
        Complete(qp, open, status, now);
        status = CompletionStatus::FLUSHED;
    }
}

} // namespace roce
} // namespace ns3
