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
#include <map>
#include <random>
#include <stdexcept>

using namespace ns3::roce;
using namespace wiretest;

namespace
{

struct Capture
{
    const char* name;
    unsigned roce; //!< as its README says
};

const Capture CAPTURES[] = {{"linux-rxe-clean.pcap", 136},
                            {"linux-rxe-lossy-write.pcap", 160},
                            {"linux-rxe-lossy-read.pcap", 235},
                            {"linux-rxe-lossy-send.pcap", 234}};

WirePacket
Decode(const Bytes& bytes, const CodecOptions& options = {})
{
    return Codec::Decode(bytes.data(), bytes.size(), options);
}

Bytes
WithFcs(Bytes bytes)
{
    const uint32_t fcs = BitwiseCrc(bytes);
    for (unsigned i = 0; i < 4; ++i)
    {
        bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
    }
    return bytes;
}

/** \return where Decode finds the fault, or 9999 if it takes the bytes */
std::size_t
FaultAt(const Bytes& bytes)
{
    try
    {
        Decode(bytes);
    }
    catch (const CodecError& e)
    {
        const std::string offset = "at byte " + std::to_string(e.GetOffset());
        CHECK(std::string(e.what()).find(offset) != std::string::npos);
        return e.GetOffset();
    }
    return 9999;
}

Bytes
Changed(Bytes bytes, std::size_t at, uint8_t value)
{
    bytes[at] = value;
    return bytes;
}

/** Write the right IPv4 header checksum, so that the next fault shows (RFC 1071). */
Bytes
FixIp(Bytes bytes)
{
    bytes[24] = bytes[25] = 0;
    uint32_t sum = 0;
    for (unsigned i = 14; i < 34; i += 2)
    {
        sum += bytes[i] << 8 | bytes[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~((sum & 0xffff) + (sum >> 16));
    bytes[24] = static_cast<uint8_t>(sum >> 8);
    bytes[25] = static_cast<uint8_t>(sum);
    return bytes;
}

WirePacket
RandomPacket(std::mt19937_64& rng, uint8_t opcode)
{
    const auto bits = [&rng](unsigned n) { return rng() >> (64 - n); };
    WirePacket p;
    for (unsigned i = 0; i < 6; ++i)
    {
        p.destinationMac[i] = bits(8);
        p.sourceMac[i] = bits(8);
    }
    if (bits(1))
    {
        p.vlan = WireVlan{uint8_t(bits(3)), bits(1) != 0, uint16_t(bits(12))};
    }
    p.isIpv6 = bits(1);
    p.ipv4 = {uint8_t(bits(8)),
              uint16_t(bits(16)),
              bits(1) != 0,
              bits(1) != 0,
              uint8_t(bits(8)),
              uint32_t(bits(32)),
              uint32_t(bits(32))};
    p.ipv6.trafficClass = bits(8);
    p.ipv6.flowLabel = bits(20);
    p.ipv6.hopLimit = bits(8);
    std::generate(p.ipv6.source.begin(), p.ipv6.source.end(), [&] { return bits(8); });
    std::generate(p.ipv6.destination.begin(), p.ipv6.destination.end(), [&] { return bits(8); });
    p.sourcePort = bits(16);
    p.udpChecksum = bits(16);
    p.bth = {opcode,
             bits(1) != 0,
             bits(1) != 0,
             uint8_t(bits(4)),
             uint16_t(bits(16)),
             bits(1) != 0,
             bits(1) != 0,
             uint8_t(bits(6)),
             uint32_t(bits(24)),
             bits(1) != 0,
             uint8_t(bits(7)),
             uint32_t(bits(24))};
    p.reth = {rng(), uint32_t(bits(32)), uint32_t(bits(32))};
    p.aeth = {uint8_t(bits(8)), uint32_t(bits(24))};
    p.atomic = {rng(), uint32_t(bits(32)), rng(), rng()};
    p.deth = {uint32_t(bits(32)), uint8_t(bits(8)), uint32_t(bits(24))};
    p.atomicAck = rng();
    p.immediate = bits(32);
    p.invalidateKey = bits(32);
    std::generate(p.cnpBody.begin(), p.cnpBody.end(), [&] { return bits(8); });
    p.payload.resize(OpcodeTable::Get(opcode).payload ? bits(7) : 0);
    std::generate(p.payload.begin(), p.payload.end(), [&] { return bits(8); });
    std::generate(p.padData.begin(), p.padData.end(), [&] { return bits(8); });
    p.trailer.resize(bits(2));
    p.hasFcs = bits(1);
    return p;
}

} // namespace

TEST_CASE("codec takes every RoCE packet of the kernel's captures", "[wire][codec]")
{
    unsigned total = 0;
    for (const Capture& capture : CAPTURES)
    {
        unsigned roce = 0;
        for (const Bytes& bytes : ReadCapture(capture.name))
        {
            if (!IsRoceV4(bytes))
            {
                CHECK_THROWS_AS(Decode(bytes), CodecError);
                continue;
            }
            ++roce;
            INFO(capture.name << " RoCE packet " << roce);
            const WirePacket p = Decode(bytes); // throws if the ICRC is wrong
            CHECK(p.icrcOk);
            CHECK(Codec::Encode(p) == bytes);
            const Bytes withFcs = WithFcs(bytes);
            const WirePacket q = Codec::Decode(withFcs.data(), withFcs.size(), true);
            CHECK(Codec::Encode(q) == withFcs);
            CHECK(q.payload == p.payload);
        }
        CHECK(roce == capture.roce);
        total += roce;
    }
    CHECK(total == 765);
}

TEST_CASE("codec agrees with tshark on the opcodes of a capture", "[wire][codec]")
{
    // tshark 4.0 -r linux-rxe-clean.pcap -T fields -e infiniband.bth.opcode | sort | uniq -c
    std::map<unsigned, unsigned> count;
    for (const Bytes& bytes : ReadCapture("linux-rxe-clean.pcap"))
    {
        if (IsRoceV4(bytes))
        {
            ++count[Decode(bytes).bth.opcode];
        }
    }
    const std::map<unsigned, unsigned> expected = {{0, 8},
                                                   {1, 32},
                                                   {2, 8},
                                                   {6, 5},
                                                   {7, 15},
                                                   {8, 5},
                                                   {12, 5},
                                                   {13, 5},
                                                   {14, 15},
                                                   {15, 5},
                                                   {17, 23},
                                                   {18, 5},
                                                   {20, 5}};
    CHECK(count == expected);
}

TEST_CASE("codec reads the published packets", "[wire][codec]")
{
    const WirePacket cnp = Decode(FromHex(V1));
    CHECK(cnp.bth.opcode == 0x81);
    CHECK(cnp.bth.becn);
    CHECK_FALSE(cnp.bth.fecn);
    CHECK(cnp.bth.destinationQp == 0x118);
    CHECK(cnp.bth.pkey == 0xffff);
    CHECK(cnp.ipv4.tos == 0xc2); // DSCP 48, ECT(0)
    CHECK(cnp.ipv4.ttl == 64);
    CHECK(cnp.ipv4.source == 0x0a001101);
    CHECK(cnp.ipv4.destination == 0x0a001201);
    CHECK(cnp.icrc == 0x2a00fd82);
    CHECK(Codec::Encode(cnp) == FromHex(V1));

    const WirePacket uc = Decode(FromHex(V2));
    CHECK(uc.bth.opcode == 0x24);
    CHECK(uc.bth.migReq);
    CHECK(uc.bth.psn == 13571856);
    CHECK(uc.bth.destinationQp == 211);
    CHECK(uc.payload.size() == 18); // 20 bytes with pad 2
    CHECK(uc.udpChecksum == 0xaca2);
    CHECK(uc.ipv4.id == 1144);
    CHECK(Codec::Encode(uc) == FromHex(V2));

    Bytes write = FromHex("000000000001 000000000002 0800");
    const Bytes v5 = V5();
    write.insert(write.end(), v5.begin(), v5.end());
    const WirePacket p = Decode(write);
    CHECK(p.bth.opcode == 0x0a);
    CHECK(p.reth.address == 0x7f7e91000000);
    CHECK(p.reth.rkey == 0x01709a33);
    CHECK(p.reth.length == 128);
    CHECK(p.payload == Bytes(128, 0xff));
    CHECK_FALSE(p.ipv4.dontFragment);
    CHECK(Codec::Encode(p) == write);

    // V6 and V7 have four bytes too many for an acknowledge (14 + 20 + 8 + 12 + 4 = 58)
    CHECK(FaultAt(FixIp(FromHex(V6))) == 58);
    CHECK(FaultAt(FixIp(FromHex(V7))) == 58);
}

TEST_CASE("codec writes the lengths of the standard", "[wire][codec]")
{
    WirePacket ack;
    ack.bth.opcode = 0x11;
    const Bytes a = Codec::Encode(ack);
    CHECK(a.size() == 62);
    CHECK((a[16] << 8 | a[17]) == 48); // IP: 20 + 8 + 12 + 4 + 4
    CHECK((a[38] << 8 | a[39]) == 28); // UDP
    WirePacket cnp;
    cnp.bth.opcode = 0x81;
    const Bytes c = Codec::Encode(cnp);
    CHECK(c.size() == 74);
    CHECK((c[16] << 8 | c[17]) == 60);
    CHECK((c[38] << 8 | c[39]) == 40);
    CHECK((c[36] << 8 | c[37]) == 4791);
}

TEST_CASE("codec: every opcode there and back", "[wire][codec]")
{
    std::mt19937_64 rng(1);
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        INFO("opcode " << opcode);
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        if (facts.service == OpcodeService::UNKNOWN)
        {
            CHECK_THROWS_AS(Codec::Encode(RandomPacket(rng, opcode)), std::invalid_argument);
            continue;
        }
        for (unsigned i = 0; i < 100; ++i)
        {
            const WirePacket p = RandomPacket(rng, opcode);
            const Bytes bytes = Codec::Encode(p);
            REQUIRE(bytes.size() == 14u + (p.vlan ? 4 : 0) + (p.isIpv6 ? 40 : 20) + 8 + 12 +
                                        facts.extensionBytes + (p.payload.size() + 3) / 4 * 4 + 4 +
                                        p.trailer.size() + (p.hasFcs ? 4 : 0));
            const WirePacket q = Codec::Decode(bytes.data(), bytes.size(), p.hasFcs);
            REQUIRE(Codec::Encode(q) == bytes);
            CHECK(q.bth.psn == p.bth.psn);
            CHECK(q.bth.destinationQp == p.bth.destinationQp);
            CHECK(q.bth.resv6 == p.bth.resv6);
            CHECK(q.bth.resv7 == p.bth.resv7);
            CHECK(q.payload == p.payload);
            CHECK(q.trailer == p.trailer);
            CHECK(q.vlan.has_value() == p.vlan.has_value());
            CHECK((!p.isIpv6 || q.ipv6.flowLabel == p.ipv6.flowLabel));
            CHECK((!facts.Has(EXTENSION_RETH) || q.reth.address == p.reth.address));
            CHECK((!facts.Has(EXTENSION_AETH) || q.aeth.msn == p.aeth.msn));
            CHECK((!facts.Has(EXTENSION_ATOMIC) || q.atomic.compare == p.atomic.compare));
            CHECK((!facts.Has(EXTENSION_ATOMIC_ACK) || q.atomicAck == p.atomicAck));
            CHECK((!facts.Has(EXTENSION_DETH) || q.deth.sourceQp == p.deth.sourceQp));
            CHECK((!facts.Has(EXTENSION_IMMDT) || q.immediate == p.immediate));
            CHECK((!facts.Has(EXTENSION_IETH) || q.invalidateKey == p.invalidateKey));
            CHECK((!facts.Has(EXTENSION_CNP) || q.cnpBody == p.cnpBody));
        }
    }
}

TEST_CASE("codec says what is wrong and where", "[wire][codec]")
{
    // V2: Ethernet 0..13, IPv4 14..33, UDP 34..41, BTH 42..53, payload 54..73, ICRC 74..77
    const Bytes good = FromHex(V2);
    CHECK(FaultAt(good) == 9999);
    CHECK(FaultAt(Changed(good, 12, 0x09)) == 12);        // EtherType
    CHECK(FaultAt(Changed(good, 14, 0x65)) == 14);        // version 6 in an IPv4 frame
    CHECK(FaultAt(Changed(good, 14, 0x46)) == 14);        // IPv4 options
    CHECK(FaultAt(Changed(good, 24, 0xb5)) == 24);        // header checksum
    CHECK(FaultAt(FixIp(Changed(good, 20, 0x60))) == 20); // more fragments
    CHECK(FaultAt(FixIp(Changed(good, 21, 0x01))) == 20); // fragment offset
    CHECK(FaultAt(FixIp(Changed(good, 23, 6))) == 23);    // TCP
    CHECK(FaultAt(FixIp(Changed(good, 17, 43))) == 16);   // too short for UDP, BTH, ICRC
    CHECK(FaultAt(FixIp(Changed(good, 17, 65))) == 34);   // longer than the frame
    CHECK(FaultAt(Changed(good, 37, 0xb8)) == 36);        // UDP port 4792
    CHECK(FaultAt(Changed(good, 39, 0x28)) == 38);        // UDP length
    CHECK(FaultAt(Changed(good, 42, 0xff)) == 42);        // opcode
    CHECK(FaultAt(Changed(good, 42, 0x2b)) == 43);        // 20 bytes of headers leave 0, pad is 2
    CHECK(FaultAt(Changed(good, 42, 0x31)) == 42);        // opcode
    CHECK(FaultAt(Changed(good, 42, 0x13)) == 54);        // 28 bytes of AtomicETH do not fit
    CHECK(FaultAt(Changed(good, 42, 0x12)) == 66);        // atomic ACK with payload
    CHECK(FaultAt(Changed(good, 60, 0x00)) == 74);        // ICRC
    // a payload of 18 with the ICRC two bytes early is no multiple of 4
    Bytes odd = FixIp(Changed(good, 17, 62));
    CHECK(FaultAt(Changed(odd, 39, 42)) == 54);

    CodecOptions flagOnly;
    flagOnly.refuseBadIcrc = false;
    const Bytes bad = Changed(good, 60, 0x00);
    const WirePacket p = Decode(bad, flagOnly);
    CHECK_FALSE(p.icrcOk);
    CHECK(Codec::Encode(p) == bad);

    CodecOptions anyPort;
    anyPort.anyUdpPort = true;
    anyPort.refuseBadIcrc = false;
    CHECK(Decode(Changed(good, 37, 0xb8), anyPort).destinationPort == 4792);

    Bytes fcs = WithFcs(good);
    CHECK_NOTHROW(Codec::Decode(fcs.data(), fcs.size(), true));
    fcs.back() ^= 1;
    CHECK_THROWS_AS(Codec::Decode(fcs.data(), fcs.size(), true), CodecError);
}

TEST_CASE("codec refuses packets without wire form", "[wire][codec]")
{
    const auto refuses = [](const std::function<void(WirePacket&)>& change) {
        WirePacket p;
        p.bth.opcode = 0x0a;
        REQUIRE_NOTHROW(Codec::Encode(p));
        change(p);
        CHECK_THROWS_AS(Codec::Encode(p), std::invalid_argument);
    };
    refuses([](WirePacket& p) { p.bth.psn = 1 << 24; });
    refuses([](WirePacket& p) { p.bth.destinationQp = 1 << 24; });
    refuses([](WirePacket& p) { p.bth.version = 16; });
    refuses([](WirePacket& p) { p.bth.resv6 = 64; });
    refuses([](WirePacket& p) { p.bth.resv7 = 128; });
    refuses([](WirePacket& p) { p.vlan = WireVlan{8, false, 0}; });
    refuses([](WirePacket& p) { p.vlan = WireVlan{0, false, 4096}; });
    refuses([](WirePacket& p) {
        p.isIpv6 = true;
        p.ipv6.flowLabel = 1 << 20;
    });
    refuses([](WirePacket& p) {
        p.bth.opcode = 0x11;
        p.payload = {1};
    });
    refuses([](WirePacket& p) {
        p.bth.opcode = 0x11;
        p.aeth.msn = 1 << 24;
    });
    // IPv4 length = 20 + 8 + 12 + 16 + payload + 4 <= 65535 leaves 65475, 65472 with pad
    refuses([](WirePacket& p) { p.payload.resize(65473); });
    WirePacket longest;
    longest.bth.opcode = 0x0a;
    longest.payload.resize(65472);
    CHECK(Codec::Encode(longest).size() == 14 + 60 + 65472);
}

TEST_CASE("codec: a packet cut anywhere is refused", "[wire][codec]")
{
    CodecOptions flagOnly;
    flagOnly.refuseBadIcrc = false;
    std::map<unsigned, Bytes> samples; // one a opcode
    for (const Capture& capture : CAPTURES)
    {
        for (const Bytes& bytes : ReadCapture(capture.name))
        {
            if (IsRoceV4(bytes))
            {
                samples[bytes[42]] = bytes;
            }
        }
    }
    CHECK(samples.size() >= 10);
    for (const auto& [opcode, bytes] : samples)
    {
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            const Bytes cut(bytes.begin(), bytes.begin() + size); // its end is guarded by ASan
            INFO("opcode " << opcode << " cut to " << size);
            REQUIRE_THROWS_AS(Decode(cut, flagOnly), CodecError);
            REQUIRE_THROWS_AS(Codec::Decode(cut.data(), cut.size(), true), CodecError);
        }
    }
}

TEST_CASE("codec: damaged packets are refused or come back as they are", "[wire][codec]")
{
    std::vector<Bytes> seeds = {FromHex(V1), FromHex(V2), FixIp(FromHex(V6))};
    for (const Bytes& bytes : ReadCapture("linux-rxe-clean.pcap"))
    {
        if (bytes.size() < 200)
        {
            seeds.push_back(bytes);
        }
    }
    std::mt19937_64 rng(2);
    for (unsigned opcode : {0x0b, 0x17, 0x2b, 0x65, 0x13})
    {
        seeds.push_back(Codec::Encode(RandomPacket(rng, opcode)));
    }
    CodecOptions options;
    unsigned taken = 0;
    for (unsigned i = 0; i < 200'000; ++i)
    {
        Bytes bytes = seeds[rng() % seeds.size()];
        for (unsigned n = rng() % 4 + 1; n-- > 0;)
        {
            const std::size_t at = rng() % std::min<std::size_t>(bytes.size(), 80);
            bytes[at] = rng() % 2 ? bytes[at] ^ (1 << rng() % 8) : rng();
        }
        if (rng() % 4 == 0)
        {
            bytes.resize(rng() % (bytes.size() + 8));
        }
        if (bytes.size() >= 34 && rng() % 4 != 0)
        {
            bytes = FixIp(bytes); // so that more than the checksum is tried
        }
        options.hasFcs = rng() % 16 == 0;
        options.refuseBadIcrc = rng() % 16 == 0;
        options.anyUdpPort = rng() % 2;
        try
        {
            const WirePacket p = Decode(bytes, options);
            ++taken;
            if (Codec::Encode(p) != bytes)
            {
                FAIL("mutation " << i << " does not come back");
            }
        }
        catch (const CodecError&)
        {
        }
    }
    CHECK(taken > 10'000); // else the test does not reach the inner headers
}
