/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the fuzz targets of test/fuzz found; each also is a seed found-* of test/fuzz/corpus.

#include "roce-wire-test-data.h"

#include "ns3/roce-codec.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-topology-reader.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace ns3::roce;
using Catch::Matchers::Contains;
using wiretest::Bytes;
using wiretest::FromHex;

namespace
{

/** Ethernet header of an IPv4 packet from 10.0.0.1 to 10.0.0.2. */
const char* const ETHERNET = "02000a000002 02000a000001 0800";

/** Runs a reader that must throw. \return its message. \param read reads something */
template <typename F>
std::string
MessageOf(F read)
{
    try
    {
        read();
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    FAIL("nothing was thrown");
    return "";
}

/** Check that a message can be shown on a terminal. \param message it */
void
CheckShowable(const std::string& message)
{
    INFO(message);
    CHECK(message.size() <= 500);
    CHECK(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c < 127; }));
}

/** An Ethernet frame that decodes, and its encoding decodes to the same. */
struct PacketFields
{
    FrameKind kind;           //!< what it is
    uint16_t payload;         //!< bytes of the IP packet
    uint16_t sourcePort;      //!< as read
    uint16_t destinationPort; //!< as read
};

/** \param bytes an Ethernet frame \param expected its fields, twice */
void
CheckTwice(Bytes bytes, const PacketFields& expected)
{
    FramePool pool;
    for (unsigned i = 0; i < 2; ++i)
    {
        INFO("decoding " << i);
        Frame* frame = FrameCodec::Decode(bytes.data(), bytes.size(), pool);
        CHECK(frame->kind == expected.kind);
        CHECK(frame->payload == expected.payload);
        CHECK(frame->sourcePort == expected.sourcePort);
        CHECK(frame->destinationPort == expected.destinationPort);
        FrameCodec::Encode(*frame, bytes);
        pool.Free(frame);
    }
}

} // namespace

TEST_CASE("an IPv4 checksum of ones is refused", "[codec][fuzz]")
{
    // RFC 1624 section 3: the checksum of a header is never ones, since its sum is never 0; with a
    // sum of ones both 0 and ones look right, and only 0 is what Encode writes
    WirePacket packet;
    packet.bth.opcode = 0x11; // acknowledge
    packet.ipv4.id = 0;
    const Bytes first = Codec::Encode(packet);
    // the identification takes what the sum lacks, so that the checksum becomes 0
    packet.ipv4.id = static_cast<uint16_t>(first[24] << 8 | first[25]);
    REQUIRE(packet.ipv4.id != 0);
    Bytes bytes = Codec::Encode(packet);
    CHECK(bytes[24] == 0);
    CHECK(bytes[25] == 0);
    CHECK(Codec::Encode(Codec::Decode(bytes.data(), bytes.size(), false)) == bytes);
    bytes[24] = 0xff;
    bytes[25] = 0xff;
    CHECK(Codec::InternetChecksum(bytes.data() + 14, 20) == 0);
    CHECK_THROWS_AS(Codec::Decode(bytes.data(), bytes.size(), false), CodecError);
    CHECK_THROWS_WITH(Codec::Decode(bytes.data(), bytes.size(), false),
                      Contains("IPv4 header checksum at byte 24 is 65535"));
}

TEST_CASE("ports are those of the IP packet, not of the padding behind it", "[frame-codec][fuzz]")
{
    // TCP, total length 20: the header alone; ports 49152 and 4791 follow as padding
    Bytes bytes =
        FromHex(std::string(ETHERNET) + "45000014 00004000 40060000 0a000001 0a000002 c00012b7");
    bytes.resize(60);
    CheckTwice(bytes, {FrameKind::PACKET, 20, 0, 0});
}

TEST_CASE("UDP without a whole header is no RoCE", "[frame-codec][fuzz]")
{
    // total length 24: the ports and no more; padded or not, it is the same packet
    Bytes bytes =
        FromHex(std::string(ETHERNET) + "45000018 00004000 40110000 0a000001 0a000002 c00012b7");
    CheckTwice(bytes, {FrameKind::PACKET, 24, 49152, 4791});
    bytes.resize(60);
    CheckTwice(bytes, {FrameKind::PACKET, 24, 49152, 4791});
}

TEST_CASE("an IPv4 packet with a bad first byte is refused", "[frame-codec][fuzz]")
{
    // version 4 and header length of 5 to 15 words (RFC 791 section 3.1)
    for (const char* first : {"42", "44", "35", "65", "00"})
    {
        Bytes bytes =
            FromHex(ETHERNET + std::string(first) + "000028 00004000 40060000 0a000001 0a000002");
        bytes.resize(60);
        FramePool pool;
        INFO(first);
        CHECK_THROWS_AS(FrameCodec::Decode(bytes.data(), bytes.size(), pool), CodecError);
        CHECK_THROWS_WITH(FrameCodec::Decode(bytes.data(), bytes.size(), pool),
                          Contains("IPv4 version and header length at byte 14"));
        CHECK(pool.GetLive() == 0);
    }
    // an IPv4 length that ends within a header of 6 words, 24 bytes
    Bytes bytes = FromHex(std::string(ETHERNET) + "46000014 00004000 40060000 0a000001 0a000002");
    bytes.resize(60);
    FramePool pool;
    CHECK_THROWS_WITH(FrameCodec::Decode(bytes.data(), bytes.size(), pool),
                      Contains("IPv4 length at byte 16 is 20") && Contains("24"));
}

TEST_CASE("a frame too long for Frame::size is not encoded", "[frame-codec][fuzz]")
{
    FramePool pool;
    Frame frame{};
    frame.kind = FrameKind::REQUEST;
    frame.opcode = Opcode::RC_SEND_ONLY;
    frame.destinationPort = 4791;
    // Ethernet, IPv4, UDP, BTH, ICRC: 14 + 20 + 8 + 12 + 4 = 58 bytes; 65531 and FCS make 65535
    frame.payload = 65472;
    Bytes bytes;
    FrameCodec::Encode(frame, bytes);
    CHECK(bytes.size() == 65530);
    Frame* same = FrameCodec::Decode(bytes.data(), bytes.size(), pool);
    CHECK(same->payload == 65472);
    CHECK(same->size == 65534);
    pool.Free(same);
    frame.payload = 65473; // and 3 bytes of pad
    CHECK_THROWS_AS(FrameCodec::Encode(frame, bytes), std::invalid_argument);
    CHECK_THROWS_WITH(FrameCodec::Encode(frame, bytes), Contains("65534") && Contains("65531"));
}

TEST_CASE("errors of readers show bytes of a file printable and short", "[topology][fuzz]")
{
    CHECK(Quantity::Shown("100Gbps") == "'100Gbps'");
    CHECK(Quantity::Shown("\x1b[2J\x07 \xff") == "'?[2J? ?'");
    CHECK(Quantity::Shown(std::string(40, 'a')) == "'" + std::string(40, 'a') + "'");
    CHECK(Quantity::Shown(std::string(41, 'a')) == "'" + std::string(40, 'a') + "...'");
    const auto config = [](const std::string& text) {
        return MessageOf([&text]() { HpccConfigReader::Read(TextSource::FromString("c", text)); });
    };
    const auto topology = [](const std::string& text) {
        return MessageOf([&text]() { TopologyReader::Read(TextSource::FromString("t", text)); });
    };
    const std::string zeros(600, '0');
    CheckShowable(config("\x1b[2J\x07 1\n"));
    CheckShowable(config("LB_MODE \x1b[2J\n"));
    CheckShowable(config("CC_MODE " + zeros + "2\n"));
    CheckShowable(config("INT_MULTI " + zeros + "\n"));
    CheckShowable(config("MIN_RATE " + zeros + "\n"));
    CheckShowable(config("KMAX_MAP " + zeros + "2 5\n"));
    CheckShowable(config("KMAX_MAP 1 " + zeros + " 5\n"));
    CheckShowable(config("LINK_DOWN 5 " + zeros + " " + zeros + "\n"));
    CheckShowable(topology("4 1 3\n\x1b[2J\n"));
    CheckShowable(topology("4 1 1 1 3 " + zeros + "\n"));
    CHECK_THAT(config("CC_MODE " + zeros + "2\n"), Contains("found 2"));
}
