/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ideal-queue.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/roce-patched-timely.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G10 = 10000000000;

/** \param start bit/s \return a law on 10 Gb/s that has started */
template <typename Law = Timely>
Ptr<Law>
Made(uint64_t start)
{
    auto law = CreateObject<Law>();
    law->SetAttribute("StartRateBps", UintegerValue(start));
    law->Start(LawFlow(G10), 0);
    return law;
}

/** Whole segments, 100 us apart. */
struct Samples
{
    Ptr<Timely> law;
    Tick now{0};

    void operator()(double rttUs)
    {
        now += 100000;
        Ack(law, 16000, 0, static_cast<Tick>(rttUs * 1000), false, now);
    }
};

/** \return the queue of two flows on 10 Gb/s, whose statistics are those of 200 to 300 ms */
template <typename Law>
IdealQueue
TwoFlows(uint64_t first, uint64_t second, Tick late = 0)
{
    IdealQueue queue(G10, 2000);
    for (int i = 0; i < 2; ++i)
    {
        auto law = CreateObject<Law>();
        law->SetAttribute("StartRateBps", UintegerValue(i == 0 ? first : second));
        law->SetAttribute("HaiEvents", UintegerValue(0)); // as in the fluid model
        queue.Add(law, 0, i == 0 ? 0 : late);
    }
    queue.Run(200000000);
    queue.Run(300000000);
    return queue;
}

} // namespace

TEST_CASE("TIMELY: starts at line rate, without a window, and hears ACKs", "[timely]")
{
    auto law = CreateObject<Timely>();
    law->Start(LawFlow(G10), 0);
    CHECK(law->GetRate() == G10);
    CHECK(law->GetWindow() == CongestionControl::UNLIMITED);
    CHECK(law->HearsAck());
    CHECK_FALSE(law->HearsSent());
    CHECK(law->GetDeadline() == NEVER);
    CHECK(law->GetBeta() == 0.8);
    CHECK(law->GetDelta() == 10e6);
    law->OnCnp(CnpInfo(), 0); // neither CNPs nor loss move it
    law->OnLoss(true, 0);
    CHECK(law->GetRate() == G10);
    CHECK(CreateObject<PatchedTimely>()->GetInstanceTypeId().GetParent() == Timely::GetTypeId());
}

TEST_CASE("TIMELY: Algorithm 1 by hand", "[timely]")
{
    auto law = Made(5000000000);
    Samples sample{law};
    sample(40); // below 50: + 10 Mb/s; no gradient yet
    CHECK(law->GetCurrentRate() == 5.01e9);
    CHECK(law->GetGradient() == 0);
    // diff = 0.875 x 20 = 17.5 us, gradient 17.5 / 20 = 0.875, factor 1 - 0.8 x 0.875 = 0.3
    sample(60);
    CHECK(law->GetGradient() == Approx(0.875).epsilon(1e-12));
    CHECK(law->GetCurrentRate() == Approx(1.503e9).epsilon(1e-12));
    // diff = 17.5 / 8 + 0 = 2.1875, gradient 0.109375, factor 0.9125
    sample(60);
    CHECK(law->GetGradient() == Approx(0.109375).epsilon(1e-12));
    CHECK(law->GetCurrentRate() == Approx(1.3714875e9).epsilon(1e-12));
    // diff = 2.1875 / 8 - 0.875 x 5 = -4.1015625, gradient < 0; then it is divided by 8 each time.
    // Four events of + 10, from the fifth on + 50.
    const double rise[] =
        {1.3814875e9, 1.3914875e9, 1.4014875e9, 1.4114875e9, 1.4614875e9, 1.5114875e9};
    for (int i = 0; i < 6; ++i)
    {
        sample(55);
        CHECK(law->GetHaiRow() == static_cast<uint32_t>(i + 1));
        CHECK(law->GetCurrentRate() == Approx(rise[i]).epsilon(1e-12));
    }
    sample(1000); // above 500: factor 1 - 0.8 (1 - 500/1000) = 0.6
    CHECK(law->GetCurrentRate() == Approx(0.9068925e9).epsilon(1e-12));
    CHECK(law->GetHaiRow() == 0);
    // diff = (0 + 0.875 x 945) / 8 - 0.875 x 900 < 0 (diff before 1000 is some ns): + 10, row 1
    sample(100);
    CHECK(law->GetHaiRow() == 1);
    CHECK(law->GetCurrentRate() == Approx(0.9168925e9).epsilon(1e-12));
    // diff = 0.875 x 100 + an eighth of about -684.1 = 2.0 us: gradient > 0
    sample(200);
    CHECK(law->GetHaiRow() == 0);
    CHECK(law->GetUpdates() == 12);
}

TEST_CASE("TIMELY: the thresholds themselves belong to the gradient", "[timely]")
{
    auto law = Made(5000000000);
    Samples sample{law};
    sample(50); // the first sample has no gradient: between the thresholds nothing moves
    CHECK(law->GetCurrentRate() == 5e9);
    sample(500); // gradient 0.875 x 450 / 20 = 19.7: factor 1 - 15.75, at least 0, then the floor
    CHECK(law->GetCurrentRate() == 100e6);
    auto high = Made(5000000000);
    Samples first{high};
    first(1000); // even the first sample cuts above 500
    CHECK(high->GetCurrentRate() == 3e9);
    first(600); // above 500 the gradient does not count: 1 - 0.8 (1 - 5/6) = 13/15
    CHECK(high->GetCurrentRate() == Approx(2.6e9).epsilon(1e-12));
    auto still = Made(5000000000);
    Samples same{still};
    same(60);
    same(60); // gradient 0 is no rise
    CHECK(still->GetGradient() == 0);
    CHECK(still->GetCurrentRate() == 5.01e9);
}

TEST_CASE("TIMELY: the rate stays between floor and line rate", "[timely]")
{
    auto law = Made(0);
    Samples sample{law};
    for (int i = 0; i < 10; ++i)
    {
        sample(10);
        CHECK(law->GetRate() == G10);
    }
    // 10 Gb/s, each time times 1 - 0.8 (1 - 1/2000) = 0.2004: 0.4 at k = 2, 0.08 at k = 3
    sample(1e6);
    sample(1e6);
    CHECK(law->GetCurrentRate() == Approx(10e9 * 0.2004 * 0.2004).epsilon(1e-12));
    sample(1e6);
    CHECK(law->GetRate() == 100000000);
    sample(10);
    CHECK(law->GetRate() == 110000000);
}

TEST_CASE("TIMELY: one update a segment, by the sample of its last packet", "[timely]")
{
    auto law = CreateObject<Timely>();
    law->SetAttribute("StartRateBps", UintegerValue(5000000000));
    law->SetAttribute("LimitUpdates", BooleanValue(false));
    law->Start(LawFlow(G10), 0);
    for (int segment = 0; segment < 3; ++segment)
    {
        for (int i = 0; i < 15; ++i)
        {
            Ack(law, 1000, 0, 1000000, false, 0); // 1 ms, but no last packet
        }
        CHECK(law->GetUpdates() == static_cast<uint64_t>(segment));
        Ack(law, 1000, 0, 40000, false, 0);
        CHECK(law->GetCurrentRate() == 5e9 + (segment + 1) * 10e6);
    }
    // An ACK for more than a segment is one sample; the remainder of 4000 counts for the next one.
    Ack(law, 20000, 0, 40000, false, 0);
    CHECK(law->GetUpdates() == 4);
    Ack(law, 11999, 0, 40000, false, 0);
    CHECK(law->GetUpdates() == 4);
    Ack(law, 1, 0, 40000, false, 0);
    CHECK(law->GetUpdates() == 5);
}

TEST_CASE("TIMELY: case A14, an unknown round trip is no sample", "[timely]")
{
    auto law = Made(5000000000);
    for (int i = 1; i <= 100; ++i)
    {
        Ack(law, 16000, 0, 0, false, i * 100000);
    }
    CHECK(law->GetUpdates() == 0);
    CHECK(law->GetCurrentRate() == 5e9);
    // The next known one stands for the segment; it is the first, so it has no difference to 0.
    Ack(law, 1000, 0, 60000, false, 10100000);
    CHECK(law->GetUpdates() == 1);
    CHECK(law->GetGradient() == 0);
    CHECK(law->GetCurrentRate() == 5e9);
}

TEST_CASE("TIMELY: at least MinRtt passes between updates", "[timely]")
{
    auto law = Made(5000000000);
    Ack(law, 16000, 0, 40000, false, 19999);
    CHECK(law->GetUpdates() == 0);
    Ack(law, 1000, 0, 40000, false, 20000); // the segment still waits for its sample
    CHECK(law->GetUpdates() == 1);
    Ack(law, 16000, 0, 40000, false, 39999);
    CHECK(law->GetUpdates() == 1);
    Ack(law, 0, 0, 40000, false, 40000);
    CHECK(law->GetUpdates() == 2);
}

TEST_CASE("TIMELY: delta scales only with a reference, and MinRtt 0 is the base RTT", "[timely]")
{
    auto law = CreateObject<Timely>();
    law->Start(LawFlow(100000000000), 0);
    CHECK(law->GetDelta() == 10e6);
    law->SetAttribute("RateReferenceBps", UintegerValue(G10));
    law->SetAttribute("MinRtt", TimeValue(Time(0)));
    law->SetAttribute("Beta", DoubleValue(0.5));
    law->SetAttribute("StartRateBps", UintegerValue(5000000000));
    law->Start(LawFlow(100000000000, 70000), 0);
    CHECK(law->GetDelta() == 100e6); // 10 Mb/s x 100G / 10G
    Samples sample{law};
    sample(60);
    sample(68); // gradient 0.875 x 8 / 70 = 0.1, factor 1 - 0.5 x 0.1
    CHECK(law->GetGradient() == Approx(0.1).epsilon(1e-12));
    CHECK(law->GetCurrentRate() == Approx(4.75e9).epsilon(1e-12));
}

TEST_CASE("TIMELY: what cannot work is refused with names and numbers", "[timely]")
{
    auto law = CreateObject<Timely>();
    law->SetAttribute("MinRtt", TimeValue(Time(0)));
    CHECK(StartRefusal(law, LawFlow(G10))
              .find("must be > 0 as the base RTT is unknown; set it or give the queue pair its "
                    "base RTT") != std::string::npos);
    CHECK(StartRefusal(law, LawFlow(G10, 5000)).empty());
    law->SetAttribute("StartRateBps", UintegerValue(G10 + 1));
    CHECK(StartRefusal(law, LawFlow(G10, 5000)) ==
          "ns3::roce::Timely of QP 17: StartRateBps is 10000000001, must be 0, or at least "
          "MinRateBps and at "
          "most 10000000000 bit/s, the line rate");
    law->SetAttribute("MinRateBps", UintegerValue(G10 + 1));
    CHECK(StartRefusal(law, LawFlow(G10, 5000)) ==
          "ns3::roce::Timely of QP 17: MinRateBps is 10000000001, must be at most 10000000000 "
          "bit/s, the line "
          "rate");
    law->SetAttribute("HighThreshold", TimeValue(MicroSeconds(49)));
    CHECK(StartRefusal(law, LawFlow(G10, 5000)).find("HighThreshold is ") != std::string::npos);
    law->SetAttribute("Beta", DoubleValue(0));
    CHECK(StartRefusal(law, LawFlow(G10, 5000)) ==
          "ns3::roce::Timely of QP 17: Beta is 0, must be in (0, 1], or negative");
    law->SetAttribute("EwmaWeight", DoubleValue(0));
    CHECK(StartRefusal(law, LawFlow(G10, 5000)) ==
          "ns3::roce::Timely of QP 17: EwmaWeight is 0, must be in (0, 1]");
}

TEST_CASE("TIMELY: 10^5 random events keep the bounds", "[timely]")
{
    auto law = Made(0);
    CHECK(RandomLife(law, 100000000, 2015));
    CHECK(law->GetUpdates() > 1000);
    CHECK(law->GetRateChanges() > 1000);
    auto patched = Made<PatchedTimely>(0);
    CHECK(RandomLife(patched, 100000000, 2016));
    CHECK(patched->GetRateChanges() > 1000);
}

TEST_CASE("Patched TIMELY: Algorithm 2 by hand", "[timely]")
{
    auto law = Made<PatchedTimely>(5000000000);
    CHECK(law->GetBeta() == 0.008);
    Samples sample{law};
    sample(60); // no gradient yet
    CHECK(law->GetCurrentRate() == 5e9);
    // gradient 0: w = 1/2; error (60 - 50) / 50 = 0.2; 5 Mb/s + R (1 - 0.008 x 0.1 = 0.9992)
    sample(60);
    CHECK(law->GetCurrentRate() == Approx(5.001e9).epsilon(1e-12));
    // diff 4.375, gradient 0.21875, w 0.9375, error 0.3: 0.625 Mb/s + R x (1 - 0.00225)
    sample(65);
    CHECK(law->GetCurrentRate() == Approx(0.625e6 + 5.001e9 * 0.99775).epsilon(1e-12));
    // diff 4.375 / 8 + 0.875 x 10 = 9.296875, gradient 0.46 > 1/4: w = 1; error 0.5: factor 0.996
    double rate = law->GetCurrentRate();
    sample(75);
    CHECK(law->GetCurrentRate() == Approx(rate * 0.996).epsilon(1e-12));
    // diff 9.296875 / 8 - 0.875 x 15 = -11.96, gradient -0.598 < -1/4: w = 0: + 10 Mb/s
    rate = law->GetCurrentRate();
    sample(60);
    CHECK(law->GetCurrentRate() == Approx(rate + 10e6).epsilon(1e-12));
    // Outside of the thresholds as TIMELY, with this beta: 1 - 0.008 (1 - 1/2) = 0.996.
    rate = law->GetCurrentRate();
    sample(1000);
    CHECK(law->GetCurrentRate() == Approx(rate * 0.996).epsilon(1e-12));
    sample(40);
    CHECK(law->GetCurrentRate() == Approx(rate * 0.996 + 10e6).epsilon(1e-12));
}

TEST_CASE("Patched TIMELY: no hyperactive increase, and the fixed point stays", "[timely]")
{
    auto law = Made<PatchedTimely>(5000000000);
    Samples sample{law};
    // N = 2 on 10 Gb/s: rtt 50 (1 + 2 x 10 Mb/s / (0.008 x 10 Gb/s)) = 62.5 us: error 0.25, w 1/2:
    // 5 Mb/s - 5 Gb/s x 0.008 x 0.125 = 0.
    for (int i = 0; i < 50; ++i)
    {
        sample(62.5);
        CHECK(law->GetCurrentRate() == Approx(5e9).epsilon(1e-12));
    }
    // A slowly falling round trip, gradient -0.875 x 0.1 / 20 at most: never 50 Mb/s a step.
    for (int i = 0; i < 50; ++i)
    {
        const double rate = law->GetCurrentRate();
        sample(62.4 - i * 0.1);
        CHECK(law->GetCurrentRate() - rate < 10e6);
    }
}

TEST_CASE("Patched TIMELY: D4, queue of the fixed point and equal shares", "[timely]")
{
    // q* = C Tlow (1 + N delta / (beta C)): 62.5 KB x 1.25 = 78.1 KB, x 2.25 = 140.6 KB, x 3.5 =
    // 218.8 KB.
    // The fluid model compares q / C with Tlow; here the whole round trip counts, 2 us of which
    // (2.5 KB) are not queue.
    const int numbers[] = {2, 10, 20};
    const double fixedPoint[] = {78125, 140625, 218750};
    for (int k = 0; k < 3; ++k)
    {
        const int n = numbers[k];
        IdealQueue queue(G10, 2000);
        for (int i = 0; i < n; ++i)
        {
            auto law = CreateObject<PatchedTimely>();
            // unequal starts whose sum is C: 7 and 3 Gb/s; 0.55 to 1.45 times C / N
            const double part = n == 2 ? (i == 0 ? 1.4 : 0.6) : 0.55 + 0.9 * i / (n - 1);
            const auto start = static_cast<uint64_t>(part * 10e9 / n);
            law->SetAttribute("StartRateBps", UintegerValue(start));
            queue.Add(law);
        }
        queue.Run(200000000);
        queue.Run(300000000);
        CHECK(queue.MeanQueue() == Approx(fixedPoint[k]).epsilon(0.25));
        CHECK(queue.MeanQueue() + 2500 == Approx(fixedPoint[k]).epsilon(0.01));
        CHECK(queue.Jain() > 0.98);
        CHECK(queue.Utilization() > 0.999);
    }
}

TEST_CASE("TIMELY: D4, the split depends on the start; the patch removes that", "[timely]")
{
    const IdealQueue together = TwoFlows<Timely>(5000000000, 5000000000);
    // The paper's draft names queue peaks of about 70 KB for its packet simulation, 56 us at 10
    // Gb/s.
    CHECK(together.MaxQueue() == Approx(70000).epsilon(0.1));
    const double equal = together.Share(0);
    const double late = TwoFlows<Timely>(5000000000, 5000000000, 10000000).Share(0);
    const double unequal = TwoFlows<Timely>(7000000000, 3000000000).Share(0);
    INFO(equal << " " << late << " " << unequal);
    CHECK(std::abs(unequal - equal) > 0.05);
    CHECK(std::abs(late - equal) > 0.05);
    const double patchedEqual = TwoFlows<PatchedTimely>(5000000000, 5000000000).Share(0);
    const double patchedLate = TwoFlows<PatchedTimely>(5000000000, 5000000000, 10000000).Share(0);
    const double patchedUnequal = TwoFlows<PatchedTimely>(7000000000, 3000000000).Share(0);
    CHECK(patchedEqual == Approx(0.5).epsilon(0.02));
    CHECK(patchedLate == Approx(0.5).epsilon(0.02));
    CHECK(patchedUnequal == Approx(0.5).epsilon(0.02));
}
