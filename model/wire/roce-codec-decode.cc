/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-byte-reader.h"
#include "roce-codec.h"
#include "roce-ether-type.h"
#include "roce-icrc.h"
#include "roce-opcode-table.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Smallest UDP length of a RoCEv2 packet. */
constexpr std::size_t MIN_UDP_BYTES = UDP_HEADER_BYTES + BTH_BYTES + ICRC_BYTES;

/**
 * \param ok what must hold
 * \param field what is judged
 * \param offset its first byte
 * \param value what was found
 * \param limit what is right
 */
void
Require(bool ok, const char* field, std::size_t offset, uint64_t value, const char* limit)
{
    if (!ok)
    {
        throw CodecError(field, offset, value, limit);
    }
}

/**
 * \param in a reader at the first byte of the frame
 * \param p gets addresses and tag
 */
void
ReadEthernet(ByteReader& in, WirePacket& p)
{
    in.Need(ETHERNET_HEADER_BYTES, "the Ethernet header");
    std::copy_n(in.Take(6, "destination MAC"), 6, p.destinationMac.begin());
    std::copy_n(in.Take(6, "source MAC"), 6, p.sourceMac.begin());
    uint16_t type = in.U16("EtherType");
    if (type == ETHER_TYPE_VLAN)
    {
        const uint16_t tag = in.U16("VLAN tag");
        p.vlan = WireVlan{static_cast<uint8_t>(tag >> 13),
                          (tag >> 12 & 1) != 0,
                          static_cast<uint16_t>(tag & 0xfff)};
        type = in.U16("EtherType");
    }
    Require(type == ETHER_TYPE_IPV4 || type == ETHER_TYPE_IPV6,
            "EtherType",
            in.GetOffset() - 2,
            type,
            "2048 (IPv4) or 34525 (IPv6) to be RoCEv2");
    p.isIpv6 = type == ETHER_TYPE_IPV6;
}

/**
 * \param in a reader at the first byte of the IP header
 * \param data first byte of the frame
 * \param p gets the header
 * \return bytes behind the IP header that belong to the IP packet
 */
std::size_t
ReadIpv4(ByteReader& in, const uint8_t* data, WirePacket& p)
{
    const std::size_t at = in.GetOffset();
    in.Need(IPV4_HEADER_BYTES, "the IPv4 header");
    const uint8_t first = in.U8("IPv4 version");
    Require(first >> 4 == 4, "IPv4 version", at, first >> 4, "4");
    Require((first & 15) == 5, "IPv4 header length in words", at, first & 15, "5 (no options)");
    p.ipv4.tos = in.U8("IPv4 TOS");
    const uint16_t length = in.U16("IPv4 length");
    p.ipv4.id = in.U16("IPv4 identification");
    const uint16_t fragment = in.U16("IPv4 fragment");
    p.ipv4.ttl = in.U8("IPv4 TTL");
    const uint8_t protocol = in.U8("IPv4 protocol");
    const uint16_t checksum = in.U16("IPv4 checksum");
    p.ipv4.source = in.U32("IPv4 source");
    p.ipv4.destination = in.U32("IPv4 destination");
    const uint16_t sum = Codec::InternetChecksum(data + at, IPV4_HEADER_BYTES);
    Require(sum == 0, "IPv4 header checksum error", at + 10, sum, "0");
    // also sums to 0, but the complement of a sum above 0 is never ones (RFC 1624 section 3)
    Require(checksum != 0xffff, "IPv4 header checksum", at + 10, checksum, "0, which is equal");
    Require((fragment & 0x3fff) == 0, "IPv4 fragment", at + 6, fragment & 0x3fff, "0 (whole)");
    p.ipv4.reserved = (fragment & 0x8000) != 0;
    p.ipv4.dontFragment = (fragment & 0x4000) != 0;
    Require(protocol == IP_PROTOCOL_UDP, "IPv4 protocol", at + 9, protocol, "17 (UDP)");
    Require(length >= IPV4_HEADER_BYTES + MIN_UDP_BYTES,
            "IPv4 length",
            at + 2,
            length,
            "at least 44 to hold UDP, BTH and ICRC");
    return length - IPV4_HEADER_BYTES;
}

/**
 * \param in a reader at the first byte of the IP header
 * \param p gets the header
 * \return bytes behind the IP header that belong to the IP packet
 */
std::size_t
ReadIpv6(ByteReader& in, WirePacket& p)
{
    const std::size_t at = in.GetOffset();
    in.Need(40, "the IPv6 header");
    const uint32_t first = in.U32("IPv6 version");
    Require(first >> 28 == 6, "IPv6 version", at, first >> 28, "6");
    p.ipv6.trafficClass = static_cast<uint8_t>(first >> 20);
    p.ipv6.flowLabel = first & 0xfffff;
    const uint16_t length = in.U16("IPv6 payload length");
    const uint8_t next = in.U8("IPv6 next header");
    p.ipv6.hopLimit = in.U8("IPv6 hop limit");
    std::copy_n(in.Take(16, "IPv6 source"), 16, p.ipv6.source.begin());
    std::copy_n(in.Take(16, "IPv6 destination"), 16, p.ipv6.destination.begin());
    Require(next == IP_PROTOCOL_UDP, "IPv6 next header", at + 6, next, "17 (UDP)");
    Require(length >= MIN_UDP_BYTES,
            "IPv6 payload length",
            at + 4,
            length,
            "at least 24 to hold UDP, BTH and ICRC");
    return length;
}

/**
 * \param in a reader at the first byte of the UDP header, which ends with the IP packet
 * \param p gets the header
 * \param anyPort whether other destination ports are RoCE too
 */
void
ReadUdp(ByteReader& in, WirePacket& p, bool anyPort)
{
    const std::size_t at = in.GetOffset();
    const std::size_t available = in.GetLeft();
    in.Need(UDP_HEADER_BYTES, "the UDP header");
    p.sourcePort = in.U16("UDP source port");
    p.destinationPort = in.U16("UDP destination port");
    const uint16_t length = in.U16("UDP length");
    p.udpChecksum = in.U16("UDP checksum");
    Require(anyPort || p.destinationPort == ROCE_UDP_PORT,
            "UDP destination port",
            at + 2,
            p.destinationPort,
            "4791 to be RoCEv2");
    if (length != available)
    {
        throw CodecError("UDP length",
                         at + 4,
                         length,
                         std::to_string(available) + ", the bytes in the IP packet");
    }
}

/**
 * \param in a reader at the first byte of the BTH
 * \param p gets the header
 * \return pad count
 */
unsigned
ReadBth(ByteReader& in, WirePacket& p)
{
    WireBth& b = p.bth;
    in.Need(BTH_BYTES, "the BTH");
    b.opcode = in.U8("BTH opcode");
    const uint8_t flags = in.U8("BTH flags");
    b.solicited = (flags & 0x80) != 0;
    b.migReq = (flags & 0x40) != 0;
    b.version = flags & 15;
    b.pkey = in.U16("BTH P_Key");
    const uint8_t congestion = in.U8("BTH congestion bits");
    b.fecn = (congestion & 0x80) != 0;
    b.becn = (congestion & 0x40) != 0;
    b.resv6 = congestion & 0x3f;
    b.destinationQp = in.U24("BTH destination QP");
    const uint8_t ack = in.U8("BTH AckReq");
    b.ackReq = (ack & 0x80) != 0;
    b.resv7 = ack & 0x7f;
    b.psn = in.U24("BTH PSN");
    return flags >> 4 & 3;
}

void
ReadExtensions(ByteReader& in, WirePacket& p, const OpcodeFacts& facts)
{
    in.Need(facts.extensionBytes, "extension headers");
    if (facts.Has(EXTENSION_DETH))
    {
        p.deth.qkey = in.U32("DETH Q_Key");
        p.deth.reserved = in.U8("DETH reserved");
        p.deth.sourceQp = in.U24("DETH source QP");
    }
    if (facts.Has(EXTENSION_RETH))
    {
        p.reth.address = in.U64("RETH address");
        p.reth.rkey = in.U32("RETH R_Key");
        p.reth.length = in.U32("RETH length");
    }
    if (facts.Has(EXTENSION_ATOMIC))
    {
        p.atomic.address = in.U64("AtomicETH address");
        p.atomic.rkey = in.U32("AtomicETH R_Key");
        p.atomic.swapAdd = in.U64("AtomicETH swap or add");
        p.atomic.compare = in.U64("AtomicETH compare");
    }
    if (facts.Has(EXTENSION_AETH))
    {
        p.aeth.syndrome = in.U8("AETH syndrome");
        p.aeth.msn = in.U24("AETH MSN");
    }
    if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        p.atomicAck = in.U64("AtomicAckETH");
    }
    if (facts.Has(EXTENSION_IMMDT))
    {
        p.immediate = in.U32("ImmDt");
    }
    if (facts.Has(EXTENSION_IETH))
    {
        p.invalidateKey = in.U32("IETH R_Key");
    }
    if (facts.Has(EXTENSION_CNP))
    {
        std::copy_n(in.Take(CNP_BODY_BYTES, "CNP body"), CNP_BODY_BYTES, p.cnpBody.begin());
    }
}

/**
 * \param in a reader at the first byte of the payload, which ends before the ICRC
 * \param p gets payload and pad
 * \param facts of its opcode
 * \param pad pad count of the BTH
 */
void
ReadPayload(ByteReader& in, WirePacket& p, const OpcodeFacts& facts, unsigned pad)
{
    const std::size_t at = in.GetOffset();
    const std::size_t bytes = in.GetLeft();
    if (!facts.payload && (bytes != 0 || pad != 0))
    {
        throw CodecError(std::string("payload and pad of ") + facts.name, at, bytes + pad, "0");
    }
    Require(bytes % 4 == 0, "payload with pad", at, bytes, "a multiple of 4");
    Require(pad <= bytes,
            "BTH pad count",
            at - facts.extensionBytes - BTH_BYTES + 1,
            pad,
            "at most the bytes behind the headers");
    const uint8_t* data = in.Take(bytes, "payload");
    p.payload.assign(data, data + bytes - pad);
    std::copy_n(data + bytes - pad, pad, p.padData.begin());
}

} // namespace

WirePacket
Codec::Decode(const uint8_t* bytes, std::size_t size, bool hasFcs)
{
    CodecOptions options;
    options.hasFcs = hasFcs;
    return Decode(bytes, size, options);
}

WirePacket
Codec::Decode(const uint8_t* bytes, std::size_t size, const CodecOptions& options)
{
    WirePacket p;
    p.hasFcs = options.hasFcs;
    std::size_t end = size;
    if (options.hasFcs)
    {
        ByteReader(bytes, size)
            .Need(ETHERNET_HEADER_BYTES + ETHERNET_FCS_BYTES, "the Ethernet header and FCS");
        end -= ETHERNET_FCS_BYTES;
        const uint32_t fcs = Icrc::Read(bytes + end);
        const uint32_t right = Icrc::Crc32(bytes, end);
        Require(fcs == right, "FCS", end, fcs, std::to_string(right).c_str());
    }
    ByteReader frame(bytes, end);
    ReadEthernet(frame, p);
    const std::size_t ip = frame.GetOffset();
    const std::size_t udpBytes = p.isIpv6 ? ReadIpv6(frame, p) : ReadIpv4(frame, bytes, p);
    frame.Need(udpBytes, "the IP packet");
    const std::size_t ipEnd = frame.GetOffset() + udpBytes;
    p.trailer.assign(bytes + ipEnd, bytes + end);

    ByteReader udp(bytes, ipEnd);
    udp.Take(frame.GetOffset(), "headers");
    ReadUdp(udp, p, options.anyUdpPort);
    const std::size_t icrcAt = ipEnd - ICRC_BYTES;
    ByteReader in(bytes, icrcAt);
    in.Take(udp.GetOffset(), "headers");
    const unsigned pad = ReadBth(in, p);
    const OpcodeFacts& facts = OpcodeTable::Get(p.bth.opcode);
    Require(facts.service != OpcodeService::UNKNOWN,
            "BTH opcode",
            udp.GetOffset(),
            p.bth.opcode,
            "an RC, UC, UD or CNP opcode");
    ReadExtensions(in, p, facts);
    ReadPayload(in, p, facts, pad);
    p.icrc = Icrc::Read(bytes + icrcAt);
    const uint32_t right = Icrc::Compute(bytes + ip, icrcAt - ip);
    p.icrcOk = p.icrc == right;
    Require(p.icrcOk || !options.refuseBadIcrc,
            "ICRC",
            icrcAt,
            p.icrc,
            std::to_string(right).c_str());
    return p;
}

} // namespace roce
} // namespace ns3
