/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-codec.h"
#include "roce-ether-type.h"
#include "roce-frame-codec.h"
#include "roce-icrc.h"
#include "roce-opcode-table.h"
#include "roce-pause-frame.h"

#include "ns3/packet.h"
#include "ns3/roce-flow-key.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Where things are in a received Ethernet frame, without FCS. */
struct Layout
{
    const uint8_t* bytes;   //!< first byte
    std::size_t size;       //!< bytes
    std::size_t network{0}; //!< first byte behind the Ethernet header
    uint16_t type{0};       //!< EtherType
    bool tagged{false};     //!< has a VLAN tag
    uint8_t pcp{0};         //!< priority in the tag
};

uint16_t
Get16(const uint8_t* p)
{
    return static_cast<uint16_t>(p[0] << 8 | p[1]);
}

uint32_t
Get32(const uint8_t* p)
{
    return uint32_t(Get16(p)) << 16 | Get16(p + 2);
}

Layout
MakeLayout(const uint8_t* bytes, std::size_t size)
{
    Layout l{bytes, size};
    if (size < ETHERNET_HEADER_BYTES || size > 0xffff - ETHERNET_FCS_BYTES)
    {
        throw CodecError("Ethernet frame bytes without FCS", 0, size, "14 to 65531");
    }
    l.network = ETHERNET_HEADER_BYTES;
    l.type = Get16(bytes + 12);
    if (l.type == ETHER_TYPE_VLAN)
    {
        if (size < ETHERNET_HEADER_BYTES + 4)
        {
            throw CodecError("bytes left for the VLAN tag", 14, size - 14, "at least 4");
        }
        l.tagged = true;
        l.pcp = bytes[14] >> 5;
        l.network += 4;
        l.type = Get16(bytes + 16);
    }
    return l;
}

/**
 * \param l a frame
 * \param anyPort whether any UDP destination port is RoCE
 * \return whether it is RoCEv2 over IPv4
 */
bool
IsRoce(const Layout& l, bool anyPort)
{
    const uint8_t* ip = l.bytes + l.network;
    // ports count only within the IP packet: what follows it is padding
    constexpr std::size_t needed = IPV4_HEADER_BYTES + UDP_HEADER_BYTES;
    return l.type == ETHER_TYPE_IPV4 && l.size - l.network >= needed && ip[0] == 0x45 &&
           Get16(ip + 2) >= needed && ip[9] == IP_PROTOCOL_UDP && (Get16(ip + 6) & 0x3fff) == 0 &&
           (anyPort || Get16(ip + IPV4_HEADER_BYTES + 2) == ROCE_UDP_PORT);
}

/**
 * \param pool a pool
 * \param l the bytes the frame stands for
 * \return a frame with all fields 0 but its size
 */
Frame*
NewFrame(FramePool& pool, const Layout& l)
{
    Frame* frame = pool.Get();
    *frame = Frame{};
    frame->size = static_cast<uint16_t>(l.size + ETHERNET_FCS_BYTES);
    return frame;
}

void
Attach(Frame* frame, const uint8_t* bytes, std::size_t size)
{
    Ptr<Packet> packet = Create<Packet>(bytes, static_cast<uint32_t>(size));
    frame->packet = PeekPointer(packet);
    frame->packet->Ref();
    frame->flags |= FRAME_PACKET;
}

/**
 * \param frame gets the one member of its union that the opcode uses, if any
 * \param facts of its opcode
 * \param p the packet
 */
void
FillUnion(Frame* frame, const OpcodeFacts& facts, const WirePacket& p)
{
    if (facts.Has(EXTENSION_ATOMIC))
    {
        frame->remoteAddress = p.atomic.address;
        frame->remoteKey = p.atomic.rkey;
        frame->atomic = {p.atomic.swapAdd, p.atomic.compare};
    }
    else if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        frame->atomicOriginal = p.atomicAck;
    }
    else if (facts.Has(EXTENSION_DETH))
    {
        frame->datagram = {p.deth.qkey, p.deth.sourceQp};
    }
    else if (facts.Has(EXTENSION_CNP))
    {
        std::copy_n(p.cnpBody.begin(), CNP_BODY_BYTES, frame->cnpBody);
    }
}

void
FillFromTransport(Frame* frame, const OpcodeFacts& facts, const WirePacket& p)
{
    frame->kind = FrameCodec::KindOf(facts);
    frame->opcode = static_cast<Opcode>(p.bth.opcode);
    frame->psn = p.bth.psn;
    frame->destinationQp = p.bth.destinationQp;
    frame->payload = static_cast<uint16_t>(p.payload.size());
    frame->flags = (p.bth.ackReq ? FRAME_ACK_REQUEST : 0) | (p.bth.becn ? FRAME_BECN : 0) |
                   (p.bth.solicited ? FRAME_SOLICITED : 0) | (p.bth.resv6 != 0 ? FRAME_TAGGED : 0);
    frame->tag = p.bth.resv6;
    if (facts.Has(EXTENSION_AETH))
    {
        frame->aeth = uint32_t(p.aeth.syndrome) << 24 | p.aeth.msn;
    }
    if (facts.Has(EXTENSION_RETH))
    {
        frame->remoteAddress = p.reth.address;
        frame->remoteKey = p.reth.rkey;
        frame->dmaLength = p.reth.length;
    }
    if (facts.Has(EXTENSION_IMMDT))
    {
        frame->immediate = p.immediate;
    }
    if (facts.Has(EXTENSION_IETH))
    {
        frame->remoteKey = p.invalidateKey;
    }
    FillUnion(frame, facts, p);
    // an AETH is in the first cache line, and a CNP says nothing with zeros
    bool extended = (facts.extensions & ~EXTENSION_AETH) != 0;
    if (facts.Has(EXTENSION_CNP))
    {
        extended = p.cnpBody != decltype(p.cnpBody){};
    }
    frame->flags |= extended ? FRAME_EXTENDED : 0;
}

Frame*
DecodeRoce(const Layout& l, FramePool& pool, const FrameCodecOptions& options)
{
    CodecOptions strict;
    strict.anyUdpPort = options.anyUdpPort;
    const WirePacket p = Codec::Decode(l.bytes, l.size, strict);
    const OpcodeFacts& facts = OpcodeTable::Get(p.bth.opcode); // known, else Decode throws
    Frame* frame = NewFrame(pool, l);
    FillFromTransport(frame, facts, p);
    frame->source = p.ipv4.source;
    frame->destination = p.ipv4.destination;
    frame->sourcePort = p.sourcePort;
    frame->destinationPort = p.destinationPort;
    frame->hash =
        FlowKey{frame->source, frame->destination, p.sourcePort, p.destinationPort}.Hash();
    frame->priority = l.tagged ? l.pcp : p.ipv4.tos >> 5;
    frame->ecn = p.ipv4.tos & 3;
    frame->ttl = p.ipv4.ttl;
    if (std::any_of(p.payload.begin(), p.payload.end(), [](uint8_t b) { return b != 0; }))
    {
        Attach(frame, p.payload.data(), p.payload.size());
    }
    return frame;
}

Frame*
DecodePause(const Layout& l, FramePool& pool)
{
    const PauseFrame pause = PauseFrame::Decode(l.bytes, l.size);
    Frame* frame = NewFrame(pool, l);
    frame->kind = FrameKind::PFC;
    frame->flags = FRAME_EXTENDED | (pause.priority ? 0 : FRAME_LINK_PAUSE);
    frame->pauseEnable = pause.priority ? pause.enable : 0xff;
    for (unsigned i = 0; i < NUM_PRIORITIES; ++i)
    {
        frame->pauseQuanta[i] = pause.priority ? pause.times[i] : pause.time;
    }
    return frame;
}

/**
 * \param frame gets addresses, ports and the like
 * \param l a frame with an IPv4 packet
 * \return bytes of the packet, without Ethernet padding
 */
std::size_t
ReadIpv4(Frame& frame, const Layout& l)
{
    const uint8_t* ip = l.bytes + l.network;
    const std::size_t size = l.size - l.network;
    if (size < IPV4_HEADER_BYTES)
    {
        throw CodecError("bytes left for the IPv4 header", l.network, size, "at least 20");
    }
    const std::size_t header = std::size_t(ip[0] & 15) * 4;
    if (ip[0] >> 4 != 4 || header < IPV4_HEADER_BYTES)
    {
        throw CodecError("IPv4 version and header length", l.network, ip[0], "69 (0x45) to 79");
    }
    const std::size_t length = Get16(ip + 2);
    if (length < header || length > size)
    {
        throw CodecError("IPv4 length",
                         l.network + 2,
                         length,
                         std::to_string(header) + ", the header, to " + std::to_string(size) +
                             ", the bytes in the frame");
    }
    frame.source = Get32(ip + 12);
    frame.destination = Get32(ip + 16);
    frame.priority = ip[1] >> 5;
    frame.ecn = ip[1] & 3;
    frame.ttl = ip[8];
    if ((ip[9] == IP_PROTOCOL_TCP || ip[9] == IP_PROTOCOL_UDP) && (Get16(ip + 6) & 0x1fff) == 0 &&
        header + 4 <= length)
    {
        frame.sourcePort = Get16(ip + header);
        frame.destinationPort = Get16(ip + header + 2);
    }
    frame.hash =
        FlowKey{frame.source, frame.destination, frame.sourcePort, frame.destinationPort, ip[9]}
            .Hash();
    return length;
}

Frame*
DecodePacket(const Layout& l, FramePool& pool)
{
    const uint8_t* data = l.bytes + l.network;
    std::size_t size = l.size - l.network;
    Frame fields{};
    fields.source = FrameCodec::AddressOf(l.bytes + 6);
    fields.destination = FrameCodec::AddressOf(l.bytes);
    if (l.type == ETHER_TYPE_IPV4)
    {
        size = ReadIpv4(fields, l);
    }
    Frame* frame = NewFrame(pool, l);
    fields.size = frame->size;
    *frame = fields;
    frame->kind = FrameKind::PACKET;
    frame->priority = l.tagged ? l.pcp : fields.priority;
    frame->protocol = l.type;
    frame->payload = static_cast<uint16_t>(size);
    Attach(frame, data, size);
    return frame;
}

} // namespace

Frame*
FrameCodec::Decode(const uint8_t* bytes,
                   std::size_t size,
                   FramePool& pool,
                   const FrameCodecOptions& options)
{
    if (options.hasFcs)
    {
        if (size < ETHERNET_FCS_BYTES)
        {
            throw CodecError("bytes left for the FCS", 0, size, "at least 4");
        }
        size -= ETHERNET_FCS_BYTES;
        const uint32_t fcs = Icrc::Read(bytes + size);
        const uint32_t right = Icrc::Crc32(bytes, size);
        if (fcs != right)
        {
            throw CodecError("FCS", size, fcs, std::to_string(right));
        }
    }
    const Layout l = MakeLayout(bytes, size);
    if (PauseFrame::IsMacControl(bytes, size))
    {
        return DecodePause(l, pool);
    }
    return IsRoce(l, options.anyUdpPort) ? DecodeRoce(l, pool, options) : DecodePacket(l, pool);
}

uint32_t
FrameCodec::AddressOf(const uint8_t* mac)
{
    if (std::all_of(mac, mac + 6, [](uint8_t b) { return b == 0xff; }))
    {
        return 0xffffffff;
    }
    return mac[0] == 0x02 && mac[1] == 0x00 ? Get32(mac + 2) : 0;
}

} // namespace roce
} // namespace ns3
