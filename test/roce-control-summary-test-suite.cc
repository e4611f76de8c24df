/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-monitor-helper.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** The words under each run. */
class WordsTest : public TestCase
{
  public:
    WordsTest()
        : TestCase("whether congestion control is active, in words")
    {
    }

  private:
    void DoRun() override
    {
        RunResult result;
        NS_TEST_EXPECT_MSG_EQ(ExperimentHelper::DescribeControl(result),
                              "not active: no CNP, no mark, no rate change",
                              "nothing at all");
        result.cnpReceived = 567;
        result.ecnMarked = 1000;
        NS_TEST_EXPECT_MSG_EQ(ExperimentHelper::DescribeControl(result),
                              "not active: 567 CNPs, 1,000 marks, 0 ACKs with telemetry, no rate "
                              "change",
                              "signs that nobody heeds");
        result.rateChanges = 1234;
        NS_TEST_EXPECT_MSG_EQ(ExperimentHelper::DescribeControl(result),
                              "active, 1,234 rate changes, 567 CNPs",
                              "a law of rates");
        result.rateChanges = 0;
        result.cnpReceived = 0;
        result.windowChanges = 12345678;
        result.intAcks = 999;
        NS_TEST_EXPECT_MSG_EQ(ExperimentHelper::DescribeControl(result),
                              "active, 0 rate changes, 12,345,678 window changes, 0 CNPs, 999 ACKs "
                              "with telemetry",
                              "a law of windows");
    }
};

/** What a run says of its congestion control, against traces of all laws. */
class SummaryTest : public FabricTest
{
  public:
    /** \param law short name \param destroy whether queue pairs are destroyed before the count */
    SummaryTest(const std::string& law, bool destroy)
        : FabricTest(law + (destroy ? ", queue pairs destroyed" : "")),
          m_law(law),
          m_destroy(destroy)
    {
    }

  private:
    static void Count(uint64_t* changes, uint32_t, uint64_t, uint64_t)
    {
        ++*changes;
    }

    void DoRun() override
    {
        constexpr uint32_t senders = 8;
        uint64_t changes = 0;
        helper->SetCongestionControl(m_law);
        helper->SetNicAttribute("EcnCapable", BooleanValue(m_law != "none"));
        Build(StarGraph(senders + 1, 100 * GBPS, 1000));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        for (uint32_t i = 0; i < senders; ++i)
        {
            TestFlow& flow = Open(i, senders);
            flow.pair.qp->GetCongestionControl()->TraceConnectWithoutContext(
                "Rate",
                MakeBoundCallback(&SummaryTest::Count, &changes));
            Post(flow, 1000000);
        }
        Run();
        uint64_t cnps = 0;
        uint64_t acks = 0;
        for (const TestFlow& flow : flows)
        {
            cnps += Sender(flow).cnpsReceived;
            acks += Sender(flow).acksReceived;
            if (m_destroy)
            {
                flow.pair.nic->Destroy(flow.pair.qp);
            }
        }
        const auto run = ResultWriter::ToJson(monitor->Collect("x"))["cc"];
        NS_TEST_EXPECT_MSG_EQ(run["rate_changes"], changes, "as the traces say");
        NS_TEST_EXPECT_MSG_EQ(run["cnps"], cnps, "as the NICs say");
        const bool none = m_law == "none";
        const bool telemetry = m_law == "hpcc";
        NS_TEST_EXPECT_MSG_EQ(run["active"], !none, "8 into 1 slows all laws but none");
        NS_TEST_EXPECT_MSG_EQ((changes > 0), !none, "they change rates");
        NS_TEST_EXPECT_MSG_EQ((cnps > 0), (m_law == "dcqcn"), "8 MB into 1 marks packets");
        NS_TEST_EXPECT_MSG_EQ(run["int_acks"], (telemetry ? acks : 0), "each ACK has telemetry");
        NS_TEST_EXPECT_MSG_EQ((run["window_changes"] > 0), telemetry, "windows");
    }

    std::string m_law;
    bool m_destroy;
};

/** Suite roce-control-summary. */
class ControlSummaryTestSuite : public TestSuite
{
  public:
    ControlSummaryTestSuite()
        : TestSuite("roce-control-summary", TestSuite::Type::UNIT)
    {
        AddTestCase(new WordsTest, D::QUICK);
        for (bool destroy : {false, true})
        {
            for (const char* law : {"none", "dcqcn", "hpcc"})
            {
                AddTestCase(new SummaryTest(law, destroy), D::QUICK);
            }
        }
    }
};

ControlSummaryTestSuite g_controlSummaryTestSuite; //!< registers the suite

} // namespace
