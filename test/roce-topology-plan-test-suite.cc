/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/roce-dual-plane-builder.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-pod-builder.h"
#include "ns3/roce-rail-builder.h"
#include "ns3/roce-rail-helper.h"
#include "ns3/roce-topology-helper.h"
#include "ns3/roce-topology-plan.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return round trip of a WRITE of 4096 bytes, ns; -1 if it did not complete. */
int64_t
RoundTrip(Ptr<Fabric> fabric, uint32_t source, uint32_t destination)
{
    auto queue = CreateObject<CompletionQueue>();
    Connection connection = fabric->Connect(source, destination);
    connection.qp->SetSendQueue(queue);
    WorkRequest request;
    request.bytes = 4096;
    connection.nic->Post(connection.qp, request);
    Simulator::Run();
    Completion done;
    return queue->Poll(done) ? FromTick(done.completed - done.posted).GetNanoSeconds() : -1;
}

/** The largest round trip over all pairs of hosts is what the plan says, for each stage. */
class TopologyPlanRttTest : public TestCase
{
  public:
    /** \param fabric a small fabric */
    explicit TopologyPlanRttTest(const FabricDocument& fabric)
        : TestCase("base RTT of " + fabric.name),
          m_fabric(fabric)
    {
    }

  private:
    void DoRun() override
    {
        const TopologyPlan plan(m_fabric);
        Ptr<Fabric> built = RoceHelper().Install(m_fabric.graph);
        const auto hosts = m_fabric.graph.Hosts();
        for (const StageRow& row : plan.Stages().Rows())
        {
            uint64_t pairs = 0;
            int64_t longest = 0;
            for (uint32_t a : hosts)
            {
                for (uint32_t b : hosts)
                {
                    if (a >= b || built->GetPath(a, b).size() != row.links)
                    {
                        continue;
                    }
                    pairs++;
                    longest = std::max(longest, RoundTrip(built, a, b));
                }
            }
            NS_TEST_ASSERT_MSG_EQ(pairs, row.pairs, row.links << " links: pairs");
            // each of up to 12 transmissions there and back ends on a whole ns, early by up to 1 ns
            const int64_t planned = row.maxRttPs / 1000;
            NS_TEST_ASSERT_MSG_EQ_TOL(longest, planned, 12, row.links << " links: round trip");
        }
        Simulator::Destroy();
    }

    FabricDocument m_fabric;
};

/** Add up what a port sends. */
void
AddBytes(uint64_t* bytes, const Frame& frame)
{
    *bytes += frame.size;
}

/** Rails carry traffic: connections of a server take its NICs in turn. */
class RailTrafficTest : public TestCase
{
  public:
    RailTrafficTest()
        : TestCase("a server's connections use all its rails")
    {
    }

  private:
    void DoRun() override
    {
        RailPlan plan;
        plan.rails = 4;
        Ptr<Fabric> fabric = RoceHelper().Install(RailBuilder::Build(plan));
        std::vector<uint64_t> bytes(plan.rails);
        for (uint32_t rail = 0; rail < plan.rails; ++rail)
        {
            fabric->GetPort(0, rail)->TraceConnectWithoutContext(
                "FrameSent",
                MakeBoundCallback(&AddBytes, &bytes[rail]));
            const Connection connection = fabric->Connect(0, 1);
            WorkRequest request;
            request.bytes = 1000000;
            connection.nic->Post(connection.qp, request);
        }
        Simulator::Run();
        for (uint32_t rail = 0; rail < plan.rails; ++rail)
        {
            // 1 MB in 245 packets of up to 4096 bytes, 62 bytes around each, and a RETH of 16
            NS_TEST_ASSERT_MSG_EQ(bytes[rail], 1000000 + 245 * 62 + 16, "rail " << rail);
        }
        Simulator::Destroy();
    }
};

/** TopologyHelper and RailHelper build what they are told, and refuse the rest. */
class FabricHelpersTest : public TestCase
{
  public:
    FabricHelpersTest()
        : TestCase("helpers of presets and rails")
    {
    }

  private:
    void DoRun() override
    {
        const TopologyHelper home("homelab");
        NS_TEST_ASSERT_MSG_EQ(home.GetNHosts(), 24, "hosts");
        Ptr<Fabric> fabric = home.Install(RoceHelper());
        NS_TEST_ASSERT_MSG_EQ(fabric->GetSwitches().GetN(), 5, "3 leaves and 2 spines");
        NS_TEST_ASSERT_MSG_EQ(fabric->GetCable(29)->GetDelay(),
                              NanoSeconds(250),
                              "the last cable has 50 m at 5 ns");
        NS_TEST_ASSERT_MSG_EQ(Refuses([]() { TopologyHelper("garage"); }), true, "no preset");

        RailHelper rails(2, 3, 4, 2);
        rails.SetHostLinks("200Gbps", 2);
        rails.SetFabricLinks("400Gbps", 20, 2);
        Ptr<Fabric> built = rails.Install(RoceHelper());
        // 6 servers x 4 NICs, 8 leaves x 2 spines x 2 links
        NS_TEST_ASSERT_MSG_EQ(built->GetGraph().LinkCount(), 24 + 32, "links");
        NS_TEST_ASSERT_MSG_EQ(built->GetPort(0, 3)->GetRate(), 200000000000ULL, "rate of a NIC");
        NS_TEST_ASSERT_MSG_EQ(built->GetCable(24)->GetDelay(), NanoSeconds(100), "20 m at 5 ns");
        rails.SetRadix(7, 16); // a leaf has 3 servers and 2 spines x 2 links
        NS_TEST_ASSERT_MSG_EQ(rails.MakeGraph().SwitchCount(), 10, "just fits");
        rails.SetRadix(6, 16);
        NS_TEST_ASSERT_MSG_EQ(Refuses([&rails]() { rails.MakeGraph(); }), true, "radix");
        NS_TEST_ASSERT_MSG_EQ(Refuses([&rails]() { rails.SetHostLinks("fast", 2); }), true, "rate");
        Simulator::Destroy();
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

/** \return a fabric with a name. */
FabricDocument
Named(const std::string& name, const FabricGraph& graph)
{
    FabricDocument fabric;
    fabric.name = name;
    fabric.graph = graph;
    return fabric;
}

class TopologyPlanTestSuite : public TestSuite
{
  public:
    TopologyPlanTestSuite()
        : TestSuite("roce-topology-plan", TestSuite::Type::UNIT)
    {
        PodPlan pods;
        pods.racksPerPod = 2;
        pods.gpusPerRack = 2;
        pods.podSpines = 2;
        pods.superSpines = 2;
        DualPlanePlan dual;
        dual.racks = 2;
        dual.hostsPerRack = 3;
        RailPlan rails;
        rails.rails = 2;
        AddTestCase(new TopologyPlanRttTest(FabricPresets::Build("homelab")), D::QUICK);
        AddTestCase(new TopologyPlanRttTest(Named("pods", PodBuilder::Build(pods))), D::QUICK);
        AddTestCase(new TopologyPlanRttTest(Named("dual", DualPlaneBuilder::Build(dual))),
                    D::QUICK);
        AddTestCase(new TopologyPlanRttTest(Named("rails", RailBuilder::Build(rails))), D::QUICK);
        AddTestCase(new RailTrafficTest, D::QUICK);
        AddTestCase(new FabricHelpersTest, D::QUICK);
    }
};

TopologyPlanTestSuite g_topologyPlanTestSuite;

} // namespace
