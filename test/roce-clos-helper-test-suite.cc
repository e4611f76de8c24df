/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/roce-clos-helper.h"
#include "ns3/simulator.h"

#include <stdexcept>

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

    void Refusals()
    {
        ClosHelper clos(2, 2, 2);
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

    template <typename F>
    static bool Refuses(F call)
    {
        try
        {
            call();
        }
        catch (const std::invalid_argument&)
        {
            return true;
        }
        return false;
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
    }
};

ClosHelperTestSuite g_closHelperTestSuite;

} // namespace
