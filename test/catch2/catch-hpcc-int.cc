/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wire-test-data.h"

#include "ns3/roce-hpcc-int.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>
#include <string>

using namespace ns3::roce;
using wiretest::Bytes;
using wiretest::FromHex;

namespace
{

constexpr HpccIntLayout ARTIFACT = HpccIntLayout::ARTIFACT;
constexpr HpccIntLayout EXTENDED = HpccIntLayout::EXTENDED;
constexpr uint64_t GBPS = 1'000'000'000;

Bytes
Encode(const HpccInt& header, HpccIntLayout layout)
{
    Bytes bytes;
    header.Encode(bytes, layout);
    return bytes;
}

HpccInt
Decode(const Bytes& bytes, HpccIntLayout layout)
{
    return HpccInt::Decode(bytes.data(), bytes.size(), layout);
}

/** \return where Decode finds the fault, or 9999 if it takes the bytes */
std::size_t
FaultAt(const Bytes& bytes, HpccIntLayout layout)
{
    try
    {
        Decode(bytes, layout);
    }
    catch (const CodecError& e)
    {
        return e.GetOffset();
    }
    return 9999;
}

HpccIntHop
RandomHop(std::mt19937_64& rng, HpccIntLayout layout)
{
    const uint32_t rates[] = {25000, 50000, 100000, 200000, 400000};
    HpccIntHop hop;
    hop.rate = layout == ARTIFACT ? rates[rng() % 5] : std::max<uint32_t>(1, rng());
    hop.time = rng() & 0xffffff;
    hop.bytes = rng() & 0xfffff;
    hop.queue = rng() & 0x1ffff;
    return hop;
}

void
CheckSame(const HpccInt& a, const HpccInt& b)
{
    CHECK(a.GetCount() == b.GetCount());
    REQUIRE(a.GetSize() == b.GetSize());
    for (unsigned i = 0; i < a.GetSize(); ++i)
    {
        CHECK(a.GetHop(i).rate == b.GetHop(i).rate);
        CHECK(a.GetHop(i).time == b.GetHop(i).time);
        CHECK(a.GetHop(i).bytes == b.GetHop(i).bytes);
        CHECK(a.GetHop(i).queue == b.GetHop(i).queue);
    }
}

} // namespace

TEST_CASE("HPCC INT: bytes of hops", "[wire][int]")
{
    // number = queue x 2^47 + bytes x 2^27 + time x 2^3 + code, least significant byte first
    HpccInt h;
    HpccIntHop hop;
    hop.rate = 100000; // code 2
    hop.time = hop.bytes = hop.queue = 1;
    h.Push(hop);       // 2^47 + 2^27 + 8 + 2 = 00008000 0800000a
    hop.rate = 400000; // code 4
    hop.time = 0xffffff;
    hop.bytes = 0xfffff;
    hop.queue = 0x1ffff;
    h.Push(hop);       // 61 ones, then 100
    hop.rate = 200000; // code 3
    hop.time = 0x123456;
    hop.bytes = 0xabcde;
    hop.queue = 0x12345;
    h.Push(hop); // 91a28000 00000000 + 000055e6 f0000000 + 91a2b0 + 3 = 91a2d5e6 f091a2b3
    const Bytes expected = FromHex("0a00000800800000 fcffffffffffffff b3a291f0e6d5a291"
                                   "0000000000000000 0000000000000000 0300");
    CHECK(expected.size() == 42);
    CHECK(Encode(h, ARTIFACT) == expected);
    CheckSame(Decode(expected, ARTIFACT), h);

    // ours: code 7 and the rate in Mb/s: 100000 = 186a0, 400000 = 61a80, 200000 = 30d40
    const Bytes extended = FromHex("0f00000800800000 a0860100 ffffffffffffffff 801a0600"
                                   "b7a291f0e6d5a291 400d0300"
                                   "0000000000000000 00000000 0000000000000000 00000000 0300");
    CHECK(extended.size() == 62);
    CHECK(Encode(h, EXTENDED) == extended);
    CheckSame(Decode(extended, EXTENDED), h);

    // no hop: all zeros; what stands before in the vector stays
    Bytes bytes = {0xaa};
    HpccInt().Encode(bytes, ARTIFACT);
    CHECK(bytes.size() == 43);
    CHECK(bytes[0] == 0xaa);
    CHECK(Bytes(bytes.begin() + 1, bytes.end()) == Bytes(42, 0));
}

TEST_CASE("HPCC INT: units, wraps and the longest queue", "[wire][int]")
{
    // 2^24 = 16,777,216 ns; 128 B x 2^20 = 134,217,728 B; 80 B x (2^17 - 1) = 10,485,680 B
    HpccIntHop hop = HpccIntHop::Make(100000, 16'777'216 + 5, 134'217'728 + 3 * 128 + 127, 80, 1);
    CHECK(hop.GetRate() == 100 * GBPS);
    CHECK(hop.time == 5);
    CHECK(hop.bytes == 3);
    CHECK(hop.queue == 1);
    CHECK(hop.GetQueueBytes(1) == 80);
    hop = HpccIntHop::Make(100000, 0, 0, 10'485'680 + 79, 1);
    CHECK(hop.queue == 0x1ffff);
    CHECK(hop.GetQueueBytes(1) == 10'485'680);
    hop = HpccIntHop::Make(100000, 0, 0, 10'485'760, 1); // one unit more, and much more
    CHECK(hop.queue == 0x1ffff);
    hop = HpccIntHop::Make(100000, 0, 0, ~uint64_t(0), 1);
    CHECK(hop.queue == 0x1ffff);
    // multi 4: units of 512 and 320 B
    hop = HpccIntHop::Make(800000, 0, 512 * 7 + 511, 320 * 9 + 319, 4);
    CHECK(hop.bytes == 7);
    CHECK(hop.queue == 9);
    CHECK(hop.GetQueueBytes(4) == 2880);
    CHECK(hop.GetRate() == 800 * GBPS);
}

TEST_CASE("HPCC INT: differences over wraps", "[wire][int]")
{
    HpccIntHop a;
    HpccIntHop b;
    a.time = 0xffffff;
    b.time = 0;
    CHECK(b.TimeDelta(a) == 1);
    CHECK(a.TimeDelta(b) == 0xffffff);
    CHECK(a.TimeDelta(a) == 0);
    a.bytes = 0xffffe;
    b.bytes = 1;
    CHECK(b.BytesDelta(a, 1) == 3 * 128);
    CHECK(b.BytesDelta(a, 2) == 3 * 256);
    CHECK(b.BytesDelta(b, 1) == 0);
    a.bytes = 0xfffff;
    b.bytes = 0;
    CHECK(a.BytesDelta(b, 1) == 134'217'600); // (2^20 - 1) x 128
    std::mt19937_64 rng(11);
    for (unsigned i = 0; i < 100'000; ++i)
    {
        const auto multi = static_cast<uint32_t>(rng() % 30 + 1);
        const uint64_t unit = 128 * multi;
        const uint64_t t = rng() >> 4;
        const uint64_t sent = rng() >> 4;
        const uint64_t dt = rng() % 16'777'216;
        const uint64_t more = rng() % (unit * ((1 << 20) - 1));
        a = HpccIntHop::Make(100000, t, sent, 0, multi);
        b = HpccIntHop::Make(100000, t + dt, sent + more, 0, multi);
        REQUIRE(b.TimeDelta(a) == dt);
        const uint64_t delta = b.BytesDelta(a, multi);
        REQUIRE(delta < more + unit); // both counts are rounded down
        REQUIRE(delta + unit > more);
    }
    // from 2^24 ns on a difference cannot be told from a shorter one
    a = HpccIntHop::Make(100000, 0, 0, 0, 1);
    b = HpccIntHop::Make(100000, 16'777'216 + 9, 0, 0, 1);
    CHECK(b.TimeDelta(a) == 9);
}

TEST_CASE("HPCC INT: rates", "[wire][int]")
{
    for (const uint64_t g : {25, 50, 100, 200, 400})
    {
        CHECK(HpccInt::RateOf(g * GBPS, ARTIFACT) == g * 1000);
    }
    for (const uint64_t g : {1, 10, 25, 40, 100, 400, 800, 1600, 2400, 6400}) // case A11 and more
    {
        CHECK(HpccInt::RateOf(g * GBPS, EXTENDED) == g * 1000);
    }
    CHECK(HpccInt::RateOf(1'000'000, EXTENDED) == 1);
    CHECK(HpccInt::RateOf(2'500'000'000, EXTENDED) == 2500);
    CHECK(HpccInt::RateOf(4'294'967'295'000'000, EXTENDED) == 0xffffffff);
    for (const uint64_t rate : {uint64_t(0), uint64_t(999'999), uint64_t(1'500'000), ~uint64_t(0)})
    {
        CHECK_THROWS_AS(HpccInt::RateOf(rate, EXTENDED), std::invalid_argument);
    }
    CHECK_THROWS_AS(HpccInt::RateOf(4'294'967'296'000'000, EXTENDED), std::invalid_argument);
    for (const uint64_t g : {10, 40, 800, 1600})
    {
        const std::string mbps = std::to_string(g * 1000) + " Mb/s";
        CHECK_THROWS_WITH(HpccInt::RateOf(g * GBPS, ARTIFACT),
                          Catch::Contains(mbps) && Catch::Contains("EXTENDED"));
    }
    // a header made without RateOf is caught when it is written, before its first byte
    HpccInt h;
    HpccIntHop hop;
    hop.rate = 25000;
    h.Push(hop);
    hop.rate = 800000;
    h.Push(hop);
    Bytes bytes = {1, 2};
    CHECK_THROWS_AS(h.Encode(bytes, ARTIFACT), std::invalid_argument);
    CHECK(bytes == Bytes{1, 2});
    CHECK_NOTHROW(h.Encode(bytes, EXTENDED));
}

TEST_CASE("HPCC INT: the factor of the units that no rate outruns", "[wire][int]")
{
    // rate / 64 Gb/s, rounded up: in 2^24 ns rate / 8 x 2^24 / 10^9 bytes leave, the count wraps
    // after 2^27 x multi
    CHECK(HpccInt::MultiFor(GBPS) == 1);
    CHECK(HpccInt::MultiFor(64 * GBPS) == 1);
    CHECK(HpccInt::MultiFor(64 * GBPS + 1) == 2);
    CHECK(HpccInt::MultiFor(100 * GBPS) == 2); // 1.5625
    CHECK(HpccInt::MultiFor(128 * GBPS) == 2);
    CHECK(HpccInt::MultiFor(400 * GBPS) == 7);  // 6.25
    CHECK(HpccInt::MultiFor(800 * GBPS) == 13); // 12.5
    CHECK(HpccInt::MultiFor(1600 * GBPS) == 25);
}

TEST_CASE("HPCC INT: a path longer than five hops", "[wire][int]")
{
    HpccInt h;
    for (uint32_t i = 0; i < 7; ++i)
    {
        CHECK(h.GetCount() == i);
        CHECK(h.Push(HpccIntHop::Make(25000, i, 0, 0, 1)) == (i < 5));
    }
    CHECK(h.GetSize() == 5);
    CHECK(h.GetCount() == 7);
    for (uint32_t i = 0; i < 5; ++i)
    {
        CHECK(h.GetHop(i).time == i); // the first five stay
    }
    const Bytes bytes = Encode(h, ARTIFACT);
    CHECK(bytes[40] == 7);
    CHECK(bytes[41] == 0);
    CheckSame(Decode(bytes, ARTIFACT), h);
    for (unsigned i = 0; i < 70'000; ++i)
    {
        h.Push(HpccIntHop());
    }
    CHECK(h.GetCount() == 65535);
    h.Clear();
    CHECK(h.GetSize() == 0);
    CHECK(Encode(h, ARTIFACT) == Bytes(42, 0));
}

TEST_CASE("HPCC INT: faults and their places", "[wire][int]")
{
    HpccInt h;
    h.Push(HpccIntHop::Make(25000, 1, 2, 3, 1));
    h.Push(HpccIntHop::Make(50000, 1, 2, 3, 1));
    for (const HpccIntLayout layout : {ARTIFACT, EXTENDED})
    {
        const Bytes good = Encode(h, layout);
        const std::size_t hop = layout == ARTIFACT ? 8 : 12;
        REQUIRE(FaultAt(good, layout) == 9999);
        for (std::size_t size = 0; size < good.size(); ++size)
        {
            CHECK(FaultAt(Bytes(good.begin(), good.begin() + size), layout) == 0);
        }
        for (unsigned code = 0; code < 8; ++code)
        {
            Bytes bytes = good;
            bytes[hop] = static_cast<uint8_t>((bytes[hop] & 0xf8) | code); // of the second hop
            const bool known = layout == ARTIFACT ? code <= 4 : code == 7;
            INFO("code " << code);
            CHECK(FaultAt(bytes, layout) == (known ? 9999 : hop));
        }
        Bytes bytes = good;
        bytes[2 * hop + 3] = 1; // in a hop that was not made
        CHECK(FaultAt(bytes, layout) == 2 * hop + 3);
        bytes = good;
        bytes[good.size() - 2] = 1; // the second hop is not made then
        CHECK(FaultAt(bytes, layout) == hop);
    }
    Bytes zero = Encode(h, EXTENDED);
    zero[8] = zero[9] = zero[10] = zero[11] = 0; // 25000 = 61a8
    CHECK(FaultAt(zero, EXTENDED) == 8);

    // fields wider than the wire, and a rate of 0
    for (unsigned field = 0; field < 4; ++field)
    {
        HpccIntHop hop = HpccIntHop::Make(25000, 1, 2, 3, 1);
        hop.time = field == 0 ? 1 << 24 : 0;
        hop.bytes = field == 1 ? 1 << 20 : 0;
        hop.queue = field == 2 ? 1 << 17 : 0;
        hop.rate = field == 3 ? 0 : 25000;
        HpccInt wide;
        wide.Push(hop);
        Bytes bytes;
        CHECK_THROWS_AS(wide.Encode(bytes, EXTENDED), std::invalid_argument);
        CHECK_THROWS_AS(wide.Encode(bytes, ARTIFACT), std::invalid_argument);
        CHECK(bytes.empty());
    }
}

TEST_CASE("HPCC INT: random headers there and back", "[wire][int]")
{
    std::mt19937_64 rng(12);
    for (unsigned i = 0; i < 10'000; ++i)
    {
        const HpccIntLayout layout = i % 2 ? ARTIFACT : EXTENDED;
        HpccInt h;
        for (unsigned hops = rng() % 8; hops > 0; --hops)
        {
            h.Push(RandomHop(rng, layout));
        }
        const Bytes bytes = Encode(h, layout);
        REQUIRE(bytes.size() == HpccInt::Bytes(layout));
        CheckSame(Decode(bytes, layout), h);
    }
}

TEST_CASE("HPCC INT: damaged headers are refused or come back as they are", "[wire][int]")
{
    std::mt19937_64 rng(13);
    unsigned taken = 0;
    unsigned refused = 0;
    for (unsigned i = 0; i < 50'000; ++i)
    {
        const HpccIntLayout layout = i % 2 ? ARTIFACT : EXTENDED;
        HpccInt h;
        for (unsigned hops = rng() % 6; hops > 0; --hops)
        {
            h.Push(RandomHop(rng, layout));
        }
        Bytes bytes = Encode(h, layout);
        bytes[rng() % bytes.size()] = rng();
        try
        {
            const HpccInt g = Decode(bytes, layout);
            REQUIRE(Encode(g, layout) == bytes);
            ++taken;
        }
        catch (const CodecError&)
        {
            ++refused;
        }
    }
    CHECK(taken > 10'000);
    CHECK(refused > 10'000);
}
