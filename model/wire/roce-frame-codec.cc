/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame-codec.h"

#include "roce-byte-writer.h"
#include "roce-codec.h"
#include "roce-ether-type.h"
#include "roce-icrc.h"
#include "roce-opcode-table.h"
#include "roce-pause-frame.h"

#include "ns3/packet.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/**
 * \param frame a REQUEST, RESPONSE, ACK or CNP; throws if it has no wire form
 * \return the facts of its opcode
 */
const OpcodeFacts&
CheckRoce(const Frame& frame)
{
    const OpcodeFacts& facts = OpcodeTable::Get(frame.opcode);
    const std::string opcode =
        std::to_string(static_cast<unsigned>(frame.opcode)) + " (" + facts.name + ")";
    if (!FrameCodec::Fits(facts))
    {
        throw std::invalid_argument("opcode " + opcode +
                                    " has no wire form; use one that OpcodeTable knows");
    }
    if (FrameCodec::KindOf(facts) != frame.kind)
    {
        throw std::invalid_argument("opcode " + opcode + " does not belong to frame kind " +
                                    std::to_string(static_cast<unsigned>(frame.kind)));
    }
    if (frame.priority >= NUM_PRIORITIES || frame.ecn > ECN_CE)
    {
        throw std::invalid_argument("priority " + std::to_string(frame.priority) + " and ECN " +
                                    std::to_string(frame.ecn) + " must be at most 7 and 3");
    }
    return facts;
}

/**
 * \param frame a frame whose opcode may carry payload
 * \param payload gets its payload bytes
 */
void
CopyPayload(const Frame& frame, std::vector<uint8_t>& payload)
{
    payload.assign(frame.payload, 0);
    if (frame.flags & FRAME_PACKET)
    {
        if (frame.packet->GetSize() != frame.payload)
        {
            throw std::invalid_argument(
                "the attached packet has " + std::to_string(frame.packet->GetSize()) +
                " bytes, must have the frame's payload of " + std::to_string(frame.payload));
        }
        frame.packet->CopyData(payload.data(), frame.payload);
    }
}

/**
 * \param frame a frame with FRAME_EXTENDED
 * \param facts of its opcode, which says what the union of the frame holds
 * \param p gets the extension headers of the second cache line
 */
void
FillExtensions(const Frame& frame, const OpcodeFacts& facts, WirePacket& p)
{
    p.reth.address = frame.remoteAddress;
    p.reth.rkey = frame.remoteKey;
    p.reth.length = frame.dmaLength;
    p.immediate = frame.immediate;
    p.invalidateKey = frame.remoteKey;
    if (facts.Has(EXTENSION_ATOMIC))
    {
        p.atomic.address = frame.remoteAddress;
        p.atomic.rkey = frame.remoteKey;
        p.atomic.swapAdd = frame.atomic.swapAdd;
        p.atomic.compare = frame.atomic.compare;
    }
    else if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        p.atomicAck = frame.atomicOriginal;
    }
    else if (facts.Has(EXTENSION_DETH))
    {
        p.deth.qkey = frame.datagram.key;
        p.deth.sourceQp = frame.datagram.sourceQp;
    }
    else if (facts.Has(EXTENSION_CNP))
    {
        std::copy_n(frame.cnpBody, CNP_BODY_BYTES, p.cnpBody.begin());
    }
}

void
FillTransport(const Frame& frame, const OpcodeFacts& facts, WirePacket& p)
{
    const bool isCnp = frame.kind == FrameKind::CNP;
    p.bth.opcode = static_cast<uint8_t>(frame.opcode);
    p.bth.solicited = (frame.flags & FRAME_SOLICITED) != 0;
    p.bth.becn = isCnp || (frame.flags & FRAME_BECN) != 0;
    p.bth.resv6 = (frame.flags & FRAME_TAGGED) ? frame.tag : 0;
    p.bth.destinationQp = frame.destinationQp;
    p.bth.ackReq = (frame.flags & FRAME_ACK_REQUEST) != 0;
    p.bth.psn = isCnp ? 0 : frame.psn;
    if (facts.Has(EXTENSION_AETH))
    {
        p.aeth.syndrome = static_cast<uint8_t>(frame.aeth >> 24);
        p.aeth.msn = frame.aeth & MASK_24;
    }
    if (frame.flags & FRAME_EXTENDED)
    {
        FillExtensions(frame, facts, p);
    }
    if (facts.payload)
    {
        CopyPayload(frame, p.payload);
    }
}

void
EncodeRoce(const Frame& frame, std::vector<uint8_t>& bytes, const FrameCodecOptions& options)
{
    const OpcodeFacts& facts = CheckRoce(frame);
    WirePacket p;
    p.destinationMac = FrameCodec::MacOf(frame.destination);
    p.sourceMac = FrameCodec::MacOf(frame.source);
    if (options.vlanId)
    {
        p.vlan = WireVlan{frame.priority, false, *options.vlanId};
    }
    p.ipv4.tos = static_cast<uint8_t>(frame.priority << 5 | frame.ecn);
    p.ipv4.ttl = frame.ttl;
    p.ipv4.source = frame.source;
    p.ipv4.destination = frame.destination;
    p.sourcePort = frame.sourcePort;
    p.destinationPort = frame.destinationPort;
    FillTransport(frame, facts, p);
    Codec::Encode(p, bytes);
}

void
EncodePause(const Frame& frame, std::vector<uint8_t>& bytes, const FrameCodecOptions& options)
{
    if ((frame.flags & FRAME_EXTENDED) == 0)
    {
        throw std::invalid_argument("a PFC frame without FRAME_EXTENDED has no pause times; set "
                                    "the flag with pauseEnable and pauseQuanta");
    }
    PauseFrame pause;
    pause.source = options.pauseSource;
    pause.priority = (frame.flags & FRAME_LINK_PAUSE) == 0;
    pause.time = frame.pauseQuanta[0];
    pause.enable = frame.pauseEnable;
    std::copy_n(frame.pauseQuanta, NUM_PRIORITIES, pause.times.begin());
    pause.Encode(bytes);
}

/**
 * Put ECN bits and TTL of a frame into the IPv4 header that it carries.
 *
 * \param frame the frame
 * \param ip first byte of the header
 * \param size bytes of the packet
 */
void
PatchIpv4(const Frame& frame, uint8_t* ip, std::size_t size)
{
    if (frame.protocol != ETHER_TYPE_IPV4 || size < IPV4_HEADER_BYTES || ip[0] >> 4 != 4)
    {
        return;
    }
    const std::size_t header = std::size_t(ip[0] & 15) * 4;
    if (header < IPV4_HEADER_BYTES || header > size)
    {
        return;
    }
    const auto tos = static_cast<uint8_t>((ip[1] & 0xfc) | frame.ecn);
    if (ip[1] == tos && ip[8] == frame.ttl)
    {
        return;
    }
    ip[1] = tos;
    ip[8] = frame.ttl;
    if (ip[10] != 0 || ip[11] != 0) // ns-3 leaves 0 when checksums are off
    {
        ip[10] = 0;
        ip[11] = 0;
        const uint16_t sum = Codec::InternetChecksum(ip, header);
        ip[10] = static_cast<uint8_t>(sum >> 8);
        ip[11] = static_cast<uint8_t>(sum);
    }
}

void
EncodePacket(const Frame& frame, std::vector<uint8_t>& bytes, const FrameCodecOptions& options)
{
    if ((frame.flags & FRAME_PACKET) == 0)
    {
        throw std::invalid_argument("a PACKET frame without FRAME_PACKET carries no packet");
    }
    bytes.clear();
    ByteWriter out(bytes);
    out.Bytes(FrameCodec::MacOf(frame.destination));
    out.Bytes(FrameCodec::MacOf(frame.source));
    if (options.vlanId)
    {
        out.U16(ETHER_TYPE_VLAN);
        out.U16(frame.priority << 13 | (*options.vlanId & 0xfff));
    }
    out.U16(frame.protocol);
    const std::size_t start = bytes.size();
    const uint32_t size = frame.packet->GetSize();
    bytes.resize(start + size);
    frame.packet->CopyData(bytes.data() + start, size);
    PatchIpv4(frame, bytes.data() + start, size);
}

} // namespace

void
FrameCodec::Encode(const Frame& frame,
                   std::vector<uint8_t>& bytes,
                   const FrameCodecOptions& options)
{
    switch (frame.kind)
    {
    case FrameKind::PFC:
        EncodePause(frame, bytes, options);
        break;
    case FrameKind::PACKET:
        EncodePacket(frame, bytes, options);
        break;
    default:
        EncodeRoce(frame, bytes, options);
        break;
    }
    constexpr std::size_t most = 0xffff - ETHERNET_FCS_BYTES; // Frame::size has 16 bits
    if (bytes.size() > most)
    {
        throw std::invalid_argument("the Ethernet frame has " + std::to_string(bytes.size()) +
                                    " bytes without FCS, must have at most " +
                                    std::to_string(most) + "; give less payload");
    }
    bytes.resize(std::max<std::size_t>(bytes.size(), PauseFrame::BYTES)); // Ethernet minimum
    if (options.hasFcs)
    {
        ByteWriter(bytes).Crc(Icrc::Crc32(bytes.data(), bytes.size()));
    }
}

FrameKind
FrameCodec::KindOf(const OpcodeFacts& facts)
{
    if (facts.service == OpcodeService::CNP)
    {
        return FrameKind::CNP;
    }
    if (facts.operation == OpcodeOperation::READ_RESPONSE)
    {
        return FrameKind::RESPONSE;
    }
    return facts.request ? FrameKind::REQUEST : FrameKind::ACK;
}

bool
FrameCodec::Fits(const OpcodeFacts& facts)
{
    return facts.service != OpcodeService::UNKNOWN;
}

MacBytes
FrameCodec::MacOf(uint32_t address)
{
    if (address == 0xffffffff)
    {
        return {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    }
    return {0x02,
            0x00,
            static_cast<uint8_t>(address >> 24),
            static_cast<uint8_t>(address >> 16),
            static_cast<uint8_t>(address >> 8),
            static_cast<uint8_t>(address)};
}

} // namespace roce
} // namespace ns3
