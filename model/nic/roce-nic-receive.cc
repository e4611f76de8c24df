/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does with what arrives
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"

namespace ns3
{
namespace roce
{

void
Nic::Receive(Frame* frame, uint32_t port, Tick now)
{
    PrefetchFor(m_lanes[port]);
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
Nic::PrefetchFor(Lane& lane) const
{
    if (!lane.received)
    {
        lane.received = &lane.port->GetReceived();
    }
    // with many queue pairs the one of the next frame is not in the cache, but there is time
    const Frame* next = lane.received->Peek();
    const QueuePair* qp = next ? Lookup(next->destinationQp) : nullptr;
    if (qp && next->kind == FrameKind::REQUEST)
    {
        qp->PrefetchForRequest();
    }
    else if (qp)
    {
        qp->PrefetchForAck();
    }
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
        if (m_cnpGenerator->OnMarked(qp->m_lastCnp, now))
        {
            SendCnp(qp, frame, now);
        }
        qp->m_echo |= m_cnpGenerator->GetEchoInAck();
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

} // namespace roce
} // namespace ns3
