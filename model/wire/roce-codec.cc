/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-codec.h"

#include "roce-byte-writer.h"
#include "roce-ether-type.h"
#include "roce-icrc.h"
#include "roce-opcode-table.h"

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
 * Refuse what would be cut off on the wire.
 *
 * \param value the value of a field
 * \param bits its width
 * \param name its name
 */
void
CheckWidth(uint64_t value, unsigned bits, const char* name)
{
    if (value >> bits != 0)
    {
        throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                    ", but the field has " + std::to_string(bits) +
                                    " bits; give at most " +
                                    std::to_string((uint64_t(1) << bits) - 1));
    }
}

void
WriteEthernet(ByteWriter& out, const WirePacket& p)
{
    out.Bytes(p.destinationMac);
    out.Bytes(p.sourceMac);
    if (p.vlan)
    {
        CheckWidth(p.vlan->priority, 3, "VLAN priority");
        CheckWidth(p.vlan->id, 12, "VLAN id");
        out.U16(ETHER_TYPE_VLAN);
        out.U16(p.vlan->priority << 13 | p.vlan->dropEligible << 12 | p.vlan->id);
    }
    out.U16(p.isIpv6 ? ETHER_TYPE_IPV6 : ETHER_TYPE_IPV4);
}

void
WriteIp(ByteWriter& out, std::vector<uint8_t>& bytes, const WirePacket& p, std::size_t udpBytes)
{
    if (p.isIpv6)
    {
        CheckWidth(p.ipv6.flowLabel, 20, "IPv6 flow label");
        out.U32(6u << 28 | uint32_t(p.ipv6.trafficClass) << 20 | p.ipv6.flowLabel);
        out.U16(udpBytes);
        out.U8(IP_PROTOCOL_UDP);
        out.U8(p.ipv6.hopLimit);
        out.Bytes(p.ipv6.source);
        out.Bytes(p.ipv6.destination);
        return;
    }
    const std::size_t start = out.GetSize();
    out.U8(0x45);
    out.U8(p.ipv4.tos);
    out.U16(IPV4_HEADER_BYTES + udpBytes);
    out.U16(p.ipv4.id);
    out.U16(p.ipv4.reserved << 15 | p.ipv4.dontFragment << 14);
    out.U8(p.ipv4.ttl);
    out.U8(IP_PROTOCOL_UDP);
    out.U16(0);
    out.U32(p.ipv4.source);
    out.U32(p.ipv4.destination);
    out.PatchU16(start + 10, Codec::InternetChecksum(bytes.data() + start, IPV4_HEADER_BYTES));
}

void
WriteBth(ByteWriter& out, const WirePacket& p)
{
    const WireBth& b = p.bth;
    CheckWidth(b.version, 4, "BTH version");
    CheckWidth(b.resv6, 6, "BTH resv6");
    CheckWidth(b.resv7, 7, "BTH resv7");
    CheckWidth(b.destinationQp, 24, "BTH destination QP");
    CheckWidth(b.psn, 24, "BTH PSN");
    out.U8(b.opcode);
    out.U8(b.solicited << 7 | b.migReq << 6 | p.GetPad() << 4 | b.version);
    out.U16(b.pkey);
    out.U8(b.fecn << 7 | b.becn << 6 | b.resv6);
    out.U24(b.destinationQp);
    out.U8(b.ackReq << 7 | b.resv7);
    out.U24(b.psn);
}

void
WriteExtensions(ByteWriter& out, const WirePacket& p, const OpcodeFacts& facts)
{
    if (facts.Has(EXTENSION_DETH))
    {
        CheckWidth(p.deth.sourceQp, 24, "DETH source QP");
        out.U32(p.deth.qkey);
        out.U8(p.deth.reserved);
        out.U24(p.deth.sourceQp);
    }
    if (facts.Has(EXTENSION_RETH))
    {
        out.U64(p.reth.address);
        out.U32(p.reth.rkey);
        out.U32(p.reth.length);
    }
    if (facts.Has(EXTENSION_ATOMIC))
    {
        out.U64(p.atomic.address);
        out.U32(p.atomic.rkey);
        out.U64(p.atomic.swapAdd);
        out.U64(p.atomic.compare);
    }
    if (facts.Has(EXTENSION_AETH))
    {
        CheckWidth(p.aeth.msn, 24, "AETH MSN");
        out.U8(p.aeth.syndrome);
        out.U24(p.aeth.msn);
    }
    if (facts.Has(EXTENSION_ATOMIC_ACK))
    {
        out.U64(p.atomicAck);
    }
    if (facts.Has(EXTENSION_IMMDT))
    {
        out.U32(p.immediate);
    }
    if (facts.Has(EXTENSION_IETH))
    {
        out.U32(p.invalidateKey);
    }
    if (facts.Has(EXTENSION_CNP))
    {
        out.Bytes(p.cnpBody);
    }
}

/**
 * \param p a packet
 * \return the facts of its opcode; throws if it has no wire form
 */
const OpcodeFacts&
CheckOpcode(const WirePacket& p)
{
    const OpcodeFacts& facts = OpcodeTable::Get(p.bth.opcode);
    if (facts.service == OpcodeService::UNKNOWN)
    {
        throw std::invalid_argument("BTH opcode " + std::to_string(p.bth.opcode) +
                                    " is unknown; use one that OpcodeTable knows");
    }
    if (!facts.payload && !p.payload.empty())
    {
        throw std::invalid_argument(std::string(facts.name) + " carries no payload, but " +
                                    std::to_string(p.payload.size()) + " bytes were given");
    }
    return facts;
}

} // namespace

std::vector<uint8_t>
Codec::Encode(const WirePacket& packet)
{
    std::vector<uint8_t> bytes;
    Encode(packet, bytes);
    return bytes;
}

void
Codec::Encode(const WirePacket& packet, std::vector<uint8_t>& bytes)
{
    const OpcodeFacts& facts = CheckOpcode(packet);
    const std::size_t udpBytes = UDP_HEADER_BYTES + BTH_BYTES + facts.extensionBytes +
                                 packet.payload.size() + packet.GetPad() + ICRC_BYTES;
    const std::size_t ipBytes = udpBytes + (packet.isIpv6 ? 0 : IPV4_HEADER_BYTES);
    if (ipBytes > 0xffff)
    {
        throw std::invalid_argument("IP length is " + std::to_string(ipBytes) +
                                    ", must be at most 65535; give less payload than " +
                                    std::to_string(packet.payload.size()) + " bytes");
    }
    bytes.clear();
    bytes.reserve(ETHERNET_HEADER_BYTES + 4 + 40 + udpBytes + packet.trailer.size() +
                  ETHERNET_FCS_BYTES);
    ByteWriter out(bytes);
    WriteEthernet(out, packet);
    const std::size_t ip = out.GetSize();
    WriteIp(out, bytes, packet, udpBytes);
    out.U16(packet.sourcePort);
    out.U16(packet.destinationPort);
    out.U16(udpBytes);
    out.U16(packet.udpChecksum);
    WriteBth(out, packet);
    WriteExtensions(out, packet, facts);
    out.Bytes(packet.payload);
    for (unsigned i = 0; i < packet.GetPad(); ++i)
    {
        out.U8(packet.padData[i]);
    }
    out.Crc(packet.icrcOk ? Icrc::Compute(bytes.data() + ip, bytes.size() - ip) : packet.icrc);
    out.Bytes(packet.trailer);
    if (packet.hasFcs)
    {
        out.Crc(Icrc::Crc32(bytes.data(), bytes.size()));
    }
}

uint16_t
Codec::InternetChecksum(const uint8_t* data, std::size_t size)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < size; i += 2)
    {
        sum += uint32_t(data[i]) << 8 | data[i + 1];
    }
    while (sum >> 16)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(~sum);
}

} // namespace roce
} // namespace ns3
