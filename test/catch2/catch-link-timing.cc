/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-link-timing.h"

#include <catch2/catch.hpp>
#include <random>

using namespace ns3::roce;

namespace
{
constexpr int64_t NS = 1000000000;
constexpr uint64_t G = 1000000000;

/** Checks that a span is exactly what the bits last. \param rate bit/s \param size bytes \param
 *  overhead bytes \param ticksPerSecond resolution */
void
CheckExact(uint64_t rate, uint32_t size, uint32_t overhead, int64_t ticksPerSecond)
{
    LinkTiming timing(rate, overhead, false, ticksPerSecond);
    const LinkTiming::Span span = timing.Of(size);
    const uint64_t b = timing.GetDenominator();
    CAPTURE(rate, size, overhead, ticksPerSecond, b);
    REQUIRE(rate % b == 0);
    REQUIRE(span.remainder < b);
    // (ticks + remainder / b) * rate = bits * ticks a second
    const auto left = static_cast<__uint128_t>(span.ticks) * rate +
                      static_cast<__uint128_t>(span.remainder) * (rate / b);
    const auto right = static_cast<__uint128_t>(uint64_t(size) + overhead) * 8 *
                       static_cast<uint64_t>(ticksPerSecond);
    REQUIRE((left == right));
}
} // namespace

TEST_CASE("LinkTiming: known lengths", "[link-timing]")
{
    LinkTiming at100(100 * G, 20, false, NS);
    CHECK(at100.Of(1230).ticks == 100); // 1250 bytes, 10000 bits
    CHECK(at100.Of(1230).remainder == 0);
    LinkTiming at800(800 * G, 20, false, NS);
    // 4178 bytes = 33424 bits at 800 bit/ns = 41.78 ns
    const LinkTiming::Span span = at800.Of(4158);
    CHECK(span.ticks == 41);
    CHECK(double(span.remainder) / double(at800.GetDenominator()) == Approx(0.78));
    LinkTiming at1600(1600 * G, 20, false, NS);
    CHECK(at1600.Of(64).ticks == 0); // 0.42 ns: not a tick, but not nothing
    CHECK(at1600.Of(64).remainder > 0);
    LinkTiming slow(1, 0, false, NS);
    CHECK(slow.Of(1).ticks == 8 * uint64_t(NS)); // 8 s at 1 bit/s
}

TEST_CASE("LinkTiming: exact for any rate and resolution", "[link-timing]")
{
    std::mt19937_64 random(3);
    for (uint64_t rate : {G,
                          10 * G,
                          25 * G,
                          40 * G,
                          56 * G,
                          100 * G,
                          400 * G,
                          800 * G,
                          1600 * G,
                          uint64_t(25781250000),
                          uint64_t(1000003),
                          uint64_t(9999999967)})
    {
        for (int64_t ticks : {NS, NS * 1000, NS / 1000, NS * 1000000})
        {
            for (uint32_t size : {0u, 1u, 64u, 66u, 1062u, 4158u, 9062u, 65535u})
            {
                CheckExact(rate, size, 20, ticks);
            }
        }
    }
    for (int i = 0; i < 5000; ++i)
    {
        CheckExact(1 + random() % (2000 * G), random() % 65536, random() % 100, NS);
    }
}

TEST_CASE("LinkTiming: remainders add up without loss", "[link-timing]")
{
    std::mt19937_64 random(4);
    for (uint64_t gbps : {1, 7, 10, 25, 40, 100, 400, 800, 1600})
    {
        LinkTiming timing(gbps * G, 20, false, NS);
        uint64_t ticks = 0;
        uint64_t remainder = 0;
        uint64_t bits = 0;
        for (int i = 0; i < 100000; ++i)
        {
            const uint32_t size = random() % 3 ? 64 + random() % 4096 : 66; // both cache entries
            const LinkTiming::Span& span = timing.Of(size);
            ticks += span.ticks;
            remainder += span.remainder;
            ticks += remainder / timing.GetDenominator();
            remainder %= timing.GetDenominator();
            bits += (size + 20) * 8;
        }
        CHECK(ticks == bits / gbps);
    }
}

TEST_CASE("LinkTiming: fractions of a tick", "[link-timing]")
{
    std::mt19937_64 random(5);
    for (uint64_t rate : {10 * G, 25 * G, 56 * G, 100 * G, 800 * G, 1600 * G, uint64_t(9999999967)})
    {
        LinkTiming timing(rate, 20, false, NS);
        const uint64_t b = timing.GetDenominator();
        for (int i = 0; i < 2000; ++i)
        {
            const uint64_t remainder = i == 0 ? b - 1 : random() % b;
            const uint16_t fraction = timing.ToFraction(remainder);
            const double exact = double(remainder) / double(b) * 65536;
            REQUIRE(fraction <= exact + 1e-6);
            REQUIRE(fraction > exact - 1.001); // rounded down
            const uint64_t back = timing.FromFraction(fraction);
            REQUIRE(back <= remainder);
            REQUIRE(double(remainder - back) <= double(b) / 65536 * 1.001);
            REQUIRE((b > 65536 || back == remainder)); // nothing is lost from link to link
        }
    }
    LinkTiming whole(8 * G, 0, false, NS); // a byte a tick: b = 1
    CHECK(whole.GetDenominator() == 1);
    CHECK(whole.ToFraction(0) == 0);
    CHECK(whole.FromFraction(65535) == 0);
}

TEST_CASE("LinkTiming: cut to whole ticks for comparison", "[link-timing]")
{
    LinkTiming timing(100 * G, 0, true, NS);
    CHECK(timing.Of(1062).ticks == 84); // 84.96
    CHECK(timing.Of(1062).remainder == 0);
    CHECK(timing.Of(1).ticks == 1); // 0.08: no frame lasts zero
    CHECK(timing.FromFraction(60000) == 0);
    CHECK(timing.IsTruncated());
}
