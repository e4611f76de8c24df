/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-hcc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"

#include <catch2/catch.hpp>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A law with an enforcement of its own that has started. */
Ptr<Hcc>
MakeEnforced(HccParameters::Enforce enforce, const FlowParameters& flow = HccFlow())
{
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("Enforce", EnumValue(enforce));
    cc->Start(flow, 0);
    return cc;
}

constexpr auto PACING = HccParameters::PACING;
constexpr auto WINDOW = HccParameters::WINDOW;
constexpr auto GUARANTEE = HccParameters::WINDOW_WITH_GUARANTEE;
constexpr uint64_t NO_LIMIT = CongestionControl::UNLIMITED;

} // namespace

TEST_CASE("HCC: what is enforced before the first CNP", "[hcc]")
{
    for (const auto enforce : {PACING, WINDOW, GUARANTEE})
    {
        auto cc = MakeEnforced(enforce);
        CHECK(cc->GetRate() == 100000000000);
        CHECK(cc->GetWindow() == 50000); // 1 BDP: 100 Gb/s x 4 us / 8
        CHECK(cc->GetGuarantee() == (enforce == GUARANTEE ? 100000000000 : 0));
        CHECK(cc->GetGuaranteeWindow() == (enforce == GUARANTEE ? 50000 : NO_LIMIT));
    }
}

TEST_CASE("HCC: the rate as pacing, window, window with guarantee", "[hcc]")
{
    // R 12.5 Gb/s. Slack of one point: 80 KB at 100 Gb/s, 6.4 us. W = 12.5 / 8 x (4 + 6.4) us =
    // 16,250 bytes. W / MTU is 16.25, so below the window it may send at 4 R.
    const CnpBody body = Says(1, 0.9375, 8);
    auto pacing = MakeEnforced(PACING);
    Hear(pacing, body, 0);
    CHECK(pacing->GetRate() == 12500000000);
    CHECK(pacing->GetWindow() == 50000);
    CHECK(pacing->GetGuarantee() == 0);
    auto window = MakeEnforced(WINDOW);
    Hear(window, body, 0);
    CHECK(window->GetRate() == 50000000000);
    CHECK(window->GetWindow() == 16250);
    CHECK(window->GetGuarantee() == 0);
    CHECK(window->GetGuaranteeWindow() == NO_LIMIT);
    auto both = MakeEnforced(GUARANTEE);
    Hear(both, body, 0);
    CHECK(both->GetRate() == 50000000000);
    CHECK(both->GetWindow() == 16250);
    CHECK(both->GetGuarantee() == 12500000000);
    CHECK(both->GetGuaranteeWindow() == 50000);
    // Two points: 12.5 / 8 x (4 + 2 x 6.4) us.
    Hear(both, Says(2, 0.9375, 8), 0);
    CHECK(both->GetWindow() == 26250);
    // The second has a port of 400 Gb/s: 1.6 us of slack. 12.5 / 8 x (4 + 6.4 + 1.6) us. Its floor
    // of 50 Gb/s does not raise the rate of 12.5.
    CnpBody fast = Says(2, 0.9375, 8);
    fast.rateBps = 400000000000;
    Hear(both, fast, 0);
    CHECK(both->GetWindow() == 18750);
    // 5 rates of 50 Gb/s: 50 / 8 x (4 + 5 x 6.4) us = 225,000 bytes: the cap counts.
    auto capped = MakeEnforced(GUARANTEE);
    for (uint16_t point = 1; point <= 5; ++point)
    {
        Hear(capped, Says(point, 0.5, 8), 0);
    }
    CHECK(capped->GetWindow() == 50000);
    CHECK(capped->GetRate() == 100000000000); // min(line, 4 x 50)
    CHECK(capped->GetGuarantee() == 50000000000);
}

TEST_CASE("HCC: windows below and near a packet", "[hcc]")
{
    // R = MinRate 100 Mb/s: W = 0.1 / 8 x 10.4 us = 130 bytes, below a packet of 1000: rate R.
    const CnpBody body = Says(1, 1, 2000);
    auto both = MakeEnforced(GUARANTEE);
    Hear(both, body, 0);
    CHECK(both->GetWindow() == 130);
    CHECK(both->GetRate() == 100000000);
    CHECK(both->GetGuarantee() == 100000000);
    auto window = MakeEnforced(WINDOW); // without guarantee it must let a packet pass
    Hear(window, body, 0);
    CHECK(window->GetWindow() == 1000);
    CHECK(window->GetRate() == 100000000);
    // No slack, R 5 Gb/s: W = 5 / 8 x 4 us = 2,500 bytes: 2.5 R.
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("SlackBytes", IntegerValue(0));
    cc->Start(HccFlow(), 0);
    Hear(cc, Says(1, 0.9375, 20), 0);
    Hear(cc, Says(1, 0.9375, 20), 1);
    CHECK(cc->GetFairRate() == 5 * GBPS);
    CHECK(cc->GetWindow() == 2500);
    CHECK(cc->GetRate() == 12500000000);
}

TEST_CASE("HCC: the cap", "[hcc]")
{
    for (const auto& [cap, bytes] : {std::pair{2.0, uint64_t(100000)}, std::pair{0.0, NO_LIMIT}})
    {
        auto cc = CreateObject<Hcc>();
        cc->SetAttribute("CapBdp", DoubleValue(cap));
        cc->Start(HccFlow(), 0);
        CHECK(cc->GetWindow() == bytes);
        CHECK(cc->GetGuaranteeWindow() == bytes);
        Hear(cc, Says(1, 0.9375, 8), 0);
        CHECK(cc->GetWindow() == 16250);
        CHECK(cc->GetGuaranteeWindow() == bytes);
    }
    FlowParameters near = HccFlow();
    near.baseRtt = 40; // a BDP of 500 bytes: at least a packet
    CHECK(MakeEnforced(GUARANTEE, near)->GetWindow() == 1000);
}

TEST_CASE("HCC: without a base RTT it paces, has no cap and steps as at 4 us", "[hcc]")
{
    FlowParameters flow = HccFlow();
    flow.baseRtt = 0;
    auto cc = MakeEnforced(GUARANTEE, flow);
    CHECK(cc->GetWindow() == NO_LIMIT);
    CHECK(cc->GetGuarantee() == 0);
    Hear(cc, Says(1, 0.9375, 8), 0);
    CHECK(cc->GetRate() == 12500000000);
    CHECK(cc->GetWindow() == NO_LIMIT);
    cc->Advance(30000);
    CHECK(cc->GetFairRate() == Approx(12.55 * GBPS));
}

TEST_CASE("HCC law Article: the article's rates", "[hcc]")
{
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("Law", EnumValue(HccParameters::ARTICLE_LAW));
    cc->Start(HccFlow(), 0);
    CHECK(cc->GetWindow() == NO_LIMIT); // no cap
    CHECK(cc->GetGuarantee() == 0);
    // alpha 0.5: 100 (1 - 0.5 P). No floor, whatever N says; points of a domain share the rate.
    Hear(cc, Says(1, 0.5, 2), 0);
    CHECK(cc->GetFairRate() == 75 * GBPS);
    Hear(cc, Says(2, 1, 2), 1000);
    CHECK(cc->GetFairRate() == 37.5 * GBPS);
    CHECK(cc->GetRate() == 37500000000); // paced
    Hear(cc, Says(1, 1, 2, 2), 2000);    // a spine: alpha 0.25
    CHECK(cc->GetFairRate() == 28.125 * GBPS);
    Hear(cc, Says(1, 0.015625, 2), 3000); // no T_g: 28.125 x (1 - 1/128)
    CHECK(cc->GetFairRate() == Approx(28.125 * 127 / 128 * GBPS));
    // 400 Mb/s each 30 us, not divided by N, not growing.
    cc->Advance(33000);
    CHECK(cc->GetFairRate() == Approx((28.125 * 127 / 128 + 0.4) * GBPS));
    cc->Advance(63000);
    CHECK(cc->GetFairRate() == Approx((28.125 * 127 / 128 + 0.8) * GBPS));
    CnpBody clear = Says(1, 0, 2);
    clear.clear = true;
    clear.leave = true;
    Hear(cc, clear, 64000); // unknown to the article
    CHECK(cc->GetFairRate() == Approx((28.125 * 127 / 128 + 0.8) * GBPS));
    for (int i = 0; i < 20; ++i)
    {
        Hear(cc, Says(1, 1, 2), 65000 + i);
    }
    CHECK(cc->GetFairRate() == 0.1 * GBPS); // 28.7 / 2^20 is below MinRate
}

TEST_CASE("HCC law Article: no cable rule; a cap if one is asked for", "[hcc]")
{
    FlowParameters flow = HccFlow();
    flow.baseRtt = 300000;
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("Law", EnumValue(HccParameters::ARTICLE_LAW));
    cc->SetAttribute("CapBdp", DoubleValue(1));
    cc->Start(flow, 0);
    CHECK(cc->GetWindow() == 3750000); // 100 Gb/s x 300 us / 8
    Hear(cc, Says(1, 1, 8), 0);
    CHECK(cc->GetDeadline() == 30000);
    cc->Advance(30000); // 50 + 0.03 x 100 x 300 / 30 = 30 Gb/s: the paradox of long cables
    CHECK(cc->GetFairRate() == Approx(80 * GBPS));
}
