/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-int-loop.h"
#include "roce-catch-int.h"

#include "ns3/roce-hpcc-rate.h"
#include "ns3/roce-hpcc.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

// Numbers of the tables: T = 8192 ns, 102400 B, eta = 0.95, W_AI = 102400 x 0.05 / 100 = 51.2 B.

namespace
{

/** Bring a law down: Wc = 102400 / 2 + 51.2 = 51251.2 B. Its last record is Full(1). */
Ptr<Hpcc>
Halved()
{
    auto cc = Started<Hpcc>();
    IntAck(cc, IntOf({Full(0, DOUBLE_QUEUE)}), 0, 1000, 0);
    IntAck(cc, IntOf({Full(1, DOUBLE_QUEUE)}), INT_RTT, 1000, 0);
    return cc;
}

} // namespace

TEST_CASE("HPCC: begins with line rate and the product", "[hpcc]")
{
    auto cc = Started<Hpcc>();
    CHECK(cc->GetRate() == INT_LINE);
    CHECK(cc->GetWindow() == 102400);
    CHECK(cc->GetAdditiveBytes() == Approx(51.2).epsilon(1e-12));
    CHECK(cc->HearsAck());
    CHECK(cc->GetDeadline() == NEVER);
    // the paper: 100 Gb/s and T = 13 us give 162500 x 0.05 / 100 = 81.25, "80 bytes"
    auto paper = CreateObject<Hpcc>();
    paper->Start(IntFlow(13000), 0);
    CHECK(paper->GetAdditiveBytes() == Approx(81.25).epsilon(1e-12));
    // payload in frames of 1062 B: 102400 x 1000 / 1062 = 96421.8
    FlowParameters flow = IntFlow();
    flow.frameBytes = 1062;
    cc->Start(flow, 0);
    CHECK(cc->GetWindow() == 96421);
    CHECK(cc->GetLinkWindow() == Approx(INT_BDP).epsilon(1e-12));
}

TEST_CASE("HPCC: U and W by a table of records", "[hpcc]")
{
    // dt = 1024 ns = T / 8, in which a full link sends 100 units.
    auto cc = Started<Hpcc>();
    IntAck(cc, IntOf({IntHop(0, 0, 0)}), 0, 1000, 500000);
    CHECK(cc->GetUtilization() == 1.0); // only recorded
    CHECK(cc->GetLinkWindow() == INT_BDP);
    // the queue was 0 before, so min = 0: u = 1, U = 7/8 x 1 + 1/8 x 1
    IntAck(cc, IntOf({IntHop(1024, 100, BDP_UNITS)}), 1024, 1000, 500000);
    CHECK(cc->GetUtilization() == Approx(1).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(97331.2).epsilon(1e-12)); // 102400 x 0.95 + 51.2
    // u = 1280 units / product + 1 = 2: U = 7/8 + 2/8 = 1.125; W = 97280 / 1.125 + 51.2
    IntAck(cc, IntOf({IntHop(2048, 200, BDP_UNITS)}), 2048, 1000, 500000);
    CHECK(cc->GetUtilization() == Approx(1.125).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(86471.1111111 + 51.2).epsilon(1e-9));
    CHECK(cc->GetWindow() == 86522);
    // R = W / T = 86522.3111 x 8 / 8192 ns = 84.49444 Gb/s
    CHECK(double(cc->GetRate()) == Approx(84.494444e9).epsilon(1e-7));
    // half load, queue gone: u = 0.5, U = 7/8 x 1.125 + 1/8 x 0.5 = 1.046875; 97280 / 1.046875
    IntAck(cc, IntOf({IntHop(3072, 250, 0)}), 3072, 1000, 500000);
    CHECK(cc->GetUtilization() == Approx(1.046875).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(92924.1791045 + 51.2).epsilon(1e-9));
    CHECK(cc->GetReferenceWindow() == INT_BDP); // 504000 bytes were sent before, 4000 acknowledged
    // tau above T counts as T: after 2 T at a quarter of the load, U = 0.25 (400 units of 1600)
    IntAck(cc, IntOf({IntHop(3072 + 16384, 650, 0)}), 3072 + 16384, 1000, 500000);
    CHECK(cc->GetUtilization() == Approx(0.25).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == INT_BDP); // Wc + W_AI, limited
}

TEST_CASE("HPCC: the fullest hop counts, with its own tau", "[hpcc]")
{
    auto cc = Started<Hpcc>();
    IntAck(cc, IntOf({IntHop(0, 0, 0), IntHop(100, 7, BDP_UNITS)}), 0, 1000, 500000);
    // hop 0: dt = T, u = 1. hop 1: dt = T / 2, 400 units, u = 1 + 1: U = 1/2 x 1 + 1/2 x 2
    IntAck(cc, IntOf({IntHop(8192, 800, 0), IntHop(4196, 407, BDP_UNITS)}), 8192, 1000, 500000);
    CHECK(cc->GetUtilization() == Approx(1.5).epsilon(1e-12));
    // a 400 Gb/s hop with the same queue and bytes: u = (1 + 1) / 4
    auto fast = Started<Hpcc>();
    HpccIntHop hop = IntHop(0, 0, BDP_UNITS);
    hop.rate = 400000;
    IntAck(fast, IntOf({hop}), 0, 1000, 500000);
    hop.time = 8192;
    hop.bytes = 800;
    IntAck(fast, IntOf({hop}), 8192, 1000, 500000);
    CHECK(fast->GetUtilization() == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("HPCC: U = 2 eta halves Wc once a round", "[hpcc]")
{
    auto cc = Started<Hpcc>();
    IntAck(cc, IntOf({Full(0, DOUBLE_QUEUE)}), 0, 1000, 102000); // the round ends behind 103000
    IntAck(cc, IntOf({Full(1, DOUBLE_QUEUE)}), 1 * INT_RTT, 1000, 102000);
    CHECK(cc->GetUtilization() == Approx(1.9).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(51251.2).epsilon(1e-12)); // 102400 / 2 + 51.2
    CHECK(cc->GetReferenceWindow() == INT_BDP);
    IntAck(cc, IntOf({Full(2, DOUBLE_QUEUE)}), 2 * INT_RTT, 101000, 1000); // 103000: not behind it
    CHECK(cc->GetReferenceWindow() == INT_BDP);
    IntAck(cc, IntOf({Full(3, DOUBLE_QUEUE)}), 3 * INT_RTT, 1000, 50000); // 104000
    CHECK(cc->GetReferenceWindow() == Approx(51251.2).epsilon(1e-12));
    CHECK(cc->GetRounds() == 1);
    for (uint32_t i = 4; i < 10; ++i) // up to 110000 of 154000
    {
        IntAck(cc, IntOf({Full(i, DOUBLE_QUEUE)}), i * INT_RTT, 1000, 44000);
        CHECK(cc->GetLinkWindow() == Approx(25676.8).epsilon(1e-12)); // 51251.2 / 2 + 51.2
        CHECK(cc->GetReferenceWindow() == Approx(51251.2).epsilon(1e-12));
    }
    IntAck(cc, IntOf({Full(10, DOUBLE_QUEUE)}), 10 * INT_RTT, 44001, 0); // 154001
    CHECK(cc->GetReferenceWindow() == Approx(25676.8).epsilon(1e-12));
}

TEST_CASE("HPCC: five additive rounds, then a multiplicative one", "[hpcc]")
{
    auto cc = Halved();
    CHECK(cc->GetReferenceWindow() == Approx(51251.2).epsilon(1e-12));
    // half load: 400 units in T, U = 0.5. Each ACK is a round: nothing is in flight.
    const double table[] = {51302.4, 51353.6, 51404.8, 51456.0, 51507.2};
    uint32_t n = 0;
    for (const double window : table)
    {
        ++n;
        IntAck(cc,
               IntOf({IntHop((1 + n) * INT_RTT, FULL_UNITS + n * 400, 0)}),
               (1 + n) * INT_RTT,
               1000,
               0);
        CHECK(cc->GetUtilization() == Approx(0.5).epsilon(1e-12));
        CHECK(cc->GetLinkWindow() == Approx(window).epsilon(1e-12));
        CHECK(cc->GetStage() == n);
    }
    // 51507.2 / (0.5 / 0.95) + 51.2 = 97863.68 + 51.2
    IntAck(cc, IntOf({IntHop(7 * INT_RTT, FULL_UNITS + 2400, 0)}), 7 * INT_RTT, 1000, 0);
    CHECK(cc->GetLinkWindow() == Approx(97914.88).epsilon(1e-12));
    CHECK(cc->GetStage() == 0);
}

TEST_CASE("HPCC: within a round additive steps do not add up", "[hpcc]")
{
    auto cc = Halved();
    // the ACK that ends the round: 51302.4; then 9 more within the next one
    for (uint32_t n = 1; n <= 10; ++n)
    {
        IntAck(cc,
               IntOf({IntHop((1 + n) * INT_RTT, FULL_UNITS + n * 400, 0)}),
               (1 + n) * INT_RTT,
               1000,
               100000);
        CHECK(cc->GetLinkWindow() == Approx(n == 1 ? 51302.4 : 51353.6).epsilon(1e-12));
        CHECK(cc->GetStage() == 1);
    }
}

TEST_CASE("HPCC: counters wrap", "[hpcc]")
{
    // each pair: T and 800 units apart, a queue of one product: u = U = 2
    const uint32_t time = 1u << 24;
    const uint32_t bytes = 1u << 20;
    const HpccIntHop pairs[][2] = {
        {IntHop(time - 4096, 0, BDP_UNITS), IntHop(4096, 800, BDP_UNITS)},
        {IntHop(0, bytes - 1, BDP_UNITS), IntHop(8192, 799, BDP_UNITS)},
        {IntHop(time - 1, bytes - 800, BDP_UNITS), IntHop(8191, 0, BDP_UNITS)},
    };
    for (const auto& pair : pairs)
    {
        auto cc = Started<Hpcc>();
        IntAck(cc, IntOf({pair[0]}), 0, 1000, 0);
        IntAck(cc, IntOf({pair[1]}), INT_RTT, 1000, 0);
        CHECK(cc->GetUtilization() == Approx(2).epsilon(1e-12));
        CHECK(cc->GetPath().GetResets() == 0);
    }
    // INT-MD: 32 bits of bytes, 102400 apart
    auto cc = Started<Hpcc>();
    IntAck(cc, IntMdOf(3, 5000, 0xffffffff - 51199, 102400), 0, 1000, 0);
    IntAck(cc, IntMdOf(3, 13192, 51200, 102400), INT_RTT, 1000, 0);
    CHECK(cc->GetUtilization() == Approx(2).epsilon(1e-12));
}

TEST_CASE("HPCC: units scale with multi", "[hpcc]")
{
    // multi 2: 400 units of 256 B and 640 units of 160 B are the same bytes: u = 2
    auto cc = Started<Hpcc>();
    IntRecord record = IntOf({IntHop(0, 0, 640)});
    record.multi = 2;
    IntAck(cc, record, 0, 1000, 0);
    record = IntOf({IntHop(8192, 400, 640)});
    record.multi = 2;
    IntAck(cc, record, INT_RTT, 1000, 0);
    CHECK(cc->GetUtilization() == Approx(2).epsilon(1e-12));
}

TEST_CASE("HPCC: another path is only recorded", "[hpcc]")
{
    auto cc = Halved();
    const double window = cc->GetLinkWindow();
    const double u = cc->GetUtilization();
    IntAck(cc, IntOf({IntHop(5, 5, 5), IntHop(9, 9, 9)}), 2 * INT_RTT, 1000, 0);
    CHECK(cc->GetLinkWindow() == window);
    CHECK(cc->GetUtilization() == u);
    CHECK(cc->GetPath().GetResets() == 1);
    CHECK(cc->GetPath().GetHops() == 2);
    // and the next one is measured against it: both hops at half load, queue 0
    IntAck(cc, IntOf({IntHop(8197, 405, 0), IntHop(8201, 409, 0)}), 3 * INT_RTT, 1000, 0);
    CHECK(cc->GetUtilization() == Approx(0.5).epsilon(1e-12));
    // INT-MD names the ports, so a path of the same length is known as another one
    auto md = Started<Hpcc>();
    IntAck(md, IntMdOf(3, 0, 0, 102400), 0, 1000, 0);
    IntAck(md, IntMdOf(4, 8192, 102400, 102400), INT_RTT, 1000, 0);
    CHECK(md->GetUtilization() == 1);
    CHECK(md->GetPath().GetResets() == 1);
}

TEST_CASE("HPCC: a gap in which the time may wrap makes a new reference", "[hpcc]")
{
    auto cc = Halved();
    const double window = cc->GetLinkWindow();
    const Tick half = 1 << 23; // ns, half of what 24 bits hold
    IntAck(cc, IntOf({Full(2, 0)}), INT_RTT + half, 1000, 0);
    CHECK(cc->GetLinkWindow() == window);
    CHECK(cc->GetPath().GetResets() == 1);
    IntAck(cc, IntOf({Full(3, 0)}), 2 * INT_RTT + half, 1000, 0); // u = 1, weight 1
    CHECK(cc->GetUtilization() == Approx(1).epsilon(1e-12));
}

TEST_CASE("HPCC: a gap in which the bytes may wrap makes a new reference", "[hpcc]")
{
    // 2^20 - 1 units of 128 B last 1342176 ns at 800 Gb/s = 100 B/ns, much less than the time does.
    for (const bool wraps : {false, true})
    {
        const Tick gap = wraps ? 1342177 : 1342175;
        auto cc = Started<Hpcc>();
        HpccIntHop hop = IntHop(0, 0, 0);
        hop.rate = 800000;
        IntAck(cc, IntOf({hop}), 0, 1000, 0);
        hop.time = static_cast<uint32_t>(gap);
        hop.bytes = 500000;
        IntAck(cc, IntOf({hop}), gap, 1000, 0);
        CHECK(cc->GetPath().GetResets() == (wraps ? 1 : 0));
        CHECK((cc->GetUtilization() == 1) == wraps);
    }
}

TEST_CASE("HPCC: records without use", "[hpcc]")
{
    auto cc = Halved();
    const double window = cc->GetLinkWindow();
    AckInfo plain;
    plain.ackedBytes = 1000;
    cc->OnAck(plain, 20000);
    CHECK(cc->GetUnknown() == 1);
    IntAck(cc, IntRecord(), 20000, 1000, 0);         // no hop
    IntAck(cc, IntOf({Full(0, 0)}), 20000, 1000, 0); // older than the reference
    HpccIntHop none = Full(2, 0);
    none.rate = 0;
    IntAck(cc, IntOf({none}), 20000, 1000, 0);
    IntRecord multi = IntOf({Full(2, 0)});
    multi.multi = 0;
    IntAck(cc, multi, 20000, 1000, 0);
    IntRecord md = IntMdOf(3, 0, 0, 0xffffff); // queue not known
    IntAck(cc, md, 20000, 1000, 0);
    md = IntMdOf(3, 0, 0, 0);
    md.md.hops[0].domain.clear();
    IntAck(cc, md, 20000, 1000, 0);
    CHECK(cc->GetPath().GetUnused() == 6);
    IntAck(cc, IntOf({Full(1, 0)}), 20000, 1000, 0); // the same time: no sample, kept
    CHECK(cc->GetLinkWindow() == window);
    CHECK(cc->GetPath().GetResets() == 0);
    // and the reference is still Full(1) with its queue: u = 1.9
    IntAck(cc, IntOf({Full(2, DOUBLE_QUEUE)}), 20000, 1000, 0);
    CHECK(cc->GetUtilization() == Approx(1.9).epsilon(1e-12));
}

TEST_CASE("HPCC: floors of rate and window", "[hpcc]")
{
    // The longest queue, 131071 x 80 B: u = 10485680 / 102400 + 1 = 103.39921875.
    auto cc = Started<Hpcc>();
    const uint32_t longest = (1u << 17) - 1;
    IntAck(cc, IntOf({Full(0, longest)}), 0, 1000, 0);
    IntAck(cc, IntOf({Full(1, longest)}), INT_RTT, 1000, 0);
    // 97280 / 103.39921875 + 51.2 = 940.8194 + 51.2: less than a packet, so it is the pace that
    // holds
    CHECK(cc->GetLinkWindow() == Approx(992.0194).epsilon(1e-6));
    CHECK(cc->GetWindow() == 1000);
    CHECK(double(cc->GetRate()) == Approx(992.0194 * 8 / 8192 * 1e9).epsilon(1e-6));
    // then 9.1 + 51.2 = 60.3 B or 58.9 Mb/s, below the 100 Mb/s of MinRateBps
    IntAck(cc, IntOf({Full(2, longest)}), 2 * INT_RTT, 1000, 0);
    CHECK(cc->GetRate() == 100000000);
    CHECK(cc->GetLinkWindow() == Approx(102.4).epsilon(1e-12));
    CHECK(cc->GetWindow() == 1000);
}

TEST_CASE("HPCC: a base RTT is needed", "[hpcc]")
{
    auto cc = CreateObject<Hpcc>();
    FlowParameters flow = IntFlow(0);
    CHECK_THROWS_WITH(cc->Start(flow, 0),
                      Catch::Contains("ns3::roce::Hpcc of QP 17") && Catch::Contains("BaseRtt"));
    CHECK_THROWS_AS(CreateObject<HpccRate>()->Start(flow, 0), std::invalid_argument);
    cc->SetAttribute("BaseRtt", TimeValue(NanoSeconds(8192)));
    cc->Start(flow, 0);
    CHECK(cc->GetWindow() == 102400);
    cc->SetAttribute("MinRateBps", UintegerValue(INT_LINE + 1));
    CHECK_THROWS_WITH(cc->Start(flow, 0), Catch::Contains("MinRateBps is 100000000001"));
}

TEST_CASE("HPCC: a single flow takes eta of the link and leaves no queue", "[hpcc]")
{
    // Equilibrium: W = W eta / U + W_AI with W = U x 160000 B, so U = 0.95 + 80 / 160000 = 0.9505.
    IntLoop paper(IntLaws<Hpcc>(1));
    paper.Run(50);
    paper.Run(200);
    CHECK(paper.GetTotal() == Approx(95e9).epsilon(0.01));
    CHECK(paper.GetMeanQueue() < 0.01 * IntLoop::BDP);
    // The artifact's step is 50 Mb/s, that is 80 B in 12.8 us: the same.
    IntLoop rate(IntLaws<HpccRate>(1));
    rate.Run(50);
    rate.Run(200);
    CHECK(rate.GetTotal() == Approx(95e9).epsilon(0.01));
    CHECK(rate.GetMeanQueue() < 0.01 * IntLoop::BDP);
}

TEST_CASE("HPCC: n flows together take eta of the link and n steps", "[hpcc]")
{
    for (const unsigned flows : {2u, 4u, 16u})
    {
        // sum of W = eta C T + n W_AI: sum of rates = 95 Gb/s + n x 50 Mb/s
        const double most = 95e9 + flows * 50e6;
        IntLoop paper(IntLaws<Hpcc>(flows));
        paper.Run(100);
        paper.Run(200);
        CHECK(paper.GetTotal() < most * 1.01);
        CHECK(paper.GetTotal() > 95e9 * 0.99);
        CHECK(paper.GetMeanQueue() < 0.05 * IntLoop::BDP);
        IntLoop rate(IntLaws<HpccRate>(flows));
        rate.Run(100);
        rate.Run(200);
        CHECK(rate.GetTotal() < most * 1.01);
        CHECK(rate.GetTotal() > 95e9 * 0.99);
        CHECK(rate.GetMeanQueue() < 0.05 * IntLoop::BDP);
    }
}

TEST_CASE("HPCC: a second flow has its share soon", "[hpcc]")
{
    // It begins with a full window beside one of 0.95 products, and U cuts both alike.
    IntLoop loop(IntLaws<Hpcc>(2), 50 * 160);
    loop.Run(50);
    CHECK(loop.GetRate(1) == 0);
    loop.Run(10); // MaxStage rounds, of 2 T at first
    loop.Run(10);
    CHECK(loop.GetRate(0) == Approx(47.5e9).epsilon(0.1));
    CHECK(loop.GetRate(1) == Approx(47.5e9).epsilon(0.1));
}

TEST_CASE("HPCC: the queue of a 16:1 incast goes", "[hpcc]")
{
    // All begin with a full window, so 16 products are in flight before the first ACK: 15 of them
    // wait, and the link needs 16 T to send them. A round lasts U T, if U products are in flight,
    // and W = Wc eta / U settles where U U = eta Ubefore: 16, 3.9, 1.9, 1.35, 1.13, in sum 24 T.
    IntLoop loop(IntLaws<Hpcc>(16));
    loop.Run(2);
    CHECK(loop.GetQueue() > 13 * IntLoop::BDP);
    CHECK(loop.GetQueue() <= 15 * IntLoop::BDP);
    loop.Run(28);
    CHECK(loop.GetQueue() < 0.1 * IntLoop::BDP);
    loop.Run(20);
    CHECK(loop.GetMeanQueue() < 0.05 * IntLoop::BDP);
}
