/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-balancer-test.h"

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/roce-dlb-load-balancer.h"
#include "ns3/roce-flowlet-load-balancer.h"
#include "ns3/roce-letflow-load-balancer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <map>

using namespace ns3;
using namespace ns3::roce;

namespace
{
constexpr uint64_t G = 1000000000;
constexpr uint16_t FOUR[] = {0, 1, 2, 3};
} // namespace

TEST_CASE("port load: the rate estimator by hand", "[load-balancer]")
{
    StillPorts ports({8 * G, 8 * G}); // 1 byte a ns
    PortLoad load;
    load.Configure(ports.pointers, 1000, 0.5, 1e9); // full: 1000 ns / 0.5 = 2000 bytes
    load.Add(0, 800, 10);
    CHECK(load.GetRegister(0, 999) == 800); // the same period
    CHECK(load.GetRegister(0, 1000) == 400);
    load.Add(0, 100, 1500);
    CHECK(load.GetRegister(0, 1999) == 500);
    CHECK(load.GetUtilization(0, 1999) == 0.25);
    CHECK(load.GetRegister(0, 4000) == 62.5); // three periods: 500 / 8
    CHECK(load.GetRegister(1, 4000) == 0);
    // a full link: 1000 bytes a period come to 1000 / 0.5 before the discount
    for (Tick now = 10000; now < 60000; now += 100)
    {
        load.Add(1, 100, now);
    }
    CHECK(load.GetRegister(1, 59999) == Approx(2000).epsilon(1e-9));
    CHECK(load.GetUtilization(1, 59999) == Approx(1).epsilon(1e-9));
}

TEST_CASE("port load: what waits counts as time", "[load-balancer]")
{
    StillPorts ports({8 * G, 80 * G});
    ports.Queue(0, 500);
    ports.Queue(1, 1000);
    ports.Queue(1, 2000);
    PortLoad load;
    load.Configure(ports.pointers, 1000, 0.5, 1e9);
    CHECK(load.GetBacklog(0, 0) == Approx(500)); // 500 bytes of 1 ns
    CHECK(load.GetBacklog(1, 0) == Approx(300)); // 3000 bytes of 0.1 ns
    load.Add(1, 4000, 0);
    CHECK(load.GetLoad(1, 0) == Approx(300 + 400));
}

TEST_CASE("flowlet table: a gap begins a flowlet", "[load-balancer]")
{
    FlowletTable table;
    table.Configure(3, 100);
    CHECK(table.GetSize() == 4); // a power of two
    bool start;
    table.Use(7, FOUR, 4, 0, start).port = 2;
    CHECK(start);
    CHECK(table.Use(7, FOUR, 4, 99, start).port == 2);
    CHECK(!start);
    table.Use(7, FOUR, 4, 198, start);
    CHECK(!start); // 99 after the last frame
    table.Use(7, FOUR, 4, 298, start);
    CHECK(start); // 100 after it
    // 11 = 7 mod 4: the same entry
    table.Use(11, FOUR, 4, 300, start);
    CHECK(!start);
    table.Use(8, FOUR, 4, 300, start);
    CHECK(start);
    // its port 2 is no member any more
    const uint16_t live[] = {0, 1, 3};
    table.Use(7, live, 3, 301, start);
    CHECK(start);
}

TEST_CASE("flowlet: the default gap is half a round trip", "[load-balancer]")
{
    // 4 links of 1000 ns + (4174 + 20) x 8 / 100G = 335 ns (whole ns): 5340 ns
    StillPorts ports({100 * G, 100 * G}, 1000);
    auto flowlet = CreateObject<FlowletLoadBalancer>();
    flowlet->Assemble(1, ports.pointers);
    CHECK(flowlet->GetGap() == 5340);
    auto set = CreateObject<FlowletLoadBalancer>();
    set->SetAttribute("Gap", TimeValue(MicroSeconds(50)));
    set->Assemble(1, ports.pointers);
    CHECK(set->GetGap() == 50000);
}

TEST_CASE("flowlet: the least loaded member, until the gap", "[load-balancer]")
{
    StillPorts ports({80 * G, 80 * G, 80 * G, 8 * G});
    ports.Queue(0, 1000); // 100 ns
    ports.Queue(1, 2000); // 200 ns
    ports.Queue(2, 500);  // 50 ns: least
    ports.Queue(3, 500);  // 500 ns: fewest bytes with port 2, but slow
    auto flowlet = CreateObject<FlowletLoadBalancer>();
    flowlet->SetAttribute("Gap", TimeValue(NanoSeconds(100)));
    flowlet->Assemble(1, ports.pointers);
    const Frame frame = FlowFrame(1);
    CHECK(flowlet->Pick(&frame, FOUR, 4, 0) == 2);
    ports.Queue(2, 9000);                           // now the worst of the fast ones
    CHECK(flowlet->Pick(&frame, FOUR, 4, 99) == 2); // follows its flowlet
    // a new flowlet: port 2 has 950 ns of queue, port 0 100 ns
    CHECK(flowlet->Pick(&frame, FOUR, 4, 199) == 0);
    // another flow at the same time: the 1000 bytes just sent to port 0 count 100 ns there: equal
    // to port 1, above nothing else; one more flow makes port 1 the least
    const Frame other = FlowFrame(2);
    const uint32_t second = flowlet->Pick(&other, FOUR, 4, 199);
    CHECK((second == 0 || second == 1));
}

TEST_CASE("LetFlow: random members, kept within the gap", "[load-balancer]")
{
    auto letflow = CreateObject<LetFlowLoadBalancer>();
    letflow->SetAttribute("Gap", TimeValue(NanoSeconds(100)));
    letflow->Assemble(1, {});
    CHECK(letflow->AssignStreams(3) == 1);
    StillPorts ports({G, G, G, G});
    letflow->Assemble(1, ports.pointers);
    std::map<uint32_t, int> shares;
    const Frame frame = FlowFrame(1);
    for (Tick now = 0; now < 256 * 200; now += 200)
    {
        const uint32_t chosen = letflow->Pick(&frame, FOUR, 4, now);
        ++shares[chosen];
        CHECK(letflow->Pick(&frame, FOUR, 4, now + 99) == chosen);
    }
    for (uint32_t port : FOUR)
    {
        CHECK(std::abs(shares[port] - 64) <= 28); // 4 sigma
    }
}

TEST_CASE("DLB: bands by hand", "[load-balancer]")
{
    CHECK(DlbLoadBalancer::Band(0, 0, 0.5) == 0);
    CHECK(DlbLoadBalancer::Band(1, 100, 0.5) == 7);   // both at the top
    CHECK(DlbLoadBalancer::Band(0.5, 0, 0.5) == 2);   // 4 / 2
    CHECK(DlbLoadBalancer::Band(0.5, 3.9, 0.5) == 3); // (4 + 3) / 2, cut
    CHECK(DlbLoadBalancer::Band(0.99, 5, 1) == 5);    // the queue only
    CHECK(DlbLoadBalancer::Band(0.99, 5, 0) == 7);    // the load only
    CHECK(DlbLoadBalancer::Band(2.5, 0, 0) == 7);     // a burst above the rate
}

TEST_CASE("DLB: members of the best band only, bands re-evaluated after the interval",
          "[load-balancer]")
{
    StillPorts ports({80 * G, 80 * G, 80 * G, 80 * G});
    ports.Queue(1, 40000); // 4 us: band 4 x 0.5 = 2
    ports.Queue(2, 20000); // 2 us: band 1
    auto dlb = CreateObject<DlbLoadBalancer>();
    dlb->SetAttribute("Gap", TimeValue(MicroSeconds(1)));
    dlb->Assemble(1, ports.pointers);
    CHECK(dlb->GetBand(0, 0) == 0);
    CHECK(dlb->GetBand(1, 0) == 2);
    CHECK(dlb->GetBand(2, 0) == 1);
    std::map<uint32_t, int> shares;
    for (uint32_t i = 0; i < 256; ++i)
    {
        const Frame frame = FlowFrame(i);
        ++shares[dlb->Pick(&frame, FOUR, 4, 10)];
    }
    CHECK(shares.count(1) == 0);
    CHECK(shares.count(2) == 0);
    CHECK(std::abs(shares[0] - 128) <= 32); // 4 sigma, sigma = 8
    ports.Queue(3, 60000);
    CHECK(dlb->GetBand(3, 2009) == 0); // found at 10 ns, not 2 us old yet
    CHECK(dlb->GetBand(3, 2010) == 3); // 6 us: 6 x 0.5 = 3
}

TEST_CASE("DLB: modes", "[load-balancer]")
{
    StillPorts ports({80 * G, 80 * G});
    const uint16_t two[] = {0, 1};
    const Frame frame = FlowFrame(1);
    auto make = [&](const std::string& mode) {
        auto dlb = CreateObject<DlbLoadBalancer>();
        dlb->SetAttribute("Mode", StringValue(mode));
        dlb->SetAttribute("Gap", TimeValue(MicroSeconds(5)));
        dlb->SetAttribute("QueueWeight", DoubleValue(1));
        dlb->Assemble(1, ports.pointers);
        return dlb;
    };
    auto eligible = make("eligible");
    auto fixed = make("fixed");
    auto packet = make("per-packet");
    const uint32_t first = eligible->Pick(&frame, two, 2, 0);
    CHECK(fixed->Pick(&frame, two, 2, 0) == first);
    // per packet: in turn while both are alike
    const uint32_t a = packet->Pick(&frame, two, 2, 0);
    CHECK(packet->Pick(&frame, two, 2, 1) == 1 - a);
    CHECK(packet->Pick(&frame, two, 2, 2) == a);
    ports.Queue(first, 60000); // 6 us: band 6
    CHECK(eligible->Pick(&frame, two, 2, 4999) == first);
    CHECK(eligible->Pick(&frame, two, 2, 9999) == 1 - first); // 5000 ns later
    CHECK(fixed->Pick(&frame, two, 2, 1000000000) == first);
    CHECK(packet->Pick(&frame, two, 2, 9999) == 1 - first);
    CHECK(packet->Pick(&frame, two, 2, 10000) == 1 - first);
}
