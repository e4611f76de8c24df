/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-dcqcn.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** The periodic law as an independent, plain loop over every tick (rules 6 to 8 of the artifact).
 */
struct PlainArtifact
{
    double alpha{1};
    uint64_t rate{G100};
    uint64_t target{G100};
    bool first{true};
    bool alphaCnp{false};
    bool decreaseCnp{false};
    uint32_t stage{0};
    Tick alphaAt{NEVER};
    Tick checkAt{NEVER};
    Tick increaseAt{NEVER};

    void Step(Tick t, bool cnp)
    {
        if (increaseAt == t)
        {
            increaseAt += 300000;
            const uint64_t step = stage < 1 ? 0 : stage == 1 ? 20000000 : 200000000;
            target = std::min(G100, target + step);
            rate = rate / 2 + target / 2;
            ++stage;
        }
        if (checkAt == t)
        {
            checkAt += 4000;
            if (decreaseCnp)
            {
                target = stage > 0 ? rate : target;
                rate = std::max<uint64_t>(100000000, rate * (1 - alpha / 2));
                stage = 0;
                decreaseCnp = false;
                increaseAt = t + 300000;
            }
        }
        if (cnp)
        {
            alphaCnp = !first;
            decreaseCnp = true;
            if (first)
            {
                first = false;
                alphaAt = t + 1000;
                checkAt = t + 4001;
            }
        }
        if (alphaAt == t)
        {
            alphaAt += 1000;
            alpha = 255.0 / 256 * alpha;
            alpha += alphaCnp ? 1.0 / 256 : 0;
            alphaCnp = false;
        }
    }
};

} // namespace

TEST_CASE("DCQCN: D18, ConnectX alpha halves in 142 us and stays 1 under CNPs", "[dcqcn]")
{
    DcqcnParameters p = DcqcnParameters::ConnectX();
    p.initialAlpha = 1;
    auto quiet = CatchDcqcn(p);
    Cnp(quiet, 0);
    for (const int k : {1, 2, 50, 142})
    {
        // 1024 - 5 = 1019 of 1024 is kept each 1 us
        CHECK(quiet->GetAlpha(k * 1000) == Approx(std::pow(1019.0 / 1024, k)).epsilon(1e-12));
    }
    // ln 0.5 / ln(1019/1024) = 141.6
    CHECK(quiet->GetAlpha(141000) > 0.5);
    CHECK(quiet->GetAlpha(142000) < 0.5);
    CHECK(quiet->GetAlpha(142000) == Approx(0.5).epsilon(0.002));

    auto busy = CatchDcqcn(p);
    Cnp(busy, 0);
    for (Tick t = 500; t < 300000; t += 1000)
    {
        Cnp(busy, t);
        REQUIRE(busy->GetAlpha(t + 500) == 1.0);
    }
    // First cut at 4001, then each 4000: (299500 - 4001) / 4000 + 1 = 74 cuts by half, but the
    // floor is RPG_MIN_RATE = 1 Mb/s.
    CHECK(busy->GetCuts() == 74);
    CHECK(busy->GetRate() == 1000000);
    CHECK(CatchDcqcn(DcqcnParameters::ConnectX())->GetAlpha(0) == 1023.0 / 1024);
}

TEST_CASE("DCQCN: artifact, the first cut gives 50.777 Gb/s", "[dcqcn]")
{
    auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
    Cnp(cc, 0);
    CHECK(cc->GetRate() == G100); // no cut yet
    CHECK(cc->GetDeadline() == 4001);
    cc->Advance(4000);
    CHECK(cc->GetRate() == G100);
    // Four quiet updates: alpha = (255/256)^4 = 4228250625 / 2^32 = 0.984466
    CHECK(cc->GetAlpha(4000) == 4228250625.0 / 4294967296.0);
    cc->Advance(4001);
    // 10^11 (1 - 4228250625 / 2^33) = 50776684272.x
    CHECK(cc->GetRate() == 50776684272);
    CHECK(cc->GetTargetRate() == 100e9);
    CHECK(cc->GetDeadline() == 304001); // the increase timer starts at the cut
    cc->Advance(304001);
    CHECK(cc->GetRate() == 75388342136); // k = 0: 25388342136 + 50000000000
    cc->Advance(604001);
    // k = 1: target stays 100G at the line-rate clamp: 37694171068 + 50000000000
    CHECK(cc->GetRate() == 87694171068);
    CHECK(cc->GetCuts() == 1);
}

TEST_CASE("DCQCN: artifact, additive at k = F and hyper after", "[dcqcn]")
{
    // Two cuts with an increase between them bring the target below the line rate.
    auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
    Cnp(cc, 0);
    cc->Advance(304001); // first increase: 75388342136
    Cnp(cc, 304500);     // check at 308001: target = 75388342136
    cc->Advance(308001);
    CHECK(cc->GetTargetRate() == 75388342136.0);
    const double low = cc->GetCurrentRate();
    CHECK(low < 75388342136.0);
    cc->Advance(608001); // k = 0: no step
    CHECK(cc->GetTargetRate() == 75388342136.0);
    const double half = std::floor(low / 2) + 37694171068.0;
    CHECK(cc->GetCurrentRate() == half);
    cc->Advance(908001); // k = 1: 20 Mb/s
    CHECK(cc->GetTargetRate() == 75408342136.0);
    cc->Advance(1208001); // k = 2: 200 Mb/s
    CHECK(cc->GetTargetRate() == 75608342136.0);
    cc->Advance(1508001); // k = 3: 200 Mb/s
    CHECK(cc->GetTargetRate() == 75808342136.0);
}

TEST_CASE("DCQCN: artifact, target stays if no increase came between two cuts", "[dcqcn]")
{
    auto keep = CatchDcqcn(DcqcnParameters::HpccArtifact());
    Cnp(keep, 0);
    Cnp(keep, 4500);
    keep->Advance(8001);
    CHECK(keep->GetCuts() == 2);
    CHECK(keep->GetTargetRate() == 100e9);

    DcqcnParameters p = DcqcnParameters::HpccArtifact();
    p.clampTarget = true;
    auto clamp = CatchDcqcn(p);
    Cnp(clamp, 0);
    Cnp(clamp, 4500);
    clamp->Advance(8001);
    CHECK(clamp->GetCuts() == 2);
    CHECK(clamp->GetTargetRate() == 50776684272.0); // the rate before the second cut
}

TEST_CASE("DCQCN: artifact, order within one tick", "[dcqcn]")
{
    SECTION("increase before the check: the check then lowers the target")
    {
        auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
        Cnp(cc, 0);
        Cnp(cc, 300002); // last check was at 300001, next at 304001 with the increase
        cc->Advance(304001);
        CHECK(cc->GetCuts() == 2);
        CHECK(cc->GetIncreases() == 1);
        CHECK(cc->GetTargetRate() == 75388342136.0);
        // alpha: 300 quiet updates, one with the CNP at 301000, quiet at 302, 303, 304 us
        const double keep = 255.0 / 256;
        const double alpha = (std::pow(keep, 301) + 1.0 / 256) * std::pow(keep, 3);
        CHECK(cc->GetCurrentRate() == Approx(75388342136.0 * (1 - alpha / 2)).epsilon(1e-10));
    }
    SECTION("a CNP with a check waits for the next one")
    {
        for (const bool advance : {false, true})
        {
            auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
            Cnp(cc, 0);
            if (advance)
            {
                cc->Advance(8001);
            }
            Cnp(cc, 8001);
            CHECK(cc->GetCuts() == 1);
            CHECK(cc->GetDeadline() == 12001);
        }
    }
    SECTION("a CNP with an alpha update counts for it, also if Advance came first")
    {
        for (const bool advance : {false, true})
        {
            auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
            Cnp(cc, 0);
            if (advance)
            {
                cc->Advance(1000);
            }
            Cnp(cc, 1000);
            CHECK(cc->GetAlpha(1000) == 1.0);         // 255/256 + 1/256
            CHECK(cc->GetAlpha(2000) == 255.0 / 256); // it counted once
        }
    }
    SECTION("the CNP that starts the timers is no sample of alpha")
    {
        auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
        Cnp(cc, 0);
        CHECK(cc->GetAlpha(1000) == 255.0 / 256);
        Cnp(cc, 1); // the second is
        CHECK(cc->GetAlpha(1000) == 1.0);
    }
}

TEST_CASE("DCQCN: artifact, equal to a plain loop over every tick", "[dcqcn]")
{
    std::mt19937_64 random(7);
    for (int run = 0; run < 12; ++run)
    {
        auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
        PlainArtifact plain;
        // Gaps from dense to sparse, with ties on the ticks of alpha and of the checks.
        const Tick grid = run % 3 == 0 ? 1000 : 1;
        std::uniform_int_distribution<Tick> gap(1, (run % 4 + 1) * (run % 4 + 1) * 60000);
        Tick cnpAt = 500;
        for (Tick t = 0; t < 3000000; ++t)
        {
            const bool cnp = t == cnpAt;
            plain.Step(t, cnp);
            if (cnp)
            {
                Cnp(cc, t);
                cnpAt = 500 + ((t + gap(random)) / grid + 1) * grid;
                cnpAt += run % 3 == 1 ? (4001 - (cnpAt - 500) % 4000) % 4000 : 0;
                REQUIRE(cc->GetRate() == plain.rate);
                REQUIRE(cc->GetAlpha(t) == plain.alpha);
            }
        }
        cc->Advance(2999999);
        CHECK(cc->GetRate() == plain.rate);
        CHECK(cc->GetTargetRate() == static_cast<double>(plain.target));
        CHECK(cc->GetAlpha(2999999) == plain.alpha);
        CHECK(cc->GetCuts() > 0);
    }
}

TEST_CASE("DCQCN: long quiet spans use a power that agrees with multiplication", "[dcqcn]")
{
    auto cc = CatchDcqcn(DcqcnParameters::HpccArtifact());
    Cnp(cc, 0);
    double alpha = 1;
    for (int k = 1; k <= 9000; ++k)
    {
        alpha *= 255.0 / 256;
        if (k == 4097)
        {
            CHECK(cc->GetAlpha(k * 1000) == alpha); // one by one
        }
        if (k == 4098 || k == 9000)
        {
            CHECK(cc->GetAlpha(k * 1000) == Approx(alpha).epsilon(1e-11));
        }
    }
}
