/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-balancer-test.h"

#include "ns3/nstime.h"
#include "ns3/roce-cnp-history.h"
#include "ns3/roce-dlb-load-balancer.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-flowlet-load-balancer.h"
#include "ns3/roce-pinned-load-balancer.h"
#include "ns3/string.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000;
constexpr uint16_t TWO[] = {0, 1};

/** A move as the listener is told. */
struct Move
{
    uint32_t hash;
    uint32_t from;
    uint32_t to;
    Tick now;

    bool operator==(const Move& other) const
    {
        return hash == other.hash && from == other.from && to == other.to && now == other.now;
    }
};

} // namespace

TEST_CASE("CNP history: who is told of a move", "[leave]")
{
    CnpHistory history(1000);
    CHECK_FALSE(history.Leave(1, 7, 8, 0)); // never had a CNP
    CHECK_FALSE(history.Note(1, 7, 100));
    CHECK_FALSE(history.Leave(2, 7, 8, 200));  // another flow
    CHECK_FALSE(history.Leave(1, 8, 9, 200));  // another domain
    CHECK_FALSE(history.Leave(1, 7, 7, 200));  // moved within the domain
    CHECK(history.Leave(1, 7, 8, 1100));       // 1000 after it
    CHECK_FALSE(history.Leave(1, 7, 8, 1100)); // once
    CHECK_FALSE(history.Note(3, 7, 100));
    CHECK_FALSE(history.Leave(3, 7, 8, 1101)); // 1001 after it
}

TEST_CASE("CNP history: late CNPs, and a flow that comes back", "[leave]")
{
    CnpHistory history(1000);
    history.Note(1, 7, 0);
    history.Note(1, 6, 0);
    CHECK(history.Leave(1, 7, 8, 10));
    CHECK(history.Note(1, 7, 20));         // caused before the move
    CHECK(history.Note(1, 7, 1010));       // each of them, for the span
    CHECK_FALSE(history.Note(1, 7, 1011)); // the move is forgotten: a CNP like any other
    CHECK(history.Leave(1, 7, 8, 1012));
    CHECK_FALSE(history.Note(1, 8, 1020));     // where it is now
    CHECK(history.Leave(1, 8, 7, 1030));       // back
    CHECK_FALSE(history.Leave(1, 7, 8, 1040)); // had no CNP of 7 since
    CHECK_FALSE(history.Note(1, 8, 1045));     // is there again
    CHECK(history.Leave(1, 8, 7, 1046));
    CHECK_FALSE(history.Note(1, 7, 1050));
    CHECK(history.Leave(1, 7, 8, 1060));
}

TEST_CASE("CNP history: forgets flows", "[leave]")
{
    CnpHistory history(1000);
    for (uint64_t flow = 0; flow < 100000; ++flow)
    {
        history.Note(flow, 1, static_cast<Tick>(flow)); // 1001 of them are young
        REQUIRE(history.GetSize() <= 2 * 1001 + 64);
    }
}

TEST_CASE("load balancers tell of moves", "[leave]")
{
    for (const char* type : {"flowlet", "pinned"})
    {
        StillPorts ports({80 * G, 80 * G});
        Ptr<LoadBalancer> balancer;
        Ptr<LoadBalancer> flowlet = CreateObject<FlowletLoadBalancer>();
        if (std::string(type) == "pinned")
        {
            balancer = CreateObject<PinnedLoadBalancer>();
            balancer->SetAttribute("Fallback", StringValue("ns3::roce::FlowletLoadBalancer"));
            flowlet = DynamicCast<PinnedLoadBalancer>(balancer)->GetFallback();
        }
        else
        {
            balancer = flowlet;
        }
        flowlet->SetAttribute("Gap", TimeValue(NanoSeconds(100)));
        balancer->Assemble(1, ports.pointers);
        std::vector<Move> moves;
        REQUIRE(balancer->SetMoveListener(
            [&moves](const Frame& frame, uint32_t from, uint32_t to, Tick now) {
                moves.push_back(Move{frame.hash, from, to, now});
            }));
        ports.Queue(1, 1000); // port 0 is the better one
        const Frame frame = FlowFrame(1);
        REQUIRE(balancer->Pick(&frame, TWO, 2, 0) == 0);
        moves.clear();        // from no port at all, if told
        ports.Queue(0, 9000); // now it is the worse one
        CHECK(balancer->Pick(&frame, TWO, 2, 99) == 0);
        CHECK(moves.empty());
        CHECK(balancer->Pick(&frame, TWO, 2, 199) == 1);
        CHECK(moves == std::vector<Move>{{frame.hash, 0, 1, 199}});
        CHECK(balancer->Pick(&frame, TWO, 2, 500) == 1); // a new flowlet that stays
        CHECK(moves.size() == 1);
    }
    CHECK_FALSE(CreateObject<EcmpLoadBalancer>()->SetMoveListener(
        [](const Frame&, uint32_t, uint32_t, Tick) {}));
    CHECK_FALSE(CreateObject<PinnedLoadBalancer>()->SetMoveListener(
        [](const Frame&, uint32_t, uint32_t, Tick) {}));
    CHECK(CreateObject<DlbLoadBalancer>()->SetMoveListener(
        [](const Frame&, uint32_t, uint32_t, Tick) {}));
}
