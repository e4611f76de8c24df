/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/roce-codec-error.h"
#include "ns3/roce-icrc.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace ns3::roce;
using namespace wiretest;

namespace
{

/** What the ICRC covers and what it is, taken from a packet that ends with it. */
struct Vector
{
    Bytes covered;
    uint32_t icrc;
};

Vector
Split(const Bytes& packet, std::size_t ip)
{
    const std::size_t end = packet.size() - 4;
    return {Bytes(packet.begin() + ip, packet.begin() + end), Icrc::Read(&packet[end])};
}

/** The rule once more, written from its text, with the witness CRC. */
uint32_t
Witness(Bytes bytes, const std::set<std::size_t>& masked, uint32_t polynomial = 0xedb88320)
{
    for (const std::size_t i : masked)
    {
        bytes[i] = 0xff;
    }
    bytes.insert(bytes.begin(), 8, 0xff);
    return BitwiseCrc(bytes, polynomial);
}

/** TOS, TTL, header checksum, UDP checksum, BTH byte 4, counted from the IPv4 header. */
const std::set<std::size_t> MASKED_V4{1, 8, 10, 11, 26, 27, 32};

Bytes
MakeIpv6()
{
    // traffic class 0x00, flow label 0; 40 bytes behind the header; UDP; hop limit 64
    Bytes p = FromHex("60000000002811" // 0x28 = 8 UDP + 12 BTH + 16 payload + 4 ICRC
                      "40"
                      "20010db8000000000000000000000001"
                      "20010db8000000000000000000000002"
                      "c00012b700280000"
                      "0400ffff0000001180000123");
    p.insert(p.end(), 16, 0x5a);
    return p;
}

} // namespace

TEST_CASE("ICRC of packets made by others", "[wire][icrc]")
{
    // the last four bytes of each vector are what its maker computed
    CHECK(FromHex(V1).size() == 74);
    CHECK(FromHex(V2).size() == 78);
    CHECK(V5().size() == 188);
    for (const auto& v : {Split(FromHex(V1), 14),
                          Split(FromHex(V2), 14),
                          Split(V5(), 0),
                          Split(FromHex(V6), 14),
                          Split(FromHex(V7), 14)})
    {
        CHECK(Icrc::Compute(v.covered.data(), v.covered.size()) == v.icrc);
        CHECK(Witness(v.covered, MASKED_V4) == v.icrc);
    }
    // 82 fd 00 2a on the wire, least significant byte first
    const Vector v1 = Split(FromHex(V1), 14);
    CHECK(Icrc::Compute(v1.covered.data(), v1.covered.size()) == 0x2a00fd82);
}

TEST_CASE("ICRC is not one of the known wrong answers", "[wire][icrc]")
{
    // Case A32: what V1 gives with a wrong polynomial, byte order or prefix, as wire bytes.
    const Vector v = Split(FromHex(V1), 14);
    const uint32_t right = Icrc::Compute(v.covered.data(), v.covered.size());
    const Bytes castagnoli = FromHex("2d41f4a2");
    const Bytes reversed = FromHex("2a00fd82");
    const Bytes noPrefix = FromHex("c3d1dafd");
    CHECK(Witness(v.covered, MASKED_V4, 0x82f63b78) == Icrc::Read(castagnoli.data()));
    Bytes masked = v.covered;
    for (const std::size_t i : MASKED_V4)
    {
        masked[i] = 0xff;
    }
    CHECK(BitwiseCrc(masked) == Icrc::Read(noPrefix.data()));
    CHECK(right != Icrc::Read(castagnoli.data()));
    CHECK(right != Icrc::Read(reversed.data()));
    CHECK(right != Icrc::Read(noPrefix.data()));
}

TEST_CASE("ICRC over IPv4: masked fields do not count, all others do", "[wire][icrc]")
{
    for (const auto& v : {Split(FromHex(V1), 14), Split(FromHex(V2), 14), Split(V5(), 0)})
    {
        const Bytes before = v.covered;
        for (std::size_t i = 1; i < v.covered.size(); ++i) // byte 0: version, tested below
        {
            for (unsigned bit = 0; bit < 8; ++bit)
            {
                Bytes changed = v.covered;
                changed[i] ^= 1 << bit;
                const uint32_t crc = Icrc::Compute(changed.data(), changed.size());
                INFO("byte " << i << " bit " << bit);
                CHECK((crc == v.icrc) == (MASKED_V4.count(i) == 1));
            }
        }
        CHECK(v.covered == before); // the input stays as it was
    }
}

TEST_CASE("ICRC over IPv6: traffic class, flow label and hop limit do not count", "[wire][icrc]")
{
    const Bytes p = MakeIpv6();
    const uint32_t crc = Icrc::Compute(p.data(), p.size());
    // bytes 0 (low half) to 3 and 7 of the IP header; UDP checksum 40+6, 40+7; BTH byte 4 at 48+4
    Bytes copy = p;
    copy[0] = 0x6f;
    CHECK(Witness(copy, {1, 2, 3, 7, 46, 47, 52}) == crc);
    const std::set<std::size_t> masked{1, 2, 3, 7, 46, 47, 52};
    for (std::size_t i = 0; i < p.size(); ++i)
    {
        for (unsigned bit = 0; bit < (i == 0 ? 4u : 8u); ++bit)
        {
            Bytes changed = p;
            changed[i] ^= 1 << bit;
            INFO("byte " << i << " bit " << bit);
            CHECK((Icrc::Compute(changed.data(), changed.size()) == crc) ==
                  (i == 0 || masked.count(i) == 1));
        }
    }
}

TEST_CASE("ICRC refuses what is no RoCEv2 packet", "[wire][icrc]")
{
    const Bytes v4 = Split(FromHex(V1), 14).covered;
    const Bytes v6 = MakeIpv6();
    for (std::size_t size = 0; size < 40; ++size) // 20 IP + 8 UDP + 12 BTH
    {
        CHECK_THROWS_AS(Icrc::Compute(Bytes(v4.begin(), v4.begin() + size).data(), size),
                        CodecError);
    }
    for (std::size_t size = 0; size < 60; ++size) // 40 IP + 8 UDP + 12 BTH
    {
        CHECK_THROWS_AS(Icrc::Compute(Bytes(v6.begin(), v6.begin() + size).data(), size),
                        CodecError);
    }
    CHECK_NOTHROW(Icrc::Compute(v4.data(), 40));
    CHECK_NOTHROW(Icrc::Compute(v6.data(), 60));
    for (const uint8_t first : {0x00, 0x55, 0x46, 0x44, 0xf5})
    {
        Bytes wrong = v4;
        wrong[0] = first;
        CHECK_THROWS_AS(Icrc::Compute(wrong.data(), wrong.size()), CodecError);
    }
}

TEST_CASE("CRC-32 of IEEE 802.3", "[wire][icrc]")
{
    // The check value that catalogs of CRCs give for "123456789".
    const std::string digits = "123456789";
    const Bytes bytes(digits.begin(), digits.end());
    CHECK(Icrc::Crc32(bytes.data(), bytes.size()) == 0xcbf43926);
    CHECK(BitwiseCrc(bytes) == 0xcbf43926);
    CHECK(BitwiseCrc(bytes, 0x82f63b78) == 0xe3069283); // RFC 3720 B.4: CRC-32C
    CHECK(Icrc::Crc32(nullptr, 0) == 0);
}
