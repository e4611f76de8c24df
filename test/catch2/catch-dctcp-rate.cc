/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ideal-queue.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/roce-dctcp-rate.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G100 = 100000000000;

Ptr<DctcpRate>
Started(Tick baseRtt = 0)
{
    auto law = CreateObject<DctcpRate>();
    law->Start(LawFlow(G100, baseRtt), 0);
    return law;
}

/** One ACK of a packet with four more on their way: the first window has 6 ACKs, the next ones 5,
 * as a window ends with the first ACK beyond what was in flight when it began. */
void
Packet(Ptr<DctcpRate> law, bool marked)
{
    Ack(law, 1000, 4000, 10000, marked, 0);
}

} // namespace

TEST_CASE("DCTCP: starts at line rate and hears ACKs", "[dctcp]")
{
    auto law = Started();
    CHECK(law->GetRate() == G100);
    CHECK(law->GetWindow() == CongestionControl::UNLIMITED); // base RTT unknown
    CHECK(law->HearsAck());
    CHECK_FALSE(law->HearsSent());
    CHECK(law->GetDeadline() == NEVER);
    CHECK(law->GetAlpha() == 1);
    law->OnCnp(CnpInfo(), 0); // nor CNPs nor loss
    law->OnLoss(true, 0);
    CHECK(law->GetRate() == G100);
}

TEST_CASE("DCTCP: alpha without marks is (15/16)^windows", "[dctcp]")
{
    auto law = Started();
    for (int i = 0; i < 5; ++i)
    {
        Packet(law, false);
        CHECK(law->GetWindows() == 0); // 1 + 4 packets were on their way at the first ACK
    }
    Packet(law, false);
    CHECK(law->GetWindows() == 1);
    CHECK(law->GetAlpha() == 0.9375);
    for (int i = 0; i < 50; ++i)
    {
        Packet(law, false);
    }
    CHECK(law->GetWindows() == 11);
    CHECK(law->GetAlpha() == Approx(0.4916817).epsilon(1e-6)); // (15/16)^11
    CHECK(law->GetCuts() == 0);
    CHECK(law->GetRate() == G100);
}

TEST_CASE("DCTCP: every packet marked halves the rate once a window", "[dctcp]")
{
    auto law = Started();
    // Cuts with ACK 1, 6, 11, ...: 50, 25, 12.5 Gb/s; alpha stays 1.
    for (int i = 1; i <= 50; ++i)
    {
        Packet(law, true);
        const int cuts = 1 + (i - 1) / 5;
        CHECK(law->GetCuts() == static_cast<uint64_t>(cuts));
        CHECK(law->GetAlpha() == 1);
        // 100 / 2^9 = 0.195 Gb/s, 100 / 2^10 = 0.098 < 0.1, the floor
        CHECK(law->GetCurrentRate() == (cuts <= 9 ? std::ldexp(100e9, -cuts) : 0.1e9));
    }
}

TEST_CASE("DCTCP: half of the bytes marked lets alpha go to a half", "[dctcp]")
{
    auto law = CreateObject<DctcpRate>();
    law->SetAttribute("InitialAlpha", DoubleValue(0));
    law->Start(LawFlow(G100), 0);
    // Nothing in flight: each ACK is a window, but the first one opens the first window, which ends
    // with ACK 2. ACK 1, 2: 500 of 1000 bytes marked.
    Ack(law, 500, 0, 0, true, 0);
    Ack(law, 500, 0, 0, false, 0);
    CHECK(law->GetWindows() == 1);
    CHECK(law->GetAlpha() == 1.0 / 32); // 15/16 x 0 + 1/16 x 1/2
    for (int k = 2; k <= 100; ++k)
    {
        Ack(law, 500, 0, 0, true, 0); // each ACK ends a window now
        Ack(law, 500, 0, 0, false, 0);
    }
    // F alternates 1, 0: after a pair a' = (15/16)^2 a + 15/256, so a = (15/256) / (31/256) =
    // 15/31.
    CHECK(law->GetAlpha() == Approx(15.0 / 31).epsilon(1e-5));
}

TEST_CASE("DCTCP: cut, reduced state and increase by hand", "[dctcp]")
{
    auto law = Started();
    Packet(law, true); // ACK 1: alpha 1, cut to 50; reduced until an ACK beyond 5000 bytes
    CHECK(law->GetCurrentRate() == 50e9);
    for (int i = 2; i <= 5; ++i)
    {
        Packet(law, false);
    }
    CHECK(law->GetCurrentRate() == 50e9);
    Packet(law, false); // ACK 6: F = 1/6, alpha = 15/16 + 1/96 = 91/96; + 0.615
    CHECK(law->GetAlpha() == Approx(91.0 / 96).epsilon(1e-14));
    CHECK(law->GetCurrentRate() == 50.615e9);
    for (int i = 7; i <= 11; ++i)
    {
        Packet(law, false);
    }
    // ACK 11: F = 0, alpha = 91/96 x 15/16 = 1365/1536; + 0.615
    CHECK(law->GetAlpha() == Approx(1365.0 / 1536).epsilon(1e-14));
    CHECK(law->GetCurrentRate() == 51.23e9);
    Packet(law, true); // ACK 12: cut by 1365/3072 to 28.466...; reduced until beyond 16,000 bytes
    const double low = 51.23e9 * (1 - 1365.0 / 3072);
    CHECK(law->GetCurrentRate() == Approx(low).epsilon(1e-14));
    for (int i = 13; i <= 16; ++i)
    {
        Packet(law, true); // marked, but in the window of the cut
        CHECK(law->GetCurrentRate() == Approx(low).epsilon(1e-14));
    }
    // ACK 16 ended the window, while still reduced: no increase. All five were marked, F = 1.
    const double alpha = 15.0 / 16 * 1365 / 1536 + 1.0 / 16;
    CHECK(law->GetWindows() == 3);
    CHECK(law->GetAlpha() == Approx(alpha).epsilon(1e-14));
    for (int i = 17; i <= 20; ++i)
    {
        Packet(law, false); // ACK 17 leaves the reduced state, but ends no window
    }
    CHECK(law->GetCurrentRate() == Approx(low).epsilon(1e-14));
    Packet(law, false); // ACK 21
    CHECK(law->GetCurrentRate() == Approx(low + 0.615e9).epsilon(1e-14));
    CHECK(law->GetAlpha() == Approx(15.0 / 16 * alpha).epsilon(1e-14));
}

TEST_CASE("DCTCP: an ACK that acknowledges nothing new ends no window", "[dctcp]")
{
    auto law = Started();
    for (int i = 0; i < 100; ++i)
    {
        Ack(law, 0, 0, 10000, false, 0);
    }
    CHECK(law->GetWindows() == 0);
    CHECK(law->GetAlpha() == 1);
    CHECK(law->GetRate() == G100);
}

TEST_CASE("DCTCP: the additive step and its sources", "[dctcp]")
{
    auto law = Started();
    CHECK(law->GetStep() == 615e6);
    // One packet a round trip: 8000 bit / 13 us = 615.38 Mb/s, the artifact's 615.
    law->SetAttribute("RateAiBps", UintegerValue(0));
    law->Start(LawFlow(G100, 13000), 0);
    CHECK(std::floor(law->GetStep() / 1e6) == 615);
    // Scaled: 615 Mb/s x 100G / 10G.
    law->SetAttribute("RateAiBps", UintegerValue(615000000));
    law->SetAttribute("RateReferenceBps", UintegerValue(10000000000));
    law->Start(LawFlow(G100), 0);
    CHECK(law->GetStep() == Approx(6150e6).epsilon(1e-12));
}

TEST_CASE("DCTCP: the window is rate x base RTT", "[dctcp]")
{
    auto law = Started(8000);
    CHECK(law->GetWindow() == 100000); // 100 Gb/s x 8 us / 8
    Packet(law, true);
    CHECK(law->GetRate() == G100 / 2);
    CHECK(law->GetWindow() == 50000);
    for (int i = 0; i < 50; ++i)
    {
        Packet(law, true);
    }
    CHECK(law->GetRate() == 100000000);
    CHECK(law->GetWindow() == 1000); // 100 bytes would be less than a packet
    law->SetAttribute("WindowFollowsRate", BooleanValue(false));
    law->Start(LawFlow(G100, 8000), 0);
    Packet(law, true);
    CHECK(law->GetRate() == G100 / 2);
    CHECK(law->GetWindow() == 100000);
    law->SetAttribute("LimitWindow", BooleanValue(false));
    law->Start(LawFlow(G100, 8000), 0);
    CHECK(law->GetWindow() == CongestionControl::UNLIMITED);
    CHECK(Started(1)->GetWindow() == 1000); // 12 bytes
}

TEST_CASE("DCTCP: what cannot work is refused with names and numbers", "[dctcp]")
{
    auto law = CreateObject<DctcpRate>();
    law->SetAttribute("RateAiBps", UintegerValue(0));
    CHECK(StartRefusal(law, LawFlow(G100)) ==
          "DctcpRate of QP 17: RateAiBps is 0, must be > 0 as the base RTT is unknown; set it or "
          "give the queue pair its base RTT");
    CHECK(StartRefusal(law, LawFlow(G100, 1)).empty());
    law = CreateObject<DctcpRate>();
    CHECK(StartRefusal(law, LawFlow(99999999)) ==
          "DctcpRate of QP 17: MinRateBps is 100000000, must be at most the line rate, 99999999 "
          "bit/s");
    law->SetAttribute("Gain", DoubleValue(0));
    CHECK(StartRefusal(law, LawFlow(G100)) == "DctcpRate of QP 17: Gain is 0, must be in (0, 1]");
}

TEST_CASE("DCTCP: 10^5 random events keep the bounds", "[dctcp]")
{
    for (const Tick base : {Tick{0}, Tick{8000}})
    {
        auto law = Started(base);
        CHECK(RandomLife(law, 100000000, 2010));
        CHECK(law->GetCuts() > 100);
        CHECK(law->GetAlpha() > 0);
        CHECK(law->GetAlpha() < 1);
    }
}

TEST_CASE("DCTCP: two flows share an ideal queue and keep it near the mark", "[dctcp]")
{
    // As in the artifact's runs the window is rate x base RTT. The paper wants the mark above BDP /
    // 7 for a full link (section 3.4): BDP 100 KB, so 20 KB and 50 KB will do.
    for (const double mark : {20000.0, 50000.0})
    {
        IdealQueue queue(G100, 8000, mark);
        for (int i = 0; i < 2; ++i)
        {
            queue.Add(CreateObject<DctcpRate>(), 0, i * 300000); // the second one 300 us late
        }
        queue.Run(20000000);
        queue.Run(40000000);
        CHECK(queue.Utilization() > 0.99);
        CHECK(queue.Jain() > 0.98);
        // Section 3.3: the queue peaks at K + N packets, as a window grows by one packet a round
        // trip, here by 615 Mb/s x 8 us = 615 bytes; one packet of each flow for the rounding.
        CHECK(queue.MaxQueue() > mark);
        CHECK(queue.MaxQueue() < mark + 2 * (1000 + 1000 + 1000));
    }
}
