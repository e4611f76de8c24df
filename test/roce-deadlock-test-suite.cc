/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// PFC deadlocks: how they form, who says so, what ends or avoids them.

#include "roce-deadlock-test.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-watchdog-helper.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t FLOW_BYTES = 10000000;

/** A30, first part. */
class RingTest : public DeadlockTest
{
  public:
    RingTest()
        : DeadlockTest("three switches in a ring, clockwise routes: frozen, told by name")
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t buffer : {300000, 1000000, 4000000})
        {
            helper->SetSwitchAttribute("BufferSize", UintegerValue(buffer));
            Build(Ring(3));
            RouteClockwise();
            // port 0 of a switch is its host; 1 and 2 in the order of the ring's links
            const auto cycles = StaticCycles();
            NS_TEST_ASSERT_MSG_EQ(cycles.size(), 1, "may deadlock");
            const std::string ring =
                "switch 3 port 1 -> switch 4 port 2 -> switch 5 port 2 -> switch 3";
            NS_TEST_EXPECT_MSG_EQ(cycles[0].GetText(), ring, "the cycle");
            Watch();
            for (uint32_t i = 0; i < 3; ++i)
            {
                Post(Open(i, (i + 2) % 3), FLOW_BYTES);
            }
            Simulator::Run();
            ExpectFrozen(ring);
            ExpectQueues();
            Forget();
            Reset();
        }
    }

    /** A ring buffer stays paused while a + offset > alpha (S - used), a its bytes over the reserve
     *  and S the pool; all its bytes and all of used wait in the queue of the cycle, q >= a and
     *  q >= used, so q > (alpha S - offset) / (1 + alpha). */
    void ExpectQueues()
    {
        for (const WaitingQueue& queue : detector->GetReports()[0].cycle)
        {
            const SwitchMmu& mmu = fabric->GetSwitch(queue.node)->GetMmu();
            const double pool = static_cast<double>(mmu.GetPool(true).size);
            NS_TEST_EXPECT_MSG_GT(static_cast<double>(queue.bytes),
                                  (0.125 * pool - 3072) / 1.125,
                                  "enough to keep the pause");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(queue.node)->CheckInvariants(), "", "sound");
        }
    }
};

/** A30, second part. */
class WatchdogTest : public DeadlockTest
{
  public:
    WatchdogTest()
        : DeadlockTest("the same with a watchdog: it drops, and bytes flow again")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        helper->SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(1)));
        Build(Ring(3));
        RouteClockwise();
        WatchdogHelper guard;
        guard.SetAttribute("PollInterval", TimeValue(MilliSeconds(1)));
        guard.SetAttribute("DetectionTime", TimeValue(MilliSeconds(2)));
        guard.SetAttribute("RestorationTime", TimeValue(MilliSeconds(2)));
        const auto watchdogs = guard.Install(fabric);
        Watch();
        for (uint32_t i = 0; i < 3; ++i)
        {
            Post(Open(i, (i + 2) % 3), FLOW_BYTES);
        }
        // frozen within the first millisecond (RingTest), 2 ms of detection, 1 ms between polls
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(detector->GetReports().size(), 1, "frozen once");
        uint64_t storms = 0;
        for (const auto& watchdog : watchdogs)
        {
            storms += watchdog->GetTotals().storms;
        }
        NS_TEST_EXPECT_MSG_GT(storms, 0, "the watchdog fired");
        NS_TEST_EXPECT_MSG_GT(Drops(DropReason::WATCHDOG), 0, "and dropped");
        NS_TEST_EXPECT_MSG_EQ(Drops(DropReason::LOSSLESS_BUFFER), 0, "nothing else did");
        const auto delivered = Delivered();
        NS_TEST_ASSERT_MSG_EQ(frozen.size(), 3, "traced");
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_GT(delivered[i], frozen[i], "bytes flow again");
        }
    }
};

/** A30, third part. */
class UpDownTest : public DeadlockTest
{
  public:
    UpDownTest()
        : DeadlockTest("the same over a spanning tree: no deadlock, all finish")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        Build(Ring(3));
        // switch 4 is the root; the link between 3 and 5 is not used
        Route(3, 2, 4);
        Route(5, 0, 4);
        NS_TEST_EXPECT_MSG_EQ(StaticCycles().size(), 0, "cannot deadlock");
        Watch();
        for (uint32_t i = 0; i < 3; ++i)
        {
            Post(Open(i, (i + 2) % 3), FLOW_BYTES);
        }
        Look();
        RunFree();
        NS_TEST_EXPECT_MSG_GT(looks, 100, "looked");
    }

    /** No two queues wait for each other at any time, however short. */
    void Look()
    {
        ++looks;
        NS_TEST_EXPECT_MSG_EQ(detector->Find().size(), 0, "no cycle");
        if (fabric->GetOpenRequests())
        {
            At(MicroSeconds(10), [this]() { Look(); });
        }
    }

    uint32_t looks{0};
};

/** D13: a loop of n = 2 links of B = 40G and TTL 16 deadlocks from r = n B / TTL = 5 Gb/s on: a
 *  frame crosses one of the links 8 times and the other 7 times, and 8 x 5 = 40. */
class LoopTest : public DeadlockTest
{
  public:
    LoopTest()
        : DeadlockTest("a routing loop deadlocks above its bound of n B over TTL")
    {
    }

  private:
    /** Hosts 0 and 1 on switches 2 and 4, 3 between them and sending back. \param rate of host 0 */
    void BuildLoop(uint64_t rate)
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddSwitch(3);
        graph.AddSwitch(4);
        graph.AddLink(0, 2, rate, 1000000);
        graph.AddLink(2, 3, 40 * GBPS, 1000000);
        graph.AddLink(3, 4, 40 * GBPS, 1000000);
        graph.AddLink(4, 1, 40 * GBPS, 1000000);
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        helper->SetTransportAttribute("TimeToLive", UintegerValue(16));
        Build(graph);
        ConnectionOptions options;
        options.service = TransportService::UC;
        Open(0, 1, options);
        Route(3, 1, 2);
        Watch();
        Post(flows[0], 2 * FLOW_BYTES);
    }

    void DoRun() override
    {
        // 4.9 and 5.1 as well: the bound is met to 2 %
        for (uint64_t rate : {45 * GBPS / 10, 49 * GBPS / 10})
        {
            BuildLoop(rate);
            NS_TEST_ASSERT_MSG_EQ(StaticCycles().size(), 1, "may deadlock");
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(stalls->HasStopped(), false, "finished");
            NS_TEST_EXPECT_MSG_EQ(detector->GetReports().size(), 0, "no deadlock");
            NS_TEST_EXPECT_MSG_EQ(Drops(DropReason::TTL), 2 * FLOW_BYTES / 1000, "all frames");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(2)->GetFramesIn(), 8 * 20000, "8 times there");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(3)->GetFramesIn(), 8 * 20000, "8 times back");
            Forget();
            Reset();
        }
        for (uint64_t rate : {51 * GBPS / 10, 6 * GBPS})
        {
            BuildLoop(rate);
            Simulator::Run();
            ExpectFrozen("switch 2 port 1 -> switch 3 port 0 -> switch 2");
            Forget();
            Reset();
        }
        Cleared();
        Refused();
    }

    /** The watchdog clears it: frames leave again. */
    void Cleared()
    {
        BuildLoop(6 * GBPS);
        WatchdogHelper guard;
        guard.SetAttribute("PollInterval", TimeValue(MilliSeconds(1)));
        guard.SetAttribute("DetectionTime", TimeValue(MilliSeconds(2)));
        guard.SetAttribute("RestorationTime", TimeValue(MilliSeconds(2)));
        guard.Install(fabric);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(detector->GetReports().size(), 1, "frozen");
        NS_TEST_EXPECT_MSG_EQ(stalls->HasStopped(), false, "finished");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "all was sent");
        NS_TEST_EXPECT_MSG_EQ(Drops(DropReason::TTL) + Drops(DropReason::WATCHDOG),
                              2 * FLOW_BYTES / 1000,
                              "each frame ended so or so");
        NS_TEST_EXPECT_MSG_EQ(detector->Find().size(), 0, "no ring is left");
        Forget();
        Reset();
    }

    /** No path can be measured through a loop. */
    void Refused()
    {
        BuildLoop(6 * GBPS);
        std::string message;
        try
        {
            fabric->Connect(0, 1);
        }
        catch (const std::runtime_error& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("from host 0 to host 1 loop"),
                              std::string::npos,
                              message);
    }
};

/** D14: flows of three links each, h4 to h7 and h6 to h5, close the ring of four switches. They
 *  share two of its links, and do not deadlock. */
class FourTest : public DeadlockTest
{
  public:
    FourTest()
        : DeadlockTest("a cyclic dependency deadlocks when a third flow comes, not at a low rate")
    {
    }

  private:
    /** \param third rate of the third flow, from switch 5 to 6; 0: none */
    void BuildFour(uint64_t third)
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(4000000));
        Build(Ring(4, {third ? third : GBPS}));
        Route(4, 3, 5);
        Route(5, 3, 6);
        Route(6, 1, 7);
        Route(7, 1, 4);
        BufferDependency paths(fabric->GetGraph());
        paths.AddPath({0, 4, 5, 6, 7, 3});
        paths.AddPath({2, 6, 7, 4, 5, 1});
        NS_TEST_EXPECT_MSG_EQ(paths.FindCycles().size(), 1, "these two close the ring");
        Watch();
        Post(Open(0, 3), 2 * FLOW_BYTES);
        Post(Open(2, 1), 2 * FLOW_BYTES);
        if (third)
        {
            Post(Open(8, 2), FLOW_BYTES);
        }
    }

    void DoRun() override
    {
        for (uint64_t third : {uint64_t(0), 2 * GBPS})
        {
            BuildFour(third);
            RunFree();
            Forget();
            Reset();
        }
        BuildFour(40 * GBPS);
        Simulator::Run();
        ExpectFrozen("switch 4 port 1 -> switch 5 port 2 -> switch 6 port 2 -> switch 7 port 2 -> "
                     "switch 4");
    }
};

/** The detector as an observer. */
class ObserverTest : public DeadlockTest
{
  public:
    ObserverTest()
        : DeadlockTest("it changes nothing, schedules nothing while nothing is paused, and ends")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t hops[2];
        std::vector<Tick> ends[2];
        Tick over[2];
        for (bool watched : {false, true})
        {
            helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
            helper->SetNicAttribute("EcnCapable", BooleanValue(false)); // no random marks
            helper->SetNicAttribute("AckTimeout", TimeValue(Time(0)));  // nothing pending from it
            Build(StarGraph(9, 40 * GBPS, 1000));
            if (watched)
            {
                detector = MonitorHelper().InstallDeadlockDetector(fabric);
                stalls = CreateObject<StallDetector>(); // not installed
            }
            for (uint32_t i = 0; i < 8; ++i)
            {
                Post(Open(i, 8), 100000);
            }
            Run();
            NS_TEST_EXPECT_MSG_GT(fabric->GetSwitch(9)->GetPfcController()->GetXoffs(3), 0, "PFC");
            hops[watched] = EventCore::Get()->GetFrameHops();
            for (const TestFlow& flow : flows)
            {
                ends[watched].push_back(flow.sent.at(0).completed);
            }
            over[watched] = ToTick(Simulator::Now());
            Forget();
            Reset();
        }
        NS_TEST_EXPECT_MSG_EQ(hops[0], hops[1], "the same frames");
        NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "at the same time");
        // expiries of pauses are pending till then anyway; CheckInterval is 0.1 ms
        NS_TEST_EXPECT_MSG_LT_OR_EQ(over[1], over[0] + 100000, "the run ends by itself");
    }
};

/** Suite roce-deadlock. */
class DeadlockTestSuite : public TestSuite
{
  public:
    DeadlockTestSuite()
        : TestSuite("roce-deadlock", TestSuite::Type::UNIT)
    {
        AddTestCase(new RingTest, D::QUICK);
        AddTestCase(new WatchdogTest, D::QUICK);
        AddTestCase(new UpDownTest, D::QUICK);
        AddTestCase(new LoopTest, D::QUICK);
        AddTestCase(new FourTest, D::QUICK);
        AddTestCase(new ObserverTest, D::QUICK);
    }
};

DeadlockTestSuite g_deadlockTestSuite;

} // namespace
