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
}

void
Requester::Build(Frame& frame)
{
    const OpenRequest& open = m_open[m_cursor];
    const uint64_t index = m_next - open.first;
    const bool end = index + 1 == open.packets;
    const uint64_t place =
        open.packets <= m_messagePackets ? index : index % m_messagePackets;
    const bool first = place == 0;
    const bool last = end || place + 1 == m_messagePackets;
    const uint64_t left = open.request.bytes - index * m_mtu;
    const uint32_t payload = end ? static_cast<uint32_t>(left) : m_mtu;

    frame.kind = FrameKind::REQUEST;
    frame.opcode = first ? (last ? Opcode::RC_WRITE_ONLY : Opcode::RC_WRITE_FIRST)
                         : (last ? Opcode::RC_WRITE_LAST : Opcode::RC_WRITE_MIDDLE);
    frame.psn = Psn::Wrap(m_next, m_initialPsn);
    frame.payload = static_cast<uint16_t>(payload);
    frame.size = static_cast<uint16_t>(m_sizes.DataBytes(payload, first));
    if (first)
    {
        frame.flags |= FRAME_EXTENDED;
        frame.remoteAddress = open.request.remoteAddress + index * m_mtu;
        frame.remoteKey = open.request.remoteKey;
        frame.dmaLength = static_cast<uint32_t>(std::min(left, m_messagePackets * m_mtu));
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
    m_cursor += end;
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
    auto after = std::upper_bound(
        m_open.begin(),
        m_open.end(),
        next,
        [](uint64_t number, const OpenRequest& open) { return number < open.first; });
    // the request before `after` holds the packet, unless all are sent
    m_cursor = after == m_open.begin() ? 0 : static_cast<std::size_t>(after - m_open.begin()) - 1;
    if (next == m_posted)
    {
        m_cursor = m_open.size();
    }
}

bool
Requester::Retire(OpenRequest& request)
{
    if (m_open.empty() || m_open.front().first + m_open.front().packets > m_una)
    {
        return false;
    }
    return Flush(request);
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
    m_cursor -= m_cursor > 0;
    return true;
}

} // namespace roce
} // namespace ns3
