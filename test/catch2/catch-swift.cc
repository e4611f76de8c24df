/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ideal-queue.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/roce-swift.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G100 = 100000000000;
constexpr uint64_t G10 = 10000000000;

/** \param cwnd packets \param range of flow scaling, us \return a law on 100 Gb/s, 8 us, 2 links:
 * the target without flow scaling is 20,000 + 2 x 3053 = 26,106 ns */
Ptr<Swift>
Made(double cwnd, int range = 0)
{
    auto law = CreateObject<Swift>();
    law->SetAttribute("InitialCwnd", DoubleValue(cwnd));
    law->SetAttribute("FlowScaleRange", TimeValue(MicroSeconds(range)));
    law->Start(LawFlow(G100, 8000, 2), 0);
    return law;
}

/** An ACK of one packet. */
void
Packet(Ptr<Swift> law, Tick rtt, Tick now)
{
    Ack(law, 1000, 5000, rtt, false, now);
}

} // namespace

TEST_CASE("Swift: starts with the window that line rate fills in the base RTT", "[swift]")
{
    auto law = Made(0, 100);
    CHECK(law->GetCwnd() == 100); // 100 Gb/s x 8 us / 8000 bit
    CHECK(law->GetWindow() == 100000);
    CHECK(law->GetRate() == G100);
    CHECK(law->HearsAck());
    CHECK_FALSE(law->HearsSent());
    CHECK(law->GetDeadline() == NEVER);
    CHECK(law->GetDecreases() == 0);
    // The greatest window: at 100 packets and more there is no flow scaling, and line rate carries
    // 100 Gb/s x 26,106 ns / 8000 bit = 326.325 packets in the target.
    CHECK(law->GetMaxCwnd() == Approx(326.325).epsilon(1e-9));
    // A base RTT that is no multiple of a packet's time: 8001 ns / 80 ns is rounded up.
    law->Start(LawFlow(G100, 8001, 2), 0);
    CHECK(law->GetWindow() == 101000);
    // Unknown base RTT: the greatest window. Unknown hops: target 20 us, 250 packets.
    law->Start(LawFlow(G100), 0);
    CHECK(law->GetCwnd() == law->GetMaxCwnd());
    CHECK(law->GetMaxCwnd() == Approx(250).epsilon(1e-9));
    CHECK(law->GetTarget(100) == 20000);
    // 10 Gb/s: the greatest window meets its own target, flow scaling included.
    law->Start(LawFlow(G10, 8000, 2), 0);
    const double max = law->GetMaxCwnd();
    CHECK(max == Approx(10e9 * law->GetTarget(max) * 1e-9 / 8000).epsilon(1e-9));
    CHECK(law->GetTarget(max) > 26106);
    law->OnCnp(CnpInfo(), 0); // CNPs do nothing
    CHECK(law->GetCwnd() == 10);
}

TEST_CASE("Swift: target delay with flow scaling by hand", "[swift]")
{
    auto law = Made(0, 100);
    // a = 100 us / (1 / sqrt(0.1) - 1 / sqrt(100)) = 100 / 3.0622777 = 32.655432 us, b = -3.2655432
    CHECK(law->GetTarget(100) == Approx(26106).epsilon(1e-9));
    CHECK(law->GetTarget(25) == Approx(26106 + 3265.5432).epsilon(1e-8)); // a / 5 + b
    CHECK(law->GetTarget(1) == Approx(26106 + 29389.8888).epsilon(1e-8)); // a + b
    CHECK(law->GetTarget(0.1) == Approx(126106).epsilon(1e-9));           // the whole range
    CHECK(law->GetTarget(0.001) == 126106);                               // and not more
    CHECK(law->GetTarget(10000) == 26106);                                // and not less than none
    CHECK(Made(0, 0)->GetTarget(0.1) == 26106);
}

TEST_CASE("Swift: below the target the window grows by one packet a round trip", "[swift]")
{
    auto law = Made(100);
    Packet(law, 26105, 1000);
    CHECK(law->GetCwnd() == Approx(100.01).epsilon(1e-12)); // 1 x 1 / 100
    CHECK(law->GetWindow() == 100000);                      // whole packets
    Ack(law, 50000, 0, 26105, false, 2000);
    CHECK(law->GetCwnd() == Approx(100.01 + 50 / 100.01).epsilon(1e-12));
    Packet(law, 26106, 3000); // at the target: the factor is 1
    CHECK(law->GetCwnd() == Approx(100.01 + 50 / 100.01).epsilon(1e-12));
    CHECK(law->GetDecreases() == 0);
    // Below one packet each acknowledged packet adds one.
    auto small = Made(0.25);
    Packet(small, 26105, 1000);
    CHECK(small->GetCwnd() == 1.25);
    CHECK(small->GetWindow() == 1000);
    CHECK(small->GetRate() == G100);
}

TEST_CASE("Swift: above the target one decrease a round trip", "[swift]")
{
    auto law = Made(100);
    Packet(law, 52212, 1000); // twice the target: 1 - 0.8 / 2
    CHECK(law->GetCwnd() == Approx(60).epsilon(1e-12));
    Packet(law, 52212, 1000 + 52211);
    CHECK(law->GetCwnd() == Approx(60).epsilon(1e-12));
    Packet(law, 52212, 1000 + 52212);
    CHECK(law->GetCwnd() == Approx(36).epsilon(1e-12));
    Packet(law, 20000, 60000); // an increase needs no wait
    CHECK(law->GetCwnd() == Approx(36 + 1.0 / 36).epsilon(1e-12));
    // Ten times the target: 1 - 0.8 x 0.9 = 0.28, but at least 1 - 0.5.
    Packet(law, 261060, 1000000);
    CHECK(law->GetCwnd() == Approx(18 + 0.5 / 36).epsilon(1e-12));
    CHECK(law->GetDecreases() == 3);
}

TEST_CASE("Swift: below one packet the rate paces", "[swift]")
{
    auto law = Made(1);
    Packet(law, 52212, 1000); // 0.6 packet
    CHECK(law->GetWindow() == 1000);
    // 0.6 x 8000 bit / 52.212 us = 91,932,888.99 bit/s
    CHECK(law->GetRate() == 91932888);
    for (int i = 1; i < 20; ++i)
    {
        Packet(law, 1000000, 1000 + i * 1000000);
    }
    CHECK(law->GetCwnd() == 0.01);  // 0.6 / 2^6 < 0.01
    CHECK(law->GetRate() == 80000); // 0.01 x 8000 bit / 1 ms
    CHECK(law->GetWindow() == 1000);
    // No round trip of 1 ns makes it faster than the link.
    auto fast = Made(0.5);
    Packet(fast, 52212, 1);
    CHECK(fast->GetCwnd() == Approx(0.3).epsilon(1e-12));
    CHECK(fast->GetRate() == 45966444); // 0.3 x 8000 bit / 52.212 us = 45,966,444.5
    Ack(fast, 0, 0, 1, false, 2);
    CHECK(fast->GetRate() == G100);
}

TEST_CASE("Swift: loss and timeouts", "[swift]")
{
    auto law = Made(100);
    law->OnLoss(false, 1000); // 1 - 0.5
    CHECK(law->GetCwnd() == 50);
    law->OnLoss(false, 1000 + 7999); // base RTT 8 us, as there was no sample
    CHECK(law->GetCwnd() == 50);
    law->OnLoss(false, 1000 + 8000);
    CHECK(law->GetCwnd() == 25);
    for (int i = 1; i <= 4; ++i)
    {
        law->OnLoss(true, 100000 + i);
        CHECK(law->GetCwnd() == 12.5);
    }
    Ack(law, 1000, 0, 0, false, 100010); // progress ends the row, even without a round trip
    for (int i = 1; i <= 4; ++i)
    {
        law->OnLoss(true, 100010 + i);
        CHECK(law->GetCwnd() == 12.5);
    }
    law->OnLoss(false, 100015); // so does a NAK
    for (int i = 1; i <= 4; ++i)
    {
        law->OnLoss(true, 100015 + i);
        CHECK(law->GetCwnd() == 12.5);
    }
    law->OnLoss(true, 100020); // the fifth in a row
    CHECK(law->GetCwnd() == 0.01);
    CHECK(law->GetRate() == 10000000); // 0.01 x 8000 bit / 8 us
    // Without any round trip the pace is by the target: 0.01 x 8000 bit / 20 us.
    auto blind = CreateObject<Swift>();
    blind->Start(LawFlow(G100), 0);
    for (int i = 0; i < 5; ++i)
    {
        blind->OnLoss(true, i);
    }
    CHECK(blind->GetRate() == 4000000);
}

TEST_CASE("Swift: case A14, an unknown round trip moves nothing", "[swift]")
{
    auto law = Made(50);
    for (int i = 0; i < 100; ++i)
    {
        Ack(law, 1000, 0, 0, false, i * 10000);
    }
    CHECK(law->GetCwnd() == 50);
    CHECK(law->GetRate() == G100);
}

TEST_CASE("Swift: the window stays between its limits", "[swift]")
{
    auto law = CreateObject<Swift>();
    law->SetAttribute("MaxCwnd", DoubleValue(40.5));
    law->SetAttribute("MinCwnd", DoubleValue(2));
    law->Start(LawFlow(G100, 8000, 2), 0);
    CHECK(law->GetCwnd() == 40.5);
    CHECK(law->GetWindow() == 40000);
    Packet(law, 1000, 1000);
    CHECK(law->GetCwnd() == 40.5);
    for (int i = 1; i < 20; ++i)
    {
        Packet(law, 10000000, i * 10000000);
    }
    CHECK(law->GetCwnd() == 2);
    CHECK(law->GetDecreases() == 5); // 20.25, 10.1, 5.06, 2.53, 2
}

TEST_CASE("Swift: what cannot work is refused with names and numbers", "[swift]")
{
    // 30 us at 100 Gb/s are 375 packets: no flow scaling, target 20 us.
    auto law = CreateObject<Swift>();
    const std::string slow = StartRefusal(law, LawFlow(G100, 30000));
    CHECK(slow.find("Swift of QP 17: base RTT is ") == 0);
    CHECK(slow.find("+30us, must be below the target delay of a flow at line rate, 20.0000") !=
          std::string::npos);
    CHECK(slow.find("raise BaseTarget or HopScale") != std::string::npos);
    CHECK(StartRefusal(law, LawFlow(G100, 30000, 4)).empty()); // 20 + 4 x 3.053 us
    CHECK(StartRefusal(law, LawFlow(G100, 20000)).find("base RTT") != std::string::npos);
    CHECK(StartRefusal(law, LawFlow(G100, 19999)).empty());
    FlowParameters flow = LawFlow(G100);
    flow.mtu = 0;
    CHECK(StartRefusal(law, flow) == "Swift of QP 17: mtu is 0, must be > 0 bytes");
    law->SetAttribute("MinCwnd", DoubleValue(8));
    law->SetAttribute("MaxCwnd", DoubleValue(4));
    CHECK(
        StartRefusal(law, LawFlow(G100)).find("MaxCwnd is 4, must be 0, or at least MinCwnd, 8") !=
        std::string::npos);
    law->SetAttribute("MaxMdf", DoubleValue(1));
    CHECK(StartRefusal(law, LawFlow(G100)) == "Swift of QP 17: MaxMdf is 1, must be in (0, 1)");
    law->SetAttribute("FlowScaleMaxCwnd", DoubleValue(0.1));
    CHECK(StartRefusal(law, LawFlow(G100)).find("FlowScaleMaxCwnd is 0.1") != std::string::npos);
    law->SetAttribute("BaseTarget", TimeValue(Time(0)));
    CHECK(StartRefusal(law, LawFlow(G100)).find("BaseTarget is ") != std::string::npos);
}

TEST_CASE("Swift: 10^5 random events keep the bounds", "[swift]")
{
    for (const Tick base : {Tick{0}, Tick{8000}})
    {
        for (const double max : {0.0, 1.5})
        {
            auto law = CreateObject<Swift>();
            law->SetAttribute("MaxCwnd", DoubleValue(max));
            law->Start(LawFlow(G100, base, 2), 0);
            CHECK(RandomLife(law, 1, 2020));
            CHECK(law->GetDecreases() > 1000);
            CHECK(law->GetCwnd() >= 0.01);
            CHECK(law->GetCwnd() <= law->GetMaxCwnd());
            CHECK((max == 0 || law->GetRateChanges() > 1000)); // often below one packet
        }
    }
}

TEST_CASE("Swift: two flows hold the target delay and share", "[swift]")
{
    IdealQueue queue(G100, 8000);
    for (int i = 0; i < 2; ++i)
    {
        queue.Add(CreateObject<Swift>(), 2, i * 300000); // the second one 300 us late
    }
    queue.Run(20000000);
    queue.Run(40000000);
    // Each has 100 Gb/s x 26.1 us / 2 = 163 packets: no flow scaling, target 26.106 us.
    CHECK(queue.MeanRtt() == Approx(26106).epsilon(0.1));
    CHECK(queue.Utilization() > 0.999);
    CHECK(queue.Jain() > 0.98);
}

TEST_CASE("Swift: a hundred flows at 10G have less than a packet each", "[swift]")
{
    // cwnd = 10 Gb/s x T / 8000 bit / 100 and T = 26.106 us + a / sqrt(cwnd) + b meet at cwnd
    // 0.755, T = 60.4 us (0.755: 32.655 / 0.869 - 3.266 = 34.3; 60.4 x 0.0125 = 0.755).
    IdealQueue queue(G10, 8000);
    std::vector<Ptr<Swift>> laws;
    for (int i = 0; i < 100; ++i)
    {
        laws.push_back(CreateObject<Swift>());
        queue.Add(laws.back(), 2, i * 1000);
    }
    queue.Run(20000000);
    queue.Run(60000000);
    CHECK(queue.MeanRtt() == Approx(60400).epsilon(0.25));
    CHECK(queue.Utilization() > 0.95);
    CHECK(queue.Jain() > 0.9);
}

TEST_CASE("Swift: a lone flow keeps the link full", "[swift]")
{
    for (const uint64_t line : {G10, G100, uint64_t{400000000000}})
    {
        IdealQueue queue(line, 8000);
        queue.Add(CreateObject<Swift>(), 2);
        queue.Run(5000000);
        queue.Run(10000000);
        CHECK(queue.Utilization() > 0.999);
    }
}
