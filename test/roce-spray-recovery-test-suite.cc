/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-load-balancer.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;

/** Deals frames to the members in turn. */
class TestSprayBalancer : public LoadBalancer
{
  public:
    /** \return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::roce::TestSprayBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<TestSprayBalancer>();
        return tid;
    }

  private:
    void DoAssemble(uint32_t, const std::vector<const Transmitter*>&) override
    {
    }

    uint32_t DoPick(const Frame*, const uint16_t* members, uint32_t count, Tick) override
    {
        return members[m_turn++ % count];
    }

    uint64_t m_turn{0};
};

NS_OBJECT_ENSURE_REGISTERED(TestSprayBalancer);

/** Packets over four paths of 0, 500, 1000 and 1500 ns more. */
class SprayTest : public FabricTest
{
  public:
    SprayTest()
        : FabricTest("packets sprayed over unequal paths")
    {
    }

  private:
    /** \return the flow, done. \param rate chance of loss on the last link */
    TestFlow& RunOnce(double rate)
    {
        helper->SetLoadBalancer("ns3::roce::TestSprayBalancer");
        FabricGraph graph; // 0 - 2 - {4, 5, 6, 7} - 3 - 1
        graph.AddHost(0);
        graph.AddHost(1);
        for (uint32_t id = 2; id < 8; ++id)
        {
            graph.AddSwitch(id);
        }
        graph.AddLink(0, 2, RATE, 1000000);
        graph.AddLink(1, 3, RATE, 1000000, rate);
        for (uint32_t i = 0; i < 4; ++i)
        {
            graph.AddLink(2, 4 + i, RATE, 1000000 + i * 500000);
            graph.AddLink(4 + i, 3, RATE, 1000000);
        }
        checkIdeal = false; // the ideal path is one, and not the shortest in time
        Build(graph);
        helper->AssignStreams(fabric, 1);
        TestFlow& flow = Open(0, 1);
        Post(flow, 4000000);
        Run();
        return flow;
    }

    /** \return packets sent again without any loss. \param threshold ReorderThreshold */
    uint64_t Spurious(uint32_t threshold)
    {
        helper->SetLossRecovery("irn");
        helper->SetLossRecoveryAttribute("ReorderThreshold", UintegerValue(threshold));
        const TestFlow& flow = RunOnce(0);
        const Responder& responder = flow.pair.peerQp->GetResponder();
        NS_TEST_EXPECT_MSG_GT(responder.GetOutOfOrder(), 0, "packets overtake each other");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).naksSent, responder.GetOutOfOrder(), "a NAK each");
        NS_TEST_EXPECT_MSG_EQ(responder.GetDuplicates(),
                              Sender(flow).retransmitted,
                              "all spurious");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, "timeouts");
        const uint64_t resent = Sender(flow).retransmitted;
        Reset();
        return resent;
    }

    void DoRun() override
    {
        const uint64_t one = Spurious(1);
        const uint64_t four = Spurious(4);
        NS_TEST_EXPECT_MSG_GT(one, 0, "what is overtaken by one counts as lost");
        NS_TEST_EXPECT_MSG_LT(four, one, "fewer");
        // 1500 ns are 17.3 packets, so none is overtaken by more than 17
        NS_TEST_EXPECT_MSG_EQ(Spurious(18), 0, "none");
        // with losses too
        helper->SetLossRecovery("irn");
        helper->SetLossRecoveryAttribute("ReorderThreshold", UintegerValue(18));
        helper->SetNicAttribute("RetryLimit", UintegerValue(20));
        const TestFlow& lossy = RunOnce(0.01);
        NS_TEST_EXPECT_MSG_GT(Sender(lossy).retransmitted, 0, "resent");
        Reset();
        helper->SetLossRecovery("go-back-n");
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        const TestFlow& flow = RunOnce(0);
        const uint64_t early = flow.pair.peerQp->GetResponder().GetOutOfOrder();
        NS_TEST_EXPECT_MSG_GT(Receiver(flow).naksSent, 0, "go-back-N takes them for losses");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Receiver(flow).naksSent, early, "one NAK a gap");
    }
};

/** The suite. */
class SprayRecoveryTestSuite : public TestSuite
{
  public:
    SprayRecoveryTestSuite()
        : TestSuite("roce-spray-recovery", TestSuite::Type::UNIT)
    {
        AddTestCase(new SprayTest, D::QUICK);
    }
};

const SprayRecoveryTestSuite g_sprayRecoveryTestSuite;

} // namespace
