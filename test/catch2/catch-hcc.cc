/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-hcc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/roce-int-record.h"
#include "ns3/string.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

std::string
Refusal(const HccParameters& p)
{
    try
    {
        p.Validate(100000000000);
    }
    catch (const std::invalid_argument& e)
    {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("HCC: before the first CNP the line rate, no timer", "[hcc]")
{
    auto cc = MakeHcc();
    CHECK(cc->GetFairRate() == 100 * GBPS);
    CHECK(cc->GetRate() == 100000000000);
    CHECK(cc->GetDeadline() == NEVER);
    CHECK_FALSE(cc->HearsAck());
    CHECK_FALSE(cc->HearsSent()); // nothing to do for a packet
}

TEST_CASE("HCC: cut by 1 - alpha P, each point from the line rate", "[hcc]")
{
    auto cc = MakeHcc();
    Hear(cc, Says(1, 0.5, 8, 2), 1000); // tier 2: alpha 1/2; 100 (1 - 1/4)
    CHECK(cc->GetFairRate() == 75 * GBPS);
    CHECK(cc->GetDeadline() == 31000);
    Hear(cc, Says(1, 0.5, 8, 2), 2000); // 75 x 3/4
    CHECK(cc->GetFairRate() == 56.25 * GBPS);
    // Another point: its rate begins at the line rate, not at 56.25. 100 (1 - 1/4) = 75.
    Hear(cc, Says(2, 0.5, 8, 2), 3000);
    REQUIRE(cc->Find(2));
    CHECK(cc->Find(2)->rate == 75 * GBPS);
    CHECK(cc->GetFairRate() == 56.25 * GBPS); // the least counts
    // Tier 1, alpha 1: 75 / 2 = 37.5 of point 2 is the least now.
    Hear(cc, Says(2, 0.5, 8, 1), 4000);
    CHECK(cc->GetFairRate() == 37.5 * GBPS);
    CHECK(cc->GetEntries().size() == 2);
    CHECK(cc->GetDeadline() == 32000); // of point 1, cut at 2000
}

TEST_CASE("HCC: no cut goes below phi C / N", "[hcc]")
{
    auto cc = MakeHcc();
    // 15 of 16 marked: 100 / 16 = 6.25 is less than C / N = 12.5. P < 0.95: phi is 1.
    Hear(cc, Says(1, 0.9375, 8), 0);
    CHECK(cc->GetFairRate() == 12.5 * GBPS);
    // All marked: phi 0.9.
    Hear(cc, Says(1, 1, 8), 1000);
    CHECK(cc->GetFairRate() == Approx(11.25 * GBPS).epsilon(1e-14));
    // The floor of a lesser P is above the rate: cuts never raise.
    Hear(cc, Says(1, 0.5, 8), 2000);
    CHECK(cc->GetFairRate() == Approx(11.25 * GBPS).epsilon(1e-14));
    // Fewer flows raise the floor, not the rate; more flows lower it: 100 / 20 = 5.
    Hear(cc, Says(1, 0.9375, 20), 3000);
    CHECK(cc->GetFairRate() == 5 * GBPS);
    // 100 / 2000 = 50 Mb/s, MinRate is 100 Mb/s.
    Hear(cc, Says(1, 1, 2000), 4000);
    CHECK(cc->GetFairRate() == 0.1 * GBPS);
    // A port of 400 Gb/s: 0.9 x 400 / 8 = 45.
    CnpBody body = Says(2, 1, 8);
    body.rateBps = 400000000000;
    Hear(cc, body, 5000);
    CHECK(cc->Find(2)->rate == Approx(45 * GBPS).epsilon(1e-14));
    // A port whose rate is not known counts as the line.
    body = Says(4, 0.9375, 8);
    body.rateBps = 0;
    Hear(cc, body, 5000);
    CHECK(cc->Find(4)->rate == 12.5 * GBPS);
}

TEST_CASE("HCC: phi changes at P 0.95", "[hcc]")
{
    // In units of 2^-15: 0.95 is 31129.6. 31129 is below, 31130 is not.
    for (const auto& [units, floor] : {std::pair{31129, 12.5}, std::pair{31130, 11.25}})
    {
        auto cc = MakeHcc();
        Hear(cc, Says(1, units / 32768.0, 8), 0);
        CHECK(cc->GetFairRate() == Approx(floor * GBPS).epsilon(1e-14));
    }
}

TEST_CASE("HCC: noise restarts the timer and does nothing else", "[hcc]")
{
    auto cc = MakeHcc();
    Hear(cc, Says(1, 0.02, 8), 0); // 655 / 32768 = 0.01999, not above T_g 0.02
    CHECK(cc->GetEntries().empty());
    CHECK(cc->GetDeadline() == NEVER);
    Hear(cc, Says(1, 0.9375, 8), 1000);
    CHECK(cc->GetDeadline() == 31000);
    Hear(cc, Says(1, 0.02, 4), 20000);
    CHECK(cc->GetFairRate() == 12.5 * GBPS);
    CHECK(cc->GetDeadline() == 50000);
    cc->Advance(50000); // N is 4 now: the step is 100 Mb/s
    CHECK(cc->GetFairRate() == 12.6 * GBPS);
    Hear(cc, Says(2, 0.0625, 8), 51000); // one mark of 16 is above: 100 x 15/16
    CHECK(cc->Find(2)->rate == 93.75 * GBPS);
}

TEST_CASE("HCC: the k-th quiet period adds min(k, 32) steps of kappa BDP / T / N", "[hcc]")
{
    auto cc = MakeHcc();
    Hear(cc, Says(1, 0.9375, 8), 0); // 12.5 Gb/s; step 400 / 8 = 50 Mb/s
    cc->Advance(29999);
    CHECK(cc->GetFairRate() == 12.5 * GBPS);
    cc->Advance(30000);
    CHECK(cc->GetFairRate() == Approx(12.55 * GBPS)); // k 1: 50
    cc->Advance(60000);
    CHECK(cc->GetFairRate() == Approx(12.65 * GBPS)); // k 2: 100
    cc->Advance(90000);
    CHECK(cc->GetFairRate() == Approx(12.8 * GBPS)); // k 3: 150
    cc->Advance(32 * 30000);
    CHECK(cc->GetFairRate() == Approx(38.9 * GBPS)); // 12.5 + 0.05 x (1 + ... + 32 = 528)
    cc->Advance(33 * 30000);
    CHECK(cc->GetFairRate() == Approx(40.5 * GBPS)); // + 0.05 x 32
    cc->Advance(34 * 30000);
    CHECK(cc->GetFairRate() == Approx(42.1 * GBPS)); // no more than 32
    Hear(cc, Says(1, 0.9375, 8), 1021000);           // back to 12.5, k 0
    CHECK(cc->GetDeadline() == 1051000);
    cc->Advance(1051000);
    CHECK(cc->GetFairRate() == Approx(12.55 * GBPS));
}

TEST_CASE("HCC: a timer on the tick of a CNP goes first", "[hcc]")
{
    auto cc = MakeHcc();
    Hear(cc, Says(1, 0.5, 2), 0); // 50 Gb/s; step 200 Mb/s
    Hear(cc, Says(1, 0.0625, 2), 30000);
    CHECK(cc->GetFairRate() == 50 * GBPS); // 50.2 x 15/16 = 47.06 is less than the floor 50
    auto cd = MakeHcc();
    Hear(cd, Says(1, 0.5, 4), 0); // 50; step 100 Mb/s
    Hear(cd, Says(1, 0.0625, 4), 30000);
    CHECK(cd->GetFairRate() == Approx(50.1 * 15 / 16 * GBPS));
}

TEST_CASE("HCC: a rate is given up at line rate, not when it is silent", "[hcc]")
{
    auto cc = MakeHcc();
    Hear(cc, Says(1, 0.5, 2), 0); // 50 Gb/s; step 0.2. S(21) = 231: 96.2, S(22) = 253: 100.6
    cc->Advance(21 * 30000);
    CHECK(cc->GetFairRate() == Approx(96.2 * GBPS));
    CHECK(cc->GetDeadline() == 22 * 30000);
    cc->Advance(22 * 30000);
    CHECK(cc->GetFairRate() == 100 * GBPS);
    CHECK_FALSE(cc->Find(1)->limits);
    CHECK(cc->GetDeadline() == NEVER);
    Hear(cc, Says(1, 0.5, 2), 700000); // and begins at line rate again
    CHECK(cc->GetFairRate() == 50 * GBPS);
    CHECK(cc->GetDeadline() == 730000);

    // 65535 flows: after 1 s of silence, 33333 expiries, S = 528 + (33333 - 32) x 32 = 1066160
    // steps of 400 Mb/s / 65535.
    auto slow = MakeHcc();
    Hear(slow, Says(1, 1, 65535), 0);
    CHECK(slow->GetFairRate() == 0.1 * GBPS);
    slow->Advance(1000000000);
    CHECK(slow->GetFairRate() == Approx(0.1e9 + 1066160 * (0.4e9 / 65535)));
    CHECK(slow->Find(1)->limits);
}

TEST_CASE("HCC: T is at least 1.5 base RTT and above two CNP intervals", "[hcc]")
{
    FlowParameters flow = HccFlow();
    flow.baseRtt = 300000;
    auto cc = CreateObject<Hcc>();
    cc->Start(flow, 0);
    Hear(cc, Says(1, 0.9375, 8), 0);
    CHECK(cc->GetDeadline() == 450000);
    cc->Advance(450000); // 0.03 x 100 x 300 / 450 / 8 = 0.25
    CHECK(cc->GetFairRate() == Approx(12.75 * GBPS));

    auto factor = CreateObject<Hcc>();
    factor->SetAttribute("CableFactor", DoubleValue(0));
    factor->Start(flow, 0);
    Hear(factor, Says(1, 0.9375, 8), 0);
    CHECK(factor->GetDeadline() == 30000);

    auto tuning = CreateObject<HccTuning>();
    tuning->SetAttribute("CnpInterval2", TimeValue(MicroSeconds(20)));
    auto slow = CreateObject<Hcc>();
    slow->SetAttribute("Tuning", PointerValue(tuning));
    slow->Start(HccFlow(), 0);
    Hear(slow, Says(1, 0.9375, 8), 0);
    CHECK(slow->GetDeadline() == 40001);

    auto stage3 = MakeHcc();
    CnpBody body = Says(1, 0.9375, 8);
    body.stage = 3;
    Hear(stage3, body, 0);
    CHECK(stage3->GetDeadline() == 50000);
    stage3->Advance(50000); // 0.03 x 100 x 4 / 50 / 8 = 0.03
    CHECK(stage3->GetFairRate() == Approx(12.53 * GBPS));
}

TEST_CASE("HCC: an all-clear multiplies the rate of its point by 1.5", "[hcc]")
{
    for (const bool on : {true, false})
    {
        auto cc = CreateObject<Hcc>();
        cc->SetAttribute("AllClear", BooleanValue(on));
        cc->Start(HccFlow(), 0);
        Hear(cc, Says(1, 0.25, 8), 0); // 75
        Hear(cc, Says(2, 0.5, 8), 0);  // 50
        CnpBody clear = Says(2, 0, 8);
        clear.clear = true;
        Hear(cc, clear, 10000);
        CHECK(cc->Find(2)->rate == (on ? 75 : 50) * GBPS);
        CHECK(cc->Find(1)->rate == 75 * GBPS);
        CHECK(cc->GetDeadline() == 30000); // the timer goes on
        cc->Advance(30000);
        CHECK(cc->Find(2)->rate == Approx((on ? 75.05 : 50.05) * GBPS));
        clear.point = 9; // a point that never limited
        Hear(cc, clear, 31000);
        CHECK(cc->Find(9) == nullptr);
        clear.point = 2; // 75.05 x 1.5 is above the line
        Hear(cc, clear, 32000);
        CHECK(cc->Find(2)->limits == !on);
        CHECK(cc->GetFairRate() == Approx((on ? 75.05 : 50.05) * GBPS));
    }
}

TEST_CASE("HCC: leave ends the rates of the domain", "[hcc]")
{
    for (const bool on : {true, false})
    {
        for (const auto key : {HccParameters::POINT, HccParameters::WHOLE_DOMAIN})
        {
            auto cc = CreateObject<Hcc>();
            cc->SetAttribute("PathBinding", BooleanValue(on));
            cc->SetAttribute("RateKey", EnumValue(key));
            cc->Start(HccFlow(), 0);
            Hear(cc, Says(1, 0.9375, 8), 0);
            Hear(cc, Says(2, 0.9375, 8), 0);
            CnpBody other = Says(3, 0.25, 8);
            other.domain = 8;
            Hear(cc, other, 0); // 75
            CHECK(cc->GetEntries().size() == (key == HccParameters::POINT ? 3 : 2));
            CHECK(cc->GetFairRate() == 12.5 * GBPS);
            CnpBody leave = Says(0, 0, 0);
            leave.leave = true;
            Hear(cc, leave, 1000);
            CHECK(cc->GetFairRate() == (on ? 75 : 12.5) * GBPS);
            CHECK(cc->GetDeadline() == 30000);
        }
    }
}

TEST_CASE("HCC: telemetry of a later packet that has left the point ends its rate", "[hcc]")
{
    // Hops in the record: the latest first. Switches 10, 20, 30 and 40 by ports 1 to 4.
    const auto record = [](uint32_t second, uint16_t port) {
        IntRecord made;
        made.layout = IntRecord::INT_MD;
        made.md.instructions = INT_MD_NODE_ID | INT_MD_PORTS;
        made.md.hops.resize(4);
        made.md.hops[3].nodeId = 10;
        made.md.hops[3].egressPort = 1;
        made.md.hops[2].nodeId = second;
        made.md.hops[2].egressPort = port;
        made.md.hops[1].nodeId = 30;
        made.md.hops[1].egressPort = 3;
        made.md.hops[0].nodeId = 40;
        made.md.hops[0].egressPort = 4;
        return made;
    };
    const IntRecord old = record(20, 2);
    const IntRecord node = record(21, 2);
    const IntRecord port = record(20, 4);
    for (const IntRecord* moved : {&node, &port})
    {
        auto cc = MakeHcc();
        CHECK_FALSE(cc->HearsAck());
        CnpBody body = Says(1, 0.9375, 8);
        body.hops = 2;
        Hear(cc, body, 10000);
        body = Says(2, 0.5, 8); // and one at the third switch, 50 Gb/s
        body.hops = 3;
        Hear(cc, body, 10000);
        CHECK(cc->HearsAck());
        AckInfo ack;
        ack.rtt = 4000;
        ack.record = moved;
        cc->OnAck(AckInfo(), 11000); // names nothing
        ack.record = &old;
        cc->OnAck(ack, 12000); // sent at 8000, before the CNP: this is the point
        ack.record = moved;
        cc->OnAck(ack, 14000); // sent at 10000, not after it
        CHECK(cc->GetFairRate() == 12.5 * GBPS);
        ack.record = &old;
        cc->OnAck(ack, 14001); // still there
        CHECK(cc->GetFairRate() == 12.5 * GBPS);
        Hear(cc, Says(3, 0.0625, 8), 14001); // without hops: not bound
        ack.record = moved;
        cc->OnAck(ack, 14001);
        CHECK(cc->GetFairRate() == 50 * GBPS); // the third switch is on both paths
        CHECK_FALSE(cc->Find(1)->limits);
        CHECK(cc->Find(3)->limits);
    }
    // Nothing happens if the place is not known, or the record names no ports, or by wish.
    IntRecord mute = record(21, 2);
    mute.md.instructions = INT_MD_NODE_ID;
    for (const int wish : {0, 1, 2})
    {
        auto cc = CreateObject<Hcc>();
        cc->SetAttribute("PathBinding", BooleanValue(wish != 2));
        cc->Start(HccFlow(), 0);
        CnpBody body = Says(1, 0.9375, 8);
        body.hops = 2;
        Hear(cc, body, 10000);
        AckInfo ack;
        ack.rtt = 4000;
        ack.record = &old;
        if (wish != 0)
        {
            cc->OnAck(ack, 12000);
        }
        ack.record = wish == 1 ? &mute : &node;
        cc->OnAck(ack, 20000);
        CHECK(cc->GetFairRate() == 12.5 * GBPS);
    }
}

TEST_CASE("HCC: with RateKey Domain the points of a domain share a rate", "[hcc]")
{
    auto cc = CreateObject<Hcc>();
    cc->SetAttribute("RateKey", EnumValue(HccParameters::WHOLE_DOMAIN));
    cc->Start(HccFlow(), 0);
    Hear(cc, Says(1, 0.25, 8), 0);
    Hear(cc, Says(2, 0.25, 8), 1); // 100 x 3/4 x 3/4
    CHECK(cc->GetFairRate() == 56.25 * GBPS);
    CHECK(cc->GetEntries().size() == 1);
}

TEST_CASE("HCC: a plain CNP halves, unless points speak for themselves", "[hcc]")
{
    auto cc = MakeHcc();
    cc->OnCnp(CnpInfo(), 0);
    CHECK(cc->GetFairRate() == 50 * GBPS); // as DCQCN's first
    CHECK(cc->GetDeadline() == 100001);    // above two intervals of 50 us
    cc->OnCnp(CnpInfo(), 50000);
    CHECK(cc->GetFairRate() == 25 * GBPS);
    cc->Advance(150001); // 0.03 x 100 x 4 / 100.001
    CHECK(cc->GetFairRate() == Approx((25 + 12 / 100.001) * GBPS));
    // A foreign version is no body of ours.
    std::array<uint8_t, CNP_BODY_BYTES> foreign{};
    foreign[0] = (CnpBody::VERSION + 1) << 2;
    CnpInfo info;
    info.body = foreign.data();
    cc->OnCnp(info, 150002);
    CHECK(cc->GetFairRate() == Approx((25 + 12 / 100.001) / 2 * GBPS));
    CHECK(cc->GetProcessor()->GetPlain() == 3);

    auto heard = MakeHcc();
    Hear(heard, Says(1, 0.0625, 8), 0); // 93.75
    heard->OnCnp(CnpInfo(), 1000000);   // not yet more than 1 ms
    CHECK(heard->Find(Hcc::PLAIN_KEY) == nullptr);
    heard->OnCnp(CnpInfo(), 1000001);
    CHECK(heard->GetFairRate() == 50 * GBPS);
}

TEST_CASE("HCC: N is not known", "[hcc]")
{
    auto cc = MakeHcc();
    // no fair share to stop at: 100 (1 - 0.5); a share of 100 / 50 = 2 flows each step: 0.4 / 2
    Hear(cc, Says(1, 0.5, 0), 0);
    CHECK(cc->GetFairRate() == 50 * GBPS);
    CHECK(cc->Find(1)->flows == 2);
    cc->Advance(30000);
    CHECK(cc->GetFairRate() == Approx(50.2 * GBPS).epsilon(1e-12));
    // P = 1 stops at MinRate, 100 Mb/s; 1000 flows of it fill the port
    Hear(cc, Says(1, 1, 0), 30001);
    CHECK(cc->GetFairRate() == 0.1 * GBPS);
    CHECK(cc->Find(1)->flows == 1000);
    // a later CNP knows better
    Hear(cc, Says(1, 0.5, 4), 30002);
    CHECK(cc->GetFairRate() == 0.1 * GBPS); // never raises
    CHECK(cc->Find(1)->flows == 4);
}

TEST_CASE("HCC: profiles and refusals", "[hcc]")
{
    for (const char* name : {"default", "fast", "steady"})
    {
        CHECK(Refusal(HccParameters::FromName(name)).empty());
        auto cc = CreateObject<Hcc>();
        cc->SetAttribute("Profile", StringValue(name));
        CHECK(cc->GetParameters().name == name);
    }
    CHECK_THROWS_WITH(HccParameters::FromName("quick"),
                      "HCC: unknown profile 'quick'; known are default, fast, steady");
    HccParameters p = HccParameters::Default();
    p.minRateBps = 0;
    CHECK(Refusal(p) == "HCC (profile default): minRateBps is 0, must be in [1, 100000000000], the "
                        "line rate in bit/s");
    p = HccParameters::Fast();
    p.alphaMax = 1.5;
    CHECK(Refusal(p) == "HCC (profile fast): alphaMax is 1.5, must be in [0, 1]");
    p = HccParameters::Default();
    p.acceleration = 0;
    CHECK(Refusal(p) == "HCC (profile default): acceleration is 0, must be >= 1");
    p = HccParameters::Default();
    p.stage3.recovery = Time(0);
    CHECK(Refusal(p).find("stage3.recovery is +0") != std::string::npos);
    p = HccParameters::Default();
    p.stage2.slope = 0;
    CHECK(Refusal(p) == "HCC (profile default): stage2.slope is 0, must be > 0");
    p = HccParameters::Default();
    p.clearFactor = 0.5;
    CHECK(Refusal(p) == "HCC (profile default): clearFactor is 0.5, must be >= 1");
}
