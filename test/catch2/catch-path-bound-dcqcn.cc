/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-dcqcn.h"
#include "roce-catch-int.h"

#include "ns3/roce-path-bound-dcqcn.h"

#include <catch2/catch.hpp>

using namespace ns3;
using namespace ns3::roce;

// Preset paper: alpha begins at 1 (SIGCOMM 2015), so the first CNP halves 100 Gb/s; the second one,
// at once, finds alpha (1 - g) 1 + g = 1 and halves again. Nothing else happens within 55 us.

namespace
{

/** \return a law at line rate */
Ptr<PathBoundDcqcn>
MakeBound()
{
    auto cc = CreateObject<PathBoundDcqcn>();
    cc->Start(CatchFlow(), 0);
    return cc;
}

/** An ACK that came by a switch. \param cc the law \param node the switch \param now ns */
void
AckBy(Ptr<CongestionControl> cc, uint32_t node, Tick now)
{
    const IntRecord record = IntMdOf(node, static_cast<uint64_t>(now), 0, 0);
    IntAck(cc, record, now, 1000, 0);
}

} // namespace

TEST_CASE("a cut ends with the path it belongs to", "[path-bound-dcqcn]")
{
    auto cc = MakeBound();
    AckBy(cc, 5, 100);
    Cnp(cc, 200);
    CHECK(cc->GetRate() == G100 / 2);
    AckBy(cc, 5, 300); // the same path
    CHECK(cc->GetRate() == G100 / 2);
    Cnp(cc, 400);
    CHECK(cc->GetRate() == G100 / 4);
    AckBy(cc, 6, 500);
    CHECK(cc->GetRate() == G100);
    CHECK(cc->GetRestarts() == 1);
    CHECK(cc->GetDeadline() == NEVER); // no timer is left of the old path
    // a late ACK of the old path, and the new one again: no cut is known, nothing happens
    AckBy(cc, 5, 600);
    AckBy(cc, 6, 700);
    CHECK(cc->GetRestarts() == 1);
    // it starts as at the very begin: alpha is 1 again
    Cnp(cc, 800);
    CHECK(cc->GetRate() == G100 / 2);
}

TEST_CASE("without telemetry that names ports it is DCQCN", "[path-bound-dcqcn]")
{
    auto bound = MakeBound();
    auto plain = CreateObject<Dcqcn>();
    plain->Start(CatchFlow(), 0);
    for (Tick now = 1000; now < 2000000; now += 1000)
    {
        if (now % 70000 == 0)
        {
            bound->OnCnp(CnpInfo(), now);
            plain->OnCnp(CnpInfo(), now);
        }
        IntAck(bound, IntOf({IntHop(static_cast<uint32_t>(now), now % 7, 0)}), now, 1000, 0);
        AckInfo bare;
        bound->OnAck(bare, now);
        bound->OnSent(1082, now);
        plain->OnSent(1082, now);
        REQUIRE(bound->GetRate() == plain->GetRate());
    }
    CHECK(bound->GetRestarts() == 0);
    CHECK(bound->GetCuts() == 28); // 70 us, 140 us ... 1960 us
}

TEST_CASE("a CNP before the first ACK belongs to no path", "[path-bound-dcqcn]")
{
    auto cc = MakeBound();
    Cnp(cc, 100);
    AckBy(cc, 5, 200);
    CHECK(cc->GetRate() == G100 / 2);
    CHECK(cc->GetRestarts() == 0);
}
