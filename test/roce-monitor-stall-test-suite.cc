/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-monitor-verbs-test.h"
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-experiment-helper.h"

#include <fstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Trying again for ever is a stall. */
class RnrStallTest : public MonitorVerbsTest
{
  public:
    RnrStallTest()
        : MonitorVerbsTest("no receive request for ever is a stall, although frames move")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Post(Operation::SEND, 5000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(detector->HasStopped(), true, "ended by the detector");
        // StallTime is 200 ms, and it looks each 25 ms on beats of 10 ms
        NS_TEST_EXPECT_MSG_GT(Simulator::Now(), MilliSeconds(199), "patience");
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), MilliSeconds(271), "but not for ever");
        Expect(StallCause::RNR,
               "no receive request at host 1 QP " + std::to_string(pair.peerQp->GetQpn()) +
                   ", tries again for ever");

        // a receive request in time: no stall
        Reset();
        Build();
        Post(Operation::SEND, 5000);
        At(MilliSeconds(150), [this]() { PostReceive(5000); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(detector->HasStopped(), false, "not stopped");
        NS_TEST_EXPECT_MSG_EQ(monitor->Collect("x").completed, 1, "done");

        // code 0 waits 655.36 ms without a frame, longer than StallTime
        Reset();
        roce->SetTransportAttribute("RnrTimer", UintegerValue(0));
        Build();
        Post(Operation::SEND, 5000);
        At(MilliSeconds(1), [this]() { PostReceive(5000); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(detector->HasStopped(), false, "the RNR timer is waited for");
        NS_TEST_EXPECT_MSG_EQ(monitor->Collect("x").completed, 1, "done");
    }
};

/** What a queue pair can wait for, each in a run. */
class CausesTest : public MonitorVerbsTest
{
  public:
    CausesTest()
        : MonitorVerbsTest("causes: READ limit, fence, answer, credits, drain, states, pauses")
    {
    }

  private:
    void Outstanding()
    {
        roce->SetTransportAttribute("MaxReads", UintegerValue(1));
        Build();
        Post(Operation::READ, 100);
        At(MicroSeconds(1), [this]() {
            Expect(StallCause::READ_ANSWER, "missing from packet 0 on");
            Post(Operation::READ, 100);
            Expect(StallCause::READ_LIMIT, "1 READs and atomics are outstanding");
        });
        Simulator::Run();
        Reset();
        Build();
        Post(Operation::READ, 100);
        Post(Operation::WRITE, 100, true);
        At(MicroSeconds(1), [this]() { Expect(StallCause::FENCE, "waits for the READ"); });
        Simulator::Run();
        Reset();
    }

    void Credits()
    {
        // The ACK of the first SEND says that no receive request is left. One packet may go
        // without credit (IBTA 9.7.7.2.5), the third SEND may not.
        roce->SetTransportAttribute("Credits", BooleanValue(true));
        Build();
        PostReceive(100);
        Post(Operation::SEND, 100);
        At(MicroSeconds(10), [this]() {
            Post(Operation::SEND, 100);
            Post(Operation::SEND, 100);
        });
        At(MicroSeconds(11), [this]() {
            Expect(StallCause::CREDIT, "no credit: no receive request at host 1 QP");
            PostReceive(100);
            PostReceive(100);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(monitor->Collect("x").completed, 3, "credits came");
        Reset();
    }

    void States()
    {
        Build();
        pair.nic->Modify(pair.qp, QueuePairState::SQD);
        Post(Operation::WRITE, 100);
        Simulator::Run(); // ends: nothing is pending
        Expect(StallCause::DRAIN, "state SQD");
        Reset();
        roce->SetNicAttribute("AckTimeout", TimeValue(Time(0)));
        Build();
        pair.peerNic->Modify(pair.peerQp, QueuePairState::ERROR);
        Post(Operation::WRITE, 100);
        Simulator::Run();
        Expect(StallCause::PEER_STATE, "is in state ERROR and takes nothing");
        Reset();
    }

    void Responses()
    {
        roce->SetNicAttribute("AckTimeout", TimeValue(Time(0)));
        roce->SetPortAttribute("PauseExpires", BooleanValue(false));
        Build();
        const uint16_t quanta[8] = {0, 0, 0, 65535, 0, 0, 0, 0};
        fabric->GetPort(2, 1)->SendPause(1 << 3, quanta, EventCore::Get()->Now());
        At(MicroSeconds(2), [this]() { Post(Operation::READ, 10000); });
        Simulator::Run();
        Expect(StallCause::RESPONSES_PAUSED, "whose port 0 is paused or has no link, priority 3");
        Reset();
        // the last of three responses is lost; nothing asks for it again
        roce->SetNicAttribute("AckTimeout", TimeValue(Time(0)));
        Build();
        fabric->GetPort(0, 0)->SetReceiveFilter([](const Frame& f) { return f.psn == 2; });
        Post(Operation::READ, 10000);
        Simulator::Run();
        Expect(StallCause::ACK_NO_TIMER, "the answer to a READ or atomic, packet 2 and has no");
        NS_TEST_EXPECT_MSG_EQ(Waits().bytesLeft, 1808, "10000 - 2 * 4096");
        Reset();
    }

    void DoRun() override
    {
        Outstanding();
        Credits();
        States();
        Responses();
        NS_TEST_EXPECT_MSG_EQ(checked, 8, "each cause was seen");
    }
};

/** A program whose receiver forgets its receive requests. */
class RnrProgramTest : public TestCase
{
  public:
    RnrProgramTest()
        : TestCase("a program without receive requests: exit code 3 and its reason")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("rnr.json");
        std::vector<std::string> flags = {"roce-x", "--quiet", "--cc=none", "--json=" + file};
        std::vector<char*> argv;
        for (std::string& flag : flags)
        {
            argv.push_back(flag.data());
        }
        const int argc = static_cast<int>(argv.size());
        const int code = ExperimentHelper::Main(argc, argv.data(), [&]() {
            ExperimentHelper exp("roce-x", "test");
            exp.Parse(argc, argv.data());
            RoceHelper roce;
            exp.Configure(roce, "none");
            Ptr<Fabric> fabric = roce.Install(ChainGraph({100 * GBPS, 100 * GBPS}, 1000));
            ExperimentRun& run = exp.Begin("none", fabric);
            const Connection pair = fabric->Connect(0, 1);
            WorkRequest request;
            request.operation = Operation::SEND;
            request.bytes = 1000;
            pair.nic->Post(pair.qp, request);
            run.Run();
            exp.End();
            return exp.Finish();
        });
        NS_TEST_EXPECT_MSG_EQ(code, 3, "cannot finish");
        std::ifstream stream(file);
        const ResultWriter::Json run = ResultWriter::Json::parse(stream)["runs"][0];
        NS_TEST_ASSERT_MSG_EQ(run["stalled"].size(), 1, "one queue pair");
        NS_TEST_EXPECT_MSG_EQ(run["stalled"][0]["waits_for"], "rnr", "what for");
        NS_TEST_EXPECT_MSG_GT(run["rnr_naks"], 300, "200 ms / 0.64 ms");
        NS_TEST_EXPECT_MSG_EQ(run["read_responses"], 0, "no READ");
        NS_TEST_EXPECT_MSG_EQ(run["messages"]["lost"], 0, "no UC");
        Simulator::Destroy();
    }
};

/** A run that is stopped in the middle of a message: no link is more than full. */
class StoppedTest : public TestCase
{
  public:
    StoppedTest()
        : TestCase("utilization of a run that is stopped")
    {
    }

  private:
    void DoRun() override
    {
        // 1 kB completes after some us, 1 GB (80 ms) is under way when the run stops at 1 ms. The
        // first link is full but for what its delay of 1 us and one frame take from its end: > 0.99
        Ptr<Fabric> fabric = RoceHelper().Install(StarGraph(2, 100 * GBPS, 1000));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        const Connection connection = fabric->Connect(0, 1);
        WorkRequest request;
        for (const uint64_t bytes : {1000, 1000000000})
        {
            request.bytes = bytes;
            connection.nic->Post(connection.qp, request);
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const RunResult result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1, "the short one");
        NS_TEST_EXPECT_MSG_GT(result.utilizationBottleneck, 0.99, "full");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.utilizationBottleneck, 1, "and not more");
        NS_TEST_EXPECT_MSG_EQ_TOL(monitor->GetWorkSeconds(), 1e-3, 1e-12, "all of the run");
        Simulator::Destroy();
    }
};

/** Suite roce-monitor-stall. */
class MonitorStallTestSuite : public TestSuite
{
  public:
    MonitorStallTestSuite()
        : TestSuite("roce-monitor-stall", TestSuite::Type::UNIT)
    {
        AddTestCase(new RnrStallTest, D::QUICK);
        AddTestCase(new CausesTest, D::QUICK);
        AddTestCase(new RnrProgramTest, D::QUICK);
        AddTestCase(new StoppedTest, D::QUICK);
    }
};

MonitorStallTestSuite g_monitorStallTestSuite;

} // namespace
