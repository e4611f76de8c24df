/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-dcqcn.h"

#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Case A15: g = 1/256, alpha0 = 1, F = 5, R_AI = 40 Mb/s, Rmin = 100 Mb/s, byte counter off. */
DcqcnParameters
A15(bool limitTarget)
{
    DcqcnParameters p = DcqcnParameters::Paper();
    p.byteCounterBytes = 0;
    p.limitTarget = limitTarget;
    return p;
}

std::string
Refusal(const DcqcnParameters& p)
{
    try
    {
        p.Validate(G100);
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("DCQCN: case A15, one CNP and eight timer events", "[dcqcn]")
{
    for (const bool limit : {false, true})
    {
        auto cc = CatchDcqcn(A15(limit));
        CHECK(cc->GetRate() == G100);
        CHECK(cc->GetDeadline() == NEVER); // no timer before the first CNP
        Cnp(cc, 1000);
        // Rt = Rc; Rc = 100 (1 - 1/2); alpha = 255/256 + 1/256.
        CHECK(cc->GetTargetRate() == 100e9);
        CHECK(cc->GetCurrentRate() == 50e9);
        CHECK(cc->GetAlpha(1000) == 1.0);
        CHECK(cc->GetDeadline() == 56000); // 55 us later
        const double recovery[] = {75e9, 87.5e9, 93.75e9, 96.875e9, 98.4375e9};
        Tick now = 1000;
        for (int k = 0; k < 5; ++k)
        {
            now += 55000;
            cc->Advance(now - 1);
            CHECK(cc->GetTimerStage() == static_cast<uint32_t>(k));
            cc->Advance(now);
            CHECK(cc->GetCurrentRate() == recovery[k]); // half the distance to 100
            CHECK(cc->GetTargetRate() == 100e9);
        }
        // Unlimited: (98.4375 + 100.04) / 2 = 99.23875, (99.23875 + 100.08) / 2 = 99.659375,
        // (99.659375 + 100.12) / 2 = 99.8896875. Limited: Rt =
        // 100: 99.21875, 99.609375, 99.8046875.
        const double target[] = {100.04e9, 100.08e9, 100.12e9};
        const double open[] = {99.23875e9, 99.659375e9, 99.8896875e9};
        const double closed[] = {99.21875e9, 99.609375e9, 99.8046875e9};
        for (int k = 0; k < 3; ++k)
        {
            now += 55000;
            cc->Advance(now);
            CHECK(cc->GetTargetRate() == (limit ? 100e9 : target[k]));
            CHECK(cc->GetCurrentRate() == (limit ? closed[k] : open[k]));
            CHECK(cc->GetRate() == static_cast<uint64_t>(limit ? closed[k] : open[k]));
        }
        // 8 quiet alpha timers of 55 us have passed as well.
        CHECK(cc->GetAlpha(now) == Approx(std::pow(255.0 / 256, 8)).epsilon(1e-14));
    }
}

TEST_CASE("DCQCN: case A15, alpha after k quiet timers is (255/256)^k", "[dcqcn]")
{
    auto cc = CatchDcqcn(A15(true));
    Cnp(cc, 0);
    CHECK(cc->GetAlpha(54999) == 1.0);
    CHECK(cc->GetAlpha(55000) == 0.99609375); // 255/256
    CHECK(cc->GetAlpha(2 * 55000) == Approx(0.9922028).epsilon(1e-7));
    CHECK(cc->GetAlpha(10 * 55000) == Approx(0.9616170).epsilon(1e-7));
    CHECK(cc->GetAlpha(100 * 55000) == Approx(0.6761165).epsilon(1e-7));
    // Cut, then alpha: a CNP after 100 quiet timers cuts by alpha / 2 of before it.
    const double alpha = std::pow(255.0 / 256, 100);
    Cnp(cc, 100 * 55000);
    CHECK(cc->GetCurrentRate() == Approx(100e9 * (1 - alpha / 2)).epsilon(1e-12));
    CHECK(cc->GetAlpha(100 * 55000) == Approx(alpha * 255 / 256 + 1.0 / 256).epsilon(1e-12));
    // The CNP restarted the alpha timer.
    Cnp(cc, 100 * 55000 + 100);
    const double after = cc->GetAlpha(100 * 55000 + 100);
    CHECK(cc->GetAlpha(101 * 55000 + 99) == after);
    CHECK(cc->GetAlpha(101 * 55000 + 100) == after * 255 / 256);
}

TEST_CASE("DCQCN: case A15, a hundred CNPs stop at the floor", "[dcqcn]")
{
    auto cc = CatchDcqcn(A15(true));
    for (int k = 1; k <= 100; ++k)
    {
        Cnp(cc, k);
        // 100 / 2^k Gb/s: 0.1953125 at k = 9, 0.09765625 < 0.1 at k = 10.
        CHECK(cc->GetCurrentRate() == (k <= 9 ? std::ldexp(100e9, -k) : 0.1e9));
    }
    CHECK(cc->GetRate() == 100000000);
    CHECK(cc->GetCuts() == 100);
    // Rt follows each cut: it is the rate before the last one.
    CHECK(cc->GetTargetRate() == 0.1e9);
}

TEST_CASE("DCQCN: stages of byte counter and timer by hand", "[dcqcn]")
{
    DcqcnParameters p = DcqcnParameters::Paper();
    p.fastRecoverySteps = 2;
    p.byteCounterBytes = 1000;
    p.increaseInterval = MicroSeconds(10);
    auto cc = CatchDcqcn(p);
    cc->OnSent(100000, 0); // before the first CNP nothing counts
    Cnp(cc, 0);
    Cnp(cc, 0); // two cuts: Rt = 50, Rc = 25
    CHECK(cc->GetTargetRate() == 50e9);
    CHECK(cc->GetCurrentRate() == 25e9);
    cc->Advance(10000); // T before the event 0, BC 0: recovery
    CHECK(cc->GetCurrentRate() == 37.5e9);
    cc->Advance(20000); // T 1: recovery
    CHECK(cc->GetCurrentRate() == 43.75e9);
    cc->OnSent(999, 20001);
    CHECK(cc->GetByteStage() == 0);
    cc->OnSent(1, 20002); // T 2, BC 0: max = F, additive: Rt 50.04, (43.75 + 50.04) / 2
    CHECK(cc->GetTargetRate() == 50.04e9);
    CHECK(cc->GetCurrentRate() == 46.895e9);
    cc->OnSent(2000, 20003); // two events: (46.895 + 50.08) / 2, then (48.4875 + 50.12) / 2
    CHECK(cc->GetByteStage() == 3);
    CHECK(cc->GetTargetRate() == 50.12e9);
    CHECK(cc->GetCurrentRate() == 49.30375e9);
    cc->Advance(30000); // T 2, BC 3: min = F, still additive: (49.30375 + 50.16) / 2
    CHECK(cc->GetTargetRate() == 50.16e9);
    CHECK(cc->GetCurrentRate() == 49.731875e9);
    cc->OnSent(1000, 30001); // T 3, BC 3: min > F, hyper: Rt 50.36, (49.731875 + 50.36) / 2
    CHECK(cc->GetTargetRate() == 50.36e9);
    CHECK(cc->GetCurrentRate() == 50.0459375e9);
    // A CNP clears stages, byte count and timer.
    cc->OnSent(900, 30002);
    Cnp(cc, 35000);
    CHECK(cc->GetTimerStage() == 0);
    CHECK(cc->GetByteStage() == 0);
    CHECK(cc->GetDeadline() == 45000);
    cc->OnSent(999, 35001);
    CHECK(cc->GetByteStage() == 0);
}

TEST_CASE("DCQCN: the byte counter carries its remainder; off without it", "[dcqcn]")
{
    DcqcnParameters p = DcqcnParameters::Paper();
    p.byteCounterBytes = 1000;
    p.increaseInterval = Time(0); // timer off
    auto cc = CatchDcqcn(p);
    Cnp(cc, 5);
    CHECK(cc->GetDeadline() == NEVER);
    const uint32_t stages[] = {0, 1, 1, 2, 3}; // 600, 1200, 1800, 2400, 3000 bytes
    for (int i = 0; i < 5; ++i)
    {
        cc->OnSent(600, 10 + i);
        CHECK(cc->GetByteStage() == stages[i]);
    }
    CHECK(cc->GetCurrentRate() == 93.75e9); // 50, 75, 87.5, 93.75

    auto timer = CatchDcqcn(A15(true));
    Cnp(timer, 5);
    timer->OnSent(4000000000u, 6);
    CHECK(timer->GetByteStage() == 0);
    CHECK(timer->GetCurrentRate() == 50e9);
}

TEST_CASE("DCQCN: timers stop at line rate and a later CNP is not fooled", "[dcqcn]")
{
    auto cc = CatchDcqcn(A15(true));
    Cnp(cc, 0);
    cc->Advance(200 * 55000);
    CHECK(cc->GetRate() == G100);
    CHECK(cc->GetDeadline() == NEVER);
    CHECK(cc->GetIncreases() < 60); // 53 mantissa bits of halving and a few more
    // 10^15 ns (11.6 days) later: alpha is (255/256)^(18 million), 0 in doubles; no time is spent.
    const Tick late = 1000000000000000;
    Cnp(cc, late);
    CHECK(cc->GetCurrentRate() == 100e9); // cut by alpha / 2 = 0
    CHECK(cc->GetTargetRate() == 100e9);
    CHECK(cc->GetAlpha(late) == 1.0 / 256);
    Cnp(cc, late);
    CHECK(cc->GetCurrentRate() == 100e9 * (1 - 1.0 / 512));
}

TEST_CASE("DCQCN: results do not depend on how often Advance is called", "[dcqcn]")
{
    for (const char* preset : {"paper", "connectx", "hpcc-artifact"})
    {
        DcqcnParameters p = DcqcnParameters::FromName(preset);
        p.byteCounterBytes = p.byteCounterBytes > 0 ? 30000 : 0;
        auto lazy = CatchDcqcn(p);
        auto eager = CatchDcqcn(p);
        std::mt19937_64 random(99);
        std::uniform_int_distribution<int> gap(0, 20000);
        std::uniform_int_distribution<int> kind(0, 39);
        Tick t = 0;
        for (int i = 0; i < 800; ++i)
        {
            const Tick next = t + (i % 50 == 49 ? 5 : 1) * gap(random);
            for (; t < next; ++t)
            {
                eager->Advance(t); // every tick
            }
            eager->Advance(t); // and before what happens in this one
            if (kind(random) == 0)
            {
                Cnp(lazy, t);
                Cnp(eager, t);
            }
            else
            {
                lazy->OnSent(1062, t);
                eager->OnSent(1062, t);
            }
            eager->Advance(t);
            REQUIRE(lazy->GetCurrentRate() == eager->GetCurrentRate());
            REQUIRE(lazy->GetTargetRate() == eager->GetTargetRate());
            REQUIRE(lazy->GetAlpha(t) == eager->GetAlpha(t));
            REQUIRE(lazy->GetDeadline() == eager->GetDeadline());
        }
        CHECK(lazy->GetCuts() > 3);
        CHECK(lazy->GetIncreases() == eager->GetIncreases());
        CHECK(lazy->GetIncreases() > 3);
    }
}

TEST_CASE("DCQCN: 10^5 random events keep the invariants", "[dcqcn]")
{
    std::mt19937_64 random(2015);
    for (const char* preset : {"paper", "connectx", "hpcc-artifact"})
    {
        for (const uint64_t line : {uint64_t{100000001}, G100, uint64_t{1600000000000}})
        {
            for (const bool limit : {false, true})
            {
                DcqcnParameters p = DcqcnParameters::FromName(preset);
                p.limitTarget = limit;
                auto cc = CatchDcqcn(p, line);
                Tick t = 0;
                bool good = true;
                for (int i = 0; i < 100000 && good; ++i)
                {
                    // gaps of 1 ns to 0.5 s, on a logarithmic scale
                    t += static_cast<Tick>(std::exp2(random() % 2900 / 100.0)) *
                         (random() % 8 == 0 ? 1 : 0);
                    t += random() % 300;
                    const double before = cc->GetCurrentRate();
                    const uint64_t cuts = cc->GetCuts();
                    switch (random() % 8)
                    {
                    case 0:
                        Cnp(cc, t);
                        break;
                    case 1:
                        cc->OnLoss(random() % 2 == 0, t);
                        break;
                    case 2:
                        cc->OnAck(AckInfo(), t);
                        break;
                    default:
                        cc->OnSent(random() % 9000, t);
                    }
                    cc->Advance(t);
                    const double rc = cc->GetCurrentRate();
                    const double rt = cc->GetTargetRate();
                    const double alpha = cc->GetAlpha(t);
                    good = rc >= p.minRateBps && rc <= line && std::isfinite(rt) && rt >= rc &&
                           alpha >= 0 && alpha <= 1 && cc->GetRate() >= 1 &&
                           cc->GetRate() <= line && cc->GetDeadline() > t &&
                           cc->GetWindow() == CongestionControl::UNLIMITED &&
                           // whole bit/s round down twice, so a step may lose one
                           (cuts != cc->GetCuts() || rc >= before - (p.integerRates ? 1 : 0)) &&
                           (!limit || rt <= line);
                }
                CHECK(good);
                CHECK(cc->GetCuts() > 1000);
                CHECK(cc->GetIncreases() > 100);
            }
        }
    }
}

TEST_CASE("DCQCN: R_AI and R_HAI scale only with a reference", "[dcqcn]")
{
    for (const uint64_t reference : {uint64_t{0}, uint64_t{40000000000}})
    {
        DcqcnParameters p = A15(false);
        p.fastRecoverySteps = 0;
        p.rateReferenceBps = reference;
        auto cc = CatchDcqcn(p, 400000000000);
        Cnp(cc, 0);
        cc->Advance(55000);
        // 40 Mb/s as published, or 40 Mb/s x 400G / 40G
        CHECK(cc->GetTargetRate() - 400e9 == (reference == 0 ? 40e6 : 400e6));
    }
}

TEST_CASE("DCQCN: R_HAI scales as R_AI does", "[dcqcn]")
{
    DcqcnParameters p = A15(false);
    p.fastRecoverySteps = 0;
    p.hyperByTimerAlone = true;
    p.rateReferenceBps = 40000000000;
    auto cc = CatchDcqcn(p, 400000000000);
    Cnp(cc, 0);
    cc->Advance(55000);  // T = 0 = F before it: additive, 400 Mb/s
    cc->Advance(110000); // T = 1 > F: hyper, 200 Mb/s x 10
    CHECK(cc->GetTargetRate() - 400e9 == 400e6 + 2000e6);
}

TEST_CASE("DCQCN: a cut keeps at least the least factor", "[dcqcn]")
{
    DcqcnParameters p = A15(true);
    p.minDecreaseFactor = 0.75;
    auto cc = CatchDcqcn(p);
    Cnp(cc, 0); // alpha / 2 would halve
    CHECK(cc->GetCurrentRate() == 75e9);
}

TEST_CASE("DCQCN: which increases let the next cut lower the target", "[dcqcn]")
{
    // CLAMP_TGT_RATE 0: after an increase by the byte counter; AFTER_TIME_INC 1: or by the timer.
    for (const bool afterTime : {false, true})
    {
        for (const bool byBytes : {false, true})
        {
            DcqcnParameters p = DcqcnParameters::Paper();
            p.clampTarget = false;
            p.clampTargetAfterTimeIncrease = afterTime;
            p.byteCounterBytes = 1000;
            auto cc = CatchDcqcn(p);
            Cnp(cc, 0);
            if (byBytes)
            {
                cc->OnSent(1000, 1);
            }
            else
            {
                cc->Advance(55000);
            }
            CHECK(cc->GetCurrentRate() == 75e9);
            Cnp(cc, byBytes ? 54999 : 60000); // the timer did not fire, or fired once
            CHECK(cc->GetTargetRate() == (byBytes || afterTime ? 75e9 : 100e9));
        }
    }
}

TEST_CASE("DCQCN: the byte counter stops with the timer, not before its time", "[dcqcn]")
{
    DcqcnParameters p = DcqcnParameters::Paper();
    p.byteCounterBytes = 1000;
    auto cc = CatchDcqcn(p);
    Cnp(cc, 0);
    cc->Advance(200 * 55000);
    const uint64_t increases = cc->GetIncreases();
    cc->OnSent(50000, 200 * 55000);
    CHECK(cc->GetIncreases() == increases);

    // Whole bit/s stop one short of the line: 49999999999 + 50000000000. As only an increase by the
    // byte counter counts here, the counter must go on, or the next cut would keep the target.
    p = DcqcnParameters::HpccArtifact();
    p.byteCounterBytes = 1000;
    p.clampTargetAfterTimeIncrease = false;
    auto whole = CatchDcqcn(p);
    Cnp(whole, 0);
    whole->Advance(60 * 300000);
    CHECK(whole->GetRate() == 99999999999);
    whole->OnSent(1000, 60 * 300000);
    Cnp(whole, 60 * 300000);
    whole->Advance(60 * 300000 + 4001);
    CHECK(whole->GetTargetRate() == 99999999999.0);
}

TEST_CASE("DCQCN: attributes override a preset, in any order", "[dcqcn]")
{
    auto cc = CreateObject<Dcqcn>();
    CHECK(cc->GetPreset() == "paper");
    CHECK(cc->GetParameters().byteCounterBytes == 10000000);
    cc->SetAttribute("ByteCounterBytes", IntegerValue(0)); // 0 is a value, not "as the preset"
    cc->SetAttribute("RateAiBps", IntegerValue(7000000));
    cc->SetAttribute("Preset", StringValue("connectx"));
    cc->SetAttribute("IncreaseInterval", TimeValue(MicroSeconds(77)));
    cc->SetAttribute("Gain", DoubleValue(0.25));
    cc->SetAttribute("ClampTarget", IntegerValue(1));
    const DcqcnParameters p = cc->GetParameters();
    CHECK(p.name == "connectx");
    CHECK(p.byteCounterBytes == 0);
    CHECK(p.rateAiBps == 7000000);
    CHECK(p.increaseInterval == MicroSeconds(77));
    CHECK(p.gain == 0.25);
    CHECK(p.clampTarget);
    CHECK(p.rateHaiBps == 50000000); // the rest is ConnectX
    CHECK(p.alphaInterval == MicroSeconds(1));
    CHECK(p.decreaseInterval == MicroSeconds(4));
    CHECK(p.minRateBps == 1000000);
    CHECK(p.fastRecoverySteps == 1);
    cc->SetAttribute("RateAiBps", IntegerValue(-1)); // back to the preset
    CHECK(cc->GetParameters().rateAiBps == 5000000);
    // and it is what runs: alpha 1023/1024 keeps 3/4 of itself each 1 us
    cc->Start(CatchFlow(), 0);
    Cnp(cc, 0);
    CHECK(cc->GetAlpha(1000) == 1023.0 / 1024 * 0.75);
}

TEST_CASE("DCQCN: mistakes are refused with the name, the value and the limit", "[dcqcn]")
{
    auto cc = CreateObject<Dcqcn>();
    CHECK_THROWS_WITH(cc->SetAttribute("Preset", StringValue("mellanox")),
                      Catch::Contains("'mellanox'") && Catch::Contains("paper") &&
                          Catch::Contains("connectx") && Catch::Contains("hpcc-artifact"));
    CHECK(cc->GetPreset() == "paper"); // unchanged

    for (const char* name : {"paper", "connectx", "hpcc-artifact"})
    {
        CHECK(Refusal(DcqcnParameters::FromName(name)).empty());
    }
    DcqcnParameters p = DcqcnParameters::Paper();
    p.decreaseInterval = MicroSeconds(4);
    CHECK_THAT(Refusal(p), Catch::Contains("decreaseInterval"));
    p = DcqcnParameters::Paper();
    p.gain = 1.5;
    CHECK_THAT(Refusal(p), Catch::Contains("gain is 1.5"));
    p = DcqcnParameters::Paper();
    p.gain = std::nan("");
    CHECK_THAT(Refusal(p), Catch::Contains("gain"));
    p = DcqcnParameters::ConnectX();
    p.decreaseInterval = Time(0);
    CHECK_THAT(Refusal(p), Catch::Contains("decreaseInterval"));
    p = DcqcnParameters::Paper();
    p.alphaInterval = Time(0);
    CHECK_THAT(Refusal(p), Catch::Contains("alphaInterval"));
    p = DcqcnParameters::Paper();
    p.increaseInterval = Time(0);
    p.byteCounterBytes = 0;
    CHECK_THAT(Refusal(p), Catch::Contains("byteCounterBytes"));
    p = DcqcnParameters::Paper();
    p.minRateBps = 200000000000;
    CHECK_THAT(Refusal(p), Catch::Contains("200000000000") && Catch::Contains("100000000000"));
    p.minRateBps = 0;
    CHECK_THAT(Refusal(p), Catch::Contains("minRateBps is 0"));
    cc->SetParameters(p);
    CHECK_THROWS_AS(cc->Start(CatchFlow(), 0), std::invalid_argument); // Start looks too
}

TEST_CASE("DCQCN: rate changes are traced and Start forgets", "[dcqcn]")
{
    static std::vector<std::pair<uint64_t, uint64_t>> seen;
    seen.clear();
    auto cc = CatchDcqcn(A15(true));
    cc->TraceConnectWithoutContext(
        "Rate",
        Callback<void, uint32_t, uint64_t, uint64_t>(
            [](uint32_t, uint64_t from, uint64_t to) { seen.emplace_back(from, to); }));
    Cnp(cc, 0);
    cc->Advance(55000);
    REQUIRE(seen.size() == 2);
    CHECK(seen[0] == std::make_pair(G100, uint64_t{50000000000}));
    CHECK(seen[1] == std::make_pair(uint64_t{50000000000}, uint64_t{75000000000}));
    cc->Start(CatchFlow(), 100000);
    CHECK(cc->GetRate() == G100);
    CHECK(cc->GetDeadline() == NEVER);
    CHECK(cc->GetCuts() == 0);
}
