/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does with requests of others, and how it answers them
#include "roce-nic-lane.h"
#include "roce-nic.h"

namespace ns3
{
namespace roce
{

void
Nic::HandleRequest(Frame* frame, Tick now)
{
    QueuePair* qp = Lookup(frame->destinationQp);
    ++m_counters.dataReceived;
    if (!qp || !qp->m_receiving)
    {
        ++m_counters.refused;
        m_core->GetPool().Free(frame);
        return;
    }
    if (frame->ecn == ECN_CE)
    {
        NoteMark(qp, *frame, now);
    }
    const uint32_t stamp = frame->stamp;
    Responder::Result result = qp->m_responder.Receive(*frame, now);
    Account(qp, *frame, result, now);
    if (__builtin_expect(result.kept, 0))
    {
        AnswerAnew(qp, result, stamp, now);
        return;
    }
    if (__builtin_expect(result.accepted && qp->m_responder.HasKept(), 0))
    {
        if (result.answer != Responder::Answer::ACK && result.answer != Responder::Answer::NONE)
        {
            AnswerAnew(qp, result, stamp, now); // what an atomic found is known only now
            result.answer = Responder::Answer::NONE;
        }
        result = ReceiveKept(qp, result, now);
    }
    if (result.answer == Responder::Answer::NONE)
    {
        m_core->GetPool().Free(frame);
        if (__builtin_expect(result.failed, 0))
        {
            Fail(qp, CompletionStatus::FLUSHED, ~uint64_t(0), now); // UD has nobody to tell
        }
        return;
    }
    Answer(qp, frame, result, now);
}

void
Nic::Account(QueuePair* qp, const Frame& frame, const Responder::Result& result, Tick now)
{
    if (__builtin_expect(result.accepted, 1))
    {
        m_counters.bytesDelivered += frame.payload;
        if (result.received)
        {
            NoteReceived(qp, qp->m_responder.GetReceived(), now);
        }
        if (result.messageEnd)
        {
            NoteArrival(qp, result.received, now);
        }
    }
    else if (result.rewound)
    {
        m_counters.bytesDelivered -= qp->m_responder.GetRevoked();
    }
}

Responder::Result
Nic::ReceiveKept(QueuePair* qp, Responder::Result result, Tick now)
{
    while (Frame* frame = qp->m_responder.TakeKept())
    {
        const Responder::Result next = qp->m_responder.Receive(*frame, now);
        Account(qp, *frame, next, now);
        const bool plain = next.answer == Responder::Answer::ACK;
        if (next.answer != Responder::Answer::NONE)
        {
            if (result.answer != Responder::Answer::NONE &&
                !(plain && result.answer == Responder::Answer::ACK))
            {
                AnswerAnew(qp, result, frame->stamp, now);
            }
            result = next;
            if (!plain)
            {
                AnswerAnew(qp, result, frame->stamp, now);
                result.answer = Responder::Answer::NONE;
            }
        }
        else if (next.accepted && result.answer == Responder::Answer::ACK)
        {
            result.psn = (result.psn + 1) & MASK_24; // the same answer covers it
        }
        m_core->GetPool().Free(frame);
        if (!qp->m_receiving)
        {
            result.answer = Responder::Answer::NONE;
            break;
        }
    }
    return result;
}

void
Nic::AnswerAnew(QueuePair* qp, const Responder::Result& result, uint32_t stamp, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    frame->stamp = stamp;
    Answer(qp, frame, result, now);
}

void
Nic::Answer(QueuePair* qp, Frame* frame, const Responder::Result& result, Tick now)
{
    const uint32_t aeth = uint32_t(result.syndrome) << 24 | result.msn;
    if (__builtin_expect(result.answer == Responder::Answer::ACK && !qp->m_answering, 1))
    {
        FormAck(qp, frame, result.psn, aeth, now);
        SendControl(frame, now);
        return;
    }
    if (__builtin_expect(result.answer == Responder::Answer::READ, 0))
    {
        if (qp->m_nextSlot < now)
        {
            qp->m_nextSlot = now; // the responses begin with the sub-tick part of the request
            qp->m_slotFraction = frame->fraction;
        }
        m_core->GetPool().Free(frame);
        qp->m_answering = true;
        Activate(qp, now);
        return;
    }
    PendingAnswer answer;
    answer.psn = result.psn;
    answer.aeth = aeth;
    answer.stamp = frame->stamp;
    answer.atomic = result.answer == Responder::Answer::ATOMIC;
    answer.failed = result.failed;
    answer.original = qp->m_responder.GetOriginal();
    if (qp->m_answering)
    {
        m_core->GetPool().Free(frame);
        qp->m_responder.Defer(answer); // behind the responses, and so is its failure
        return;
    }
    SendAnswer(qp, frame, answer, now);
    if (result.failed)
    {
        Fail(qp, CompletionStatus::FLUSHED, ~uint64_t(0), now);
    }
}

void
Nic::SendDeferred(QueuePair* qp, Tick now)
{
    PendingAnswer answer;
    while (qp->m_responder.TakeDeferred(answer))
    {
        SendAnswer(qp, m_core->GetPool().Get(), answer, now);
        if (__builtin_expect(answer.failed, 0))
        {
            Fail(qp, CompletionStatus::FLUSHED, ~uint64_t(0), now);
            return;
        }
    }
    qp->m_answering = qp->m_responder.IsAnswering();
}

void
Nic::FormAck(QueuePair* qp, Frame* frame, uint32_t psn, uint32_t aeth, Tick now)
{
    // the answer may travel in the frame of the request
    if (__builtin_expect(frame->flags & FRAME_PACKET, 0))
    {
        FramePool::ReleasePacket(frame);
    }
    qp->m_requester.GetAddress().Apply(*frame);
    frame->kind = FrameKind::ACK;
    frame->opcode = Opcode::RC_ACKNOWLEDGE;
    frame->psn = psn;
    frame->aeth = aeth;
    frame->payload = 0;
    frame->size = static_cast<uint16_t>(m_factory.GetFrameSizes().ackBytes);
    frame->flags &= FRAME_INT; // telemetry goes back with it
    frame->hops = 0;
    if (__builtin_expect(frame->flags, 0))
    {
        frame->size += IntRecordPool::CountedBytes(frame->record);
    }
    if (qp->m_echo)
    {
        qp->m_echo = false;
        frame->flags |= FRAME_BECN;
        ++m_counters.cnpsSent;
        m_cnpSent(qp->m_qpn, now);
    }
    const bool nak = ((aeth >> 24) & SYNDROME_CLASS_MASK) != SYNDROME_CLASS_ACK;
    ++(nak ? m_counters.naksSent : m_counters.acksSent);
}

void
Nic::SendAnswer(QueuePair* qp, Frame* frame, const PendingAnswer& answer, Tick now)
{
    FormAck(qp, frame, answer.psn, answer.aeth, now);
    frame->stamp = answer.stamp;
    if (answer.atomic)
    {
        frame->opcode = Opcode::RC_ATOMIC_ACKNOWLEDGE;
        frame->flags |= FRAME_EXTENDED;
        frame->atomicOriginal = answer.original;
        frame->size += ATOMIC_ACK_BYTES;
    }
    if (answer.atomic || answer.failed)
    {
        // in the class of READ responses: these must not be overtaken (IBTA 9.7.5.1.9)
        frame->ecn = ECN_NOT_ECT;
        m_lanes[frame->inPort].tx->Enqueue(frame, frame->priority, now);
        return;
    }
    SendControl(frame, now);
}

void
Nic::NoteReceived(QueuePair* qp, Completion completion, Tick now)
{
    completion.qpn = qp->m_qpn;
    completion.completed = now;
    if (qp->m_receiveQueue)
    {
        qp->m_receiveQueue->Push(completion);
    }
    m_arrived(completion);
}

void
Nic::NoteArrival(QueuePair* qp, bool received, Tick now)
{
    ++m_counters.messagesDelivered;
    if (received || (!qp->m_receiveQueue && m_arrived.IsEmpty()))
    {
        return; // nobody listens, or the receive request told it
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
