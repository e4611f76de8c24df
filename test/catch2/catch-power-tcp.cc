/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-catch-int-loop.h"
#include "roce-catch-int.h"

#include "ns3/double.h"
#include "ns3/roce-power-tcp.h"
#include "ns3/roce-theta-power-tcp.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

// All numbers of the tables: T = 8192 ns, 102400 B, 10 flows, so beta = 10240 B.

namespace
{

/** An ACK without telemetry arrives. */
void
RttAck(Ptr<ThetaPowerTcp> cc, Tick rtt, Tick now, uint64_t acked, uint64_t inflight)
{
    AckInfo ack;
    ack.ackedBytes = acked;
    ack.inflight = inflight;
    ack.rtt = rtt;
    cc->OnAck(ack, now);
}

} // namespace

TEST_CASE("PowerTCP: begins with line rate and the product", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    CHECK(cc->GetRate() == INT_LINE);
    CHECK(cc->GetWindow() == 102400);
    CHECK(cc->GetPower() == 1.0);
    CHECK(cc->GetAdditiveBytes() == Approx(10240).epsilon(1e-12));
    CHECK(cc->HearsAck());
    auto theta = Started<ThetaPowerTcp>();
    CHECK(theta->GetWindow() == 102400);
    CHECK(theta->GetAdditiveBytes() == Approx(10240).epsilon(1e-12));
}

TEST_CASE("PowerTCP: a standing queue of one product halves", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({Full(0, BDP_UNITS)}), 0, 1000, 100000);
    CHECK(cc->GetLinkWindow() == INT_BDP); // only recorded
    // current 1, voltage 1 + 1: power 2. W = 0.9 (102400 / 2 + 10240) + 0.1 x 102400 = 65536
    IntAck(cc, IntOf({Full(1, BDP_UNITS)}), INT_RTT, 1000, 100000);
    CHECK(cc->GetPower() == Approx(2).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(65536).epsilon(1e-12));
    CHECK(cc->GetWindow() == 65536);
    CHECK(cc->GetRate() == 64000000000); // 65536 B / 8192 ns
    // the packet was sent with the first window still: 0.9 x 61440 + 0.1 x 65536
    IntAck(cc, IntOf({Full(2, BDP_UNITS)}), 2 * INT_RTT, 1000, 100000);
    CHECK(cc->GetLinkWindow() == Approx(61849.6).epsilon(1e-12));
}

TEST_CASE("PowerTCP: a growing queue counts before it stands", "[power-tcp]")
{
    // In T / 2 the link sends 400 units and the queue grows by 640 units = half a product: current
    // = 1 + 1, voltage = 1.5, power 3 with weight 1/2: (1 + 3) / 2 = 2.
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({IntHop(0, 0, 0)}), 0, 1000, 100000);
    IntAck(cc, IntOf({IntHop(4096, 400, 640)}), 4096, 1000, 100000);
    CHECK(cc->GetPower() == Approx(2).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(65536).epsilon(1e-12));
    // it falls as fast as the link sends, to nothing: current 0, taken as 0.5, so (2 + 0.5) / 2
    IntAck(cc, IntOf({IntHop(8192, 800, 0)}), 8192, 1000, 100000);
    CHECK(cc->GetPower() == Approx(1.25).epsilon(1e-12));
    auto low = CreateObject<PowerTcp>();
    low->SetAttribute("MinCurrent", DoubleValue(0.1));
    low->Start(IntFlow(), 0);
    IntAck(low, IntOf({IntHop(0, 0, BDP_UNITS)}), 0, 1000, 100000);
    IntAck(low, IntOf({IntHop(8192, 0, 0)}), 8192, 1000, 100000); // negative: 0.1 with weight 1
    CHECK(low->GetPower() == Approx(0.1).epsilon(1e-12));
}

TEST_CASE("PowerTCP: the most powerful hop counts, with its own dt", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({IntHop(0, 0, 0), IntHop(0, 0, BDP_UNITS)}), 0, 1000, 100000);
    // hop 0: power 1. hop 1: dt = T / 2, power 2: (1 + 2) / 2
    IntAck(cc, IntOf({IntHop(8192, 800, 0), IntHop(4096, 400, BDP_UNITS)}), 8192, 1000, 100000);
    CHECK(cc->GetPower() == Approx(1.5).epsilon(1e-12));
}

TEST_CASE("PowerTCP: full link, no queue: the window grows by Gamma beta", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({Full(0, BDP_UNITS)}), 0, 1000, 100000);
    IntAck(cc, IntOf({Full(1, BDP_UNITS)}), INT_RTT, 1000, 100000); // W = 65536 behind 102000
    // another path, so that the queue does not fall: only recorded
    IntAck(cc, IntOf({Full(2, 0), Full(2, 0)}), 2 * INT_RTT, 100001, 65000);
    CHECK(cc->GetLinkWindow() == Approx(65536).epsilon(1e-12));
    CHECK(cc->GetPath().GetResets() == 1);
    // Wold = 65536, as 103001 was sent with it: 0.9 (65536 + 10240) + 0.1 x 65536 = 65536 + 9216
    IntAck(cc, IntOf({Full(3, 0), Full(3, 0)}), 3 * INT_RTT, 1000, 65000);
    CHECK(cc->GetPower() == Approx(1).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(74752).epsilon(1e-12));
    // Gamma 1: no memory of the present window
    auto plain = CreateObject<PowerTcp>();
    plain->SetAttribute("Gamma", DoubleValue(1));
    plain->SetAttribute("Flows", UintegerValue(100));
    plain->Start(IntFlow(), 0);
    IntAck(plain, IntOf({Full(0, BDP_UNITS)}), 0, 1000, 0);
    IntAck(plain, IntOf({Full(1, BDP_UNITS)}), INT_RTT, 1000, 0);
    CHECK(plain->GetLinkWindow() == Approx(52224).epsilon(1e-12)); // 51200 + 1024
}

TEST_CASE("PowerTCP: an idle path opens the window, to the line rate", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({Full(0, BDP_UNITS)}), 0, 1000, 0);
    IntAck(cc, IntOf({Full(1, BDP_UNITS)}), INT_RTT, 1000, 0);
    CHECK(cc->GetRate() == 64000000000);
    IntAck(cc, IntOf({IntHop(2 * INT_RTT, FULL_UNITS, 0)}), 2 * INT_RTT, 1000, 0); // nothing sent
    CHECK(cc->GetPower() == 0.5);                                                  // its floor
    CHECK(cc->GetRate() == INT_LINE);
    CHECK(cc->GetWindow() == 102400);
}

TEST_CASE("PowerTCP: ACKs without use", "[power-tcp]")
{
    auto cc = Started<PowerTcp>();
    IntAck(cc, IntOf({Full(0, BDP_UNITS)}), 0, 1000, 0);
    cc->OnAck(AckInfo(), 10);
    CHECK(cc->GetUnknown() == 1);
    IntAck(cc, IntRecord(), 10, 1000, 0);
    CHECK(cc->GetPath().GetUnused() == 1);
    CHECK(cc->GetWindow() == 102400);
    auto theta = Started<ThetaPowerTcp>();
    theta->OnAck(AckInfo(), 10);
    CHECK(theta->GetUnknown() == 1);
    CHECK(theta->GetWindow() == 102400);
    CHECK_THROWS_AS(CreateObject<PowerTcp>()->Start(IntFlow(0), 0), std::invalid_argument);
    CHECK_THROWS_WITH(CreateObject<ThetaPowerTcp>()->Start(IntFlow(0), 0),
                      Catch::Contains("ThetaPowerTcp of QP 17") && Catch::Contains("BaseRtt"));
}

TEST_CASE("PowerTCP: which window a byte was sent with", "[power-tcp]")
{
    WindowHistory history;
    history.Start(7);
    CHECK(history.At(0) == 7);
    CHECK(history.At(500) == 7);
    history.Note(1600, 0, 8);     // 1600 / 16 = 100 or more behind the last pair
    history.Note(1600, 0, 9);     // nothing sent since: replaced
    history.Note(1650, 50, 10);   // less than 100 behind: left out
    history.Note(1700, 100, 11);  // 100 behind
    CHECK(history.At(1600) == 7); // byte 1600 was the last with the first window
    CHECK(history.At(1601) == 9);
    CHECK(history.At(1700) == 9);
    CHECK(history.At(1701) == 11);
    CHECK(history.At(9999) == 11);
    // more pairs than it holds: the oldest one it has
    WindowHistory full;
    full.Start(0);
    for (unsigned i = 1; i <= 40; ++i)
    {
        full.Note(i, i, i);
    }
    CHECK(full.At(1) == 9); // 41 pairs, 32 stay: 9 to 40
    CHECK(full.At(41) == 40);
}

TEST_CASE("theta-PowerTCP: power by round trip times, window once a round", "[power-tcp]")
{
    auto cc = Started<ThetaPowerTcp>();
    RttAck(cc, 8192, 10000, 1000, 100000); // only recorded; the round ends behind 101000
    CHECK(cc->GetPower() == 1.0);
    // + 2048 ns in 4096: (0.5 + 1) x 10240 / 8192 = 1.875, weight 1/2: 1.4375
    RttAck(cc, 10240, 14096, 1000, 99000);
    CHECK(cc->GetPower() == Approx(1.4375).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == INT_BDP);
    // constant: 1.25, (1.4375 + 1.25) / 2 = 1.34375. 102400 / 1.34375 = 76204.6512;
    // W = 0.7 (76204.6512 + 10240) + 0.3 x 102400 = 60511.2558 + 30720
    RttAck(cc, 10240, 18192, 99001, 90000);
    CHECK(cc->GetPower() == Approx(1.34375).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(91231.2558).epsilon(1e-8));
    // the same tick again is no sample; and the round goes on to 191001
    RttAck(cc, 20000, 18192, 1000, 90000);
    CHECK(cc->GetPower() == Approx(1.34375).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(91231.2558).epsilon(1e-8));
    // it falls by 4096 in 1024: growth + 1 is taken as 0.5: 0.5 x 6144 / 8192, weight 1/8
    RttAck(cc, 6144, 19216, 1000, 90000);
    CHECK(cc->GetPower() == Approx(1.34375 * 7 / 8 + 0.375 / 8).epsilon(1e-12));
}

TEST_CASE("theta-PowerTCP: no queue: the window grows by Gamma beta", "[power-tcp]")
{
    auto cc = Started<ThetaPowerTcp>();
    RttAck(cc, 16384, 10000, 1000, 0);
    RttAck(cc, 16384, 20000, 1000, 0); // power 2: 0.7 (51200 + 10240) + 0.3 x 102400 = 73728
    CHECK(cc->GetLinkWindow() == Approx(73728).epsilon(1e-12));
    // the RTT falls by 8192 in 8192: power 0.5, and then 1 again
    RttAck(cc, 8192, 28192, 0, 0); // acknowledges nothing: no round ends
    RttAck(cc, 8192, 40000, 1000, 0);
    CHECK(cc->GetPower() == Approx(1).epsilon(1e-12));
    CHECK(cc->GetLinkWindow() == Approx(73728 + 7168).epsilon(1e-12));
}

TEST_CASE("PowerTCP: a single flow fills the link without a queue", "[power-tcp]")
{
    // power 1 asks for more than the line rate, which is the limit
    IntLoop loop(IntLaws<PowerTcp>(1));
    loop.Run(20);
    loop.Run(100);
    CHECK(loop.GetTotal() == Approx(100e9).epsilon(0.001));
    CHECK(loop.GetMeanQueue() < 0.01 * IntLoop::BDP);
}

TEST_CASE("PowerTCP: n flows have equal shares and a queue of n beta", "[power-tcp]")
{
    // W = W / power + beta and power = 1 + queue / product give W = beta (queue + product) / queue
    // for each; the link is full, so n W = queue + product: queue = n beta = n x 16000 B. Packets
    // come one by one, so now and then the current is below its floor, which costs some of the
    // queue.
    for (const unsigned flows : {2u, 4u, 8u})
    {
        IntLoop loop(IntLaws<PowerTcp>(flows), 20 * 160 + 7);
        loop.Run(20 * flows + 100);
        loop.Run(200);
        CHECK(loop.GetTotal() == Approx(100e9).epsilon(0.001));
        CHECK(loop.GetMeanQueue() == Approx(flows * 16000.).epsilon(0.2));
        for (unsigned i = 0; i < flows; ++i)
        {
            CHECK(loop.GetRate(i) == Approx(100e9 / flows).epsilon(0.05));
        }
    }
}

TEST_CASE("theta-PowerTCP: n flows have equal shares and a queue of n beta", "[power-tcp]")
{
    for (const unsigned flows : {2u, 4u, 8u})
    {
        IntLoop loop(IntLaws<ThetaPowerTcp>(flows), 20 * 160 + 7);
        loop.Run(20 * flows + 200);
        loop.Run(200);
        CHECK(loop.GetTotal() == Approx(100e9).epsilon(0.001));
        CHECK(loop.GetMeanQueue() == Approx(flows * 16000.).epsilon(0.1));
        for (unsigned i = 0; i < flows; ++i)
        {
            CHECK(loop.GetRate(i) == Approx(100e9 / flows).epsilon(0.05));
        }
    }
}

TEST_CASE("PowerTCP: the queue of a 16:1 incast falls to 16 beta", "[power-tcp]")
{
    // 15 products wait after the first RTT and the link needs 15 T for them; what shall stay is 1.6
    // products.
    IntLoop loop(IntLaws<PowerTcp>(16));
    loop.Run(2);
    CHECK(loop.GetQueue() > 13 * IntLoop::BDP);
    loop.Run(28);
    CHECK(loop.GetQueue() < 2 * IntLoop::BDP);
    loop.Run(100);
    CHECK(loop.GetMeanQueue() == Approx(16 * 16000.).epsilon(0.1));
}
