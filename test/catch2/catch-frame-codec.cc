/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame-codec-test.h"

#include "ns3/roce-codec.h"
#include "ns3/roce-frame-sizes.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

using namespace ns3::roce;
using namespace frametest;
using wiretest::FromHex;
using wiretest::IsRoceV4;
using wiretest::ReadCapture;
using wiretest::V1;

TEST_CASE("frame codec: a frame of ours comes back the same", "[wire][frame-codec]")
{
    FramePool pool;
    std::mt19937_64 rng(3);
    for (unsigned i = 0; i < 60'000; ++i) // 38 of 256 opcodes are known: 8,900 frames
    {
        const uint8_t opcode = rng();
        if (!OpcodeTable::IsKnown(opcode))
        {
            continue;
        }
        const Frame f = RandomFrame(rng, opcode);
        INFO("frame " << i << " opcode " << unsigned(f.opcode));
        FrameCodecOptions options;
        options.hasFcs = rng() % 2;
        const Bytes bytes = Encode(f, options);
        REQUIRE(bytes.size() == f.size - (options.hasFcs ? 0u : 4u));
        CheckSame(f, *Decode(pool, bytes, options));
    }
    CHECK(pool.GetLive() == 0);
}

TEST_CASE("frame codec: encoded sizes are those of FrameSizes", "[wire][frame-codec]")
{
    const FrameSizes sizes;
    for (const uint16_t payload : {1, 2, 3, 4, 1000, 1023, 1024, 4096})
    {
        const Frame middle = MakeFrame(FrameKind::REQUEST, Opcode::RC_WRITE_MIDDLE, payload);
        const Frame first = MakeFrame(FrameKind::REQUEST, Opcode::RC_WRITE_FIRST, payload);
        CHECK(Encode(middle).size() + 4 == sizes.DataBytes(payload, false));
        CHECK(Encode(first).size() + 4 == sizes.DataBytes(payload, true));
    }
    // a zero-byte SEND is 62 bytes and needs Ethernet padding to 64
    const Frame empty = MakeFrame(FrameKind::REQUEST, Opcode::RC_SEND_ONLY, 0);
    CHECK(Encode(empty).size() + 4 == sizes.DataBytes(0, false));
    CHECK(Encode(empty).size() + 4 == 64);
    // Bytes() for each opcode and for payloads around the pad and the minimum
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        if (!FrameCodec::Fits(facts))
        {
            continue;
        }
        for (const uint16_t payload : {0, 1, 2, 3, 4, 5, 1023, 4096})
        {
            const uint16_t carried = facts.payload ? payload : 0;
            const Frame f =
                MakeFrame(FrameCodec::KindOf(facts), static_cast<Opcode>(opcode), carried);
            INFO(facts.name << " payload " << carried);
            CHECK(Encode(f).size() + 4 == sizes.Bytes(carried, facts.extensionBytes));
        }
    }
    CHECK(sizes.Bytes(0, ATOMIC_ETH_BYTES) == 90);              // 62 + 28
    CHECK(sizes.Bytes(0, AETH_BYTES + ATOMIC_ACK_BYTES) == 74); // 62 + 4 + 8
    CHECK(sizes.Bytes(2048, DETH_BYTES) == 2118);               // 62 + 8 + 2048
    CHECK(FrameSizes::HpccArtifact().DataBytes(1000, true) == 1048);
    CHECK(FrameSizes::HpccArtifact().Bytes(1001, 0) == 1049);
    CHECK(Encode(MakeFrame(FrameKind::ACK, Opcode::RC_ACKNOWLEDGE)).size() + 4 == sizes.ackBytes);
    CHECK(Encode(MakeFrame(FrameKind::CNP, Opcode::CNP)).size() + 4 == sizes.cnpBytes);
    Frame pfc = MakeFrame(FrameKind::PFC, Opcode::CNP);
    pfc.flags = FRAME_EXTENDED;
    CHECK(Encode(pfc).size() + 4 == sizes.pfcBytes);
}

TEST_CASE("frame codec: header fields of a WRITE", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_WRITE_ONLY, 6);
    f.flags = FRAME_EXTENDED | FRAME_ACK_REQUEST;
    f.remoteAddress = 0x1122334455667788;
    f.remoteKey = 0x99aabbcc;
    f.dmaLength = 6;
    const Bytes bytes = Encode(f);
    // IPv4 header: 4562+0044+4000+4011+0a00+0001+0a00+0102
    // = 0daba, folded daba, inverted 2545 (RFC 1071); length 0044 = 68, UDP 0030 = 48
    const Bytes head = FromHex("0200 0a000102 0200 0a000001 0800"
                               "4562 0044 0000 4000 4011 2545 0a000001 0a000102"
                               "c000 12b7 0030 0000"
                               "0a 20 ffff 00 000abc 80 123456"
                               "1122334455667788 99aabbcc 00000006"
                               "000000000000 0000");
    REQUIRE(bytes.size() == head.size() + 4);
    CHECK(Bytes(bytes.begin(), bytes.end() - 4) == head);
    const WirePacket p = Codec::Decode(bytes.data(), bytes.size(), false);
    CHECK(p.payload == Bytes(6, 0));
}

TEST_CASE("frame codec: a mark or a hop leaves the ICRC alone", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_WRITE_MIDDLE, 1024);
    const Bytes before = Encode(f);
    f.ecn = ECN_CE;
    f.ttl = 60;
    const Bytes after = Encode(f);
    REQUIRE(before.size() == after.size());
    CHECK(std::equal(before.end() - 4, before.end(), after.end() - 4));
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        // TOS, TTL, header checksum
        CHECK(((before[i] == after[i]) || i == 15 || i == 22 || i == 24 || i == 25));
    }
    CHECK(after[15] == 0x63); // priority 3 -> DSCP 24, CE
    CHECK(after[22] == 60);
}

TEST_CASE("frame codec: CNP and its usual DSCP", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::CNP, Opcode::CNP);
    f.priority = 6;
    f.psn = 77; // not sent
    const Bytes bytes = Encode(f);
    CHECK(bytes[15] >> 2 == 48);
    const WirePacket p = Codec::Decode(bytes.data(), bytes.size(), false);
    CHECK(p.bth.opcode == 0x81);
    CHECK(p.bth.becn);
    CHECK(p.bth.psn == 0);
    CHECK(p.cnpBody == std::array<uint8_t, 16>{});

    // the hardware's CNP: scapy's capture V1
    FramePool pool;
    const Owned cnp = Decode(pool, FromHex(V1));
    CHECK(cnp->kind == FrameKind::CNP);
    CHECK(cnp->opcode == Opcode::CNP);
    CHECK(cnp->destinationQp == 0x118);
    CHECK(cnp->priority == 6);
    CHECK(cnp->ecn == 2);
    CHECK(cnp->size == 78);
    CHECK(cnp->flags == FRAME_BECN);
}

TEST_CASE("frame codec: VLAN tag carries the priority", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::ACK, Opcode::RC_ACKNOWLEDGE);
    f.priority = 5;
    FrameCodecOptions options;
    options.vlanId = 100;
    const Bytes bytes = Encode(f, options);
    CHECK(bytes.size() == 66);
    CHECK(Bytes(bytes.begin() + 12, bytes.begin() + 18) == FromHex("8100 a064 0800"));
    FramePool pool;
    CHECK(Decode(pool, bytes)->priority == 5);
}

TEST_CASE("frame codec: frames without wire form are refused", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, static_cast<Opcode>(0xff));
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::ACK, Opcode::RC_WRITE_ONLY); // kind and opcode differ
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::ACK, Opcode::RC_READ_RESPONSE_ONLY); // READ data is no ACK
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::RESPONSE, Opcode::RC_ATOMIC_ACKNOWLEDGE);
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::REQUEST, Opcode::UD_SEND_ONLY);
    f.flags = FRAME_EXTENDED;
    f.datagram.sourceQp = 1 << 24;
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::ACK, Opcode::RC_ACKNOWLEDGE);
    f.priority = 8;
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f.priority = 7;
    f.psn = 1 << 24;
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f.psn = 0;
    f.payload = 99; // left from the data frame that an ACK reuses: not sent
    CHECK(Encode(f).size() == 62);
}

TEST_CASE("frame codec: packets of the kernel, and damaged ones", "[wire][frame-codec]")
{
    FramePool pool;
    std::mt19937_64 rng(4);
    unsigned roce = 0;
    unsigned refused = 0;
    for (const Bytes& bytes : ReadCapture("linux-rxe-clean.pcap"))
    {
        const Owned f = Decode(pool, bytes);
        CHECK(f->size == bytes.size() + 4);
        CHECK((f->kind == FrameKind::PACKET) == !IsRoceV4(bytes));
        roce += f->kind != FrameKind::PACKET;
        for (unsigned i = 0; i < 200; ++i)
        {
            Bytes damaged = bytes;
            damaged[rng() % std::min<std::size_t>(damaged.size(), 60)] = rng();
            damaged.resize(rng() % 2 ? damaged.size() : rng() % damaged.size());
            try
            {
                Decode(pool, damaged);
            }
            catch (const CodecError&)
            {
                ++refused;
            }
        }
    }
    CHECK(roce == 136); // as its README says
    CHECK(refused > 1000);
    CHECK(pool.GetLive() == 0);
}
