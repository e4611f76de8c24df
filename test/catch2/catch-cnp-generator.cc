/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/boolean.h"
#include "ns3/roce-cnp-generator.h"
#include "ns3/string.h"

#include <catch2/catch.hpp>
#include <random>

using namespace ns3;
using namespace ns3::roce;

TEST_CASE("CNP generator: a CNP at once, then none for an interval", "[cnp-generator]")
{
    auto np = CreateObject<CnpGenerator>(); // default: the paper's 50 us
    Tick last = CnpGenerator::NO_CNP;
    CHECK(np->OnMarked(last, 0)); // also at tick 0, where "last = 0" would hide it
    CHECK_FALSE(np->OnMarked(last, 1));
    CHECK_FALSE(np->OnMarked(last, 49999));
    CHECK(np->OnMarked(last, 50000)); // exactly one interval later
    CHECK(last == 50000);
    CHECK_FALSE(np->OnMarked(last, 99999));
    CHECK(np->OnMarked(last, 1000000));       // nothing is owed for the pause ...
    CHECK_FALSE(np->OnMarked(last, 1000001)); // ... and nothing saved up
    CHECK(np->GetMarked() == 7);
    CHECK(np->GetCnps() == 3);
    CHECK(np->GetEchoes() == 0);
    CHECK(np->GetProcessingDelay() == 0);
}

TEST_CASE("CNP generator: queue pairs do not share the pacer", "[cnp-generator]")
{
    auto np = CreateObject<CnpGenerator>();
    Tick a = CnpGenerator::NO_CNP;
    Tick b = CnpGenerator::NO_CNP;
    CHECK(np->OnMarked(a, 100));
    CHECK(np->OnMarked(b, 101));
    CHECK_FALSE(np->OnMarked(a, 102));
    CHECK(a == 100);
    CHECK(b == 101);
}

TEST_CASE("CNP generator: interval 0 answers each mark, echo answers none", "[cnp-generator]")
{
    auto np = CreateObject<CnpGenerator>();
    np->SetAttribute("Interval", TimeValue(Time(0)));
    np->SetAttribute("ProcessingDelay", TimeValue(MicroSeconds(55))); // case A33
    CHECK(np->GetProcessingDelay() == 55000);
    Tick last = CnpGenerator::NO_CNP;
    for (int i = 0; i < 10; ++i)
    {
        CHECK(np->OnMarked(last, 7)); // ten in one tick
    }
    np->SetAttribute("EchoInAck", BooleanValue(true));
    CHECK(np->GetEchoInAck());
    CHECK_FALSE(np->OnMarked(last, 8));
    CHECK(last == 7);
    CHECK(np->GetCnps() == 10);
    CHECK(np->GetEchoes() == 1);
}

TEST_CASE("CNP generator: periodic, a CNP at the end of an interval with a mark", "[cnp-generator]")
{
    // First mark at 700: intervals of 50000 end at 50700, 100700, 150700, ...
    auto np = CreateObject<CnpGenerator>();
    np->SetAttribute("Timing", StringValue("Periodic"));
    Tick last = CnpGenerator::NO_CNP;
    CHECK(np->OnMarked(last, 700));
    CHECK(last == 700); // at once
    CHECK_FALSE(np->OnMarked(last, 700));
    CHECK(np->OnMarked(last, 701));
    CHECK(last == 50700); // owed
    CHECK_FALSE(np->OnMarked(last, 30000));
    CHECK_FALSE(np->OnMarked(last, 50700)); // the tick of the check is the end of its interval
    CHECK(np->OnMarked(last, 50701));
    CHECK(last == 100700);
    CHECK(np->OnMarked(last, 420699)); // 7 intervals without a mark keep the grid ...
    CHECK(last == 450700);             // ... 700 + 9 x 50000
    CHECK(np->GetMarked() == 7);
    CHECK(np->GetCnps() == 4);
}

TEST_CASE("CNP generator: periodic with interval 0 answers each mark at once", "[cnp-generator]")
{
    auto np = CreateObject<CnpGenerator>();
    np->SetAttribute("Timing", StringValue("Periodic"));
    np->SetAttribute("Interval", TimeValue(Time(0)));
    Tick last = CnpGenerator::NO_CNP;
    for (const Tick now : {5, 5, 6})
    {
        CHECK(np->OnMarked(last, now));
        CHECK(last == now);
    }
}

TEST_CASE("CNP generator: count <= floor(duration / interval) + 1 for any marks", "[cnp-generator]")
{
    // Case A16. Two CNPs are >= I apart, so n CNPs span (n - 1) I <= duration.
    std::mt19937_64 random(16);
    for (const Tick interval : {1, 4000, 50000})
    {
        for (const Tick meanGap : {1, 80, 3000, 50000})
        {
            auto np = CreateObject<CnpGenerator>();
            np->SetAttribute("Interval", TimeValue(FromTick(interval)));
            std::uniform_int_distribution<Tick> gap(0, 2 * meanGap);
            Tick last = CnpGenerator::NO_CNP;
            const Tick begin = gap(random);
            Tick now = begin;
            Tick previous = -1;
            for (int i = 0; i < 20000; ++i)
            {
                if (np->OnMarked(last, now))
                {
                    if (previous >= 0)
                    {
                        REQUIRE(now - previous >= interval);
                    }
                    previous = now;
                }
                // A mark that finds the pacer idle is never refused.
                REQUIRE(now - last < interval);
                if (i < 19999)
                {
                    now += gap(random);
                }
            }
            const uint64_t bound = static_cast<uint64_t>((now - begin) / interval) + 1;
            CHECK(np->GetCnps() <= bound);
            CHECK(np->GetMarked() == 20000);
        }
    }
    // Dense marks reach the bound: one a ns for 1 ms at 50 us gives floor(999999/50000)+1 = 20.
    auto np = CreateObject<CnpGenerator>();
    Tick last = CnpGenerator::NO_CNP;
    for (Tick now = 0; now < 1000000; ++now)
    {
        np->OnMarked(last, now);
    }
    CHECK(np->GetCnps() == 20);
}
