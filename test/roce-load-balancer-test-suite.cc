/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"
#include "roce-test-refusal.h"

#include "ns3/boolean.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-flowlet-load-balancer.h"
#include "ns3/roce-path-pin-helper.h"
#include "ns3/string.h"

#include <random>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** A28: a fat tree with hosts of 10 Gb/s and a fabric of 40, random flows and an incast. */
class FatTreeTest : public FabricTest
{
  public:
    /** \param k of the fat tree \param lb load balancer \param slowCore whether one core link has
     *  10 Gb/s */
    FatTreeTest(uint32_t k, const std::string& lb, bool slowCore)
        : FabricTest("A28: k = " + std::to_string(k) + ", " + lb +
                     (slowCore ? ", a slow core link" : "")),
          m_k(k),
          m_hosts(k * k * k / 4),
          m_lb(lb),
          m_slowCore(slowCore)
    {
    }

  protected:
    /** Run it. \param lb load balancer */
    void RunOnce(const std::string& lb)
    {
        helper->SetLoadBalancer(lb);
        helper->SetLoadBalancerAttribute("CountShares", BooleanValue(true));
        helper->SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(4)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(7));
        if (lb == "flowlet" || lb == "letflow" || lb == "dlb" || lb == "conga")
        {
            // no path is longer than 6 links; a queue of a whole buffer of 32 MiB at 10 Gb/s lasts
            // 27 ms: a larger gap than any difference of delays
            helper->SetLoadBalancerAttribute("Gap", TimeValue(MilliSeconds(30)));
        }
        checkIdeal = false; // with a slow link the ideal path is not that of each flow
        Build(MakeGraph());
        helper->AssignStreams(fabric, 1);
        Offer();
        Run();
    }

    /** \return mean over the edge switches of the largest over the mean bytes of their uplinks */
    double Imbalance() const
    {
        const uint32_t edges = m_k * m_k / 2;
        double sum = 0;
        for (uint32_t i = 0; i < edges; ++i)
        {
            // all uplinks of an edge switch lead to all others: one group
            const Ptr<LoadBalancer> balancer = fabric->GetSwitch(m_hosts + i)->GetLoadBalancer();
            sum += balancer->GetShares()->GetByteImbalance(0);
        }
        return sum / edges;
    }

  private:
    FabricGraph MakeGraph() const
    {
        FatTreePlan plan;
        plan.k = m_k;
        plan.hostRateBps = 10 * GBPS;
        plan.fabricRateBps = 40 * GBPS;
        const FabricGraph whole = FatTreeBuilder::Build(plan);
        if (!m_slowCore)
        {
            return whole;
        }
        FabricGraph graph;
        for (uint32_t id = 0; id < whole.NodeCount(); ++id)
        {
            if (id < m_hosts)
            {
                graph.AddHost(id);
            }
            else
            {
                graph.AddSwitch(id);
            }
        }
        for (uint32_t i = 0; i < whole.LinkCount(); ++i)
        {
            const FabricLink& link = whole.Link(i);
            const bool slow = i + 1 == whole.LinkCount(); // the last one goes to a core
            graph.AddLink(link.a, link.b, slow ? 10 * GBPS : link.rateBps, link.delayPs);
        }
        return graph;
    }

    /** Open the flows and post. */
    void Offer()
    {
        std::mt19937 engine(7);
        for (uint32_t i = 0; i < m_hosts * 15 / 4; ++i)
        {
            // 15 flows of 10 to 50 KB for 4 hosts in 300 us:
            // 15 x 30 KB x 8 / (4 x 10 Gb/s x 300 us) = 30 %
            const uint32_t source = engine() % m_hosts;
            const uint32_t destination = (source + 1 + engine() % (m_hosts - 1)) % m_hosts;
            const uint64_t bytes = 10000 + engine() % 40000;
            TestFlow& flow = Open(source, destination);
            At(MicroSeconds(engine() % 300), [&flow, bytes] { Post(flow, bytes); });
        }
        for (uint32_t i = 0; i < 100; ++i)
        {
            TestFlow& flow = Open(1 + i % (m_hosts - 1), 0); // 100:1 incast of 40 KB
            At(MicroSeconds(100), [&flow] { Post(flow, 40000); });
        }
    }

    void DoRun() override
    {
        RunOnce(m_lb);
        uint64_t early = 0;
        uint64_t naks = 0;
        for (const TestFlow& flow : flows)
        {
            early += flow.pair.peerQp->GetResponder().GetOutOfOrder();
        }
        for (uint32_t host = 0; host < m_hosts; ++host)
        {
            naks += fabric->GetNic(host)->GetCounters().naksSent;
        }
        const bool sprays = m_lb == "spray" || m_lb == "drill";
        NS_TEST_EXPECT_MSG_EQ((sprays || early == 0), true, "packets out of order: " << early);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(naks, early, "NAKs and packets out of order");
    }

    uint32_t m_k;
    uint32_t m_hosts;
    std::string m_lb;
    bool m_slowCore;
};

/** A28: with equal links the bands of DLB are no less even than hashing, flows and seed alike. */
class FatTreeEvenTest : public FatTreeTest
{
  public:
    /** \param k of the fat tree */
    explicit FatTreeEvenTest(uint32_t k)
        : FatTreeTest(k, "ecmp, then dlb", false)
    {
    }

  private:
    void DoRun() override
    {
        RunOnce("ecmp");
        const double hashed = Imbalance();
        Reset();
        RunOnce("dlb");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(hashed, 1, "largest over mean");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Imbalance(), hashed, "bands see load");
    }
};

/** A28: 1024 hosts, with a balancer that scores ports. */
class LargeTest : public FabricTest
{
  public:
    /** \param lb load balancer */
    explicit LargeTest(const std::string& lb)
        : FabricTest("A28: 1024 hosts, " + lb),
          m_lb(lb)
    {
    }

  private:
    void DoRun() override
    {
        helper->SetLoadBalancer(m_lb);
        if (m_lb == "dlb")
        {
            helper->SetLoadBalancerAttribute("Mode", StringValue("per-packet"));
        }
        FatTreePlan plan;
        plan.k = 16;
        plan.hostRateBps = 10 * GBPS;
        plan.fabricRateBps = 40 * GBPS;
        checkIdeal = false; // with CONGA frames grow on the way
        Build(FatTreeBuilder::Build(plan));
        helper->AssignStreams(fabric, 1);
        NS_TEST_ASSERT_MSG_EQ(fabric->GetHosts().GetN(), 1024, "k^3 / 4");
        for (uint32_t i = 0; i < 1024; ++i)
        {
            Post(Open(i, (i + 512) % 1024), 8000); // to another pod
        }
        Run();
        uint64_t delivered = 0;
        for (const TestFlow& flow : flows)
        {
            delivered += Receiver(flow).bytesDelivered;
        }
        NS_TEST_EXPECT_MSG_EQ(delivered, 1024 * 8000, "each byte once");
    }

    std::string m_lb;
};

/** A28: with equal links a balancer that sees load is no less even than hashing. */
class EvenTest : public FabricTest
{
  public:
    EvenTest()
        : FabricTest("A28: evenness of flowlets and hashing")
    {
    }

  private:
    /** \return largest over mean bytes of the uplinks of leaf 0. \param lb load balancer */
    double Imbalance(const std::string& lb)
    {
        helper->SetLoadBalancer(lb);
        helper->SetLoadBalancerAttribute("CountShares", BooleanValue(true));
        LeafSpinePlan plan;
        plan.leaves = 2;
        plan.spines = 4;
        plan.hostsPerLeaf = 8;
        plan.hostRateBps = 10 * GBPS;
        plan.fabricRateBps = 40 * GBPS;
        Build(ClosBuilder::Build(plan));
        for (uint32_t i = 0; i < 16; ++i)
        {
            TestFlow& flow = Open(i % 8, 8 + i % 8);
            At(MicroSeconds(5 * i), [&flow] { Post(flow, 400000); });
        }
        Run();
        const double imbalance =
            fabric->GetSwitch(16)->GetLoadBalancer()->GetShares()->GetByteImbalance(0);
        Reset();
        return imbalance;
    }

    void DoRun() override
    {
        const double hashed = Imbalance("ecmp");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(hashed, 1, "largest over mean");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Imbalance("flowlet"), hashed, "flowlets see load");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Imbalance("dlb"), hashed, "so do bands");
    }
};

/** Flows pinned to paths go there, and nothing impossible can be pinned. */
class PinTest : public FabricTest
{
  public:
    PinTest()
        : FabricTest("paths pinned")
    {
    }

  private:
    void DoRun() override
    {
        LeafSpinePlan plan; // hosts 0..7, leaves 8 and 9, spines 10 and 11
        Build(ClosBuilder::Build(plan));
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { PathPinHelper refused(fabric); }), true, "with ECMP");
        Reset();
        helper->SetLoadBalancer("pinned");
        helper->SetLoadBalancerAttribute("CountShares", BooleanValue(true));
        Build(ClosBuilder::Build(plan));
        PathPinHelper pins(fabric);
        for (uint32_t i = 0; i < 4; ++i)
        {
            TestFlow& flow = Open(i, 4 + i);
            pins.PinPath(flow.pair, {8, 11, 9});
            Post(flow, 100000);
        }
        const Connection& first = flows.front().pair;
        const FlowKey key = PathPinHelper::GetFlow(first);
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { pins.Pin(8, key, 0); }), true, "a host's port");
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { pins.Pin(8, key, 99); }), true, "no port");
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { pins.PinPath(first, {8, 9}); }), true, "no link");
        Run();
        // ports 4 and 5 of leaf 8 go to spines 10 and 11
        const auto& group =
            fabric->GetSwitch(8)->GetLoadBalancer()->GetShares()->GetGroups().front();
        NS_TEST_EXPECT_MSG_EQ(group[0].port, 4, "port to spine 10");
        NS_TEST_EXPECT_MSG_EQ(group[0].bytes, 0, "bytes over spine 10");
        NS_TEST_EXPECT_MSG_GT(group[1].bytes, 400000, "all data over spine 11");
    }
};

/** Load balancers and paths in a whole fabric. */
class LoadBalancerTestSuite : public TestSuite
{
  public:
    LoadBalancerTestSuite()
        : TestSuite("roce-load-balancer", TestSuite::Type::UNIT)
    {
        for (const char* lb :
             {"ecmp", "e-ecmp", "flowlet", "letflow", "dlb", "spray", "drill", "conga"})
        {
            AddTestCase(new FatTreeTest(4, lb, false), D::QUICK);
            AddTestCase(new FatTreeTest(4, lb, true), D::QUICK);
        }
        for (const char* lb : {"ecmp", "flowlet", "dlb", "spray", "conga"})
        {
            AddTestCase(new FatTreeTest(8, lb, false), D::QUICK);
            AddTestCase(new FatTreeTest(8, lb, true), D::QUICK);
        }
        AddTestCase(new FatTreeEvenTest(4), D::QUICK);
        AddTestCase(new FatTreeEvenTest(8), D::QUICK);
        for (const char* lb : {"dlb", "drill", "conga"})
        {
            AddTestCase(new LargeTest(lb), D::QUICK);
        }
        AddTestCase(new EvenTest, D::QUICK);
        AddTestCase(new PinTest, D::QUICK);
    }
};

const LoadBalancerTestSuite g_loadBalancerTestSuite;

} // namespace
