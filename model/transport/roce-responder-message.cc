/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// where a responder puts the bytes of messages
#include "roce-payload.h"
#include "roce-protection-domain.h"
#include "roce-receive-queue.h"
#include "roce-responder.h"

#include "ns3/roce-byte-writer.h"
#include "ns3/roce-codec.h"
#include "ns3/roce-ether-type.h"

#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

/** Bytes before the payload of a datagram in its receive request (IBTA 11.4.1.2). */
constexpr uint64_t DATAGRAM_HEADER_BYTES = 40;

/** \return the IPv4 header of a datagram as it arrived. \param frame the datagram */
std::vector<uint8_t>
Ipv4HeaderOf(const Frame& frame)
{
    std::vector<uint8_t> bytes;
    ByteWriter out(bytes);
    out.U8(0x45);
    out.U8(frame.priority << 5 | frame.ecn);
    out.U16(frame.size - ETHERNET_HEADER_BYTES - ETHERNET_FCS_BYTES);
    out.U32(0x4000); // identification 0, DF
    out.U8(frame.ttl);
    out.U8(IP_PROTOCOL_UDP);
    out.U16(0);
    out.U32(frame.source);
    out.U32(frame.destination);
    out.PatchU16(10, Codec::InternetChecksum(bytes.data(), bytes.size()));
    return bytes;
}

} // namespace

bool
Responder::TakeReceive()
{
    if (!m_hasReceive)
    {
        m_hasReceive = m_queue && m_queue->Take(m_request);
    }
    return m_hasReceive;
}

bool
Responder::AbortReceive(Completion& completion)
{
    if (!m_hasReceive)
    {
        return false;
    }
    m_hasReceive = false;
    completion = Completion();
    completion.id = m_request.id;
    completion.kind = CompletionKind::RECEIVE;
    completion.posted = m_messageStart;
    completion.status = m_abortStatus;
    return true;
}

void
Responder::EndReceive(const Frame& frame, const OpcodeFacts& facts)
{
    m_hasReceive = false;
    m_received = Completion();
    m_received.id = m_request.id;
    m_received.kind = facts.operation == OpcodeOperation::WRITE ? CompletionKind::WRITE_IMMEDIATE
                                                                : CompletionKind::RECEIVE;
    m_received.bytes = m_messageBytes;
    m_received.posted = m_messageStart;
    m_received.solicited = frame.flags & FRAME_SOLICITED;
    if (facts.Has(EXTENSION_IMMDT))
    {
        m_received.hasImmediate = true;
        m_received.immediate = frame.immediate;
    }
    if (facts.Has(EXTENSION_IETH))
    {
        m_received.invalidatedKey = frame.remoteKey;
    }
}

uint8_t
Responder::Prepare(const Frame& frame, const OpcodeFacts& facts)
{
    return facts.operation == OpcodeOperation::SEND ? PrepareSend(frame, facts)
                                                    : PrepareWrite(frame, facts);
}

uint8_t
Responder::PrepareSend(const Frame& frame, const OpcodeFacts& facts)
{
    if (!TakeReceive())
    {
        return SYNDROME_RNR | m_config.rnrTimerCode;
    }
    if (m_messageBytes + frame.payload > m_request.bytes)
    {
        m_abortStatus = CompletionStatus::LOCAL_LENGTH;
        return SYNDROME_NAK_INVALID;
    }
    if (facts.Has(EXTENSION_IETH) && m_domain && !m_domain->Invalidate(frame.remoteKey))
    {
        return SYNDROME_NAK_ACCESS;
    }
    if (m_domain && frame.payload > 0)
    {
        const uint64_t address = m_request.localAddress + m_messageBytes;
        if (!m_domain->CheckLocal(m_request.localKey, address, frame.payload, true))
        {
            m_abortStatus = CompletionStatus::LOCAL_PROTECTION;
            return SYNDROME_NAK_OPERATION;
        }
        StorePayload(frame, *m_domain, m_request.localKey, address);
    }
    return 0;
}

bool
Responder::MayAccess(uint32_t key, uint64_t address, uint64_t length, uint8_t access) const
{
    return (m_config.remoteAccess & access) == access &&
           (!m_domain || m_domain->CheckRemote(key, address, length, access));
}

uint8_t
Responder::PrepareWrite(const Frame& frame, const OpcodeFacts& facts)
{
    if (facts.Begins())
    {
        m_writeAddress = frame.remoteAddress;
        m_writeKey = frame.remoteKey;
        if (!MayAccess(m_writeKey, m_writeAddress, m_dmaLength, ACCESS_REMOTE_WRITE))
        {
            return SYNDROME_NAK_ACCESS;
        }
    }
    if (facts.Has(EXTENSION_IMMDT) && !TakeReceive())
    {
        return SYNDROME_RNR | m_config.rnrTimerCode;
    }
    if (m_domain && frame.payload > 0)
    {
        const uint64_t address = m_writeAddress + m_messageBytes;
        if (!MayAccess(m_writeKey, address, frame.payload, ACCESS_REMOTE_WRITE))
        {
            return SYNDROME_NAK_ACCESS; // the region is gone
        }
        StorePayload(frame, *m_domain, m_writeKey, address);
    }
    return 0;
}

Responder::Result
Responder::ReceiveDatagram(const Frame& frame, Tick now)
{
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    Result result;
    const uint32_t key = (frame.flags & FRAME_EXTENDED) ? frame.datagram.key : 0;
    if (facts.service != OpcodeService::UD || key != m_config.queueKey || frame.payload > m_mtu ||
        !TakeReceive())
    {
        return result; // dropped without a word (IBTA 9.8.3)
    }
    m_messageBytes = frame.payload + DATAGRAM_HEADER_BYTES;
    m_messageStart = now;
    if (m_messageBytes > m_request.bytes)
    {
        m_abortStatus = CompletionStatus::LOCAL_LENGTH;
        result.failed = true;
        return result;
    }
    if (m_domain)
    {
        const uint32_t local = m_request.localKey;
        const uint64_t address = m_request.localAddress;
        if (!m_domain->CheckLocal(local, address, m_messageBytes, true))
        {
            m_abortStatus = CompletionStatus::LOCAL_PROTECTION;
            result.failed = true;
            return result;
        }
        const auto header = Ipv4HeaderOf(frame);
        const uint64_t place = address + DATAGRAM_HEADER_BYTES;
        m_domain->Write(local, place - header.size(), header.data(), header.size());
        StorePayload(frame, *m_domain, local, place);
    }
    EndReceive(frame, facts);
    m_received.sourceQpn = frame.datagram.sourceQp;
    m_received.sourceAddress = frame.source;
    m_bytes += frame.payload;
    ++m_messages;
    result.received = true;
    result.accepted = true;
    result.messageEnd = true;
    return result;
}

} // namespace roce
} // namespace ns3
