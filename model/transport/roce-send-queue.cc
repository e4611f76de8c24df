/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-send-queue.h"

#include "ns3/roce-opcode-table.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** Opcodes of the packets of one operation over RC; UC and UD add their service bits. */
struct OpcodeSet
{
    Opcode first, middle, last, only;
};

constexpr OpcodeSet
OpcodesOf(Operation operation)
{
    switch (operation)
    {
    case Operation::WRITE_IMMEDIATE:
        return {Opcode::RC_WRITE_FIRST,
                Opcode::RC_WRITE_MIDDLE,
                Opcode::RC_WRITE_LAST_IMMEDIATE,
                Opcode::RC_WRITE_ONLY_IMMEDIATE};
    case Operation::SEND:
        return {Opcode::RC_SEND_FIRST,
                Opcode::RC_SEND_MIDDLE,
                Opcode::RC_SEND_LAST,
                Opcode::RC_SEND_ONLY};
    case Operation::SEND_IMMEDIATE:
        return {Opcode::RC_SEND_FIRST,
                Opcode::RC_SEND_MIDDLE,
                Opcode::RC_SEND_LAST_IMMEDIATE,
                Opcode::RC_SEND_ONLY_IMMEDIATE};
    case Operation::SEND_INVALIDATE:
        return {Opcode::RC_SEND_FIRST,
                Opcode::RC_SEND_MIDDLE,
                Opcode::RC_SEND_LAST_INVALIDATE,
                Opcode::RC_SEND_ONLY_INVALIDATE};
    case Operation::READ:
        return {Opcode::RC_READ_REQUEST,
                Opcode::RC_READ_REQUEST,
                Opcode::RC_READ_REQUEST,
                Opcode::RC_READ_REQUEST};
    case Operation::FETCH_ADD:
        return {Opcode::RC_FETCH_ADD,
                Opcode::RC_FETCH_ADD,
                Opcode::RC_FETCH_ADD,
                Opcode::RC_FETCH_ADD};
    case Operation::COMPARE_SWAP:
        return {Opcode::RC_COMPARE_SWAP,
                Opcode::RC_COMPARE_SWAP,
                Opcode::RC_COMPARE_SWAP,
                Opcode::RC_COMPARE_SWAP};
    case Operation::WRITE:
        break;
    }
    return {Opcode::RC_WRITE_FIRST,
            Opcode::RC_WRITE_MIDDLE,
            Opcode::RC_WRITE_LAST,
            Opcode::RC_WRITE_ONLY};
}

/** \return whether an operation takes a receive request. \param operation an operation */
bool
TakesReceive(Operation operation)
{
    return operation != Operation::WRITE && !IsReadOrAtomic(operation);
}

} // namespace

void
SendQueue::Post(const WorkRequest& request, Tick now)
{
    if (m_open.full())
    {
        m_open.set_capacity(std::max<std::size_t>(4, 2 * m_open.capacity()));
    }
    OpenRequest open;
    open.request = request;
    open.first = m_posted;
    open.packets =
        request.bytes && !IsAtomic(request.operation) ? (request.bytes - 1) / m_mtu + 1 : 1;
    open.serial = m_serial;
    open.posted = now;
    if (m_keepFull || !request.IsPlain())
    {
        open.full = std::make_shared<WorkRequest>(request);
    }
    m_serial += open.packets <= m_messagePackets ? 1 : (open.packets - 1) / m_messagePackets + 1;
    m_posted += open.packets;
    m_open.push_back(std::move(open));
    m_oldestEnd = m_open.front().first + m_open.front().packets;
    if (m_packets == 0)
    {
        Load();
    }
}

void
SendQueue::Load()
{
    if (m_cursor >= m_open.size())
    {
        m_packets = 0;
        UpdateHolds();
        return;
    }
    const OpenRequest& open = m_open[m_cursor];
    m_first = open.first;
    m_packets = open.packets;
    m_bytes = open.request.bytes;
    m_plain = !open.full;
    m_segmented = !IsReadOrAtomic(open.request.operation);
    const OpcodeSet set = OpcodesOf(open.request.operation);
    const Opcode codes[] = {set.first, set.middle, set.last, set.only};
    for (unsigned i = 0; i < 4; ++i)
    {
        m_opcodes[i] = static_cast<uint8_t>(codes[i]) | m_service;
    }
    const unsigned places[] = {0, 2, 3};
    for (unsigned i = 0; i < 3; ++i)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(m_opcodes[places[i]]);
        uint32_t bytes = facts.extensionBytes;
        if (facts.Has(EXTENSION_RETH))
        {
            bytes += m_sizes.rethBytes - RETH_BYTES; // other size models have none
        }
        m_extensions[i] = static_cast<uint8_t>(bytes);
    }
    UpdateHolds();
}

void
SendQueue::UpdateHolds()
{
    m_holds &= HOLD_RNR | RESEND | HOLD_DRAIN | ON_CREDIT;
    if (m_packets == 0)
    {
        return;
    }
    const OpenRequest& open = m_open[m_cursor];
    const bool fresh = m_next >= m_high;
    const bool read = IsReadOrAtomic(open.request.operation);
    if (fresh && ((read && m_reads.size() >= m_maxReads) ||
                  (open.request.fence && m_hasReads && m_next == m_first)))
    {
        m_holds |= HOLD_READS;
    }
    if ((m_holds & ON_CREDIT) && TakesReceive(open.request.operation))
    {
        const uint64_t index = m_next - m_first;
        const uint64_t place = index % m_messagePackets;
        const bool alone = place == 0 && m_una == m_next; // one packet may ask (IBTA 9.7.7.2.5)
        const bool begun = m_una > m_next - place; // it was taken, and a receive request with it
        const uint64_t message = open.serial + index / m_messagePackets;
        if (message >= m_creditLimit && !alone && !begun)
        {
            m_holds |= HOLD_CREDIT;
        }
    }
}

bool
SendQueue::CanSendHeld(uint64_t window) const
{
    if (m_holds & HOLD_RNR)
    {
        return false;
    }
    if (m_holds & RESEND)
    {
        return true;
    }
    if (m_holds & (HOLD_READS | HOLD_CREDIT))
    {
        return false;
    }
    if ((m_holds & HOLD_DRAIN) && m_next == m_first && m_next >= m_high)
    {
        return false; // what has begun is finished
    }
    return m_next < m_posted && m_next - m_una < MAX_OUTSTANDING_PSNS && GetInflight() < window;
}

void
SendQueue::SetHold(Hold bit, bool on)
{
    m_holds = static_cast<uint8_t>(on ? m_holds | bit : m_holds & ~bit);
}

void
SendQueue::SetCreditLimit(uint64_t limit)
{
    SetHold(ON_CREDIT, limit != ~uint64_t(0));
    m_creditLimit = limit;
    UpdateHolds();
}

uint64_t
SendQueue::Advance(uint64_t una)
{
    const uint64_t acked = una - m_una;
    m_una = una;
    if (m_next < una)
    {
        Seek(una); // what was about to be sent again has arrived meanwhile
    }
    else if (m_holds)
    {
        UpdateHolds();
    }
    return acked;
}

uint64_t
SendQueue::ClipToReads(uint64_t una)
{
    const uint64_t barrier = m_reads.front().first;
    if (una <= barrier)
    {
        return una;
    }
    m_later = std::max(m_later, una);
    return std::max(m_una, barrier);
}

uint64_t
SendQueue::Acknowledge(uint32_t psn)
{
    const int64_t number = NumberOf(psn);
    if (number < static_cast<int64_t>(m_una) || number >= static_cast<int64_t>(m_high))
    {
        return 0; // old, or never sent
    }
    return AcknowledgeBefore(static_cast<uint64_t>(number) + 1);
}

uint64_t
SendQueue::AcknowledgeBefore(uint64_t una)
{
    if (__builtin_expect(m_hasReads, 0))
    {
        una = ClipToReads(una);
    }
    return una > m_una ? Advance(una) : 0;
}

void
SendQueue::AdvanceRead(uint64_t una)
{
    if (una < m_reads.front().end)
    {
        Advance(una);
        return;
    }
    m_reads.pop_front();
    m_hasReads = !m_reads.empty();
    Advance(una);
    if (m_later > m_una)
    {
        AcknowledgeBefore(m_later);
    }
    UpdateHolds();
}

std::size_t
SendQueue::IndexOf(uint64_t number) const
{
    auto after = std::upper_bound(
        m_open.begin(),
        m_open.end(),
        number,
        [](uint64_t wanted, const OpenRequest& open) { return wanted < open.first; });
    const bool held = number < m_posted && after != m_open.begin();
    return held ? static_cast<std::size_t>(after - m_open.begin()) - 1 : m_open.size();
}

const SendQueue::OpenRequest*
SendQueue::FindOpen(uint64_t number) const
{
    const std::size_t index = IndexOf(number);
    return index < m_open.size() && number < m_open[index].first + m_open[index].packets
               ? &m_open[index]
               : nullptr;
}

void
SendQueue::Seek(uint64_t number)
{
    m_next = number;
    m_sinceAck = 0;
    m_cursor = static_cast<uint32_t>(IndexOf(number));
    Load();
}

bool
SendQueue::Flush(OpenRequest& request)
{
    if (m_open.empty())
    {
        return false;
    }
    request = std::move(m_open.front());
    m_open.pop_front();
    if (m_cursor > 0)
    {
        --m_cursor;
    }
    else
    {
        m_packets = 0; // it was the one being sent
        Load();
    }
    m_oldestEnd = m_open.empty() ? ~uint64_t(0) : m_open.front().first + m_open.front().packets;
    return true;
}

} // namespace roce
} // namespace ns3
