/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-refusal.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/roce-dual-plane-helper.h"
#include "ns3/roce-fat-tree-helper.h"
#include "ns3/roce-pod-helper.h"
#include "ns3/simulator.h"

#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return FCT in ns of one message of a fabric that is otherwise idle */
int64_t
Fct(Ptr<Fabric> fabric, uint32_t source, uint32_t destination, uint64_t bytes)
{
    auto queue = CreateObject<CompletionQueue>();
    Connection connection = fabric->Connect(source, destination);
    connection.qp->SetSendQueue(queue);
    WorkRequest request;
    request.bytes = bytes;
    connection.nic->Post(connection.qp, request);
    Simulator::Run();
    Completion done;
    return queue->Poll(done) ? FromTick(done.completed - done.posted).GetNanoSeconds() : -1;
}

/** Two tiers, three tiers, and a star from one leaf. */
class ClosHelperTest : public TestCase
{
  public:
    ClosHelperTest()
        : TestCase("ClosHelper builds what it is told")
    {
    }

  private:
    void DoRun() override
    {
        TwoTiers();
        ThreeTiers();
        Star();
        Ratios();
        Refusals();
    }

    void TwoTiers()
    {
        ClosHelper clos(3, 2, 4);
        clos.SetHostLinks("100Gbps", "500ns");
        clos.SetFabricLinks("400Gbps", "2us", 2);
        // 12 host links and 3 * 2 * 2 links up
        NS_TEST_ASSERT_MSG_EQ(clos.GetNHosts(), 12, "hosts");
        NS_TEST_ASSERT_MSG_EQ(clos.MakeGraph().LinkCount(), 24, "links");
        NS_TEST_ASSERT_MSG_EQ(clos.MakeGraph().SwitchCount(), 5, "switches");
        Ptr<Fabric> fabric = clos.Install(RoceHelper());
        // 1 byte: 62 + 16 + 4 + 20 = 102 bytes there, 86 bytes back (ACK 66 + 20), over two links
        // of 100G and two of 400G, 500 ns and 2 us each: 188 * (2 * .08 + 2 * .02) + 2 * 5000
        const double expected = 188 * 0.2 + 10000;
        NS_TEST_ASSERT_MSG_EQ_TOL(double(Fct(fabric, 0, 11, 1)), expected, 1.0, "leaf to leaf");
        Simulator::Destroy();
    }

    void ThreeTiers()
    {
        ClosHelper clos(2, 2, 2, 4, 3);
        clos.SetCoreLinks("100Gbps", "5us");
        // 12 hosts, 4 leaves, 4 pod spines, 4 super-spines; links 12 + 2*2*2 + 2*2*2 (each pod
        // spine is joined to the 2 super-spines of its plane)
        const FabricGraph graph = clos.MakeGraph();
        NS_TEST_ASSERT_MSG_EQ(graph.HostCount(), 12, "hosts");
        NS_TEST_ASSERT_MSG_EQ(graph.SwitchCount(), 12, "switches");
        NS_TEST_ASSERT_MSG_EQ(graph.LinkCount(), 28, "links");
        Ptr<Fabric> fabric = clos.Install(RoceHelper());
        // six links of 100G: 4 of 1 us and 2 of 5 us
        const double expected = 188 * 0.08 * 6 + 2 * (4 * 1000 + 2 * 5000);
        NS_TEST_ASSERT_MSG_EQ_TOL(double(Fct(fabric, 0, 11, 1)), expected, 1.0, "pod to pod");
        Simulator::Destroy();
    }

    void Star()
    {
        ClosHelper star(1, 0, 5);
        NS_TEST_ASSERT_MSG_EQ(star.MakeGraph().SwitchCount(), 1, "a single leaf");
        const double expected = 188 * 0.08 * 2 + 4000;
        NS_TEST_ASSERT_MSG_EQ_TOL(double(Fct(star.Install(RoceHelper()), 0, 4, 1)),
                                  expected,
                                  1.0,
                                  "over one switch");
        Simulator::Destroy();
    }

    void Ratios()
    {
        // 8 hosts of 100G at 2:1 are 400G up: to each of 2 spines 2 links of 100G
        ClosHelper clos(3, 2, 8);
        clos.SetOversubscription(2);
        NS_TEST_ASSERT_MSG_EQ(clos.MakeGraph().LinkCount(), 24 + 3 * 2 * 2, "2:1 of leaves");
        clos.SetRadix(12, 6); // 8 + 2 x 2 ports of a leaf, 3 x 2 of a spine
        NS_TEST_ASSERT_MSG_EQ(clos.MakeGraph().SwitchCount(), 5, "all ports used");
        clos.SetRadix(11, 6);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.MakeGraph(); }), true, "12 ports of 11");
        clos.SetRadix(0, 5);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.MakeGraph(); }), true, "6 ports of 5");
        clos.SetRadix(0, 0);
        clos.SetOversubscription(3); // 267G up
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.MakeGraph(); }), true, "2.67 links up");
        clos.SetOversubscription(-1);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.MakeGraph(); }), true, "below 0");
        clos.SetOversubscription(0);
        NS_TEST_ASSERT_MSG_EQ(clos.MakeGraph().LinkCount(), 24 + 3 * 2, "links as given");

        // leaves: 4 x 100G down at 1:1 are 2 links to each of 2 pod spines; these have 2 leaves x 2
        // links down, which at 2:1 are 2 up, 1 to each of the 2 super-spines of the plane
        ClosHelper pods(2, 2, 2, 4, 4);
        pods.SetOversubscription(1, 2);
        pods.SetRadix(8, 6, 2);
        NS_TEST_ASSERT_MSG_EQ(pods.MakeGraph().LinkCount(), 16 + 4 * 2 * 2 + 4 * 2, "three tiers");
        pods.SetOversubscription(1, 1);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&pods]() { pods.MakeGraph(); }), true, "8 ports of 6");
        pods.SetRadix(8, 8, 4);
        NS_TEST_ASSERT_MSG_EQ(pods.MakeGraph().LinkCount(), 16 + 4 * 2 * 2 + 4 * 4, "1:1");
        pods.SetRadix(8, 8, 3);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&pods]() { pods.MakeGraph(); }), true, "4 ports of 3");
    }

    void Refusals()
    {
        ClosHelper clos(2, 2, 2);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.SetOversubscription(1, 2); }),
                              true,
                              "pod spines of two tiers");
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.SetRadix(8, 8, 8); }),
                              true,
                              "super-spines of two tiers");
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.SetHostLinks("fast", "1us"); }),
                              true,
                              "a rate that is none");
        NS_TEST_ASSERT_MSG_EQ(Refuses([&clos]() { clos.SetCoreLinks("100Gbps", "1us"); }),
                              true,
                              "core links of two tiers");
        NS_TEST_ASSERT_MSG_EQ(Refuses([]() { ClosHelper(2, 0, 2).MakeGraph(); }),
                              true,
                              "two leaves without a spine");
    }
};

/** Fat trees, pods, two planes: a byte from end to end is 62 + 16 + 4 + 20 = 102 bytes there and 86
 *  back, 188 in all, on each link. */
class PlanHelpersTest : public TestCase
{
  public:
    PlanHelpersTest()
        : TestCase("FatTreeHelper, PodHelper and DualPlaneHelper build what they are told")
    {
    }

  private:
    /** \param graph a plan \param hosts its counts \param switches \param links \param what it is
     */
    void Counts(const FabricGraph& graph,
                uint32_t hosts,
                uint32_t switches,
                uint32_t links,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(graph.HostCount(), hosts, what << ": hosts");
        NS_TEST_EXPECT_MSG_EQ(graph.SwitchCount(), switches, what << ": switches");
        NS_TEST_EXPECT_MSG_EQ(graph.LinkCount(), links, what << ": links");
    }

    void FatTree()
    {
        FatTreeHelper tree(4);
        tree.SetHostLinks("10Gbps", "500ns");
        tree.SetFabricLinks("40Gbps", "2us");
        // k^3 / 4 hosts, 5 k^2 / 4 switches, k^3 / 4 links in each of three tiers
        Counts(tree.MakeGraph(), 16, 20, 48, "fat tree");
        const double expected = 188 * (2 * 0.8 + 4 * 0.2) + 2 * (2 * 500 + 4 * 2000);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Fct(tree.Install(RoceHelper()), 0, 15, 1)),
                                  expected,
                                  1.0,
                                  "fat tree, pod to pod");
        Simulator::Destroy();
        Counts(FatTreeHelper(4, 3).MakeGraph(), 48, 20, 80, "fat tree, 3:1");
        FatTreePlan plan = tree.GetPlan();
        plan.k = 6;
        tree.SetPlan(plan);
        Counts(tree.MakeGraph(), 54, 45, 162, "fat tree, k = 6");
        NS_TEST_EXPECT_MSG_EQ(tree.MakeGraph().Link(0).rateBps, 10000000000, "the plan is kept");
        NS_TEST_EXPECT_MSG_EQ(Refuses([] { FatTreeHelper(3).MakeGraph(); }), true, "odd k");
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { tree.SetHostLinks("ten", "1us"); }), true, "no rate");
    }

    void Pods()
    {
        PodHelper pods(2, 2, 3, 2, 4);
        pods.SetHostLinks("100Gbps", 2);
        pods.SetPodLinks("100Gbps", 50, 2);
        pods.SetCoreLinks("400Gbps", 450);
        // 12 GPUs; 4 leaves, 4 pod spines, 4 super-spines; 12 + 4 x 2 x 2 + 4 x 4 links
        Counts(pods.MakeGraph(), 12, 12, 44, "pods");
        // 10, 250 and 2250 ns of cable
        const double expected = 188 * (4 * 0.08 + 2 * 0.02) + 2 * 2 * (10 + 250 + 2250);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Fct(pods.Install(RoceHelper()), 0, 11, 1)),
                                  expected,
                                  1.0,
                                  "pod to pod");
        Simulator::Destroy();
        pods.SetRadix(0, 7, 0); // 2 x 2 down, 4 up
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { pods.MakeGraph(); }), true, "8 ports of 7");
        pods.SetRadix(7, 8, 4);
        Counts(pods.MakeGraph(), 12, 12, 44, "all ports used");
        PodPlan plan = pods.GetPlan();
        plan.pods = 3;
        pods.SetPlan(plan);
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { pods.MakeGraph(); }), true, "6 super-spine ports of 4");
    }

    void Planes()
    {
        DualPlaneHelper planes(2, 3, 4);
        DualPlaneHelper tors(2, 3, 4, DualPlaneHelper::DUAL_TOR);
        // 6 hosts of two ports; each leaf meets the two spines of its plane, or all four
        Counts(planes.MakeGraph(), 6, 8, 12 + 4 * 2, "dual plane");
        Counts(tors.MakeGraph(), 6, 8, 12 + 4 * 4, "dual ToR");
        planes.SetHostLinks("200Gbps", 2);
        planes.SetFabricLinks("400Gbps", 30, 2);
        Counts(planes.MakeGraph(), 6, 8, 12 + 4 * 2 * 2, "parallel links");
        Ptr<Fabric> fabric = planes.Install(RoceHelper());
        const double expected = 188 * (2 * 0.04 + 2 * 0.02) + 2 * 2 * (10 + 150);
        const auto fct = static_cast<double>(Fct(fabric, 0, 5, 1));
        NS_TEST_EXPECT_MSG_EQ_TOL(fct, expected, 1.0, "rack to rack");
        const QueuePairConfig second = fabric->Connect(0, 5).qp->GetConfig();
        NS_TEST_EXPECT_MSG_EQ(second.localPort, 1, "the second connection is on plane 1");
        NS_TEST_EXPECT_MSG_EQ(second.remoteAddress, fabric->GetAddresses().Address(5, 1), "both");
        Simulator::Destroy();
        planes.SetRadix(6, 0); // 3 + 2 x 2
        NS_TEST_EXPECT_MSG_EQ(Refuses([&] { planes.MakeGraph(); }), true, "7 ports of 6");
        DualPlanePlan plan = tors.GetPlan();
        NS_TEST_EXPECT_MSG_EQ(plan.separatePlanes, false, "the kind is in the plan");
        plan.spines = 3;
        tors.SetPlan(plan);
        Counts(tors.MakeGraph(), 6, 7, 12 + 4 * 3, "dual ToR, odd spines");
        // here all four pairs of ports are four links apart: along a rail, in turn
        fabric = tors.Install(RoceHelper());
        for (uint32_t i = 0; i < 4; ++i)
        {
            const QueuePairConfig config = fabric->Connect(0, 5).qp->GetConfig();
            NS_TEST_EXPECT_MSG_EQ(config.localPort, i % 2, "takes turns");
            NS_TEST_EXPECT_MSG_EQ(config.remoteAddress,
                                  fabric->GetAddresses().Address(5, i % 2),
                                  "rail to rail");
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(Refuses([] { DualPlaneHelper(2, 3, 3).MakeGraph(); }), true, "odd");
    }

    void DoRun() override
    {
        FatTree();
        Pods();
        Planes();
    }
};

/** The suite. */
class ClosHelperTestSuite : public TestSuite
{
  public:
    ClosHelperTestSuite()
        : TestSuite("roce-clos-helper", TestSuite::Type::UNIT)
    {
        AddTestCase(new ClosHelperTest, D::QUICK);
        AddTestCase(new PlanHelpersTest, D::QUICK);
    }
};

ClosHelperTestSuite g_closHelperTestSuite;

} // namespace
