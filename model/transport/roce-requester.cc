/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-requester.h"

#include "roce-loss-recovery.h"
#include "roce-payload.h"
#include "roce-protection-domain.h"

#include "ns3/roce-flow-key.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** Service bits of opcodes (IBTA 9.2.1). */
constexpr uint8_t SERVICE_BITS[] = {0x00, 0x20, 0x60};

} // namespace

void
Requester::Configure(const RequesterConfig& config)
{
    m_mtu = static_cast<uint16_t>(config.mtu);
    m_ackInterval = config.ackInterval;
    m_initialPsn = config.initialPsn;
    m_sizes = config.sizes;
    m_fullBytes = static_cast<uint16_t>(m_sizes.DataBytes(config.mtu, false));
    m_messagePackets = static_cast<uint32_t>(MAX_MESSAGE_BYTES / config.mtu);
    m_service = SERVICE_BITS[static_cast<unsigned>(config.service)];
    m_maxReads = config.maxReads;
    m_qpn = config.qpn;
    m_domain = config.domain;
    m_keepFull = m_domain != nullptr;
    m_recovery = config.recovery;
}

RequesterState
Requester::GetState() const
{
    if (m_holds & RESEND)
    {
        return RequesterState::RESENDING;
    }
    if (m_next >= m_posted)
    {
        return RequesterState::IDLE;
    }
    if (!CanSend(~uint64_t(0)))
    {
        return RequesterState::WAITING;
    }
    return m_next < m_high ? RequesterState::RESENDING : RequesterState::SENDING;
}

bool
Requester::Build(Frame& frame)
{
    if (__builtin_expect(m_holds & RESEND, 0))
    {
        const uint64_t next = m_next;
        const uint32_t sinceAck = m_sinceAck;
        Seek(m_recovery->GetLost());
        const bool built = BuildNext(frame);
        frame.flags |= FRAME_ACK_REQUEST; // it may be a duplicate, and nothing follows that asks
        const uint64_t after = m_next;
        Seek(std::max(next, after));
        m_sinceAck = sinceAck;
        m_recovery->OnResent(*this, after);
        return built;
    }
    return BuildNext(frame);
}

bool
Requester::BuildNext(Frame& frame)
{
    const uint64_t index = m_next - m_first;
    m_address.Apply(frame);
    frame.kind = FrameKind::REQUEST;
    frame.psn = Psn::Wrap(m_next, m_initialPsn);
    if (m_next < m_high)
    {
        frame.flags |= FRAME_RETRANSMIT;
        ++m_retransmitted;
    }
    bool built = true;
    if (__builtin_expect(m_segmented, 1))
    {
        built = BuildSegment(frame, index);
    }
    else
    {
        built = BuildReadOrAtomic(frame, index);
    }
    m_high = std::max(m_high, m_next);
    if (m_next - m_first == m_packets)
    {
        ++m_cursor;
        Load();
    }
    else if (__builtin_expect(m_holds || !m_segmented, 0))
    {
        UpdateHolds();
    }
    return built;
}

bool
Requester::BuildSegment(Frame& frame, uint64_t index)
{
    const bool end = index + 1 == m_packets;
    const uint64_t place = m_packets <= m_messagePackets ? index : index % m_messagePackets;
    const bool first = place == 0;
    const bool last = end || place + 1 == m_messagePackets;
    const uint64_t left = m_bytes - index * m_mtu;
    if (first || last)
    {
        const uint32_t payload = end ? static_cast<uint32_t>(left) : m_mtu;
        const unsigned extension = !last ? 0 : first ? 2 : 1;
        frame.opcode = static_cast<Opcode>(m_opcodes[!last ? 0 : first ? 3 : 2]);
        frame.payload = static_cast<uint16_t>(payload);
        frame.size = static_cast<uint16_t>(m_sizes.Bytes(payload, m_extensions[extension]));
        AddExtensions(frame, index, left);
    }
    else
    {
        frame.opcode = static_cast<Opcode>(m_opcodes[1]);
        frame.payload = m_mtu;
        frame.size = m_fullBytes;
    }
    const bool built = m_plain || AddBytes(frame, index);
    if (last || ++m_sinceAck >= m_ackInterval || (m_holds & ON_CREDIT))
    {
        frame.flags |= m_service ? 0 : FRAME_ACK_REQUEST; // nobody answers UC and UD
        m_sinceAck = 0;
    }
    ++m_next;
    return built;
}

void
Requester::AddExtensions(Frame& frame, uint64_t index, uint64_t left)
{
    const OpenRequest& open = m_open[m_cursor];
    frame.flags |= FRAME_EXTENDED;
    frame.remoteAddress = open.request.remoteAddress + index * m_mtu;
    frame.remoteKey = open.request.remoteKey;
    frame.dmaLength = static_cast<uint32_t>(std::min(left, uint64_t(m_messagePackets) * m_mtu));
    if (__builtin_expect(m_plain, 1))
    {
        frame.immediate = 0;
        return;
    }
    frame.immediate = open.full->immediate;
    if (index + 1 == m_packets && open.request.solicited &&
        open.request.operation != Operation::WRITE) // what ends no receive request has no SE
    {
        frame.flags |= FRAME_SOLICITED;
    }
    if (m_service == SERVICE_BITS[static_cast<unsigned>(TransportService::UD)])
    {
        AddressDatagram(frame);
    }
}

void
Requester::AddressDatagram(Frame& frame) const
{
    const WorkRequest& request = *m_open[m_cursor].full;
    frame.destination = request.datagramAddress;
    frame.destinationQp = request.datagramQpn;
    frame.datagram.key = request.datagramKey;
    frame.datagram.sourceQp = m_qpn;
    FlowKey key;
    key.source = frame.source;
    key.destination = frame.destination;
    key.sourcePort = frame.sourcePort;
    key.destinationPort = frame.destinationPort;
    frame.hash = key.Hash();
}

bool
Requester::AddBytes(Frame& frame, uint64_t index) const
{
    const WorkRequest& request = *m_open[m_cursor].full;
    if (!m_domain || frame.payload == 0)
    {
        return true;
    }
    const uint64_t offset = index * m_mtu;
    if (!request.inlineData.empty())
    {
        AttachPayload(frame, request.inlineData.data() + offset);
        return true;
    }
    const uint64_t address = request.localAddress + offset;
    if (!m_domain->CheckLocal(request.localKey, address, frame.payload, false))
    {
        return false;
    }
    AttachPayload(frame, *m_domain, request.localKey, address);
    return true;
}

bool
Requester::BuildReadOrAtomic(Frame& frame, uint64_t index)
{
    const OpenRequest& open = m_open[m_cursor];
    frame.opcode = static_cast<Opcode>(m_opcodes[3]);
    frame.payload = 0;
    frame.size = static_cast<uint16_t>(m_sizes.Bytes(0, m_extensions[2]));
    frame.flags |= FRAME_EXTENDED | FRAME_ACK_REQUEST;
    frame.remoteAddress = open.request.remoteAddress + index * m_mtu;
    frame.remoteKey = open.request.remoteKey;
    uint64_t count = 1;
    if (IsAtomic(open.request.operation))
    {
        frame.atomic.swapAdd = open.full->swapAdd;
        frame.atomic.compare = open.full->compare;
    }
    else
    {
        const uint64_t place = index % m_messagePackets;
        count = std::min(m_packets - index, m_messagePackets - place);
        frame.dmaLength = static_cast<uint32_t>(std::min(m_bytes - index * m_mtu, count * m_mtu));
    }
    if (m_next >= m_high)
    {
        if (m_reads.full())
        {
            m_reads.set_capacity(std::max<std::size_t>(4, 2 * m_reads.capacity()));
        }
        m_reads.push_back(ReadRange{m_next, m_next + count});
        m_hasReads = true;
    }
    m_next += count;
    m_sinceAck = 0;
    const uint64_t length = IsAtomic(open.request.operation) ? 8 : frame.dmaLength;
    return !m_domain || m_domain->CheckLocal(open.full->localKey,
                                             open.full->localAddress + index * m_mtu,
                                             length,
                                             true);
}

} // namespace roce
} // namespace ns3
