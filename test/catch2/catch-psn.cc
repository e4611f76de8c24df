/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-psn.h"

#include <catch2/catch.hpp>
#include <random>

using namespace ns3::roce;

TEST_CASE("PSN: wrapping", "[psn]")
{
    CHECK(Psn::Wrap(0, 0) == 0);
    CHECK(Psn::Wrap(1, 0xffffff) == 0);
    CHECK(Psn::Wrap(0x1000000, 5) == 5);
    CHECK(Psn::Wrap(0x123456789abcULL, 1) == 0x789abd); // the low 24 bits, plus one
}

TEST_CASE("PSN: difference is signed, half the space each way", "[psn]")
{
    CHECK(Psn::Difference(5, 3) == 2);
    CHECK(Psn::Difference(3, 5) == -2);
    CHECK(Psn::Difference(0, 0xffffff) == 1);
    CHECK(Psn::Difference(0xffffff, 0) == -1);
    CHECK(Psn::Difference(0x7fffff, 0) == 8388607);
    CHECK(Psn::Difference(0x800000, 0) == -8388608);
}

TEST_CASE("PSN: unwrapping finds the nearest number", "[psn]")
{
    CHECK(Psn::Unwrap(0, 0, 0) == 0);
    CHECK(Psn::Unwrap(0xffffff, 0, 0) == -1); // before packet 0
    CHECK(Psn::Unwrap(4, 0xfffffe, 3) == 6);  // fffffe ffffff 0 1 2 3 4: the sixth after packet 0
    CHECK(Psn::Unwrap(3, 0, 0x1000000) == 0x1000003);
    CHECK(Psn::Unwrap(0xfffff0, 0, 0x1000000) == 0xfffff0);
}

TEST_CASE("PSN: unwrap is the inverse of wrap within 2^23", "[psn]")
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 200000; ++i)
    {
        const auto initial = static_cast<uint32_t>(random()) & MASK_24;
        const uint64_t reference = random() >> (2 + random() % 40);
        const auto offset = static_cast<int64_t>(random() % ((1u << 24) - 1)) - ((1 << 23) - 1);
        const int64_t wanted = static_cast<int64_t>(reference) + offset;
        if (wanted < 0)
        {
            continue;
        }
        const uint32_t psn = Psn::Wrap(static_cast<uint64_t>(wanted), initial);
        REQUIRE(psn <= MASK_24);
        REQUIRE(Psn::Unwrap(psn, initial, reference) == wanted);
    }
}
