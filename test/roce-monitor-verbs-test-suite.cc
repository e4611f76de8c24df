/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-monitor-verbs-test.h"
#include "roce-test-compat.h"

using namespace ns3;
using namespace ns3::roce;

// Links of 100 Gb/s (0.08 ns a byte) and 1 us, one switch, packets of 4096 bytes. A frame has 62
// bytes around payload and extension headers, and 20 of preamble and gap on the link. RETH 16,
// AtomicETH 28, AETH 4, AtomicAckETH 8.

namespace
{

/** Times of a lone request of each kind. */
class KindsTest : public MonitorVerbsTest
{
  public:
    KindsTest()
        : MonitorVerbsTest("SEND, READ, atomic and UC alone: FCT, TTD, goodput, utilization")
    {
    }

  private:
    RunResult Lone(Operation operation, uint64_t bytes, TransportService service)
    {
        Reset();
        ConnectionOptions options;
        options.service = service;
        Build({100 * GBPS, 100 * GBPS}, options);
        PostReceive(bytes);
        Post(operation, bytes);
        Simulator::Run();
        const RunResult result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1, "done");
        NS_TEST_EXPECT_MSG_EQ(monitor->GetMessages().size(), 1, "one record");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.slowdown.GetMean(), 1, 1e-6, "alone");
        return result;
    }

    void Check(const RunResult& result, double fct, double ttd, double busy, uint64_t hops)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(result.fctNs.GetMean(), fct, 1, "FCT");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.ttdNs.GetMean(), ttd, 1, "TTD");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.utilizationBottleneck, busy / fct, 3e-4, "busiest link");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.utilizationMean, busy / fct, 3e-4, "links with data");
        NS_TEST_EXPECT_MSG_EQ(result.frameHops, hops, "hops");
    }

    void DoRun() override
    {
        // 10000 bytes are 4096 + 4096 + 1808. SEND: 2 * 4178 + 1890 bytes = 819.68 ns a link; the
        // second link begins 334.24 + 1000 ns after the first and is never idle. ACK 86 bytes.
        const double sent = 334.24 + 819.68 + 2000;
        RunResult result = Lone(Operation::SEND, 10000, TransportService::RC);
        Check(result, sent + 2 * 6.88 + 2000, sent, 819.68, 12);
        NS_TEST_EXPECT_MSG_EQ((monitor->GetMessages()[0].operation == Operation::SEND), true, "");

        // The same over UC ends with the arrival, and nothing comes back.
        result = Lone(Operation::SEND, 10000, TransportService::UC);
        Check(result, sent, sent, 819.68, 6);
        NS_TEST_EXPECT_MSG_EQ(result.lost, 0, "arrived");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.goodputBps, 80000e9 / sent, 3e7, "goodput of UC");

        // READ: the request has 78 + 20 bytes = 7.84 ns. Responses of 4096 + 86, 4096 + 82 and
        // 1808 + 86 bytes are 334.56 + 334.24 + 151.52 = 820.32 ns a link, all on the way back.
        const double read = 2 * 7.84 + 2000 + 334.56 + 820.32 + 2000;
        result = Lone(Operation::READ, 10000, TransportService::RC);
        Check(result, read, read, 820.32, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.goodputBps, 80000e9 / read, 2e7, "goodput");
        NS_TEST_EXPECT_MSG_EQ(result.readResponses, 3, "responses");
        NS_TEST_EXPECT_MSG_EQ(result.retransmitted, 0, "nothing twice");

        // Atomic: 90 + 20 bytes = 8.8 ns there, 74 + 20 bytes = 7.52 ns back.
        const double atomic = 2 * 8.8 + 2000 + 2 * 7.52 + 2000;
        Check(Lone(Operation::FETCH_ADD, 8, TransportService::RC), atomic, atomic, 8.8, 4);
    }
};

/** Slowdown 1 for lone requests over links of different rates. */
class IdealKindsTest : public MonitorVerbsTest
{
  public:
    IdealKindsTest()
        : MonitorVerbsTest("slowdown 1 for a lone SEND, READ and atomic, mixed rates")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::vector<uint64_t>> paths = {{10 * GBPS, 40 * GBPS},
                                                          {40 * GBPS, 10 * GBPS, 40 * GBPS},
                                                          {40 * GBPS, 40 * GBPS, 10 * GBPS}};
        for (const auto& path : paths)
        {
            for (uint64_t bytes : {1ull, 5000ull, 300000ull})
            {
                for (Operation operation :
                     {Operation::SEND, Operation::READ, Operation::COMPARE_SWAP})
                {
                    Reset();
                    Build(path);
                    PostReceive(bytes);
                    Post(operation, IsAtomic(operation) ? 8 : bytes);
                    Simulator::Run();
                    NS_TEST_EXPECT_MSG_EQ_TOL(monitor->Collect("x").slowdown.GetMean(),
                                              1,
                                              1e-6,
                                              bytes << " bytes, " << path.size() << " links");
                }
            }
        }
    }
};

/** What was lost over UC is counted, and the others keep their times. */
class UnreliableTest : public MonitorVerbsTest
{
  public:
    UnreliableTest()
        : MonitorVerbsTest("UC: the second of three messages is lost")
    {
    }

  private:
    void DoRun() override
    {
        ConnectionOptions options;
        options.service = TransportService::UC;
        Build({100 * GBPS, 100 * GBPS}, options);
        fabric->GetPort(1, 0)->SetReceiveFilter([](const Frame& frame) { return frame.psn == 1; });
        for (int i = 0; i < 3; ++i)
        {
            Post(Operation::WRITE, 1000);
        }
        Simulator::Run();
        const RunResult result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 3, "all were sent");
        NS_TEST_EXPECT_MSG_EQ(result.lost, 1, "one has not arrived");
        NS_TEST_EXPECT_MSG_EQ(result.GetErrorDrops(), 1, "one frame");
        NS_TEST_ASSERT_MSG_EQ(monitor->GetMessages().size(), 2, "two arrived");
        // 1000 + 78 + 20 bytes = 87.84 ns each; message 0 crosses two links alone, message 2
        // follows two others
        const MessageRecord& first = monitor->GetMessages()[0];
        const MessageRecord& last = monitor->GetMessages()[1];
        NS_TEST_EXPECT_MSG_EQ(first.id, 0, "the first");
        NS_TEST_EXPECT_MSG_EQ(last.id, 2, "the third");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(first.arrived), 2 * 87.84 + 2000, 1, "first");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(last.arrived), 4 * 87.84 + 2000, 1, "third");
        NS_TEST_EXPECT_MSG_EQ(last.completed, last.arrived, "ends with the arrival");
        const double end = 4 * 87.84 + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(result.simTimeS, end * 1e-9, 1e-9, "end of the run");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.goodputBps, 16000e9 / end, 5e6, "2000 bytes arrived");
    }
};

/** A WRITE behind a READ: each has its own arrival. */
class MixedTest : public MonitorVerbsTest
{
  public:
    MixedTest()
        : MonitorVerbsTest("a WRITE behind a READ arrives long before it completes")
    {
    }

  private:
    void DoRun() override
    {
        Build();
        Post(Operation::READ, 10000);
        Post(Operation::WRITE, 1000);
        Simulator::Run();
        const auto& messages = monitor->GetMessages();
        NS_TEST_ASSERT_MSG_EQ(messages.size(), 2, "both done");
        NS_TEST_EXPECT_MSG_EQ((messages[0].operation == Operation::READ), true, "in order");
        NS_TEST_EXPECT_MSG_EQ(messages[0].arrived, messages[0].completed, "data comes here");
        // The WRITE leaves behind the request of the READ: 7.84 + 87.84 ns, and takes 87.84 ns on
        // the second link. Its ACK leaves host 1 behind the last response, but goes before it in
        // the switch, where the response waits for another one: the READ ends as in KindsTest and
        // 6.88 ns later, and the WRITE with it.
        const double read = 2 * 7.84 + 2000 + 334.56 + 820.32 + 6.88 + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(messages[0].completed), read, 1, "READ");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(messages[1].arrived), 7.84 + 2 * 87.84 + 2000, 1, "WRITE");
        NS_TEST_EXPECT_MSG_EQ(messages[1].completed, messages[0].completed, "together");
    }
};

/** RNR NAKs are counted, also the one that ends the queue pair. */
class RnrCountTest : public MonitorVerbsTest
{
  public:
    RnrCountTest()
        : MonitorVerbsTest("RNR NAKs: counted, and a late receive request ends the wait")
    {
    }

  private:
    void DoRun() override
    {
        // Timer code 12: 0.64 ms. The SEND comes at 0, 0.64 and 1.28 ms, the last time after the
        // receive request.
        Build();
        Post(Operation::SEND, 1000);
        At(MilliSeconds(1), [this]() { PostReceive(1000); });
        Simulator::Run();
        RunResult result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1, "done");
        NS_TEST_EXPECT_MSG_EQ(result.rnrNaks, 2, "refused twice");
        NS_TEST_EXPECT_MSG_EQ(result.naks, 2, "and that is all");
        NS_TEST_EXPECT_MSG_EQ(result.retransmitted, 2, "sent three times");
        NS_TEST_EXPECT_MSG_EQ(detector->HasStopped(), false, "no stall");

        // one retry: the second NAK is one too many
        Reset();
        roce->SetTransportAttribute("RnrRetryLimit", UintegerValue(1));
        Build();
        Post(Operation::SEND, 1000);
        Simulator::Run();
        result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.failed, 1, "given up");
        NS_TEST_EXPECT_MSG_EQ(result.rnrNaks, 2, "both count");
    }
};

/** Suite roce-monitor-verbs. */
class MonitorVerbsTestSuite : public TestSuite
{
  public:
    MonitorVerbsTestSuite()
        : TestSuite("roce-monitor-verbs", TestSuite::Type::UNIT)
    {
        AddTestCase(new KindsTest, D::QUICK);
        AddTestCase(new IdealKindsTest, D::QUICK);
        AddTestCase(new UnreliableTest, D::QUICK);
        AddTestCase(new MixedTest, D::QUICK);
        AddTestCase(new RnrCountTest, D::QUICK);
    }
};

MonitorVerbsTestSuite g_monitorVerbsTestSuite;

} // namespace
