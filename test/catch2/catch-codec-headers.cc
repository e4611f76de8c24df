/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/roce-codec.h"
#include "ns3/roce-icrc.h"
#include "ns3/roce-opcode-table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>

using namespace ns3::roce;
using namespace wiretest;

namespace
{

WirePacket
Decode(const Bytes& bytes, const CodecOptions& options = {})
{
    return Codec::Decode(bytes.data(), bytes.size(), options);
}

/** \return where Decode finds the fault, or 9999 if it takes the bytes */
std::size_t
FaultAt(const Bytes& bytes, const CodecOptions& options = {})
{
    try
    {
        Decode(bytes, options);
    }
    catch (const CodecError& e)
    {
        return e.GetOffset();
    }
    return 9999;
}

/** Append a CRC, least significant byte first, by the CRC of the tests. */
void
AppendCrc(Bytes& bytes, const Bytes& covered)
{
    const uint32_t crc = BitwiseCrc(covered);
    for (unsigned i = 0; i < 4; ++i)
    {
        bytes.push_back(static_cast<uint8_t>(crc >> (8 * i)));
    }
}

/**
 * RC SEND Only, 6 bytes and 2 of pad, over IPv6 in a tagged frame, written by hand, with the ICRC
 * and the FCS of the tests' own CRC.
 *
 * Ethernet 0..13, tag 14..17 (its type is 12..13), IPv6 18..57, UDP 58..65, BTH 66..77, payload and
 * pad 78..85, ICRC 86..89, FCS 90..93.
 */
Bytes
TaggedIpv6()
{
    // PCP 5, DEI 1, VID 0xabc: 101 1 abc = babc
    Bytes bytes = FromHex("0200 00000001 0200 00000002 8100 babc 86dd"
                          // version 6, traffic class 0x62 (DSCP 24, ECT(0)), flow label 0xbcdef;
                          // payload length 8 + 12 + 8 + 4 = 32 = 0x20; UDP; hop limit 61
                          "662bcdef 0020 11 3d"
                          "20010db8000000000000000000000001"
                          "20010db8000000000000000000000002"
                          "c123 12b7 0020 0000"
                          // SE 0, M 1, pad 2: 0 1 10 0000
                          "04 60 ffff 00 000011 80 000123"
                          "a1a2a3a4a5a6 0000");
    Bytes covered(bytes.begin() + 18, bytes.end());
    // version stays, traffic class, flow label and hop limit become ones (IBTA A17.3.3), as do the
    // UDP checksum (40 + 6, 40 + 7) and the byte of FECN and BECN (40 + 8 + 4)
    covered[0] = 0x6f;
    for (const std::size_t i : {1, 2, 3, 7, 46, 47, 52})
    {
        covered[i] = 0xff;
    }
    covered.insert(covered.begin(), 8, 0xff);
    AppendCrc(bytes, covered);
    AppendCrc(bytes, Bytes(bytes));
    return bytes;
}

CodecOptions
Fcs(bool has)
{
    CodecOptions options;
    options.hasFcs = has;
    return options;
}

/** What Encode puts between BTH and payload. */
Bytes
Headers(uint8_t opcode, const std::function<void(WirePacket&)>& fill)
{
    WirePacket p;
    p.bth.opcode = opcode;
    // fields of headers that the opcode does not have must not show
    p.reth = {0xeeee, 0xee, 0xee};
    p.aeth = {0xee, 0xee};
    p.atomic = {0xee, 0xee, 0xee, 0xee};
    p.deth = {0xee, 0xee, 0xee};
    p.atomicAck = 0xee;
    p.immediate = 0xee;
    p.invalidateKey = 0xee;
    p.cnpBody.fill(0xee);
    fill(p);
    const Bytes bytes = Codec::Encode(p);
    return Bytes(bytes.begin() + 54, bytes.end() - 4); // 14 + 20 + 8 + 12, and the ICRC
}

} // namespace

TEST_CASE("codec: a tagged IPv6 packet with FCS, field by field", "[wire][codec]")
{
    const Bytes bytes = TaggedIpv6();
    REQUIRE(bytes.size() == 94);
    const WirePacket p = Decode(bytes, Fcs(true));
    REQUIRE(p.vlan.has_value());
    CHECK(p.vlan->priority == 5);
    CHECK(p.vlan->dropEligible);
    CHECK(p.vlan->id == 0xabc);
    CHECK(p.isIpv6);
    CHECK(p.ipv6.trafficClass == 0x62);
    CHECK(p.ipv6.flowLabel == 0xbcdef);
    CHECK(p.ipv6.hopLimit == 61);
    CHECK(p.ipv6.source[0] == 0x20);
    CHECK(p.ipv6.source[15] == 1);
    CHECK(p.ipv6.destination[15] == 2);
    CHECK(p.sourcePort == 0xc123);
    CHECK(p.bth.opcode == 4);
    CHECK(p.bth.migReq);
    CHECK(p.bth.destinationQp == 0x11);
    CHECK(p.bth.ackReq);
    CHECK(p.bth.psn == 0x123);
    CHECK(p.payload == FromHex("a1a2a3a4a5a6"));
    CHECK(p.icrcOk);
    CHECK(p.hasFcs);
    CHECK(p.trailer.empty());
    CHECK(Codec::Encode(p) == bytes);

    // the same without FCS, and without the tag: the ICRC is that of the IP packet
    const Bytes noFcs(bytes.begin(), bytes.end() - 4);
    CHECK(Codec::Encode(Decode(noFcs)) == noFcs);
    Bytes noTag = noFcs;
    noTag.erase(noTag.begin() + 12, noTag.begin() + 16);
    const WirePacket q = Decode(noTag);
    CHECK_FALSE(q.vlan.has_value());
    CHECK(q.icrc == p.icrc);
    CHECK(Codec::Encode(q) == noTag);
}

TEST_CASE("codec: what routers change in IPv6 leaves the ICRC right", "[wire][codec]")
{
    const Bytes good = TaggedIpv6();
    const Bytes bytes(good.begin(), good.end() - 4);
    // traffic class 18 (low half), 19 (high half); flow label 19 (low half) to 21; hop limit 25;
    // UDP checksum 64, 65; FECN, BECN 70
    const std::set<std::size_t> free{19, 20, 21, 25, 64, 65, 70};
    // sizes, types and opcode are not data: their faults are tested by place
    const std::set<std::size_t> shape{22, 23, 24, 60, 61, 62, 63, 66, 67};
    for (std::size_t i = 18; i < bytes.size(); ++i)
    {
        for (unsigned bit = 0; bit < 8; ++bit)
        {
            if (shape.count(i) || (i == 18 && bit >= 4))
            {
                continue;
            }
            Bytes changed = bytes;
            changed[i] ^= 1 << bit;
            INFO("byte " << i << " bit " << bit);
            const bool taken = free.count(i) || i == 18;
            CHECK(FaultAt(changed) == (taken ? 9999 : 86));
        }
    }
    // by name
    WirePacket p = Decode(bytes);
    const uint32_t icrc = p.icrc;
    p.ipv6.trafficClass = 0x63; // CE
    p.ipv6.flowLabel = 0;
    p.ipv6.hopLimit = 1;
    const Bytes after = Codec::Encode(p);
    CHECK(Decode(after).icrc == icrc);
    p.ipv6.destination[15] = 3;
    const Bytes other = Codec::Encode(p);
    CHECK(Decode(other).icrc != icrc);
}

TEST_CASE("codec: faults of a tagged IPv6 packet and their places", "[wire][codec]")
{
    const Bytes good = TaggedIpv6();
    const Bytes bytes(good.begin(), good.end() - 4);
    const auto changed = [&bytes](std::size_t at, uint8_t value) {
        Bytes copy = bytes;
        copy[at] = value;
        return FaultAt(copy);
    };
    CHECK(changed(12, 0x82) == 12); // no tag: EtherType 8200
    CHECK(changed(16, 0x81) == 16); // EtherType 81dd behind the tag
    CHECK(changed(18, 0x46) == 18); // version 4 in an IPv6 frame
    CHECK(changed(23, 0x17) == 22); // 23 bytes are less than UDP, BTH and ICRC
    CHECK(changed(23, 0x21) == 58); // longer than the frame
    CHECK(changed(24, 0) == 24);    // next header: hop-by-hop options
    CHECK(changed(61, 0xb8) == 60); // UDP port 4792
    CHECK(changed(63, 0x1f) == 62); // UDP length
    CHECK(changed(66, 0xff) == 66); // opcode
    CHECK(changed(66, 0x13) == 78); // AtomicETH does not fit
    CHECK(changed(67, 0x70) == 86); // pad 3 changes the ICRC
    CHECK(changed(86, bytes[86] ^ 1) == 86);
    CHECK(changed(15, 0x01) == 9999); // another VLAN: not under the ICRC

    for (std::size_t i = 0; i < good.size(); ++i) // the FCS covers all
    {
        Bytes damaged = good;
        damaged[i] ^= 0x10;
        CHECK(FaultAt(damaged, Fcs(true)) == 90);
    }
    CodecOptions flagOnly;
    flagOnly.refuseBadIcrc = false;
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        const Bytes cut(bytes.begin(), bytes.begin() + size);
        INFO("cut to " << size);
        CHECK_THROWS_AS(Decode(cut, flagOnly), CodecError);
        CHECK_THROWS_AS(Decode(cut, Fcs(true)), CodecError);
    }
    // Ethernet padding between ICRC and FCS is kept
    Bytes padded = bytes;
    padded.resize(padded.size() + 3, 0x77);
    AppendCrc(padded, Bytes(padded));
    const WirePacket p = Decode(padded, Fcs(true));
    CHECK(p.trailer == Bytes(3, 0x77));
    CHECK(Codec::Encode(p) == padded);
}

TEST_CASE("codec: bytes of each extension header", "[wire][codec]")
{
    // IBTA 9.3: widths and order of the fields; table 39: which opcode has which
    const auto reth = [](WirePacket& p) { p.reth = {0x0102030405060708, 0x11121314, 0x21222324}; };
    const std::string RETH = "0102030405060708 11121314 21222324";
    const auto immediate = [](WirePacket& p) { p.immediate = 0x31323334; };
    const auto both = [&](WirePacket& p) {
        reth(p);
        immediate(p);
    };
    for (const uint8_t opcode : {0x06, 0x0a, 0x0c, 0x26, 0x2a})
    {
        CHECK(Headers(opcode, reth) == FromHex(RETH));
    }
    for (const uint8_t opcode : {0x0b, 0x2b})
    {
        CHECK(Headers(opcode, both) == FromHex(RETH + "31323334"));
    }
    for (const uint8_t opcode : {0x03, 0x05, 0x09, 0x23, 0x25, 0x29})
    {
        CHECK(Headers(opcode, immediate) == FromHex("31323334"));
    }
    for (const uint8_t opcode : {0x16, 0x17})
    {
        CHECK(Headers(opcode, [](WirePacket& p) { p.invalidateKey = 0x41424344; }) ==
              FromHex("41424344"));
    }
    const auto aeth = [](WirePacket& p) { p.aeth = {0x63, 0x515253}; };
    for (const uint8_t opcode : {0x0d, 0x0f, 0x10, 0x11})
    {
        CHECK(Headers(opcode, aeth) == FromHex("63 515253"));
    }
    CHECK(Headers(0x12, [&](WirePacket& p) {
              aeth(p);
              p.atomicAck = 0x6162636465666768;
          }) == FromHex("63 515253 6162636465666768"));
    for (const uint8_t opcode : {0x13, 0x14})
    {
        CHECK(
            Headers(opcode, [](WirePacket& p) {
                p.atomic = {0x0102030405060708, 0x11121314, 0x7172737475767778, 0x8182838485868788};
            }) == FromHex("0102030405060708 11121314 7172737475767778 8182838485868788"));
    }
    const auto deth = [&](WirePacket& p) {
        p.deth = {0x91929394, 0xa1, 0xb1b2b3};
        p.immediate = 0x31323334;
    };
    CHECK(Headers(0x64, deth) == FromHex("91929394 a1 b1b2b3"));
    CHECK(Headers(0x65, deth) == FromHex("91929394 a1 b1b2b3 31323334"));
    CHECK(Headers(0x81, [](WirePacket& p) { p.cnpBody.fill(0xc1); }) == Bytes(16, 0xc1));
    for (const uint8_t opcode :
         {0x00, 0x01, 0x02, 0x04, 0x07, 0x08, 0x0e, 0x20, 0x21, 0x22, 0x24, 0x27, 0x28})
    {
        CHECK(Headers(opcode, [](WirePacket&) {}).empty());
    }
}

TEST_CASE("codec: every opcode is refused where it is cut, over IPv4 and IPv6", "[wire][codec]")
{
    CodecOptions flagOnly;
    flagOnly.refuseBadIcrc = false;
    unsigned opcodes = 0;
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        if (facts.service == OpcodeService::UNKNOWN)
        {
            continue;
        }
        ++opcodes;
        for (const bool ipv6 : {false, true})
        {
            WirePacket p;
            p.bth.opcode = static_cast<uint8_t>(opcode);
            p.isIpv6 = ipv6;
            p.vlan = WireVlan{1, false, 2};
            p.payload.resize(facts.payload ? 5 : 0, 0x5a);
            const Bytes bytes = Codec::Encode(p);
            for (std::size_t size = 0; size < bytes.size(); ++size)
            {
                const Bytes cut(bytes.begin(), bytes.begin() + size);
                INFO(facts.name << " cut to " << size);
                REQUIRE_THROWS_AS(Decode(cut, flagOnly), CodecError);
            }
            // an IP packet whose lengths say it ends inside the extension headers
            if (facts.extensionBytes > 0 && ipv6)
            {
                WirePacket shorter;
                shorter.bth.opcode = 0x04; // SEND Only, no header
                shorter.isIpv6 = true;
                shorter.payload.resize(facts.extensionBytes - 4);
                Bytes wrong = Codec::Encode(shorter);
                wrong[62] = static_cast<uint8_t>(opcode);
                CHECK(FaultAt(wrong, flagOnly) == 74); // 14 + 40 + 8 + 12
            }
        }
    }
    CHECK(opcodes == 38);
}
