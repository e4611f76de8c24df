/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-completer.h"

#include "roce-credit-code.h"
#include "roce-loss-recovery.h"
#include "roce-payload.h"
#include "roce-protection-domain.h"
#include "roce-requester.h"
#include "roce-rnr-timer.h"

#include "ns3/roce-opcode-table.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** \return how a request ends that was refused. \param syndrome of the NAK */
CompletionStatus
StatusOf(uint8_t syndrome)
{
    switch (syndrome)
    {
    case SYNDROME_NAK_ACCESS:
        return CompletionStatus::REMOTE_ACCESS;
    case SYNDROME_NAK_OPERATION:
        return CompletionStatus::REMOTE_OPERATION;
    default:
        return CompletionStatus::INVALID_REQUEST;
    }
}

} // namespace

void
Completer::Configure(Requester* requester,
                     LossRecovery* recovery,
                     ProtectionDomain* domain,
                     uint32_t rnrRetries,
                     bool answersInOrder)
{
    m_requester = requester;
    m_recovery = recovery;
    m_domain = domain;
    m_rnrRetries = rnrRetries;
    m_answersInOrder = answersInOrder;
    m_hearsAcks = recovery->HearsAcks();
}

CompleterState
Completer::GetState() const
{
    if (m_requester->GetHolds() & SendQueue::HOLD_RNR)
    {
        return CompleterState::WAIT_RNR;
    }
    if (!m_requester->IsWaiting())
    {
        return CompleterState::IDLE;
    }
    if (m_askedAgain)
    {
        return CompleterState::WAIT_RETRY;
    }
    const auto& reads = m_requester->GetReads();
    return !reads.empty() && reads.front().first <= m_requester->GetUnacknowledged()
               ? CompleterState::WAIT_ANSWER
               : CompleterState::WAIT_ACK;
}

uint32_t
Completer::GetRnrNaks() const
{
    return m_rnrPacket >= m_requester->GetUnacknowledged() ? m_rnrCount : 0;
}

Completer::Outcome
Completer::Receive(const Frame& frame)
{
    if (__builtin_expect(frame.opcode == Opcode::RC_ACKNOWLEDGE, 1))
    {
        const auto syndrome = static_cast<uint8_t>(frame.aeth >> 24);
        return (syndrome & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_ACK ? ReceiveAck(frame)
                                                                      : ReceiveNak(frame);
    }
    return ReceiveAnswer(frame);
}

Completer::Outcome
Completer::Finish(Outcome outcome)
{
    if (outcome.acked > 0)
    {
        outcome.progress = true;
        if (m_hearsAcks)
        {
            m_recovery->OnAck(*m_requester);
        }
    }
    return outcome;
}

void
Completer::TakeCredits(const Frame& frame, uint8_t syndrome)
{
    const uint8_t code = syndrome & SYNDROME_CREDIT_MASK;
    if (code == CreditCode::INVALID)
    {
        m_requester->SetCreditLimit(~uint64_t(0));
        return;
    }
    const auto& open = m_requester->GetOpen();
    const uint64_t near = open.empty() ? m_requester->GetSerial() : open.front().serial;
    const int64_t done = Psn::Unwrap(frame.aeth & MASK_24, 0, near);
    m_requester->SetCreditLimit(static_cast<uint64_t>(std::max<int64_t>(done, 0)) +
                                CreditCode::Decode(code));
}

Completer::Outcome
Completer::ReceiveAck(const Frame& frame)
{
    Outcome outcome;
    outcome.acked = m_requester->Acknowledge(frame.psn);
    const auto syndrome = static_cast<uint8_t>(frame.aeth >> 24);
    if (__builtin_expect(syndrome != SYNDROME_ACK ||
                             (m_requester->GetHolds() & SendQueue::ON_CREDIT),
                         0))
    {
        TakeCredits(frame, syndrome);
    }
    const auto& reads = m_requester->GetReads();
    if (__builtin_expect(!reads.empty(), 0) && m_answersInOrder)
    {
        const int64_t number = m_requester->NumberOf(frame.psn);
        const uint64_t first = reads.front().first;
        if (number >= static_cast<int64_t>(first) &&
            number < static_cast<int64_t>(m_requester->GetHigh()))
        {
            AskAgain(std::max(first, m_requester->GetUnacknowledged()), outcome);
        }
    }
    return Finish(outcome);
}

Completer::Outcome
Completer::ReceiveNak(const Frame& frame)
{
    Outcome outcome;
    const auto syndrome = static_cast<uint8_t>(frame.aeth >> 24);
    int64_t named = m_requester->NumberOf(frame.psn);
    const auto una = static_cast<int64_t>(m_requester->GetUnacknowledged());
    if (named < una && m_recovery->GetEarlyPolicy() == EarlyPolicy::KEEP &&
        syndrome == SYNDROME_NAK_SEQUENCE && m_requester->NumberOf(frame.aeth & MASK_24) > una)
    {
        named = una; // overtaken, but what it says of a later packet is news
    }
    if (named < una || named >= static_cast<int64_t>(m_requester->GetHigh()))
    {
        return outcome; // old, or of what was never sent
    }
    const auto expected = static_cast<uint64_t>(named);
    outcome.acked = m_requester->AcknowledgeBefore(expected);
    outcome.progress = outcome.acked > 0; // those before it have succeeded, whatever follows
    uint64_t seen = expected;
    if ((syndrome & SYNDROME_CLASS_MASK) == SYNDROME_CLASS_RNR)
    {
        m_rnrCount = expected > m_rnrPacket ? 1 : m_rnrCount + 1; // of one packet
        m_rnrPacket = expected;
        if (m_rnrRetries != RNR_FOR_EVER && m_rnrCount > m_rnrRetries)
        {
            outcome.failed = true;
            outcome.status = CompletionStatus::RNR_RETRY_EXCEEDED;
            return outcome;
        }
        outcome.waitNs = RnrTimer::NanoSeconds(syndrome & SYNDROME_CREDIT_MASK);
        m_rnrWaitNs = outcome.waitNs;
        m_requester->SetHold(SendQueue::HOLD_RNR, true);
        m_recovery->OnNak(*m_requester, expected, seen);
        return outcome;
    }
    if (syndrome != SYNDROME_NAK_SEQUENCE)
    {
        outcome.failed = true;
        outcome.status = StatusOf(syndrome);
        return outcome;
    }
    if (m_recovery->GetEarlyPolicy() == EarlyPolicy::KEEP)
    {
        seen = static_cast<uint64_t>(
            std::max<int64_t>(m_requester->NumberOf(frame.aeth & MASK_24), named));
    }
    m_recovery->OnNak(*m_requester, expected, seen);
    outcome.loss = true;
    return Finish(outcome);
}

void
Completer::AskAgain(uint64_t number, Outcome& outcome)
{
    if (!m_askedAgain)
    {
        m_askedAgain = true;
        m_recovery->OnReadGap(*m_requester, number);
        outcome.loss = true;
    }
}

Completer::Outcome
Completer::ReceiveAnswer(const Frame& frame)
{
    Outcome outcome;
    const auto& reads = m_requester->GetReads();
    const int64_t named = m_requester->NumberOf(frame.psn);
    if (reads.empty() || named < 0 || named >= static_cast<int64_t>(m_requester->GetHigh()))
    {
        return outcome;
    }
    const auto number = static_cast<uint64_t>(named);
    const uint64_t first = reads.front().first;
    const uint64_t expected = std::max(first, m_requester->GetUnacknowledged());
    if (number < expected)
    {
        return outcome; // a duplicate
    }
    outcome.acked = m_requester->AcknowledgeBefore(first);
    outcome.progress = outcome.acked > 0;
    if (number > expected)
    {
        AskAgain(expected, outcome);
        return Finish(outcome);
    }
    if (!TakeResponse(frame, number, outcome))
    {
        outcome.failed = true;
        return outcome;
    }
    m_askedAgain = false;
    ++outcome.acked;
    ++m_responses;
    m_requester->AdvanceRead(number + 1);
    return Finish(outcome);
}

bool
Completer::TakeResponse(const Frame& frame, uint64_t number, Outcome& outcome)
{
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    const SendQueue::OpenRequest& open = *m_requester->FindOpen(number);
    const bool atomic = IsAtomic(open.request.operation);
    const uint64_t mtu = m_requester->GetMtu();
    const uint64_t offset = (number - open.first) * mtu;
    const uint64_t end = m_requester->GetReads().front().end;
    const uint64_t total = std::min(open.request.bytes, (end - open.first) * mtu);
    const uint64_t payload = atomic ? 0 : std::min(mtu, total - offset);
    outcome.status = CompletionStatus::BAD_RESPONSE;
    if (atomic != (facts.operation == OpcodeOperation::ATOMIC_ACKNOWLEDGE) ||
        frame.payload != payload || facts.Ends() != (number + 1 == end))
    {
        return false;
    }
    outcome.status = CompletionStatus::SUCCESS;
    if (atomic)
    {
        m_original = (frame.flags & FRAME_EXTENDED) ? frame.atomicOriginal : 0;
    }
    const uint64_t length = atomic ? 8 : payload;
    if (!m_domain || !open.full || length == 0)
    {
        return true;
    }
    const uint64_t address = open.full->localAddress + offset;
    if (!m_domain->CheckLocal(open.full->localKey, address, length, true))
    {
        outcome.status = CompletionStatus::LOCAL_PROTECTION;
        return false;
    }
    if (atomic)
    {
        StoreNumber(m_original, *m_domain, open.full->localKey, address);
    }
    else
    {
        StorePayload(frame, *m_domain, open.full->localKey, address);
    }
    return true;
}

void
Completer::Timeout()
{
    m_askedAgain = false;
    m_recovery->OnTimeout(*m_requester);
}

void
Completer::Resume()
{
    m_requester->SetHold(SendQueue::HOLD_RNR, false);
}

} // namespace roce
} // namespace ns3
