/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does with what arrives
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/roce-cnp-body.h"

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
        HandleRequest(frame, now);
        return;
    case FrameKind::ACK:
    case FrameKind::RESPONSE:
        ReceiveAnswer(frame, now);
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
Nic::NoteMark(QueuePair* qp, const Frame& frame, Tick now)
{
    ++m_counters.marksReceived;
    if (qp->m_config.service == TransportService::UD)
    {
        return; // a datagram queue pair has no connection whose other end could slow down
    }
    if ((frame.flags & FRAME_TAGGED) && m_cnpGenerator->HeedsTags())
    {
        CnpBody body;
        const uint64_t flow = uint64_t(qp->m_qpn) << 1 | (frame.kind == FrameKind::RESPONSE);
        if (m_cnpGenerator->OnTagged(flow, frame.psn, frame.tag, frame.size, now, body))
        {
            SendCnp(qp, frame.fraction, &body, now);
        }
        return;
    }
    if (m_cnpGenerator->OnMarked(qp->m_lastCnp, now))
    {
        if (qp->m_lastCnp > now)
        {
            m_cnpChecks->Arm(qp, qp->m_lastCnp);
        }
        else
        {
            SendCnp(qp, frame.fraction, nullptr, now);
        }
    }
    qp->m_echo |= m_cnpGenerator->GetEchoInAck();
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
Nic::CheckCnp(QueuePair* qp, Tick deadline, Tick now)
{
    if (qp->m_lastCnp == deadline) // else it has begun anew since
    {
        SendCnp(qp, 0, nullptr, now);
    }
}

void
Nic::SendCnp(QueuePair* qp, uint16_t fraction, const CnpBody* body, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    qp->m_requester.GetAddress().Apply(*frame);
    frame->kind = FrameKind::CNP;
    frame->opcode = Opcode::CNP;
    frame->psn = 0;
    frame->payload = 0;
    frame->size = static_cast<uint16_t>(m_factory.GetFrameSizes().cnpBytes);
    frame->flags = FRAME_BECN;
    if (body)
    {
        frame->flags |= FRAME_EXTENDED;
        body->Encode(frame->cnpBody);
    }
    frame->fraction = fraction;
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
    if (qp && qp->m_receiving)
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

} // namespace roce
} // namespace ns3
