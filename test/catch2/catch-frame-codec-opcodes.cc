/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame-codec-test.h"

#include "ns3/packet.h"
#include "ns3/roce-codec.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>

using namespace ns3::roce;
using namespace frametest;
using wiretest::FromHex;
using wiretest::IsRoceV4;
using wiretest::ReadCapture;

namespace
{

/** What lies between the BTH and the ICRC, for a frame without Ethernet padding. */
Bytes
BehindBth(const Bytes& bytes)
{
    return Bytes(bytes.begin() + 54, bytes.end() - 4); // 14 + 20 + 8 + 12
}

/** BTH, extension headers, payload and pad, without Ethernet padding and ICRC. */
Bytes
Transport(const Bytes& bytes)
{
    const std::size_t end = 14u + (bytes[16] << 8 | bytes[17]); // IPv4 length
    return Bytes(bytes.begin() + 42, bytes.begin() + end - 4);
}

} // namespace

TEST_CASE("frame codec: every known opcode comes back the same", "[wire][frame-codec]")
{
    FramePool pool;
    std::mt19937_64 rng(5);
    unsigned known = 0;
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        INFO("opcode " << opcode << " " << facts.name);
        CHECK(FrameCodec::Fits(facts) == OpcodeTable::IsKnown(static_cast<uint8_t>(opcode)));
        if (!FrameCodec::Fits(facts))
        {
            continue;
        }
        ++known;
        for (unsigned i = 0; i < 50; ++i)
        {
            const Frame f = RandomFrame(rng, static_cast<uint8_t>(opcode));
            FrameCodecOptions options;
            options.hasFcs = i % 2;
            if (i % 3 == 0)
            {
                options.vlanId = 5;
            }
            const Bytes bytes = Encode(f, options);
            const Owned g = Decode(pool, bytes, options);
            // the size of the wire bytes: a tag makes them four longer, or fills the padding
            Frame expected = f;
            expected.size = static_cast<uint16_t>(bytes.size() + (options.hasFcs ? 0 : 4));
            CHECK((expected.size == f.size || options.vlanId));
            CheckSame(expected, *g);
            CHECK(Encode(*g, options) == bytes);
        }
    }
    CHECK(known == 38); // 23 RC, 12 UC, 2 UD and the CNP
    CHECK(pool.GetLive() == 0);
}

TEST_CASE("frame codec: the kind of each opcode", "[wire][frame-codec]")
{
    // IBTA table 38: 0x0d to 0x10 are READ responses, 0x11 and 0x12 the acknowledges
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        if (!FrameCodec::Fits(facts))
        {
            continue;
        }
        const FrameKind expected = opcode >= 0x0d && opcode <= 0x10   ? FrameKind::RESPONSE
                                   : opcode == 0x11 || opcode == 0x12 ? FrameKind::ACK
                                   : opcode == 0x81                   ? FrameKind::CNP
                                                                      : FrameKind::REQUEST;
        INFO("opcode " << opcode);
        CHECK(FrameCodec::KindOf(facts) == expected);
    }
}

TEST_CASE("frame codec: bytes of atomics and their acknowledge", "[wire][frame-codec]")
{
    // AtomicETH, IBTA 9.3.4: address 8, R_Key 4, swap or add 8, compare 8
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_COMPARE_SWAP);
    f.flags = FRAME_EXTENDED | FRAME_ACK_REQUEST;
    f.remoteAddress = 0x0102030405060708;
    f.remoteKey = 0x11223344;
    f.atomic = {0xa1a2a3a4a5a6a7a8, 0xb1b2b3b4b5b6b7b8};
    Bytes bytes = Encode(f);
    CHECK(bytes.size() == 86); // 14 + 20 + 8 + 12 + 28 + 4
    CHECK(Bytes(bytes.begin() + 42, bytes.begin() + 54) ==
          FromHex("13 00 ffff 00 000abc 80 123456"));
    CHECK(BehindBth(bytes) ==
          FromHex("0102030405060708 11223344 a1a2a3a4a5a6a7a8 b1b2b3b4b5b6b7b8"));
    f.opcode = Opcode::RC_FETCH_ADD;
    bytes = Encode(f);
    CHECK(bytes[42] == 0x14);
    CHECK(BehindBth(bytes) ==
          FromHex("0102030405060708 11223344 a1a2a3a4a5a6a7a8 b1b2b3b4b5b6b7b8"));
    FramePool pool;
    {
        const Owned g = Decode(pool, bytes);
        CHECK(g->remoteAddress == 0x0102030405060708);
        CHECK(g->remoteKey == 0x11223344);
        CHECK(g->atomic.swapAdd == 0xa1a2a3a4a5a6a7a8);
        CHECK(g->atomic.compare == 0xb1b2b3b4b5b6b7b8);
        CHECK(g->dmaLength == 0);
    }

    // AETH 4 (syndrome 1f: ACK, MSN 000007), then the original data 8
    f = MakeFrame(FrameKind::ACK, Opcode::RC_ATOMIC_ACKNOWLEDGE);
    f.flags = FRAME_EXTENDED;
    f.aeth = 0x1f000007;
    f.atomicOriginal = 0xc1c2c3c4c5c6c7c8;
    bytes = Encode(f);
    CHECK(bytes.size() == 70); // 14 + 20 + 8 + 12 + 4 + 8 + 4
    CHECK(BehindBth(bytes) == FromHex("1f000007 c1c2c3c4c5c6c7c8"));
    const Owned g = Decode(pool, bytes);
    CHECK(g->kind == FrameKind::ACK);
    CHECK((g->flags & FRAME_EXTENDED) != 0);
    CHECK(g->aeth == 0x1f000007);
    CHECK(g->atomicOriginal == 0xc1c2c3c4c5c6c7c8);
}

TEST_CASE("frame codec: bytes of datagrams", "[wire][frame-codec]")
{
    // DETH, IBTA 9.3.2: Q_Key 4, reserved 1, source QP 3; ImmDt behind it
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::UD_SEND_ONLY, 4);
    f.flags = FRAME_EXTENDED;
    f.datagram = {0x80010000, 0x000def};
    f.immediate = 0xdeadbeef;
    CHECK(BehindBth(Encode(f)) == FromHex("80010000 00 000def 00000000"));
    f.opcode = Opcode::UD_SEND_ONLY_IMMEDIATE;
    const Bytes bytes = Encode(f);
    CHECK(bytes[42] == 0x65);
    CHECK(BehindBth(bytes) == FromHex("80010000 00 000def deadbeef 00000000"));
    FramePool pool;
    const Owned g = Decode(pool, bytes);
    CHECK(g->kind == FrameKind::REQUEST);
    CHECK(g->datagram.key == 0x80010000);
    CHECK(g->datagram.sourceQp == 0xdef);
    CHECK(g->immediate == 0xdeadbeef);
    CHECK(g->payload == 4);
}

TEST_CASE("frame codec: READ request and responses", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_READ_REQUEST);
    f.flags = FRAME_EXTENDED;
    f.remoteAddress = 0x1000;
    f.remoteKey = 0x77;
    f.dmaLength = 0x80000000; // 2^31, the longest message
    CHECK(BehindBth(Encode(f)) == FromHex("0000000000001000 00000077 80000000"));

    // AETH in the first, the last and the only response, none in the middle (IBTA table 39)
    const std::map<Opcode, std::string> headers = {{Opcode::RC_READ_RESPONSE_FIRST, "1f000102"},
                                                   {Opcode::RC_READ_RESPONSE_MIDDLE, ""},
                                                   {Opcode::RC_READ_RESPONSE_LAST, "1f000102"},
                                                   {Opcode::RC_READ_RESPONSE_ONLY, "1f000102"}};
    FramePool pool;
    for (const auto& [opcode, header] : headers)
    {
        f = MakeFrame(FrameKind::RESPONSE, opcode, 3);
        f.aeth = 0x1f000102;
        const Bytes bytes = Encode(f);
        INFO("opcode " << unsigned(opcode));
        CHECK(bytes[43] == 0x10); // pad 1
        // 3 bytes of payload and 1 of pad
        CHECK(BehindBth(bytes) == FromHex(header + "00000000"));
        const Owned g = Decode(pool, bytes);
        CHECK(g->kind == FrameKind::RESPONSE);
        CHECK(g->aeth == (header.empty() ? 0 : 0x1f000102u));
        CHECK(g->flags == 0); // the AETH needs no second cache line
        CHECK(g->payload == 3);
    }
}

TEST_CASE("frame codec: without FRAME_EXTENDED extension headers are zeros", "[wire][frame-codec]")
{
    for (unsigned opcode = 0; opcode < 256; ++opcode)
    {
        const OpcodeFacts& facts = OpcodeTable::Get(static_cast<uint8_t>(opcode));
        if (!FrameCodec::Fits(facts))
        {
            continue;
        }
        // fields of an earlier use of the frame, which are not valid now
        Frame f = MakeFrame(FrameCodec::KindOf(facts), static_cast<Opcode>(opcode));
        std::fill_n(f.cnpBody, 16, 0xee);
        f.remoteAddress = f.remoteKey = f.dmaLength = f.immediate = 0xeeeeeeee;
        const Bytes bytes = Encode(f);
        INFO(facts.name);
        CHECK(Transport(bytes).size() == 12u + facts.extensionBytes);
        CHECK(std::all_of(bytes.begin() + 54,
                          bytes.begin() + 54 + facts.extensionBytes,
                          [](uint8_t b) { return b == 0; }));
    }
}

TEST_CASE("frame codec: the kernel's packets keep their transport bytes", "[wire][frame-codec]")
{
    FramePool pool;
    unsigned count = 0;
    for (const char* name : {"linux-rxe-clean.pcap",
                             "linux-rxe-lossy-write.pcap",
                             "linux-rxe-lossy-read.pcap",
                             "linux-rxe-lossy-send.pcap"})
    {
        for (const Bytes& bytes : ReadCapture(name))
        {
            if (!IsRoceV4(bytes))
            {
                continue;
            }
            ++count;
            const Bytes again = Encode(*Decode(pool, bytes));
            INFO(name << " RoCE packet " << count << " opcode " << unsigned(bytes[42]));
            CHECK(Transport(again) == Transport(bytes));
            // Of the bytes under the ICRC only the IP identification differs, which is 0 in ours.
            // With the kernel's the ICRC is the kernel's.
            const WirePacket theirs = Codec::Decode(bytes.data(), bytes.size(), false);
            WirePacket ours = Codec::Decode(again.data(), again.size(), false);
            CHECK(ours.ipv4.id == 0);
            ours.ipv4.id = theirs.ipv4.id;
            const Bytes withId = Codec::Encode(ours);
            CHECK(Codec::Decode(withId.data(), withId.size(), false).icrc == theirs.icrc);
        }
    }
    CHECK(count == 765); // 136 + 160 + 235 + 234
    CHECK(pool.GetLive() == 0);
}
