/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-pause-storm.h"
#include "ns3/roce-watchdog-helper.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A host pauses its switch: the tree begins there, goes back to the sender. */
class SlowHostTest : public FabricTest
{
  public:
    SlowHostTest()
        : FabricTest("a slow host behind three switches is the root")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        Build(ChainGraph({100 * GBPS, 100 * GBPS, 100 * GBPS, 100 * GBPS}, 1000));
        auto monitor = WatchdogHelper::InstallPauseTree(fabric);
        TestFlow& flow = Open(0, 1);
        Post(flow, 8000000);
        auto storm = CreateObject<PauseStorm>();
        storm->Start(fabric->GetPort(1, 0), 0x08, MicroSeconds(50), MicroSeconds(300));
        Run();
        const auto roots = monitor->GetTree().GetRoots();
        NS_TEST_ASSERT_MSG_EQ(roots.empty(), false, "there were pauses");
        // host 1 - port 1 of switch 4 - 3 - 2 - host 0, by construction of ChainGraph
        NS_TEST_EXPECT_MSG_EQ(roots[0].node, 4, monitor->GetTree().GetText());
        NS_TEST_EXPECT_MSG_EQ(roots[0].port, 1, "to the slow host");
        NS_TEST_EXPECT_MSG_EQ(roots[0].priority, 3, "priority");
        NS_TEST_EXPECT_MSG_EQ(roots[0].byHost, true, "a host began");
        NS_TEST_EXPECT_MSG_EQ(roots[0].host, 1, "this one");
        NS_TEST_EXPECT_MSG_EQ(roots[0].starts, 1, "one pause, extended");
        NS_TEST_EXPECT_MSG_EQ(roots[0].depth, 4, "host, three switches");
        NS_TEST_EXPECT_MSG_EQ(roots[0].hosts, 1, "the sender");
        // 84 bytes at 100 Gb/s and 1 us of cable
        NS_TEST_EXPECT_MSG_EQ_TOL(double(roots[0].first), 50000 + 6.72 + 1000, 1, "when");
        const PauseEpisode& first = monitor->GetTree().GetEpisodes().at(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(first.end), 350000 + 6.72 + 1000, 1, "until when");
        storm->Dispose();
    }
};

/** Two senders, one receiver: the full port is the root. */
class FullPortTest : public FabricTest
{
  public:
    FullPortTest()
        : FabricTest("a port with more traffic than its rate is the root")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        // hosts 0..2 on switch 4, host 3 on switch 5; the receiver's link is port 0 of switch 5
        Build(DumbbellGraph(3, 1, 100 * GBPS, 400 * GBPS, 1000));
        auto monitor = WatchdogHelper::InstallPauseTree(fabric);
        for (uint32_t i = 0; i < 3; ++i)
        {
            Post(Open(i, 3), 4000000);
        }
        Run();
        const auto roots = monitor->GetTree().GetRoots();
        NS_TEST_ASSERT_MSG_EQ(roots.empty(), false, "there were pauses");
        NS_TEST_EXPECT_MSG_EQ(roots[0].node, 5, monitor->GetTree().GetText());
        NS_TEST_EXPECT_MSG_EQ(roots[0].port, 0, "to the receiver");
        NS_TEST_EXPECT_MSG_EQ(roots[0].byHost, false, "no host");
        NS_TEST_EXPECT_MSG_EQ(roots[0].depth, 2, "to switch 4 and its hosts");
        NS_TEST_EXPECT_MSG_EQ(roots[0].hosts, 3, "all senders");
    }
};

/** Spikes are counted by interval. */
class SpikeTest : public FabricTest
{
  public:
    SpikeTest()
        : FabricTest("spikes of pause frames")
    {
    }

  private:
    void OnSpike(const PfcSpike& spike)
    {
        m_spikes.push_back(spike);
    }

    void DoRun() override
    {
        Build(StarGraph(2, 100 * GBPS, 1000));
        WatchdogHelper watchdog;
        watchdog.SetSpikeAttribute("Interval", TimeValue(MicroSeconds(100)));
        watchdog.SetSpikeAttribute("Threshold", UintegerValue(10));
        auto detector = watchdog.InstallSpikeDetector(fabric);
        detector->TraceConnectWithoutContext("Spike", MakeCallback(&SpikeTest::OnSpike, this));
        Post(Open(0, 1), 6000000); // 0.5 ms
        // a frame every 5 us from 150 to 350 us: 40 in all; those sent in [150, 200) and [300, 350)
        // arrive in intervals 2 and 4, ten each; [200, 300) gives twenty. The last frame before
        // 200 us leaves at 195 and arrives at 196
        auto storm = CreateObject<PauseStorm>();
        storm->SetAttribute("Quanta", UintegerValue(100)); // 512 ns: the flow goes on
        storm->SetAttribute("Interval", TimeValue(MicroSeconds(5)));
        storm->SetAttribute("Release", BooleanValue(false));
        storm->Start(fabric->GetPort(1, 0), 0x08, MicroSeconds(150), MicroSeconds(200));
        // and nine within one interval at another priority: below the threshold
        auto few = CreateObject<PauseStorm>();
        few->SetAttribute("Interval", TimeValue(MicroSeconds(5)));
        few->Start(fabric->GetPort(1, 0), 0x20, MicroSeconds(210), MicroSeconds(45));
        Run();
        NS_TEST_EXPECT_MSG_EQ(storm->GetFrames(), 40, "frames of the storm");
        NS_TEST_EXPECT_MSG_EQ(few->GetFrames(), 10, "nine and the release");
        NS_TEST_ASSERT_MSG_EQ(m_spikes.size(), 3, "intervals with at least 10");
        const uint64_t expected[] = {10, 20, 10};
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].xoffs, expected[i], "count");
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].at, Tick(200000 + 100000 * i), "end of interval");
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].node, 2, "the switch");
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].host, false, "is no host");
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].port, 1, "to host 1");
            NS_TEST_EXPECT_MSG_EQ(m_spikes[i].priority, 3, "priority");
        }
        NS_TEST_EXPECT_MSG_EQ(detector->GetSpikes(), 3, "counted");
        NS_TEST_EXPECT_MSG_EQ(detector->GetPeak().xoffs, 20, "peak");
        storm->Dispose();
        few->Dispose();
        detector->Dispose();
    }

    std::vector<PfcSpike> m_spikes;
};

/** A21: a watchdog does not keep a run alive and changes nothing; and what the helper refuses. */
class IdleWatchdogTest : public FabricTest
{
  public:
    IdleWatchdogTest()
        : FabricTest("a watchdog on an incast with pauses: same results, the run returns")
    {
    }

  private:
    /** \param watched whether there is a watchdog \return completion times, and the last event */
    std::vector<Tick> RunOnce(bool watched)
    {
        const Tick period = 10000;
        helper->SetSwitchAttribute("BufferSize", UintegerValue(2000000));
        helper->SetNicAttribute("AckTimeout", TimeValue(Time(0))); // no timers of others
        Build(StarGraph(9, 100 * GBPS, 1000));
        std::vector<Ptr<PfcWatchdog>> watchdogs;
        if (watched)
        {
            WatchdogHelper watchdog;
            watchdog.SetPreset("junos");
            watchdog.SetAttribute("PollInterval", TimeValue(NanoSeconds(period)));
            watchdog.SetAttribute("DetectionTime", TimeValue(MilliSeconds(1)));
            watchdogs = watchdog.Install(fabric);
            NS_TEST_EXPECT_MSG_EQ(watchdogs.size(), 1, "one a switch");
        }
        auto results = MonitorHelper().InstallFabricMonitor(fabric);
        for (uint32_t i = 0; i < 8; ++i)
        {
            Post(Open(i, 8), 1000000);
        }
        // the receiver pauses the switch, too
        auto storm = CreateObject<PauseStorm>();
        storm->SetAttribute("Quanta", UintegerValue(1000));
        storm->Start(fabric->GetPort(8, 0), 0x08, MicroSeconds(100), MicroSeconds(200));
        Run();
        const Tick end = ToTick(Simulator::Now());
        const Tick last = results->GetLastCompletion();
        if (watched)
        {
            // from 100 to 300 us there is something to watch
            NS_TEST_EXPECT_MSG_EQ((watchdogs[0]->GetPolls() >= 20), true, "it polled");
            NS_TEST_EXPECT_MSG_EQ((watchdogs[0]->GetPolls() <= 25), true, "and stopped");
            NS_TEST_EXPECT_MSG_EQ(watchdogs[0]->GetTotals().storms, 0, "no storm");
            NS_TEST_EXPECT_MSG_EQ((watchdogs[0]->GetLastPoll() <= last + period), true, "idle");
        }
        NS_TEST_EXPECT_MSG_EQ(results->Collect("").storms, 0, "no storm");
        std::vector<Tick> times;
        for (const TestFlow& flow : flows)
        {
            times.push_back(flow.sent.at(0).completed);
        }
        times.push_back(end); // pause timers that are over the last completion, but no polls
        storm->Dispose();
        results = nullptr;
        watchdogs.clear();
        Reset();
        return times;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ((RunOnce(true) == RunOnce(false)), true, "to the bit");
        std::string message;
        try
        {
            WatchdogHelper().SetPreset("foo");
        }
        catch (const std::invalid_argument& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((message.find("\"foo\"") != std::string::npos &&
                               message.find("sonic junos") != std::string::npos),
                              true,
                              "names what is known: " << message);
    }
};

/** A storm in a fabric: the flow's tail is dropped, sent again after the restore; counted. */
class StormResultTest : public FabricTest
{
  public:
    StormResultTest()
        : FabricTest("a storm in a fabric: results count it, the message arrives")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(1)));
        Build(StarGraph(2, 100 * GBPS, 1000));
        WatchdogHelper watchdog;
        watchdog.SetAttribute("PollInterval", TimeValue(MicroSeconds(100)));
        watchdog.SetAttribute("DetectionTime", TimeValue(MicroSeconds(200)));
        watchdog.SetAttribute("RestorationTime", TimeValue(MicroSeconds(200)));
        const auto watchdogs = watchdog.Install(fabric);
        auto results = MonitorHelper().InstallFabricMonitor(fabric);
        Post(Open(0, 1), 1000000); // 84 us
        auto storm = CreateObject<PauseStorm>();
        storm->Start(fabric->GetPort(1, 0), 0x08, MicroSeconds(20), MicroSeconds(500));
        Run();
        const RunResult result = results->Collect("");
        const PfcWatchdogCounters& queue = watchdogs[0]->GetCounters(1, 3);
        NS_TEST_EXPECT_MSG_EQ(result.storms, 1, "pfc.storms");
        NS_TEST_EXPECT_MSG_EQ(queue.restores, 1, "restored");
        // what was not sent by 21 us: 1000 packets less the first (21.0 - 1.09) / 0.0864
        NS_TEST_EXPECT_MSG_EQ((queue.dropped >= 750), true, "the rest is dropped");
        NS_TEST_EXPECT_MSG_EQ(result.GetDrops(DropReason::WATCHDOG),
                              queue.dropped,
                              "drops.watchdog");
        NS_TEST_EXPECT_MSG_EQ(result.GetDrops(DropReason::LOSSLESS_BUFFER), 0, "no others");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1, "arrived in the end");
        storm->Dispose();
    }
};

/** Suite roce-pause-tree. */
class PauseTreeTestSuite : public TestSuite
{
  public:
    PauseTreeTestSuite()
        : TestSuite("roce-pause-tree", TestSuite::Type::UNIT)
    {
        AddTestCase(new SlowHostTest, D::QUICK);
        AddTestCase(new FullPortTest, D::QUICK);
        AddTestCase(new SpikeTest, D::QUICK);
        AddTestCase(new IdleWatchdogTest, D::QUICK);
        AddTestCase(new StormResultTest, D::QUICK);
    }
};

PauseTreeTestSuite g_pauseTreeTestSuite;

} // namespace
