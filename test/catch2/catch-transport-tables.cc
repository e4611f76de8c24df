/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/integer.h"
#include "ns3/roce-ack-timeout.h"
#include "ns3/roce-credit-code.h"
#include "ns3/roce-rnr-timer.h"
#include "ns3/roce-transport-options.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t MS = 1000000; // ns

/** IBTA table 45: time in ms by code, as printed. */
const std::vector<double> RNR_MS = {655.36, 0.01,  0.02,  0.03,   0.04,   0.06,   0.08,   0.12,
                                    0.16,   0.24,  0.32,  0.48,   0.64,   0.96,   1.28,   1.92,
                                    2.56,   3.84,  5.12,  7.68,   10.24,  15.36,  20.48,  30.72,
                                    40.96,  61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52};

/** IBTA table of end-to-end credits: count by code 0 to 30, as printed. */
const std::vector<uint32_t> CREDITS = {
    0,   1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,  192,
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};

/**
 * \param code of either table, 1 to 31
 * \return the law behind both: 1, then 2, 3, 4, 6, 8, 12 and so on, each twice the last but one
 */
uint64_t
Steps(unsigned code)
{
    if (code == 1)
    {
        return 1;
    }
    return code % 2 ? uint64_t(3) << (code - 3) / 2 : uint64_t(1) << code / 2;
}

} // namespace

TEST_CASE("RnrTimer: the times of IBTA table 45", "[transport-tables]")
{
    REQUIRE(RNR_MS.size() == 32);
    for (uint8_t code = 0; code < 32; ++code)
    {
        CAPTURE(int(code));
        CHECK(double(RnrTimer::NanoSeconds(code)) == Approx(RNR_MS[code] * 1e6).epsilon(1e-12));
        // exact: steps of 0.01 ms; code 0 is 2^16 of them
        CHECK(RnrTimer::NanoSeconds(code) == (code ? Steps(code) : 65536) * (MS / 100));
        CHECK(RnrTimer::CodeFor(RnrTimer::NanoSeconds(code)) == code);
    }
    CHECK_THROWS_AS(RnrTimer::NanoSeconds(32), std::invalid_argument);
    CHECK_THROWS_WITH(RnrTimer::NanoSeconds(255), Contains("255") && Contains("31"));
}

TEST_CASE("RnrTimer: the code for a time is the shortest that is not shorter", "[transport-tables]")
{
    CHECK(RnrTimer::CodeFor(0) == 1);
    CHECK(RnrTimer::CodeFor(10000) == 1);
    CHECK(RnrTimer::CodeFor(10001) == 2);
    CHECK(RnrTimer::CodeFor(491520000) == 31);
    CHECK(RnrTimer::CodeFor(491520001) == 0);
    CHECK(RnrTimer::CodeFor(655360000) == 0);
    CHECK(RnrTimer::CodeFor(655360001) == 0); // there is no longer one
    CHECK(RnrTimer::CodeFor(~uint64_t(0)) == 0);
    std::mt19937_64 random(45);
    for (int i = 0; i < 20000; ++i)
    {
        const uint64_t ns = (random() >> (34 + random() % 30)) % (655 * MS);
        CAPTURE(ns);
        const uint64_t given = RnrTimer::NanoSeconds(RnrTimer::CodeFor(ns));
        CHECK(given >= ns);
        for (uint8_t code = 0; code < 32; ++code)
        {
            const uint64_t time = RnrTimer::NanoSeconds(code);
            REQUIRE((time < ns || time >= given));
        }
    }
}

TEST_CASE("TransportOptions: exponent of the ACK timeout", "[transport-tables]")
{
    auto options = ns3::CreateObject<TransportOptions>();
    QueuePairConfig config;
    config.ackTimeout = 12345;
    options->Fill(config);
    CHECK(config.ackTimeout == 12345); // -1: left alone
    options->SetAttribute("AckTimeoutExponent", ns3::IntegerValue(14));
    options->Fill(config);
    CHECK(config.ackTimeout == 67108864); // 4096 ns * 2^14 at 1 ns a tick
    options->SetAttribute("AckTimeoutExponent", ns3::IntegerValue(0));
    options->Fill(config);
    CHECK(config.ackTimeout == 0); // no timer
    CHECK(!options->SetAttributeFailSafe("AckTimeoutExponent", ns3::IntegerValue(32)));
}

TEST_CASE("AckTimeout: 4.096 us times a power of two", "[transport-tables]")
{
    CHECK(AckTimeout::NanoSeconds(0) == 0); // no timer
    uint64_t ns = 4096;
    for (uint8_t exponent = 1; exponent < 32; ++exponent)
    {
        ns *= 2;
        CHECK(AckTimeout::NanoSeconds(exponent) == ns);
    }
    // 14, common in programs: 4.096 us * 16384 = 67.108864 ms
    CHECK(AckTimeout::NanoSeconds(14) == 67108864);
    CHECK_THROWS_AS(AckTimeout::NanoSeconds(32), std::invalid_argument);
    CHECK_THROWS_WITH(AckTimeout::NanoSeconds(200), Contains("200") && Contains("31"));
}

TEST_CASE("CreditCode: the counts of IBTA's table", "[transport-tables]")
{
    REQUIRE(CREDITS.size() == 31);
    for (uint8_t code = 0; code < 31; ++code)
    {
        CAPTURE(int(code));
        CHECK(CreditCode::Decode(code) == CREDITS[code]);
        CHECK(CreditCode::Decode(code) == (code ? Steps(code) : 0));
        CHECK(CreditCode::Encode(CREDITS[code]) == code);
    }
    CHECK(CreditCode::Decode(31) == CreditCode::UNLIMITED);
    CHECK(CreditCode::INVALID == 31);
    CHECK_THROWS_AS(CreditCode::Decode(32), std::invalid_argument);
    CHECK_THROWS_WITH(CreditCode::Decode(99), Contains("99") && Contains("31"));
}

TEST_CASE("CreditCode: never promises more than there is, nor less than it can",
          "[transport-tables]")
{
    for (uint32_t credits = 0; credits < 40000; ++credits)
    {
        uint8_t best = 0;
        for (uint8_t code = 0; code < 31; ++code)
        {
            best = CREDITS[code] <= credits ? code : best;
        }
        REQUIRE(CreditCode::Encode(credits) == best);
    }
    CHECK(CreditCode::Encode(32767) == 29);
    CHECK(CreditCode::Encode(uint64_t(1) << 32) == 30); // not cut to 32 bits
    CHECK(CreditCode::Encode(~uint64_t(0)) == 30);
}
