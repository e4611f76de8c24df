/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return host 0 - switches - host 1; link i has rate i of the list, 1 us each */
FabricGraph
MakeLine(const std::vector<uint64_t>& rates)
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    const auto switches = static_cast<uint32_t>(rates.size() - 1);
    for (uint32_t i = 0; i < switches; ++i)
    {
        graph.AddSwitch(2 + i);
    }
    for (uint32_t i = 0; i < rates.size(); ++i)
    {
        const uint32_t from = i == 0 ? 0 : 1 + i;
        const uint32_t to = i == switches ? 1 : 2 + i;
        graph.AddLink(from, to, rates[i], 1000000);
    }
    return graph;
}

constexpr uint64_t G = 1000000000;

/** Post one message from host 0 to host 1 now. */
void
PostOne(Ptr<Fabric> fabric, uint64_t bytes)
{
    const Connection connection = fabric->Connect(0, 1);
    WorkRequest request;
    request.bytes = bytes;
    connection.nic->Post(connection.qp, request);
}

/** The figures of a lone flow, from arithmetic. */
class LoneFlowTest : public TestCase
{
  public:
    LoneFlowTest()
        : TestCase("a lone flow: FCT, TTD, goodput, utilization, slowdown")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Fabric> fabric = RoceHelper().Install(MakeLine({100 * G, 100 * G}));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        PostOne(fabric, 1000000);
        Simulator::Run();
        const RunResult result = monitor->Collect("x");
        // 1e6 bytes in packets of 4096: 244 full ones and one of 576. On the link each has 62
        // bytes of headers and 20 of preamble and gap, the first 16 of RETH:
        // 1000000 + 245 * 82 + 16 = 1020106 bytes = 81608.48 ns at 100 Gb/s on the first link.
        // The second link begins when the first frame is whole there, (4096 + 98) * 0.08 =
        // 335.52 ns after the first one, and is then never idle. The ACK crosses both in
        // 2 * (66 + 20) * 0.08 = 13.76 ns, and there are four cables of 1000 ns.
        const double wire = 81608.48;
        const double arrival = wire + 335.52 + 2000;
        const double fct = arrival + 13.76 + 2000;
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1, "one message");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.fctNs.GetMean(), fct, 1, "FCT to one tick");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.ttdNs.GetMean(), arrival, 1, "TTD to one tick");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.simTimeS, fct * 1e-9, 1e-9, "ends with the completion");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.goodputBps, 8e6 / (fct * 1e-9), 2e6, "goodput");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.utilizationBottleneck, wire / fct, 2e-5, "busiest link");
        // both links of the way there carry the same bytes; the way back carries ACKs only
        NS_TEST_EXPECT_MSG_EQ_TOL(result.utilizationMean, wire / fct, 2e-5, "links with data");
        NS_TEST_EXPECT_MSG_EQ(result.frameHops, 4 * 245, "each frame and its ACK cross two links");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.slowdown.GetMean(), 1, 1e-6, "nobody in the way");
        Simulator::Destroy();
    }
};

/** A17: a lone flow has slowdown 1 over any path. */
class IdealTest : public TestCase
{
  public:
    IdealTest()
        : TestCase("A17: slowdown 1 for a lone flow, mixed rates, 1 to 3 switches")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::vector<uint64_t>> paths = {{10 * G, 10 * G},
                                                          {10 * G, 40 * G},
                                                          {40 * G, 10 * G, 40 * G},
                                                          {10 * G, 40 * G, 40 * G, 10 * G},
                                                          {40 * G, 40 * G, 10 * G, 40 * G}};
        for (const auto& path : paths)
        {
            for (uint64_t bytes : {1ull, 1000ull, 1000000ull})
            {
                RoceHelper roce;
                roce.SetCongestionControl("none"); // a queue before a slow link is no congestion
                Ptr<Fabric> fabric = roce.Install(MakeLine(path));
                Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
                PostOne(fabric, bytes);
                Simulator::Run();
                const RunResult result = monitor->Collect("x");
                NS_TEST_EXPECT_MSG_EQ_TOL(result.slowdown.GetMean(),
                                          1,
                                          1e-6,
                                          bytes << " bytes over " << path.size() << " links");
                Simulator::Destroy();
            }
        }
    }
};

/** A21: a periodic monitor neither keeps the run alive nor changes it. */
class IdleTest : public TestCase
{
  public:
    IdleTest()
        : TestCase("A21: monitors stop when idle and change nothing")
    {
    }

  private:
    struct Outcome
    {
        std::string json;
        uint64_t stockEvents;
        uint64_t samples;
        Tick lastSample;
        Tick lastCompletion;
        uint64_t peak;
    };

    Outcome RunOnce(bool sampled)
    {
        RoceHelper roce;
        roce.SetCongestionControl("none");
        Ptr<Fabric> fabric = roce.Install(MakeLine({100 * G, 40 * G}));
        roce.AssignStreams(fabric, 0); // the same marks in both runs
        MonitorHelper helper;
        helper.SetQueueAttribute("Interval", TimeValue(NanoSeconds(100)));
        Ptr<FabricMonitor> monitor = helper.InstallFabricMonitor(fabric);
        Ptr<QueueMonitor> queues = sampled ? helper.InstallQueueMonitor(fabric) : nullptr;
        PostOne(fabric, 1000000);
        Simulator::Run();
        Outcome outcome{};
        outcome.json = ResultWriter::ToJson(monitor->Collect("x")).dump();
        outcome.stockEvents = Simulator::GetEventCount();
        outcome.lastCompletion = monitor->GetLastCompletion();
        if (queues)
        {
            outcome.samples = queues->GetSamples();
            outcome.lastSample = queues->GetLastSample();
            outcome.peak = queues->GetPeak().bytes;
            queues->Dispose();
        }
        Simulator::Destroy();
        return outcome;
    }

    void DoRun() override
    {
        const Outcome off = RunOnce(false);
        const Outcome on = RunOnce(true);
        NS_TEST_EXPECT_MSG_EQ(on.json, off.json, "results identical to the bit");
        NS_TEST_EXPECT_MSG_EQ(on.stockEvents - off.stockEvents,
                              on.samples,
                              "the events more are the samples");
        // one sample each 100 ns while it runs, the last within a period of the completion
        NS_TEST_EXPECT_MSG_EQ(on.lastSample, (on.lastCompletion / 100 + 1) * 100, "disarmed");
        NS_TEST_EXPECT_MSG_EQ(on.samples, uint64_t(on.lastCompletion / 100 + 1), "all samples");
        // 1 MB comes at 100 Gb/s and leaves at 40: about 0.6 MB wait, at most what has come
        NS_TEST_EXPECT_MSG_GT(on.peak, 500000, "the queue was seen");
        NS_TEST_EXPECT_MSG_LT(on.peak, 700000, "and not more than there was");
    }
};

/** A27: pause frames have counters of their own. */
class PauseCounterTest : public TestCase
{
  public:
    PauseCounterTest()
        : TestCase("A27: 1234 pause frames are no data")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Fabric> fabric = RoceHelper().Install(MakeLine({100 * G, 100 * G}));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        Ptr<Port> from = fabric->GetPort(2, 0);
        const uint16_t quanta[8] = {0, 0, 0, 100, 0, 0, 0, 0};
        for (int i = 0; i < 1234; ++i)
        {
            // a source address of zero cannot make a difference: no port reads it
            Simulator::Schedule(NanoSeconds(10 * i), [from, &quanta]() {
                from->SendPause(1 << 3, quanta, EventCore::Get()->Now());
            });
        }
        Simulator::Run();
        const Ptr<Port> port = fabric->GetPort(0, 0);
        const PauseState& pause = port->GetPauseState();
        NS_TEST_EXPECT_MSG_EQ(pause.GetXoffs(3), 1234, "PFC rx of priority 3");
        NS_TEST_EXPECT_MSG_EQ(pause.GetXoffs(4), 0, "no other priority");
        NS_TEST_EXPECT_MSG_EQ(port->GetReceived().GetBytes(), 1234 * 64, "bytes on the wire");
        NS_TEST_EXPECT_MSG_EQ(port->GetReceived().GetFrames() - pause.GetFrames(), 0, "data rx");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetCounters().dataReceived, 0, "data rx of NIC");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(2, 1)->GetReceived().GetFrames(), 0, "no answer");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(1, 0)->GetReceived().GetFrames(), 0, "not forwarded");
        const RunResult result = monitor->Collect("x");
        for (uint64_t drops : result.drops)
        {
            NS_TEST_EXPECT_MSG_EQ(drops, 0, "no drops");
        }
        NS_TEST_EXPECT_MSG_EQ(result.pauseFrames, 1234, "pause frames");
        NS_TEST_EXPECT_MSG_EQ(result.frameHops, 1234, "all frames are hops");
        NS_TEST_EXPECT_MSG_EQ(result.utilizationMean, 0, "no link carried data");
        NS_TEST_EXPECT_MSG_EQ(result.xoff, 0, "the MMU of the switch paused nobody");
        // first frame arrives after (64 + 20) * 0.08 = 6.72 ns and 1000 ns; the pause of the last
        // one, 1233 * 10 ns later, ends 100 * 512 bits = 512 ns after it
        NS_TEST_EXPECT_MSG_EQ_TOL(result.pausedS, (12330 + 512) * 1e-9, 2e-9, "paused time");
        Simulator::Destroy();
    }
};

/** A queue pair that is paused for ever is named, and the run ends. */
class StallTest : public TestCase
{
  public:
    /** \param storm whether pause frames keep coming */
    explicit StallTest(bool storm)
        : TestCase(storm ? "endless pause frames" : "a pause that never ends"),
          m_storm(storm)
    {
    }

  private:
    void Pause()
    {
        const uint16_t quanta[8] = {0, 0, 0, 65535, 0, 0, 0, 0};
        m_port->SendPause(1 << 3, quanta, EventCore::Get()->Now());
        if (m_storm)
        {
            Simulator::Schedule(MicroSeconds(100), &StallTest::Pause, this);
        }
    }

    void DoRun() override
    {
        RoceHelper roce;
        roce.SetPortAttribute("PauseExpires", BooleanValue(m_storm));
        Ptr<Fabric> fabric = roce.Install(MakeLine({100 * G, 100 * G}));
        Ptr<StallDetector> detector = MonitorHelper().InstallStallDetector(fabric);
        m_port = fabric->GetPort(2, 0);
        Pause();
        // 2 us later the pause has arrived and host 0 may not send
        Simulator::Schedule(MicroSeconds(2), [fabric]() { PostOne(fabric, 5000); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(detector->HasStopped(), m_storm, "who ended the run");
        if (m_storm)
        {
            // StallTime is 200 ms, and it looks each 25 ms on beats of 10 ms
            NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(199), "patience");
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(241), "but not for ever");
        }
        const StallReport report = m_storm ? detector->GetReport() : detector->Describe();
        NS_TEST_ASSERT_MSG_EQ(report.pairs.size(), 1, "one queue pair");
        const StalledQueuePair& pair = report.pairs[0];
        NS_TEST_EXPECT_MSG_EQ(pair.host, 0, "host");
        NS_TEST_EXPECT_MSG_EQ(pair.peer, 1, "peer");
        NS_TEST_EXPECT_MSG_EQ((pair.cause == StallCause::PAUSED), true, pair.GetText());
        NS_TEST_EXPECT_MSG_EQ(pair.port, 0, "port");
        NS_TEST_EXPECT_MSG_EQ(pair.priority, 3, "priority");
        NS_TEST_EXPECT_MSG_EQ(pair.bytesLeft, 5000, "bytes");
        NS_TEST_EXPECT_MSG_NE(pair.GetText().find("paused at port 0, priority 3"),
                              std::string::npos,
                              pair.GetText());
        Simulator::Destroy();
        m_port = nullptr;
    }

    bool m_storm;
    Ptr<Port> m_port;
};

/** A lost tail without a timer is named as such. */
class LostTailTest : public TestCase
{
  public:
    LostTailTest()
        : TestCase("a lost tail without a retransmission timer")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        roce.SetNicAttribute("AckTimeout", TimeValue(Time(0)));
        Ptr<Fabric> fabric = roce.Install(MakeLine({100 * G, 100 * G}));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        Ptr<StallDetector> detector = MonitorHelper().InstallStallDetector(fabric);
        // 3 packets of 4096, 4096 and 1808 bytes; the last is lost
        fabric->GetPort(1, 0)->SetReceiveFilter([](const Frame& frame) { return frame.psn == 2; });
        PostOne(fabric, 10000);
        Simulator::Run();
        const StallReport report = detector->Describe();
        NS_TEST_ASSERT_MSG_EQ(report.pairs.size(), 1, "one queue pair");
        NS_TEST_EXPECT_MSG_EQ((report.pairs[0].cause == StallCause::ACK_NO_TIMER),
                              true,
                              report.pairs[0].GetText());
        NS_TEST_EXPECT_MSG_EQ(report.pairs[0].packet, 2, "the packet nobody acknowledged");
        NS_TEST_EXPECT_MSG_EQ(report.pairs[0].bytesLeft, 1808, "10000 - 2 * 4096");
        NS_TEST_EXPECT_MSG_EQ(monitor->Collect("x").GetErrorDrops(), 1, "one frame was lost");
        NS_TEST_EXPECT_MSG_EQ(monitor->Collect("x").completed, 0, "not done");
        Simulator::Destroy();
    }
};

/** The frame of a program: files, exit codes, repeatability. */
class ExperimentTest : public TestCase
{
  public:
    ExperimentTest()
        : TestCase("flags, exit codes, two equal runs")
    {
    }

  private:
    /** Call a small program. \return its exit code */
    int Program(std::vector<std::string> flags, bool stall = false)
    {
        flags.insert(flags.begin(), "roce-x");
        flags.push_back("--quiet");
        std::vector<char*> argv;
        for (std::string& flag : flags)
        {
            argv.push_back(flag.data());
        }
        const int argc = static_cast<int>(argv.size());
        return ExperimentHelper::Main(argc, argv.data(), [&]() {
            uint32_t senders = 3;
            ExperimentHelper exp("roce-x", "test");
            exp.AddFlag("senders", "how many", senders);
            exp.Parse(argc, argv.data());
            for (const std::string& cc : exp.GetCcs())
            {
                RunOne(exp, cc, senders, stall);
            }
            return exp.Finish();
        });
    }

    void RunOne(ExperimentHelper& exp, const std::string& cc, uint32_t senders, bool stall)
    {
        FabricGraph graph;
        for (uint32_t i = 0; i <= senders; ++i)
        {
            graph.AddHost(i);
        }
        graph.AddSwitch(100);
        for (uint32_t i = 0; i <= senders; ++i)
        {
            graph.AddLink(i, 100, 100 * G, 1000000);
        }
        RoceHelper roce;
        exp.Configure(roce, cc);
        roce.SetNicAttribute("AckTimeout", TimeValue(stall ? Time(0) : MilliSeconds(1)));
        Ptr<Fabric> fabric = roce.Install(graph);
        ExperimentRun& run = exp.Begin(cc, fabric);
        if (stall)
        {
            fabric->GetPort(100, 0)->SetReceiveFilter([](const Frame&) { return true; });
        }
        for (uint32_t i = 0; i < senders; ++i)
        {
            const Connection connection = fabric->Connect(i, senders);
            WorkRequest request;
            request.bytes = 200000;
            connection.nic->Post(connection.qp, request);
        }
        run.Run();
        exp.End();
    }

    /** \return a result file without its wall-clock keys */
    static std::string Load(const std::string& path)
    {
        std::ifstream file(path);
        ResultWriter::Json json = ResultWriter::Json::parse(file);
        for (auto& run : json["runs"])
        {
            run.erase("wall_s");
        }
        return json.dump();
    }

    void DoRun() override
    {
        const std::string a = CreateTempDirFilename("sub/a.json");
        const std::string b = CreateTempDirFilename("sub/b.json");
        const std::string c = CreateTempDirFilename("sub/c.json");
        NS_TEST_EXPECT_MSG_EQ(Program({"--cc=none,dcqcn", "--json=" + a}), 0, "runs");
        NS_TEST_EXPECT_MSG_EQ(Program({"--cc=none,dcqcn", "--json=" + b, "--progress"}),
                              0,
                              "again");
        NS_TEST_EXPECT_MSG_EQ(Load(a), Load(b), "the same but for wall time");
        NS_TEST_EXPECT_MSG_EQ(Program({"--cc=dcqcn", "--json=" + c}), 0, "alone");
        const ResultWriter::Json both = ResultWriter::Json::parse(Load(a));
        const ResultWriter::Json alone = ResultWriter::Json::parse(Load(c));
        NS_TEST_ASSERT_MSG_EQ(both["runs"].size(), 2, "two runs");
        NS_TEST_EXPECT_MSG_EQ(both["runs"][1].dump(),
                              alone["runs"][0].dump(),
                              "the second of two equals one alone");
        NS_TEST_EXPECT_MSG_EQ(both["runs"][0]["messages"]["completed"], 3, "all done");
        NS_TEST_EXPECT_MSG_EQ(both["runs"][0]["cnp"]["sent"], 0, "none: Not-ECT, no CNP");
        NS_TEST_EXPECT_MSG_EQ(both["config"]["senders"], "3", "defaults are noted");
        CheckMistakes(a);

        NS_TEST_EXPECT_MSG_EQ(Program({"--cc=none", "--json=" + a}, true), 3, "cannot finish");
        const ResultWriter::Json stalled = ResultWriter::Json::parse(Load(a));
        NS_TEST_ASSERT_MSG_EQ(stalled["runs"][0]["stalled"].size(), 1, "host 0 hangs");
        NS_TEST_EXPECT_MSG_EQ(stalled["runs"][0]["stalled"][0]["waits_for"],
                              "ack-no-timer",
                              "what for");
    }

    void CheckMistakes(const std::string& file)
    {
        NS_TEST_EXPECT_MSG_EQ(Program({"--cc=nonsense"}), 2, "no law");
        NS_TEST_EXPECT_MSG_EQ(Program({"--cc="}), 2, "no law at all");
        NS_TEST_EXPECT_MSG_EQ(Program({"--lb=banyan"}), 2, "a balancer that is not there");
        NS_TEST_EXPECT_MSG_EQ(Program({"--sender=3"}), 2, "a flag with a typo");
        NS_TEST_EXPECT_MSG_EQ(Program({"--senders=-3"}), 2, "no unsigned number");
        NS_TEST_EXPECT_MSG_EQ(Program({"--senders=4294967296"}), 2, "does not fit");
        NS_TEST_EXPECT_MSG_EQ(Program({"--quiet=maybe"}), 2, "no bool");
        NS_TEST_EXPECT_MSG_EQ(Program({"3"}), 2, "no flag");
        NS_TEST_EXPECT_MSG_EQ(Program({"--ns3::roce::Nic::Nonsense=3"}), 2, "no attribute");
        NS_TEST_EXPECT_MSG_EQ(Program({"--json=" + file + "/x.json"}), 2, "a file is no folder");
    }
};

/** Suite roce-monitor. */
class MonitorTestSuite : public TestSuite
{
  public:
    MonitorTestSuite()
        : TestSuite("roce-monitor", TestSuite::Type::UNIT)
    {
        AddTestCase(new LoneFlowTest, D::QUICK);
        AddTestCase(new IdealTest, D::QUICK);
        AddTestCase(new IdleTest, D::QUICK);
        AddTestCase(new PauseCounterTest, D::QUICK);
        AddTestCase(new StallTest(false), D::QUICK);
        AddTestCase(new StallTest(true), D::QUICK);
        AddTestCase(new LostTailTest, D::QUICK);
        AddTestCase(new ExperimentTest, D::QUICK);
    }
};

MonitorTestSuite g_monitorTestSuite;

} // namespace
