/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-responder.h"

namespace ns3
{
namespace roce
{

Responder::Result
Responder::Refuse(uint64_t number, uint8_t syndrome) const
{
    Result result;
    result.answer = Answer::NAK;
    result.syndrome = syndrome;
    result.psn = Psn::Wrap(number, m_initialPsn);
    return result;
}

Responder::Result
Responder::Receive(const Frame& frame, Tick now)
{
    const int64_t number = Psn::Unwrap(frame.psn, m_initialPsn, m_expected);
    const auto expected = static_cast<int64_t>(m_expected);
    if (__builtin_expect(number == expected, 1))
    {
        return Accept(frame, now);
    }
    if (number > expected)
    {
        ++m_outOfOrder;
        if (m_nakSent)
        {
            return Result();
        }
        m_nakSent = true;
        return Refuse(m_expected, SYNDROME_NAK_SEQUENCE);
    }
    ++m_duplicates;
    Result result;
    if (frame.flags & FRAME_ACK_REQUEST)
    {
        result.answer = Answer::ACK;
        result.syndrome = SYNDROME_ACK;
        result.psn = Psn::Wrap(m_expected - 1, m_initialPsn);
    }
    return result;
}

Responder::Result
Responder::Accept(const Frame& frame, Tick now)
{
    const bool first =
        frame.opcode == Opcode::RC_WRITE_FIRST || frame.opcode == Opcode::RC_WRITE_ONLY;
    const bool last =
        frame.opcode == Opcode::RC_WRITE_LAST || frame.opcode == Opcode::RC_WRITE_ONLY;
    if (first == m_inMessage)
    {
        return Refuse(m_expected, SYNDROME_NAK_INVALID); // opcode out of sequence
    }
    if (first)
    {
        m_dmaLength = frame.dmaLength;
        m_messageBytes = 0;
        m_messageStart = now;
    }
    const uint64_t length = m_messageBytes + frame.payload;
    if (length > m_dmaLength || (last && length != m_dmaLength))
    {
        return Refuse(m_expected, SYNDROME_NAK_INVALID); // does not match the RETH
    }
    m_inMessage = !last;
    m_messageBytes = length;
    m_bytes += frame.payload;
    m_messages += last;
    m_nakSent = false;

    Result result;
    result.accepted = true;
    result.messageEnd = last;
    if (frame.flags & FRAME_ACK_REQUEST)
    {
        result.answer = Answer::ACK;
        result.syndrome = SYNDROME_ACK;
        result.psn = Psn::Wrap(m_expected, m_initialPsn);
    }
    ++m_expected;
    return result;
}

} // namespace roce
} // namespace ns3
