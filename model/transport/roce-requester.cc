/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-requester.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
Requester::Configure(uint32_t mtu,
                     uint32_t ackInterval,
                     uint32_t initialPsn,
                     const FrameSizes& sizes)
{
    m_mtu = mtu;
    m_ackInterval = ackInterval;
    m_initialPsn = initialPsn;
    m_sizes = sizes;
    m_fullBytes = sizes.DataBytes(mtu, false);
    m_messagePackets = MAX_MESSAGE_BYTES / mtu;
}

void
Requester::Post(const WorkRequest& request, Tick now)
{
    if (m_open.full())
    {
        m_open.set_capacity(std::max<std::size_t>(4, 2 * m_open.capacity()));
    }
    OpenRequest open;
    open.request = request;
    open.first = m_posted;
    open.packets = request.bytes ? (request.bytes - 1) / m_mtu + 1 : 1;
    open.posted = now;
    m_posted += open.packets;
    m_open.push_back(open);
    m_oldestEnd = m_open.front().first + m_open.front().packets;
}

void
Requester::Load()
{
    const OpenRequest& open = m_open[m_cursor];
    m_first = open.first;
    m_packets = open.packets;
    m_bytes = open.request.bytes;
}

void
Requester::Build(Frame& frame)
{
    if (m_packets == 0)
    {
        Load();
    }
    const uint64_t index = m_next - m_first;
    const bool end = index + 1 == m_packets;
    const uint64_t place = m_packets <= m_messagePackets ? index : index % m_messagePackets;
    const bool first = place == 0;
    const bool last = end || place + 1 == m_messagePackets;
    const uint64_t left = m_bytes - index * m_mtu;

    m_address.Apply(frame);
    frame.kind = FrameKind::REQUEST;
    frame.psn = Psn::Wrap(m_next, m_initialPsn);
    if (first || end)
    {
        const uint32_t payload = end ? static_cast<uint32_t>(left) : m_mtu;
        frame.payload = static_cast<uint16_t>(payload);
        frame.size = static_cast<uint16_t>(m_sizes.DataBytes(payload, first));
    }
    else
    {
        frame.payload = static_cast<uint16_t>(m_mtu);
        frame.size = static_cast<uint16_t>(m_fullBytes);
    }
    if (first)
    {
        const WorkRequest& request = m_open[m_cursor].request;
        frame.opcode = last ? Opcode::RC_WRITE_ONLY : Opcode::RC_WRITE_FIRST;
        frame.flags |= FRAME_EXTENDED;
        frame.remoteAddress = request.remoteAddress + index * m_mtu;
        frame.remoteKey = request.remoteKey;
        frame.dmaLength = static_cast<uint32_t>(std::min(left, m_messagePackets * m_mtu));
    }
    else
    {
        frame.opcode = last ? Opcode::RC_WRITE_LAST : Opcode::RC_WRITE_MIDDLE;
    }
    if (last || ++m_sinceAck >= m_ackInterval)
    {
        frame.flags |= FRAME_ACK_REQUEST;
        m_sinceAck = 0;
    }
    if (m_next < m_high)
    {
        frame.flags |= FRAME_RETRANSMIT;
        ++m_retransmitted;
    }
    ++m_next;
    m_high = std::max(m_high, m_next);
    if (end)
    {
        ++m_cursor;
        m_packets = 0;
    }
}

uint64_t
Requester::Advance(uint64_t una)
{
    const uint64_t acked = una - m_una;
    m_una = una;
    if (m_next < una)
    {
        Seek(una); // what was about to be sent again has arrived meanwhile
    }
    return acked;
}

uint64_t
Requester::Acknowledge(uint32_t psn)
{
    const int64_t number = Psn::Unwrap(psn, m_initialPsn, m_una);
    if (number < static_cast<int64_t>(m_una) || number >= static_cast<int64_t>(m_high))
    {
        return 0; // old, or never sent
    }
    return Advance(static_cast<uint64_t>(number) + 1);
}

uint64_t
Requester::GoBack(uint32_t psn)
{
    const int64_t number = Psn::Unwrap(psn, m_initialPsn, m_una);
    if (number < static_cast<int64_t>(m_una) || number >= static_cast<int64_t>(m_high))
    {
        return 0;
    }
    const uint64_t acked = Advance(static_cast<uint64_t>(number));
    if (m_next > m_una)
    {
        Seek(m_una);
    }
    return acked;
}

void
Requester::GoBackToOldest()
{
    Seek(m_una);
}

void
Requester::Seek(uint64_t next)
{
    m_next = next;
    m_sinceAck = 0;
    m_packets = 0;
    auto after = std::upper_bound(
        m_open.begin(),
        m_open.end(),
        next,
        [](uint64_t number, const OpenRequest& open) { return number < open.first; });
    // the request before `after` holds the packet, unless all are sent
    m_cursor = after == m_open.begin() ? 0 : static_cast<uint32_t>(after - m_open.begin()) - 1;
    if (next == m_posted)
    {
        m_cursor = static_cast<uint32_t>(m_open.size());
    }
}

bool
Requester::Flush(OpenRequest& request)
{
    if (m_open.empty())
    {
        return false;
    }
    request = m_open.front();
    m_open.pop_front();
    if (m_cursor > 0)
    {
        --m_cursor;
    }
    else
    {
        m_packets = 0; // it was the one being sent
    }
    m_oldestEnd = m_open.empty() ? ~uint64_t(0) : m_open.front().first + m_open.front().packets;
    return true;
}

} // namespace roce
} // namespace ns3
