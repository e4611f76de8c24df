/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/roce-congestion-point.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

/**
 * CNPs of switches count like those of receivers.
 *
 * Eight hosts write 1 MB each to one at line rate: the port gets 8 times what it can send, so a law
 * that lives by CNPs causes some. When all is done none is under way: all sent are received, and
 * the buckets over time hold each of them once.
 */
class CnpCountTest : public TestCase
{
  public:
    /** \param law short name \param bySwitch whether switches send the CNPs */
    CnpCountTest(const std::string& law, bool bySwitch)
        : TestCase("CNPs sent, received and over time: " + law),
          m_law(law),
          m_bySwitch(bySwitch)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t senders = 8;
        RoceHelper roce;
        roce.SetCongestionControl(m_law);
        Ptr<Fabric> fabric = ClosHelper(1, 0, senders + 1).Install(roce);
        roce.AssignStreams(fabric, 0);
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        for (uint32_t i = 0; i < senders; ++i)
        {
            const Connection connection = fabric->Connect(i, senders);
            WorkRequest request;
            request.bytes = 1000000;
            connection.nic->Post(connection.qp, request);
        }
        Simulator::Run();

        uint64_t points = 0;
        for (const auto& stage : fabric->GetSwitch(senders + 1)->GetStages())
        {
            const Ptr<CongestionPoint> point = DynamicCast<CongestionPoint>(stage);
            points += point ? point->GetCnps() : 0;
        }
        const uint64_t receiver = fabric->GetNic(senders)->GetCounters().cnpsSent;
        const RunResult result = monitor->Collect("x");
        NS_TEST_EXPECT_MSG_EQ(result.completed, senders, "all done");
        NS_TEST_EXPECT_MSG_EQ((points > 0), m_bySwitch, "CNPs of the switch");
        NS_TEST_EXPECT_MSG_EQ((receiver > 0), !m_bySwitch, "CNPs of the receiver");
        NS_TEST_EXPECT_MSG_EQ(result.cnpSent, points + receiver, "both count");
        NS_TEST_EXPECT_MSG_EQ(result.cnpReceived, result.cnpSent, "none is lost");
        NS_TEST_ASSERT_MSG_GT(result.cnpPerS.size(), 1, "buckets");
        const double width = result.cnpPerS[1].first - result.cnpPerS[0].first;
        double sum = 0;
        for (const auto& bucket : result.cnpPerS)
        {
            sum += bucket.second * width;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, double(result.cnpReceived), 1e-6, "each in one bucket");
        Simulator::Destroy();
    }

    std::string m_law;
    bool m_bySwitch;
};

/** Suite roce-monitor-cnp. */
class MonitorCnpTestSuite : public TestSuite
{
  public:
    MonitorCnpTestSuite()
        : TestSuite("roce-monitor-cnp", TestSuite::Type::UNIT)
    {
        AddTestCase(new CnpCountTest("dcqcn", false), D::QUICK);
        AddTestCase(new CnpCountTest("hcc", true), D::QUICK);
    }
};

MonitorCnpTestSuite g_monitorCnpTestSuite;

} // namespace
