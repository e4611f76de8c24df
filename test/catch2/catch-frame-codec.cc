/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/packet.h"
#include "ns3/roce-codec.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-opcode-table.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>

using namespace ns3::roce;
using namespace wiretest;

namespace
{

Frame
MakeFrame(FrameKind kind, Opcode opcode, uint16_t payload = 0)
{
    Frame f{};
    f.kind = kind;
    f.opcode = opcode;
    f.source = 0x0a000001;      // 10.0.0.1
    f.destination = 0x0a000102; // 10.0.1.2
    f.sourcePort = 49152;
    f.destinationPort = 4791;
    f.psn = 0x123456;
    f.destinationQp = 0x000abc;
    f.priority = 3;
    f.ecn = ECN_ECT0;
    f.ttl = 64;
    f.payload = payload;
    return f;
}

Bytes
Encode(const Frame& f, const FrameCodecOptions& options = {})
{
    Bytes bytes;
    FrameCodec::Encode(f, bytes, options);
    return bytes;
}

/** Gives the frame back to its pool at the end. */
using Owned = std::unique_ptr<Frame, std::function<void(Frame*)>>;

Owned
Decode(FramePool& pool, const Bytes& bytes, const FrameCodecOptions& options = {})
{
    return {FrameCodec::Decode(bytes.data(), bytes.size(), pool, options),
            [&pool](Frame* f) { pool.Free(f); }};
}

void
CheckSame(const Frame& a, const Frame& b)
{
    CHECK(a.kind == b.kind);
    CHECK(a.opcode == b.opcode);
    CHECK(a.source == b.source);
    CHECK(a.destination == b.destination);
    CHECK(a.hash == b.hash);
    CHECK(a.psn == b.psn);
    CHECK(a.destinationQp == b.destinationQp);
    CHECK(a.aeth == b.aeth);
    CHECK(a.sourcePort == b.sourcePort);
    CHECK(a.destinationPort == b.destinationPort);
    CHECK(a.size == b.size);
    CHECK(a.payload == b.payload);
    CHECK(a.priority == b.priority);
    CHECK(a.ecn == b.ecn);
    CHECK(a.ttl == b.ttl);
    CHECK(a.flags == b.flags);
    if (a.flags & FRAME_EXTENDED)
    {
        CHECK(a.remoteAddress == b.remoteAddress);
        CHECK(a.remoteKey == b.remoteKey);
        CHECK(a.dmaLength == b.dmaLength);
        CHECK(a.immediate == b.immediate);
        CHECK(a.pauseEnable == b.pauseEnable);
        CHECK(std::equal(a.cnpBody, a.cnpBody + 16, b.cnpBody)); // and pauseQuanta
    }
}

Frame
RandomFrame(std::mt19937_64& rng)
{
    Frame f{};
    f.kind = static_cast<FrameKind>(rng() % 4);
    if (f.kind == FrameKind::PFC)
    {
        f.flags = FRAME_EXTENDED;
        f.pauseEnable = rng();
        std::generate(f.pauseQuanta, f.pauseQuanta + 8, [&rng] { return rng(); });
        f.size = 64;
        return f;
    }
    const OpcodeFacts* facts = nullptr;
    do
    {
        f.opcode = static_cast<Opcode>(rng());
        facts = &OpcodeTable::Get(f.opcode);
    } while (!FrameCodec::Fits(*facts) || FrameCodec::KindOf(*facts) != f.kind);
    f.source = rng() & 0xfffffffe;
    f.destination = rng() & 0xfffffffe;
    f.sourcePort = rng();
    f.destinationPort = 4791;
    f.hash = FlowKey{f.source, f.destination, f.sourcePort, 4791}.Hash();
    f.psn = f.kind == FrameKind::CNP ? 0 : rng() & MASK_24;
    f.destinationQp = rng() & MASK_24;
    f.priority = rng() % 8;
    f.ecn = rng() % 4;
    f.ttl = rng();
    f.payload = facts->payload ? rng() % 300 : 0;
    f.flags = rng() & (FRAME_ACK_REQUEST | FRAME_BECN | FRAME_SOLICITED);
    f.aeth = facts->Has(EXTENSION_AETH) ? rng() : 0;
    if (f.kind == FrameKind::CNP)
    {
        f.flags |= FRAME_BECN;
        f.flags |= rng() % 2 ? FRAME_EXTENDED : 0;
        f.cnpBody[0] = f.flags & FRAME_EXTENDED ? 1 : 0;
    }
    const bool reth = facts->Has(EXTENSION_RETH);
    f.remoteAddress = reth ? rng() : 0;
    f.dmaLength = reth ? rng() : 0;
    f.remoteKey = reth || facts->Has(EXTENSION_IETH) ? rng() : 0;
    f.immediate = facts->Has(EXTENSION_IMMDT) ? rng() : 0;
    if (facts->extensions & (EXTENSION_RETH | EXTENSION_IMMDT | EXTENSION_IETH))
    {
        f.flags |= FRAME_EXTENDED;
    }
    // 62 bytes around payload with pad and extension headers, at least 64
    f.size = std::max(64, 62 + facts->extensionBytes + (f.payload + 3) / 4 * 4);
    return f;
}

} // namespace

TEST_CASE("frame codec: a frame of ours comes back the same", "[wire][frame-codec]")
{
    FramePool pool;
    std::mt19937_64 rng(3);
    for (unsigned i = 0; i < 10'000; ++i)
    {
        const Frame f = RandomFrame(rng);
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

TEST_CASE("frame codec: pause frames", "[wire][frame-codec]")
{
    Frame f{};
    f.kind = FrameKind::PFC;
    CHECK_THROWS_AS(Encode(f), std::invalid_argument); // no times
    f.flags = FRAME_EXTENDED;
    f.pauseEnable = 0x08;
    f.pauseQuanta[3] = 0xffff;
    FrameCodecOptions options;
    options.pauseSource = {0x00, 0x01, 0x01, 0x01, 0x01, 0x01};
    options.vlanId = 7; // MAC control is never tagged
    Bytes xoff = FromHex("0180c2000001 000101010101 8808 0101 0008 0000 0000 0000 ffff 0000 0000 "
                         "0000 0000");
    xoff.resize(60);
    CHECK(Encode(f, options) == xoff);

    FramePool pool;
    Bytes pause = FromHex("0180c2000001 000000000000 8808 0001 1234");
    pause.resize(60);
    const Owned all = Decode(pool, pause);
    CHECK(all->kind == FrameKind::PFC);
    CHECK(all->pauseEnable == 0xff);
    CHECK(all->pauseQuanta[0] == 0x1234);
    CHECK(all->pauseQuanta[7] == 0x1234);
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

TEST_CASE("frame codec: ports of a peer's flow file", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_WRITE_MIDDLE, 1000);
    f.destinationPort = 100;
    const Bytes bytes = Encode(f);
    CHECK(bytes[36] == 0);
    CHECK(bytes[37] == 100);
    FramePool pool;
    CHECK(Decode(pool, bytes)->kind == FrameKind::PACKET); // some UDP packet
    FrameCodecOptions options;
    options.anyUdpPort = true;
    const Owned g = Decode(pool, bytes, options);
    CHECK(g->kind == FrameKind::REQUEST);
    CHECK(g->destinationPort == 100);
    CHECK(g->hash == FlowKey{f.source, f.destination, 49152, 100}.Hash());
}

TEST_CASE("frame codec: payload that is not zeros travels as a packet", "[wire][frame-codec]")
{
    FramePool pool;
    Frame* f = pool.Get();
    *f = MakeFrame(FrameKind::REQUEST, Opcode::RC_SEND_ONLY, 5);
    const Bytes payload = FromHex("0102030405");
    auto packet = ns3::Create<ns3::Packet>(payload.data(), 5);
    packet->Ref();
    f->packet = ns3::PeekPointer(packet);
    f->flags |= FRAME_PACKET;
    const Bytes bytes = Encode(*f);
    CHECK(Codec::Decode(bytes.data(), bytes.size(), false).payload == payload);
    {
        const Owned g = Decode(pool, bytes);
        REQUIRE((g->flags & FRAME_PACKET) != 0);
        CHECK(g->payload == 5);
        Bytes back(5);
        g->packet->CopyData(back.data(), 5);
        CHECK(back == payload);
    }
    f->payload = 6;
    CHECK_THROWS_AS(Encode(*f), std::invalid_argument);
    pool.Free(f);
    CHECK(packet->GetReferenceCount() == 1);
    CHECK(pool.GetLive() == 0);
}

TEST_CASE("frame codec: an ordinary IPv4 packet", "[wire][frame-codec]")
{
    // IPv4, TOS 0x02, length 28, id 1, DF, TTL 64, TCP, sum 0 (ns-3 without checksums)
    const Bytes ip = FromHex("4502 001c 0001 4000 4006 0000 0a000001 0a000102"
                             "1388 0050 00000000");
    FramePool pool;
    Frame* f = pool.Get();
    *f = MakeFrame(FrameKind::PACKET, Opcode::RC_SEND_FIRST);
    auto packet = ns3::Create<ns3::Packet>(ip.data(), uint32_t(ip.size()));
    packet->Ref();
    f->packet = ns3::PeekPointer(packet);
    f->flags |= FRAME_PACKET;
    f->protocol = 0x0800;
    f->ecn = ECN_CE;
    f->ttl = 62;
    Bytes bytes = Encode(*f);
    CHECK(bytes.size() == 60); // 14 + 28, padded
    CHECK(Bytes(bytes.begin(), bytes.begin() + 14) == FromHex("02000a000102 02000a000001 0800"));
    CHECK(bytes[15] == 0x03); // marked on the way
    CHECK(bytes[22] == 62);
    CHECK(bytes[24] + bytes[25] == 0);
    {
        const Owned g = Decode(pool, bytes);
        CHECK(g->kind == FrameKind::PACKET);
        CHECK(g->source == f->source);
        CHECK(g->destination == f->destination);
        CHECK(g->sourcePort == 5000);
        CHECK(g->destinationPort == 80);
        CHECK(g->hash == FlowKey{f->source, f->destination, 5000, 80, 6}.Hash());
        CHECK(g->ecn == ECN_CE);
        CHECK(g->ttl == 62);
        CHECK(g->protocol == 0x0800);
        CHECK(g->size == 64);
        REQUIRE(g->packet->GetSize() == 28); // Ethernet padding is gone
        CHECK(Encode(*g) == bytes);
    }
    bytes[17] = 47; // longer than the 46 bytes in the frame
    CHECK_THROWS_AS(Decode(pool, bytes), CodecError);
    f->flags &= ~FRAME_PACKET;
    CHECK_THROWS_AS(Encode(*f), std::invalid_argument);
    packet->Unref();
    pool.Free(f);
    CHECK(pool.GetLive() == 0);
}

TEST_CASE("frame codec: a marked packet keeps its header checksum right", "[wire][frame-codec]")
{
    // the example header of RFC 1071 texts: sum b861 with TOS 0 and TTL 64
    const Bytes ip = FromHex("45000073000040004011b861c0a80001c0a800c7");
    REQUIRE(Codec::InternetChecksum(ip.data(), 20) == 0);
    FramePool pool;
    Frame* f = pool.Get();
    *f = MakeFrame(FrameKind::PACKET, Opcode::RC_SEND_FIRST);
    auto packet = ns3::Create<ns3::Packet>(ip.data(), 20);
    packet->Ref();
    f->packet = ns3::PeekPointer(packet);
    f->flags |= FRAME_PACKET;
    f->protocol = 0x0800;
    f->ecn = ECN_CE;
    f->ttl = 63;
    const Bytes bytes = Encode(*f);
    CHECK(Codec::InternetChecksum(bytes.data() + 14, 20) == 0);
    // TOS + 3, TTL - 1: the sum of words changes by 3 - 0x100, so b861 becomes b861 + 0xfd = b95e
    CHECK((bytes[24] << 8 | bytes[25]) == 0xb95e);
    pool.Free(f);
}

TEST_CASE("frame codec: frames without wire form are refused", "[wire][frame-codec]")
{
    Frame f = MakeFrame(FrameKind::REQUEST, Opcode::RC_FETCH_ADD);
    CHECK_THROWS_AS(Encode(f), std::invalid_argument); // no fields for AtomicETH
    f = MakeFrame(FrameKind::REQUEST, static_cast<Opcode>(0xff));
    CHECK_THROWS_AS(Encode(f), std::invalid_argument);
    f = MakeFrame(FrameKind::ACK, Opcode::RC_WRITE_ONLY); // kind and opcode differ
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
        const bool atomic = IsRoceV4(bytes) && bytes[42] >= 0x12 && bytes[42] <= 0x14;
        if (atomic)
        {
            CHECK_THROWS_AS(Decode(pool, bytes), CodecError);
            continue;
        }
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
    CHECK(roce == 126); // 136 without 5 FETCH_ADD and 5 atomic acknowledges
    CHECK(refused > 1000);
    CHECK(pool.GetLive() == 0);
}
