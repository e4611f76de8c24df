/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// READs and atomics at the responder
#include "roce-payload.h"
#include "roce-protection-domain.h"
#include "roce-responder.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
Responder::PushRead(uint64_t first, const ResponderResource& part, bool again)
{
    PendingAnswer answer;
    answer.read = true;
    answer.again = again;
    answer.aeth = uint32_t(GetAckSyndrome()) << 24 | GetMsn();
    answer.begin = first;
    answer.next = first;
    answer.end = part.end;
    answer.address = part.address;
    answer.bytes = part.bytes;
    answer.key = part.key;
    m_answers.PushRead(answer);
}

Responder::Result
Responder::AcceptRead(const Frame& frame)
{
    ResponderResource resource;
    resource.first = m_expected;
    resource.address = frame.remoteAddress;
    resource.bytes = frame.dmaLength;
    resource.key = frame.remoteKey;
    const uint64_t count = resource.bytes ? (resource.bytes - 1) / m_mtu + 1 : 1;
    resource.end = m_expected + count;
    if (m_answers.GetReads() >= m_resources.GetDepth() || resource.bytes > MAX_MESSAGE_BYTES ||
        m_kept.HasBefore(count)) // a kept packet has a number of this READ
    {
        return Refuse(SYNDROME_NAK_INVALID);
    }
    if (!MayAccess(resource.key, resource.address, resource.bytes, ACCESS_REMOTE_READ))
    {
        return Refuse(SYNDROME_NAK_ACCESS);
    }
    ++m_messages;
    m_resources.Add(resource);
    PushRead(resource.first, resource, false);
    m_state = ResponderState::READY;
    m_expected = resource.end;
    m_kept.Advance(count);
    Result result;
    result.answer = Answer::READ;
    result.accepted = true;
    return result;
}

void
Responder::RepeatRead(const Frame& frame, uint64_t number, const ResponderResource& resource)
{
    const uint64_t offset = (number - resource.first) * m_mtu;
    const uint64_t left = resource.bytes - std::min(resource.bytes, offset);
    if (frame.remoteAddress != resource.address + offset || frame.remoteKey != resource.key ||
        frame.dmaLength > left)
    {
        return; // not a part of what was asked for the first time
    }
    ResponderResource part = resource;
    part.address = frame.remoteAddress;
    part.bytes = frame.dmaLength;
    part.end = number + (part.bytes ? (part.bytes - 1) / m_mtu + 1 : 1);
    PushRead(number, part, true);
}

Responder::Result
Responder::AcceptAtomic(const Frame& frame)
{
    constexpr uint64_t bytes = 8;
    if (!(frame.flags & FRAME_EXTENDED) || frame.remoteAddress % bytes != 0 ||
        m_resources.GetDepth() == 0)
    {
        return Refuse(SYNDROME_NAK_INVALID);
    }
    if (!MayAccess(frame.remoteKey, frame.remoteAddress, bytes, ACCESS_REMOTE_ATOMIC))
    {
        return Refuse(SYNDROME_NAK_ACCESS);
    }
    m_original = 0;
    if (m_domain && frame.opcode == Opcode::RC_FETCH_ADD)
    {
        m_original = m_domain->FetchAdd(frame.remoteKey, frame.remoteAddress, frame.atomic.swapAdd);
    }
    else if (m_domain)
    {
        m_original = m_domain->CompareSwap(frame.remoteKey,
                                           frame.remoteAddress,
                                           frame.atomic.compare,
                                           frame.atomic.swapAdd);
    }
    ++m_messages;
    ResponderResource resource;
    resource.first = m_expected;
    resource.end = m_expected + 1;
    resource.atomic = true;
    resource.original = m_original;
    m_resources.Add(resource);
    Result result = Acknowledge(m_expected);
    result.answer = Answer::ATOMIC;
    result.accepted = true;
    m_state = ResponderState::READY;
    ++m_expected;
    m_kept.Advance(1);
    return result;
}

void
Responder::Defer(const PendingAnswer& answer)
{
    m_answers.PushAcknowledge(answer);
}

bool
Responder::BuildResponse(Frame& frame)
{
    PendingAnswer& job = m_answers.Front();
    const uint64_t offset = (job.next - job.begin) * m_mtu;
    const uint64_t payload = std::min<uint64_t>(m_mtu, job.bytes - offset);
    const uint64_t address = job.address + offset;
    if (m_domain && !MayAccess(job.key, address, payload, ACCESS_REMOTE_READ))
    {
        m_failure = Refuse(SYNDROME_NAK_ACCESS); // the region is gone
        m_failure.psn = Psn::Wrap(job.next, m_initialPsn);
        m_answers.Clear();
        return false;
    }
    const bool first = job.next == job.begin;
    const bool last = job.next + 1 == job.end;
    frame.kind = FrameKind::RESPONSE;
    frame.opcode = first && last ? Opcode::RC_READ_RESPONSE_ONLY
                   : first       ? Opcode::RC_READ_RESPONSE_FIRST
                   : last        ? Opcode::RC_READ_RESPONSE_LAST
                                 : Opcode::RC_READ_RESPONSE_MIDDLE;
    frame.psn = Psn::Wrap(job.next, m_initialPsn);
    frame.aeth = job.aeth;
    frame.payload = static_cast<uint16_t>(payload);
    const uint32_t extension = first || last ? AETH_BYTES : 0;
    frame.size =
        static_cast<uint16_t>(m_config.sizes.Bytes(static_cast<uint32_t>(payload), extension));
    if (m_domain && payload > 0)
    {
        AttachPayload(frame, *m_domain, job.key, address);
    }
    if (++job.next == job.end)
    {
        m_answers.PopRead();
    }
    return true;
}

} // namespace roce
} // namespace ns3
