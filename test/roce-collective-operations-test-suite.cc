/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "catch2/roce-schedule-formulas.h"
#include "roce-test-compat.h"
#include "roce-test-gpus.h"

#include "ns3/data-rate.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return GPUs 0..n-1 */
std::vector<uint32_t>
All(uint32_t n)
{
    std::vector<uint32_t> gpus(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        gpus[i] = i;
    }
    return gpus;
}

/** What a case of A23 runs and what bounds it. */
struct Operation23
{
    std::string operation;
    std::string algorithm;
    uint32_t rounds; //!< messages that follow each other
    double share;    //!< bytes a rank sends / S
};

/** Case A23: no operation beats the wire, and each comes near it. */
class WireTest : public TestCase
{
  public:
    explicit WireTest(const Operation23& what)
        : TestCase("A23: " + what.operation + " " + what.algorithm),
          m_what(what)
    {
    }

  private:
    void DoRun() override
    {
        const double s = 67108864;
        CollectiveHelper helper;
        helper.SetOperation(m_what.operation, m_what.algorithm);
        helper.SetBytes(67108864);
        Ptr<CollectiveRun> run = helper.Install(MakeTestGpus(8, 1), All(8));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, run->Describe());
        const double t = run->GetDuration().GetSeconds();
        const double bound = m_what.share * s * 8 / 1e11;
        NS_TEST_EXPECT_MSG_GT(t, bound, "beats the wire");
        // P = 4096, H = 62 + 20: no rank can receive its bytes faster
        NS_TEST_EXPECT_MSG_GT(t, bound * (4096 + 82) / 4096, "beats the wire with headers");
        NS_TEST_EXPECT_MSG_LT(run->GetBusBandwidth(), 12.5e9 * 4096 / 4178, "busbw");
        // on its way out a rank also has the ACKs of what it gets: 66 + 20 bytes a packet; and each
        // round waits for the last packet of the one before: 2 us and its second serialization
        const double lat = 2e-6 + 334.24e-9;
        const double ideal = bound * (4178 + 86) / 4096 + m_what.rounds * lat + 2e-6;
        NS_TEST_EXPECT_MSG_LT(t, ideal * 1.02, "not within the share of headers");
        Simulator::Destroy();
    }

    Operation23 m_what;
};

/** Hierarchical all-reduce against its three terms. */
class ThreeStageTest : public TestCase
{
  public:
    ThreeStageTest(const std::string& mapping, uint32_t chunks)
        : TestCase("three stages, mapping " + mapping + ", " + std::to_string(chunks) + " chunks"),
          m_mapping(mapping),
          m_chunks(chunks)
    {
    }

  private:
    void DoRun() override
    {
        // 2 pods of 2 servers of 4 GPUs on one switch
        const uint64_t bytes = 33554432;
        const auto s = static_cast<double>(bytes);
        Ptr<GpuNetwork> network = MakeTestGpus(16, 4);
        CollectiveHelper helper;
        helper.SetOperation("all-reduce", "hierarchical");
        helper.SetLevels({4, 2, 2}, m_mapping);
        helper.SetBytes(bytes);
        helper.SetChunks(m_chunks);
        Ptr<CollectiveRun> run = helper.Install(network, All(16));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, run->Describe());
        const double t = run->GetDuration().GetSeconds();
        const double wire = 12.5e9 * 4096 / (4178 + 86);
        const double lat = 2e-6 + 334.24e-9;
        const double nvlink = 450e9;
        if (m_mapping == "rail")
        {
            // each way: servers reduce-scatter S over 4; pods S/4 over 2, of which a rank sends
            // half; between pods S/8 over 2, of which it sends half. Twice, there and back.
            for (uint32_t r = 0; r < 16; ++r)
            {
                NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetNic(r)->GetCounters().bytesCompleted,
                                      2 * (bytes / 8 + bytes / 16),
                                      "bytes of NIC " << r);
                NS_TEST_EXPECT_MSG_EQ(network->GetNvlink(r / 4)->GetBytesSent(r % 4),
                                      2 * (bytes / 4 * 3),
                                      "bytes of GPU " << r << " over NVLink");
            }
            const double stage1 = 2 * (0.75 * s / nvlink + 3 * 500e-9);
            const double stage2 = 2 * (s / 8 / wire + lat);
            const double stage3 = 2 * (s / 16 / wire + lat);
            const double sum = stage1 + stage2 + stage3;
            if (m_chunks == 1)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(t, sum, 0.03 * sum, "T = T1 + T2 + T3");
            }
            else
            {
                // stages overlap: not faster than the NIC alone, but faster than one by one
                NS_TEST_EXPECT_MSG_LT(t, sum, "chunks do not overlap");
                NS_TEST_EXPECT_MSG_GT(t,
                                      2 * 3 * s / 16 / 12.5e9 * 4178 / 4096,
                                      "beats the wire of a rank");
            }
        }
        else
        {
            // only leaders, GPU 0 of each server, use their NIC: in the pod S/2 each way, between
            // pods S/4 each way
            for (uint32_t r = 0; r < 16; ++r)
            {
                NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetNic(r)->GetCounters().bytesCompleted,
                                      (r % 4 ? 0 : 2 * (bytes / 2 + bytes / 4)),
                                      "bytes of NIC " << r);
            }
            NS_TEST_EXPECT_MSG_GT(t, 1.5 * s / 12.5e9 * 4178 / 4096, "beats the wire of a leader");
        }
        Simulator::Destroy();
    }

    std::string m_mapping;
    uint32_t m_chunks;
};

/** A reduction takes its time. */
class ReductionTest : public TestCase
{
  public:
    ReductionTest()
        : TestCase("time of reductions")
    {
    }

  private:
    void DoRun() override
    {
        // ring of 4: 3 reductions of S/4 each follow each other at a rank, none in the gather. With
        // 10 Gbit/s S/4 = 100000 bytes take 80 us, and 1 us to launch.
        Time times[2];
        for (const bool slow : {false, true})
        {
            CollectiveHelper helper;
            helper.SetBytes(400000);
            if (slow)
            {
                helper.SetAttribute("ReductionRate", DataRateValue(DataRate("10Gbps")));
                helper.SetAttribute("ReductionLatency", TimeValue(MicroSeconds(1)));
            }
            Ptr<CollectiveRun> run = helper.Install(MakeTestGpus(4, 1), All(4));
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, run->Describe());
            times[slow] = run->GetDuration();
            Simulator::Destroy();
        }
        // ACKs of the neighbor meet data at slightly other times: within a packet
        NS_TEST_EXPECT_MSG_EQ_TOL(times[1] - times[0],
                                  MicroSeconds(3 * 81),
                                  NanoSeconds(335),
                                  "3 reductions");
    }
};

/** Clear-to-sends and several queue pairs carry the same bytes. */
class TransportTest : public TestCase
{
  public:
    TransportTest()
        : TestCase("admission, queue pairs, late receives")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<GpuNetwork> network = MakeTestGpus(8, 1);
        network->EnableAdmission().SetLimitBytes(200000);
        CollectiveHelper helper;
        helper.SetOperation("all-to-all", "direct");
        helper.SetBytes(8000000);
        helper.SetAttribute("ReceiveDelay", TimeValue(MicroSeconds(100)));
        Ptr<CollectiveRun> run = helper.Install(network, All(8));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, run->Describe());
        for (uint32_t r = 0; r < 8; ++r)
        {
            NS_TEST_EXPECT_MSG_EQ(run->GetBytesSent(r), 7000000, "7/8 S");
            Ptr<ReceiverAdmission> admission = network->EnableAdmission().GetAdmission(r);
            NS_TEST_EXPECT_MSG_EQ(admission->GetGranted(), 7000000, "granted by rank " << r);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(admission->GetPeak(), 200000, "in flight to rank " << r);
            NS_TEST_EXPECT_MSG_EQ(run->GetRank(r)->GetEarlyArrivals(), 0, "before it was granted");
        }
        NS_TEST_EXPECT_MSG_GT(run->GetDuration(), MicroSeconds(100 + 560), "7000000 B / 12.5 GB/s");
        Simulator::Destroy();

        network = MakeTestGpus(8, 1);
        network->SetQueuePairs(4);
        CollectiveHelper plain;
        plain.SetOperation("all-gather");
        plain.SetBytes(8000003);
        run = plain.Install(network, All(8));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, run->Describe());
        NS_TEST_EXPECT_MSG_EQ(run->GetBytesSent(), 7 * 8000003, "each part goes to 7 others");
        NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetNic(0)->GetQueuePairs().size(),
                              8,
                              "4 to the next rank, 4 from the one before");
        Simulator::Destroy();
    }
};

/** Each operation by each algorithm, over queue pairs: ranks send what the formulas say. */
class BytesTest : public TestCase
{
  public:
    explicit BytesTest(uint32_t ranks)
        : TestCase("bytes of each of " + std::to_string(ranks) + " ranks"),
          m_ranks(ranks)
    {
    }

  private:
    void DoRun() override
    {
        // 10007 is a prime: no number of ranks, channels or chunks divides it
        for (const CollectivePlan& plan : AllPlans(m_ranks, 10007, 2, 2))
        {
            Ptr<GpuNetwork> network = MakeTestGpus(m_ranks, 1);
            Ptr<CollectiveSchedule> schedule = CollectiveCatalog::Make(plan);
            Ptr<CollectiveRun> run = CollectiveHelper().Install(network, All(m_ranks), schedule, 1);
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run->IsFinished(), true, ToText(plan) << run->Describe());
            for (uint32_t rank = 0; rank < m_ranks; ++rank)
            {
                const uint64_t sent = ScheduleFormulas(plan).Sent(rank);
                NS_TEST_EXPECT_MSG_EQ(run->GetBytesSent(rank), sent, ToText(plan) << " " << rank);
                NS_TEST_EXPECT_MSG_EQ(
                    network->GetFabric()->GetNic(rank)->GetCounters().bytesCompleted,
                    sent,
                    ToText(plan) << ", NIC " << rank);
            }
            NS_TEST_EXPECT_MSG_EQ(network->GetFabric()->GetOpenRequests(), 0, ToText(plan));
            Simulator::Destroy();
        }
    }

    uint32_t m_ranks;
};

/** Suite roce-collective-operations. */
class CollectiveOperationsTestSuite : public TestSuite
{
  public:
    CollectiveOperationsTestSuite()
        : TestSuite("roce-collective-operations", TestSuite::Type::UNIT)
    {
        const std::vector<Operation23> all{{"all-reduce", "direct", 2, 2 * 7.0 / 8},
                                           {"all-gather", "ring", 7, 7.0 / 8},
                                           {"all-gather", "direct", 1, 7.0 / 8},
                                           {"reduce-scatter", "ring", 7, 7.0 / 8},
                                           {"reduce-scatter", "direct", 1, 7.0 / 8},
                                           {"all-to-all", "pairwise", 7, 7.0 / 8},
                                           {"all-to-all", "direct", 1, 7.0 / 8},
                                           {"all-reduce", "halving-doubling", 6, 2 * 7.0 / 8}};
        for (const Operation23& what : all)
        {
            AddTestCase(new WireTest(what), D::QUICK);
        }
        AddTestCase(new ThreeStageTest("rail", 1), D::QUICK);
        AddTestCase(new ThreeStageTest("rail", 8), D::QUICK);
        AddTestCase(new ThreeStageTest("leader", 1), D::QUICK);
        AddTestCase(new ReductionTest(), D::QUICK);
        AddTestCase(new TransportTest(), D::QUICK);
        for (const uint32_t ranks : {1, 2, 3, 7, 8, 16, 24})
        {
            AddTestCase(new BytesTest(ranks), D::QUICK);
        }
    }
};

CollectiveOperationsTestSuite g_collectiveOperationsTestSuite; //!< registers the suite

} // namespace
