/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-job-helper.h"
#include "ns3/roce-workload-loader.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Common to the cases: connection matrices of 2 MB on a fat-tree of 16 hosts, 100G and 1 us. */
class MatrixTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Run connections.
     * \param pairs who sends to whom
     * \param spray whether each packet takes a path of its own, and NICs expect that
     * \return time of the last end, us
     */
    double Run(const std::vector<std::pair<uint32_t, uint32_t>>& pairs, bool spray = false)
    {
        std::string text = "Nodes 16\nConnections " + std::to_string(pairs.size()) + "\n";
        uint32_t id = 0;
        for (const auto& [from, to] : pairs)
        {
            text += std::to_string(from) + "->" + std::to_string(to) + " id " +
                    std::to_string(++id) + " start 0 size 2000000\n";
        }
        return RunText(text, spray);
    }

    /** The same for a matrix. \param text of the file \param spray as above \return time of the
     *  last end, us */
    double RunText(const std::string& text, bool spray = false)
    {
        RoceHelper roce;
        roce.SetCongestionControl("none");
        if (spray)
        {
            // a packet that is late by less than 256 others is not lost; there is no window
            roce.SetLoadBalancer("spray");
            roce.SetLossRecovery("irn");
            roce.SetLossRecoveryAttribute("ReorderThreshold", UintegerValue(256));
            roce.SetLossRecoveryAttribute("BdpCap", BooleanValue(false));
        }
        FatTreePlan plan;
        plan.k = 4;
        const FabricGraph graph = FatTreeBuilder::Build(plan);
        auto network = Create<GpuNetwork>(roce.Install(graph), GpuMap::OnePerHost(graph));
        std::vector<uint32_t> gpus(16);
        std::iota(gpus.begin(), gpus.end(), 0);
        Ptr<TaskGraph> tasks = WorkloadLoader::Parse("matrix", text);
        Ptr<Job> job = JobHelper().Install(network, gpus, tasks);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(job->IsFinished(), true, job->Describe());
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < tasks->GetTasks(); ++i)
        {
            bytes += tasks->GetTask(i).kind == TaskKind::SEND ? tasks->GetTask(i).bytes : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(job->GetMessageBytes(), bytes, "bytes sent");
        const double us = job->GetResult().GetDuration().ToDouble(Time::US);
        Simulator::Destroy();
        return us;
    }
};

/** D16: limits of htsim's own regression, at 100 Gbit/s. */
class LimitsTest : public MatrixTest
{
  public:
    LimitsTest()
        : MatrixTest("D16: one flow, two ways, incast, permutation")
    {
    }

  private:
    void DoRun() override
    {
        // 2 MB take 160 us at 100G without headers: nothing may be faster
        const double one = Run({{0, 15}});
        NS_TEST_EXPECT_MSG_GT(one, 160, "beats the wire");
        NS_TEST_EXPECT_MSG_LT(one, 180, "one.cm: tail FCT");
        const double both = Run({{0, 15}, {15, 0}});
        NS_TEST_EXPECT_MSG_LT(both, 190, "bidir.cm: tail FCT");
        std::vector<std::pair<uint32_t, uint32_t>> incast;
        for (uint32_t i = 1; i < 16; ++i)
        {
            incast.emplace_back(i, 0);
        }
        const double many = Run(incast);
        NS_TEST_EXPECT_MSG_GT(many, 15 * 160, "beats the wire");
        NS_TEST_EXPECT_MSG_LT(many, 2500, "incast.cm: tail FCT");
        // each host sends to the one 5 further on: all but one leave their edge switch
        std::vector<std::pair<uint32_t, uint32_t>> shifted;
        for (uint32_t i = 0; i < 16; ++i)
        {
            shifted.emplace_back(i, (i + 5) % 16);
        }
        NS_TEST_EXPECT_MSG_LT(Run(shifted), 1300, "perm_16n, single path: tail FCT");
        const double sprayed = Run(shifted, true);
        NS_TEST_EXPECT_MSG_GT(sprayed, 160, "beats the wire");
        NS_TEST_EXPECT_MSG_LT(sprayed, 210, "perm_16n, many paths: tail FCT");
    }
};

/** Connections that triggers start. */
class TriggerTest : public MatrixTest
{
  public:
    TriggerTest()
        : MatrixTest("triggers: one after the other, and after all of a round")
    {
    }

  private:
    void DoRun() override
    {
        // three in a row on the same path: 3 times one, less what an ACK takes to come back, as
        // the next starts when the receiver has it all
        const double one = Run({{0, 15}});
        const double chain = RunText("Nodes 16\nConnections 3\nTriggers 2\n"
                                     "0->15 id 1 start 0 size 2000000 recv_done_trigger 1\n"
                                     "15->0 id 2 trigger 1 size 2000000 recv_done_trigger 2\n"
                                     "0->15 id 3 trigger 2 size 2000000\n"
                                     "trigger id 1 oneshot\ntrigger id 2 oneshot\n");
        // an ACK of 86 bytes over 6 links of 1 us: 6.04 us
        NS_TEST_EXPECT_MSG_EQ_TOL(chain, 3 * one - 2 * 6.04, 0.5, "one after the other");
        // a barrier of two connections of different length starts the third
        const double barrier = RunText("Nodes 16\nConnections 3\nTriggers 1\n"
                                       "0->1 id 1 start 0 size 2000000 recv_done_trigger 1\n"
                                       "2->3 id 2 start 0 size 1000 recv_done_trigger 1\n"
                                       "4->5 id 3 trigger 1 size 2000000\n"
                                       "trigger id 1 barrier count 2\n");
        NS_TEST_EXPECT_MSG_GT(barrier, 2 * 160, "does not wait for the longer one");
        NS_TEST_EXPECT_MSG_LT(barrier, 2 * 175, "waits for more than the longer one");
    }
};

/** Suite roce-workload. */
class WorkloadTestSuite : public TestSuite
{
  public:
    WorkloadTestSuite()
        : TestSuite("roce-workload", TestSuite::Type::UNIT)
    {
        AddTestCase(new LimitsTest(), D::QUICK);
        AddTestCase(new TriggerTest(), D::QUICK);
    }
};

WorkloadTestSuite g_workloadTestSuite; //!< registers the suite

} // namespace
