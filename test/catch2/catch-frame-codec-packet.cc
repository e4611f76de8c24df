/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame-codec-test.h"

#include "ns3/packet.h"
#include "ns3/roce-codec.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3::roce;
using namespace frametest;
using wiretest::FromHex;

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
    CHECK((all->flags & FRAME_LINK_PAUSE) != 0);
    CHECK(Encode(*all) == pause); // PAUSE again, not PFC of all priorities
    f.pauseEnable = 0xff;
    CHECK(Encode(f) != pause);
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
