/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-pacing.h"

#include <catch2/catch.hpp>

using namespace ns3::roce;

// ticks are ns, ns-3's default

TEST_CASE("phases at the start of a flow", "[pacing]")
{
    // 4178 bytes at 1 Gb/s last 33,424 ns; 100,000 = 2 * 33,424 + 33,152
    CHECK(Pacing::StartPhase(Pacing::INTERVAL, 100000, 4178, 1000000000) == 33152);
    // at 100 Gb/s 334.24 ns, of which 334 whole ones; 100,000 = 299 * 334 + 134
    CHECK(Pacing::StartPhase(Pacing::INTERVAL, 100000, 4178, 100000000000) == 134);
    // a phase is below a slot: the largest remainder of 334
    CHECK(Pacing::StartPhase(Pacing::INTERVAL, 333, 4178, 100000000000) == 333);
    CHECK(Pacing::StartPhase(Pacing::INTERVAL, 334, 4178, 100000000000) == 0);
    // 64 bytes at 1.6 Tb/s last 0.32 ns: there is no room for a phase
    CHECK(Pacing::StartPhase(Pacing::INTERVAL, 100000, 64, 1600000000000) == 0);

    // below 50 ns, whatever the rate; 12,349 = 246 * 50 + 49
    CHECK(Pacing::StartPhase(Pacing::FIXED, 12349, 4178, 1000000000) == 49);
    CHECK(Pacing::StartPhase(Pacing::FIXED, 12349, 4178, 400000000000) == 49);
    CHECK(Pacing::StartPhase(Pacing::FIXED, 12350, 4178, 1000000000) == 0);
    // 2^40 = 1,099,511,627,776: all 64 bits of the hash count
    CHECK(Pacing::StartPhase(Pacing::FIXED, uint64_t(1) << 40, 4178, 1000000000) == 26);

    CHECK(Pacing::StartPhase(Pacing::PLAIN, 12349, 4178, 1000000000) == 0);
    CHECK(Pacing::StartPhase(Pacing::LITERAL, 12349, 4178, 1000000000) == 0);
}

TEST_CASE("only literal pacing adds to each slot", "[pacing]")
{
    CHECK(Pacing::SlotPhase(Pacing::LITERAL, 12349) == 49);
    CHECK(Pacing::SlotPhase(Pacing::LITERAL, 12350) == 0);
    CHECK(Pacing::SlotPhase(Pacing::LITERAL, uint64_t(1) << 40) == 26);
    for (Pacing::Mode mode : {Pacing::PLAIN, Pacing::INTERVAL, Pacing::FIXED})
    {
        INFO(mode);
        CHECK(Pacing::SlotPhase(mode, 12349) == 0);
    }
}
