/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-balancer-test.h"

#include "ns3/boolean.h"
#include "ns3/roce-drill-load-balancer.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-pinned-load-balancer.h"
#include "ns3/roce-spray-load-balancer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{
constexpr uint64_t G = 1000000000;
constexpr uint16_t FOUR[] = {0, 1, 2, 3};

/** \return a spraying balancer. \param mode its mode \param ports of the switch */
Ptr<SprayLoadBalancer>
MakeSpray(const std::string& mode, const StillPorts& ports)
{
    auto spray = CreateObject<SprayLoadBalancer>();
    spray->SetAttribute("Mode", StringValue(mode));
    spray->Assemble(1, ports.pointers);
    spray->AssignStreams(7);
    return spray;
}
} // namespace

TEST_CASE("spray: random and round-robin", "[load-balancer]")
{
    StillPorts ports({G, G, G, G});
    auto random = MakeSpray("random", ports);
    auto turns = MakeSpray("round-robin", ports);
    std::map<uint32_t, int> randomShares;
    std::map<uint32_t, int> turnShares;
    Frame frame = FlowFrame(0);
    for (int i = 0; i < 256; ++i)
    {
        ++randomShares[random->Pick(&frame, FOUR, 4, 0)];
        ++turnShares[turns->Pick(&frame, FOUR, 4, 0)];
        Frame other = FlowFrame(0);
        other.destination += 0x100; // another host has a turn of its own
        turns->Pick(&other, FOUR, 4, 0);
    }
    for (uint32_t port : FOUR)
    {
        CHECK(std::abs(randomShares[port] - 64) <= 28); // 4 sigma
        CHECK(turnShares[port] == 64);
    }
    // the same stream gives the same choices
    auto again = MakeSpray("random", ports);
    auto third = MakeSpray("random", ports);
    for (int i = 0; i < 64; ++i)
    {
        CHECK(again->Pick(&frame, FOUR, 4, 0) == third->Pick(&frame, FOUR, 4, 0));
    }
}

TEST_CASE("spray: the queue that is sent soonest", "[load-balancer]")
{
    StillPorts ports({8 * G, 80 * G, 80 * G, 80 * G});
    ports.Queue(0, 1000); // 1000 ns
    ports.Queue(1, 3000); // 300 ns
    ports.Queue(2, 4000); // 400 ns
    ports.Queue(3, 9000); // 900 ns
    auto spray = MakeSpray("least-queue", ports);
    const Frame frame = FlowFrame(0);
    for (int i = 0; i < 8; ++i)
    {
        CHECK(spray->Pick(&frame, FOUR, 4, 0) == 1);
    }
    ports.Queue(1, 1500); // 450 ns
    CHECK(spray->Pick(&frame, FOUR, 4, 0) == 2);
    // idle ones in turn
    StillPorts idle({G, G, G, G});
    auto even = MakeSpray("least-queue", idle);
    std::map<uint32_t, int> shares;
    for (int i = 0; i < 256; ++i)
    {
        ++shares[even->Pick(&frame, FOUR, 4, 0)];
    }
    CHECK(shares[0] == 64);
    CHECK(shares[3] == 64);
}

TEST_CASE("DRILL: never busier than the memory", "[load-balancer]")
{
    StillPorts ports({80 * G, 80 * G, 80 * G, 80 * G});
    const uint16_t bytes[] = {4000, 3000, 2000, 1000};
    for (uint32_t port = 0; port < 4; ++port)
    {
        ports.Queue(port, bytes[port]);
    }
    auto drill = CreateObject<DrillLoadBalancer>();
    drill->Assemble(1, ports.pointers);
    CHECK(drill->AssignStreams(1) == 1);
    const Frame frame = FlowFrame(0);
    uint32_t last = drill->Pick(&frame, FOUR, 4, 0);
    for (int i = 0; i < 64; ++i)
    {
        // queues stand still, so the choice can only get better
        const uint32_t next = drill->Pick(&frame, FOUR, 4, 0);
        CHECK(bytes[next] <= bytes[last]);
        last = next;
    }
    // two samples miss the best of four with chance (3/4)^2: 64 in a row with 1e-8
    CHECK(last == 3);
    // the remembered port is no member any more
    const uint16_t live[] = {0, 1, 2};
    for (int i = 0; i < 64; ++i)
    {
        last = drill->Pick(&frame, live, 3, 0);
    }
    CHECK(last == 2);
}

TEST_CASE("pinned: exact matches before the fallback", "[load-balancer]")
{
    StillPorts ports({G, G, G, G});
    auto pinned = CreateObject<PinnedLoadBalancer>();
    auto ecmp = CreateObject<EcmpLoadBalancer>();
    pinned->Assemble(5, ports.pointers);
    ecmp->Assemble(5, ports.pointers);
    for (uint32_t i = 0; i < 16; ++i)
    {
        const Frame frame = FlowFrame(i);
        CHECK(pinned->Pick(&frame, FOUR, 4, 0) == ecmp->Pick(&frame, FOUR, 4, 0));
    }
    const FlowKey flow{0x0b000001, 0x0b002201, 49152, 4791};
    for (uint32_t port : FOUR)
    {
        pinned->Pin(flow, port);
        const Frame frame = FlowFrame(0, 9);
        CHECK(pinned->Pick(&frame, FOUR, 4, 0) == port);
        pinned->PinQueuePair(0x0b002201, 9, 3 - port); // the 5-tuple goes first
        CHECK(pinned->Pick(&frame, FOUR, 4, 0) == port);
        const Frame other = FlowFrame(1, 9);
        CHECK(pinned->Pick(&other, FOUR, 4, 0) == 3 - port);
    }
    // port 3 goes away: the fallback decides, and it is counted
    const uint16_t live[] = {0, 1, 2};
    const Frame frame = FlowFrame(0);
    CHECK(pinned->Pick(&frame, live, 3, 0) == ecmp->Pick(&frame, live, 3, 0));
    CHECK(pinned->GetMisses() == 1);
    CHECK(pinned->Unpin(flow));
    CHECK(!pinned->Unpin(flow));
    CHECK(pinned->UnpinQueuePair(0x0b002201, 9));
    CHECK(pinned->Pick(&frame, FOUR, 4, 0) == ecmp->Pick(&frame, FOUR, 4, 0));
    CHECK_THROWS_AS(pinned->Pin(flow, 4), std::invalid_argument);
    CHECK_THROWS_AS(pinned->PinQueuePair(1, 2, 4), std::invalid_argument);
    for (const char* bad : {"ecmp", "ns3::roce::PinnedLoadBalancer", "ns3::Node", ""})
    {
        CHECK_THROWS_AS(pinned->SetAttribute("Fallback", StringValue(bad)), std::invalid_argument);
    }
}

TEST_CASE("member shares: flows, bytes and imbalance by hand", "[load-balancer]")
{
    MemberShares shares;
    const uint16_t two[] = {5, 6};
    Frame frame = FlowFrame(0);
    for (uint32_t i = 0; i < 6; ++i)
    {
        frame = FlowFrame(i % 3);
        shares.Count(&frame, FOUR, 4, i < 4 ? 1 : 2); // flows 0 1 2 0 | 1 2
    }
    shares.Count(&frame, two, 2, 6);
    REQUIRE(shares.GetGroups().size() == 2);
    const MemberShares::Group& four = shares.GetGroups()[0];
    CHECK(four[0].bytes == 0);
    CHECK(four[1].bytes == 4000);
    CHECK(four[2].bytes == 2000);
    CHECK(four[1].flows.size() == 3);
    CHECK(four[2].flows.size() == 2);
    CHECK(shares.GetByteImbalance(0) == Approx(4000 / 1500.0)); // mean 6000 / 4
    CHECK(shares.GetFlowImbalance(0) == Approx(3 / 1.25));      // mean 5 / 4
    CHECK(shares.GetByteImbalance(1) == Approx(2));             // one of two gets all
    // asked for by attribute
    auto ecmp = CreateObject<EcmpLoadBalancer>();
    ecmp->Assemble(1, {});
    CHECK(ecmp->GetShares() == nullptr);
    ecmp->SetAttribute("CountShares", BooleanValue(true));
    const uint32_t chosen = ecmp->Pick(&frame, two, 2, 0);
    REQUIRE(ecmp->GetShares() != nullptr);
    CHECK(ecmp->GetShares()->GetGroups()[0][chosen - 5].bytes == 1000);
}
