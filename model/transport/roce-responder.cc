/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// which packets a responder takes, and what it answers
#include "roce-responder.h"

#include "roce-credit-code.h"
#include "roce-receive-queue.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
Responder::Configure(const ResponderConfig& config, ReceiveQueue* queue)
{
    m_config = config;
    m_initialPsn = config.initialPsn;
    m_reliable = config.service == TransportService::RC;
    m_early = config.early;
    m_credits = config.credits;
    m_checks = config.domain || config.remoteAccess != 0xff;
    m_mtu = static_cast<uint16_t>(config.mtu);
    m_domain = config.domain;
    m_queue = queue;
    m_resources.SetDepth(config.maxReads);
}

uint8_t
Responder::GetAckSyndrome() const
{
    // they count from the message with number MSN on, which may have its receive request already
    return m_credits && m_queue ? CreditCode::Encode(m_queue->GetDepth() + m_hasReceive)
                                : SYNDROME_ACK;
}

Responder::Result
Responder::Acknowledge(uint64_t number) const
{
    Result result;
    result.answer = Answer::ACK;
    result.syndrome = GetAckSyndrome();
    if (__builtin_expect(m_early == EarlyPolicy::REWIND && m_operation != OpcodeOperation::NONE, 0))
    {
        number = std::min(number + 1, m_messageFirst) - 1; // the message may be taken back
    }
    result.psn = Psn::Wrap(number, m_initialPsn);
    result.msn = GetMsn();
    return result;
}

Responder::Result
Responder::Refuse(uint8_t syndrome)
{
    Result result;
    result.answer = Answer::NAK;
    result.syndrome = syndrome;
    result.psn = Psn::Wrap(m_expected, m_initialPsn);
    result.msn = GetMsn();
    if ((syndrome & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_RNR)
    {
        m_state = ResponderState::NOT_READY;
    }
    else if (syndrome == SYNDROME_NAK_SEQUENCE)
    {
        m_state = ResponderState::SEQUENCE_GAP;
    }
    else
    {
        m_state = ResponderState::FAILED;
        result.failed = true;
    }
    return result;
}

Responder::Result
Responder::Receive(Frame& frame, Tick now)
{
    if (__builtin_expect(m_state == ResponderState::FAILED, 0))
    {
        return Result();
    }
    if (__builtin_expect(!m_reliable, 0))
    {
        return m_config.service == TransportService::UC ? ReceiveUnreliable(frame, now)
                                                        : ReceiveDatagram(frame, now);
    }
    const int64_t number = Psn::Unwrap(frame.psn, m_initialPsn, m_expected);
    const auto expected = static_cast<int64_t>(m_expected);
    if (__builtin_expect(number == expected, 1))
    {
        const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
        if (__builtin_expect(facts.payload, 1))
        {
            return Accept(frame, facts, now);
        }
        if (m_operation != OpcodeOperation::NONE)
        {
            return Refuse(SYNDROME_NAK_INVALID); // in the middle of a message
        }
        return facts.operation == OpcodeOperation::ATOMIC ? AcceptAtomic(frame) : AcceptRead(frame);
    }
    return number > expected
               ? ReceiveEarly(frame, static_cast<uint64_t>(number))
               : ReceiveDuplicate(frame, static_cast<uint64_t>(std::max<int64_t>(number, 0)));
}

inline void
Responder::Begin(const Frame& frame, Tick now)
{
    m_dmaLength = frame.dmaLength;
    m_messageBytes = 0;
    m_messageStart = now;
    if (__builtin_expect(m_early == EarlyPolicy::REWIND, 0))
    {
        m_messageFirst = m_expected;
    }
}

Responder::Result
Responder::Accept(const Frame& frame, const OpcodeFacts& facts, Tick now)
{
    const bool first = facts.Begins();
    const bool last = facts.Ends();
    if (first ? m_operation != OpcodeOperation::NONE : m_operation != facts.operation)
    {
        return Refuse(SYNDROME_NAK_INVALID); // opcode out of sequence
    }
    if (frame.payload > m_mtu || (!last && frame.payload != m_mtu))
    {
        return Refuse(SYNDROME_NAK_INVALID); // only a last packet is shorter than the MTU
    }
    if (first)
    {
        Begin(frame, now);
    }
    const bool write = facts.operation == OpcodeOperation::WRITE;
    const uint64_t length = m_messageBytes + frame.payload;
    if (write && (length > m_dmaLength || (last && length != m_dmaLength)))
    {
        return Refuse(SYNDROME_NAK_INVALID); // does not match the RETH
    }
    bool received = false;
    if (__builtin_expect(!write || m_checks || facts.Has(EXTENSION_IMMDT), 0))
    {
        if (const uint8_t syndrome = Prepare(frame, facts))
        {
            return RefuseMessage(syndrome);
        }
        // a WRITE does not end the receive request of a SEND that UC has lost the end of
        received = last && m_hasReceive && (!write || facts.Has(EXTENSION_IMMDT));
        if (received)
        {
            m_messageBytes = length;
            EndReceive(frame, facts);
        }
    }
    m_operation = last ? OpcodeOperation::NONE : facts.operation;
    m_messageBytes = length;
    m_bytes += frame.payload;
    m_messages += last;
    const bool filled = m_state == ResponderState::SEQUENCE_GAP;
    m_state = ResponderState::READY;

    Result result;
    if ((frame.flags & FRAME_ACK_REQUEST) || (filled && m_early == EarlyPolicy::KEEP && m_reliable))
    {
        result = Acknowledge(m_expected);
    }
    result.accepted = true;
    result.messageEnd = last;
    result.received = received;
    ++m_expected;
    if (__builtin_expect(m_early == EarlyPolicy::KEEP, 0))
    {
        m_kept.Advance(1);
    }
    return result;
}

void
Responder::Rewind()
{
    m_revoked = 0;
    if (m_operation == OpcodeOperation::NONE)
    {
        return;
    }
    m_revoked = m_messageBytes;
    m_bytes -= m_messageBytes;
    m_messageBytes = 0;
    m_expected = m_messageFirst;
    m_operation = OpcodeOperation::NONE;
}

Responder::Result
Responder::ReceiveEarly(Frame& frame, uint64_t number)
{
    ++m_outOfOrder;
    if (m_early == EarlyPolicy::KEEP)
    {
        // one that came before is told of again: the sender would not have sent it had it known
        Result result = Refuse(SYNDROME_NAK_SEQUENCE);
        result.msn = frame.psn;
        result.kept = m_kept.Keep(number - m_expected, &frame);
        m_duplicates += !result.kept;
        return result;
    }
    if (m_state != ResponderState::READY)
    {
        return Result();
    }
    return RefuseMessage(SYNDROME_NAK_SEQUENCE);
}

Responder::Result
Responder::RefuseMessage(uint8_t syndrome)
{
    const bool rewinds = m_early == EarlyPolicy::REWIND;
    if (rewinds)
    {
        Rewind(); // so that the NAK acknowledges nothing of the message
    }
    Result result = Refuse(syndrome);
    result.rewound = rewinds;
    return result;
}

Frame*
Responder::TakeKept()
{
    return HasKept() && m_state != ResponderState::FAILED ? m_kept.TakeExpected() : nullptr;
}

Frame*
Responder::DropKept()
{
    return m_kept.TakeAny();
}

Responder::Result
Responder::ReceiveDuplicate(const Frame& frame, uint64_t number)
{
    ++m_duplicates;
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    if (facts.payload)
    {
        if (!(frame.flags & FRAME_ACK_REQUEST) && !m_config.ackDuplicates)
        {
            return Result();
        }
        // not past a READ or atomic, whose own answer may be what was lost
        const uint64_t last = std::min(m_expected, m_resources.FirstBehind(number)) - 1;
        return Acknowledge(last);
    }
    Result result;
    const ResponderResource* resource = m_resources.Find(number);
    if (!resource || resource->atomic != (facts.operation == OpcodeOperation::ATOMIC))
    {
        return result; // forgotten, or another request than the first time: IBTA 9.7.5.1.6
    }
    if (resource->atomic)
    {
        m_original = resource->original;
        result = Acknowledge(number);
        result.answer = Answer::ATOMIC;
        return result;
    }
    RepeatRead(frame, number, *resource);
    result.answer = m_answers.IsAnswering() ? Answer::READ : Answer::NONE;
    return result;
}

Responder::Result
Responder::ReceiveUnreliable(const Frame& frame, Tick now)
{
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    const int64_t number = Psn::Unwrap(frame.psn, m_initialPsn, m_expected);
    if (!facts.payload || facts.service != OpcodeService::UC)
    {
        return Result();
    }
    if (number != static_cast<int64_t>(m_expected))
    {
        ++m_outOfOrder;
        m_operation = OpcodeOperation::NONE; // a message with a hole is lost (IBTA 9.8.2.2)
        if (!facts.Begins() || number < 0)
        {
            return Result();
        }
        m_expected = static_cast<uint64_t>(number);
    }
    else if (facts.Begins())
    {
        m_operation = OpcodeOperation::NONE;
    }
    Result result = Accept(frame, facts, now);
    result.answer = Answer::NONE;
    if (!result.accepted)
    {
        m_state = ResponderState::READY;
        m_operation = OpcodeOperation::NONE;
        m_abortStatus = CompletionStatus::FLUSHED; // the next message gets the receive request
        result.failed = false;
        ++m_expected;
    }
    return result;
}

} // namespace roce
} // namespace ns3
