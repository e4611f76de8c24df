/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-int.h"

#include "ns3/boolean.h"
#include "ns3/roce-hpcc-rate.h"
#include "ns3/roce-int-path.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>

using namespace ns3;
using namespace ns3::roce;

// Numbers of the tables: T = 8192 ns, 102400 B, target 0.95, step 50 Mb/s.

TEST_CASE("HPCC: what a path tells of its hops", "[hpcc]")
{
    IntPath path;
    path.Start(1000000000);
    IntRecord record = IntMdOf(3, 1000, 0, 400);
    IntMdHop last = record.md.hops[0];
    last.nodeId = 4;
    last.domain[IntRecord::MD_RATE_WORD] = 400000;
    record.md.hops.insert(record.md.hops.begin(), last); // as a stack: the last switch first
    CHECK(path.Update(record, 0) == IntPath::REFERENCE);
    CHECK(path.GetHops() == 2);
    CHECK_FALSE(path.GetSample(0).fresh);
    for (IntMdHop& hop : record.md.hops)
    {
        hop.egressTime += 1000;
        hop.queueOccupancy = 300;
        hop.domain[IntRecord::MD_BYTES_WORD] += 5000;
    }
    CHECK(path.Update(record, 1000) == IntPath::SAMPLES);
    CHECK(path.GetSample(0).rate == 100e9); // the first switch
    CHECK(path.GetSample(1).rate == 400e9);
    CHECK(path.GetSample(0).txRate == 40e9); // 5000 B in 1 us
    CHECK(path.GetSample(0).oldQueue == 400);
    CHECK(path.GetSample(0).queue == 300);
    // other units cannot be compared, nor another layout
    IntRecord hpcc = IntOf({Full(1, 0), Full(1, 0)});
    CHECK(path.Update(hpcc, 2000) == IntPath::REFERENCE);
    hpcc = IntOf({Full(2, 0), Full(2, 0)});
    hpcc.multi = 2;
    CHECK(path.Update(hpcc, 3000) == IntPath::REFERENCE);
    CHECK(path.GetResets() == 2);
}

TEST_CASE("HPCC by rates: each hop has its own", "[hpcc]")
{
    for (const bool multi : {true, false})
    {
        auto cc = CreateObject<HpccRate>();
        cc->SetAttribute("MultiRate", BooleanValue(multi));
        cc->Start(IntFlow(), 0);
        IntAck(cc, IntOf({Full(0, DOUBLE_QUEUE), Full(0, 0)}), 0, 1000, 0);
        CHECK(cc->GetRate() == INT_LINE);
        // hop 0: u = 1.9, R = 100 / 2 + 0.05. hop 1: half load, R = 100 + 0.05, limited
        IntAck(cc, IntOf({Full(1, DOUBLE_QUEUE), IntHop(INT_RTT, 400, 0)}), INT_RTT, 1000, 0);
        CHECK(cc->GetRate() == 50050000000);
        CHECK(cc->GetWindow() == 51251); // 50.05 Gb/s x 8192 ns = 51251.2 B
        // now hop 0 is at half load, hop 1 idle but for its queue of 0.9 before and now 0: both 0.5
        IntAck(cc,
               IntOf({IntHop(2 * INT_RTT, 1200, 0), IntHop(2 * INT_RTT, 800, DOUBLE_QUEUE)}),
               2 * INT_RTT,
               1000,
               0);
        CHECK(cc->GetRate() == 50100000000); // + 0.05
        // hop 1 with u = 1.9. Per hop: R = 100 / 2 + 0.05 there, 50.1 + 0.05 at hop 0. With one
        // rate: 50.1 / 2 + 0.05
        IntAck(cc,
               IntOf({IntHop(3 * INT_RTT, 1600, 0), IntHop(3 * INT_RTT, 1600, DOUBLE_QUEUE)}),
               3 * INT_RTT,
               1000,
               0);
        CHECK(cc->GetRate() == (multi ? 50050000000 : 25100000000));
    }
}

TEST_CASE("HPCC by rates: MiThresh 0 has no additive rounds", "[hpcc]")
{
    auto cc = CreateObject<HpccRate>();
    cc->SetAttribute("MiThresh", UintegerValue(0));
    cc->Start(IntFlow(), 0);
    IntAck(cc, IntOf({Full(0, DOUBLE_QUEUE)}), 0, 1000, 0);
    IntAck(cc, IntOf({Full(1, DOUBLE_QUEUE)}), INT_RTT, 1000, 0);
    CHECK(cc->GetRate() == 50050000000);
    // 50.05 / (0.5 / 0.95) + 0.05 = 95.095 + 0.05
    IntAck(cc, IntOf({IntHop(2 * INT_RTT, 1200, 0)}), 2 * INT_RTT, 1000, 0);
    CHECK(cc->GetRate() == 95145000000);
    CHECK(cc->GetHop(0).stage == 0);
}

TEST_CASE("HPCC by rates: FastReact, SampleFeedback and Window", "[hpcc]")
{
    auto slow = CreateObject<HpccRate>();
    slow->SetAttribute("FastReact", BooleanValue(false));
    slow->SetAttribute("Window", BooleanValue(false));
    slow->Start(IntFlow(), 0);
    CHECK(slow->GetWindow() == CongestionControl::UNLIMITED);
    IntAck(slow, IntOf({Full(0, DOUBLE_QUEUE)}), 0, 1000, 100000);
    IntAck(slow, IntOf({Full(1, DOUBLE_QUEUE)}), INT_RTT, 1000, 99000);
    CHECK(slow->GetRate() == INT_LINE); // within the round
    IntAck(slow, IntOf({Full(2, DOUBLE_QUEUE)}), 2 * INT_RTT, 100000, 0);
    CHECK(slow->GetRate() == 50050000000);
    CHECK(slow->GetWindow() == CongestionControl::UNLIMITED);

    auto sample = CreateObject<HpccRate>();
    sample->SetAttribute("SampleFeedback", BooleanValue(true));
    sample->Start(IntFlow(), 0);
    IntAck(sample, IntOf({Full(0, DOUBLE_QUEUE)}), 0, 1000, 100000);
    IntAck(sample, IntOf({Full(1, 0)}), INT_RTT, 1000, 99000); // no queue: skipped
    CHECK(sample->GetHop(0).u == 1.0);
    CHECK(sample->GetRate() == INT_LINE);
    IntAck(sample, IntOf({Full(2, DOUBLE_QUEUE)}), 2 * INT_RTT, 1000, 98000); // since Full(0)
    CHECK(sample->GetHop(0).u == Approx(1.9).epsilon(1e-12));
    CHECK(sample->GetRate() == 50050000000);
    CHECK(sample->GetHop(0).rc == Approx(100e9).epsilon(1e-12)); // within the round

    // A hop that is skipped keeps its Rc in the minimum; the ACK that ends a round skips none.
    sample->Start(IntFlow(), 0);
    IntAck(sample, IntOf({Full(0, DOUBLE_QUEUE), Full(0, 0)}), 0, 1000, 0);
    IntAck(sample, IntOf({Full(1, DOUBLE_QUEUE), IntHop(INT_RTT, 400, 0)}), INT_RTT, 1000, 100000);
    CHECK(sample->GetHop(0).rc == Approx(50.05e9).epsilon(1e-12));
    CHECK(sample->GetHop(1).u == Approx(0.5).epsilon(1e-12));
    IntAck(sample,
           IntOf({Full(2, 0), IntHop(2 * INT_RTT, 800, DOUBLE_QUEUE)}),
           2 * INT_RTT,
           1000,
           99000);
    CHECK(sample->GetRate() == 50050000000);
}
