/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rail-test.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"

#include <functional>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Back on the first rail, by either rule. */
class BackTest : public FabricTest
{
  public:
    BackTest()
        : FabricTest("a rail that comes back")
    {
    }

  private:
    /** 10 MB last 866 us. \param back whether it returns \return the moves */
    Told RunOnce(bool back)
    {
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(10));
        failover->SetAttribute("Return", BooleanValue(back));
        Told told;
        failover->TraceConnectWithoutContext("Moved", MakeCallback(&Told::Moved, &told));
        Post(Open(0, 1), 10000000);
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(0, false); });
        At(MicroSeconds(200), [this] { fabric->SetLinkUp(0, true); });
        Run();
        NS_TEST_EXPECT_MSG_EQ(Sender(flows[0]).timeouts, 0, "no timer was needed");
        Reset();
        return told;
    }

    /** With policy wait the timers bring it over a short failure. */
    void Wait()
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "wait", MicroSeconds(10));
        Post(Open(0, 1), 1000000);
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(0, false); });
        At(MicroSeconds(70), [this] { fabric->SetLinkUp(0, true); });
        Run();
        NS_TEST_EXPECT_MSG_EQ(flows[0].pair.qp->GetConfig().localPort, 0, "it stays");
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 0, "it stays");
        Reset();
    }

    void DoRun() override
    {
        const std::vector<std::array<uint32_t, 3>> once{{0, 0, 1}, {1, 0, 1}};
        const std::vector<std::array<uint32_t, 3>> twice{{0, 0, 1},
                                                         {1, 0, 1},
                                                         {0, 1, 0},
                                                         {1, 1, 0}};
        NS_TEST_EXPECT_MSG_EQ((RunOnce(false).moves == once), true, "it stays where it is");
        const Told told = RunOnce(true);
        NS_TEST_EXPECT_MSG_EQ((told.moves == twice), true, "it returns");
        NS_TEST_EXPECT_MSG_EQ(told.times.back(), MicroSeconds(210), "a detection delay later");
        Wait();
    }
};

/** A failure inside a rail, which hosts see by routes only; and no other rail. */
class PathTest : public FabricTest
{
  public:
    PathTest()
        : FabricTest("an uplink of a rail; no rail left")
    {
    }

  private:
    void Uplink()
    {
        Build(TwoRailsOfLeaves());
        fabric->SetRouteDelay(MicroSeconds(30));
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(10));
        Told told;
        failover->TraceConnectWithoutContext("Moved", MakeCallback(&Told::Moved, &told));
        Post(Open(0, 1), 2000000);
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(2, false); });
        Run();
        const std::vector<std::array<uint32_t, 3>> once{{0, 0, 1}, {1, 0, 1}};
        NS_TEST_EXPECT_MSG_EQ((told.moves == once), true, "to the other rail");
        NS_TEST_EXPECT_MSG_EQ(told.times.at(0), MicroSeconds(90), "when the routes know, and then");
        Reset();
    }

    /** Both cables of host 0 fail, the second one comes back: it moves then. */
    void Both()
    {
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(10));
        Post(Open(0, 1), 2000000);
        std::vector<uint64_t> stranded;
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(0, false); });
        At(MicroSeconds(51), [this] { fabric->SetLinkUp(2, false); });
        At(MicroSeconds(70), [&] { stranded.push_back(failover->GetStranded()); });
        At(MicroSeconds(100), [this] { fabric->SetLinkUp(2, true); });
        At(MicroSeconds(120), [&] { stranded.push_back(failover->GetStranded()); });
        Run();
        NS_TEST_EXPECT_MSG_EQ((stranded == std::vector<uint64_t>{1, 0}), true, "in between");
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 1, "once there is a way");
        Reset();
    }

    void DoRun() override
    {
        Uplink();
        Both();
    }
};

/** UC moves too, without what was under way. */
class UnreliableTest : public FabricTest
{
  public:
    UnreliableTest()
        : FabricTest("UC: the message under way is lost, later ones arrive")
    {
    }

  private:
    void DoRun() override
    {
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(10));
        ConnectionOptions options;
        options.service = TransportService::UC;
        TestFlow& flow = Open(0, 1, options);
        for (uint32_t i = 0; i < 3; ++i)
        {
            Post(flow, 1000000); // 86.6 us each
        }
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(0, false); });
        Simulator::Run();
        CheckIdle();
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 1, "it moves");
        NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), 3, "what is sent is complete");
        NS_TEST_ASSERT_MSG_EQ(flow.arrived.size(), 2, "the cable was full when it failed");
        NS_TEST_EXPECT_MSG_EQ(flow.arrived[0].bytes, 1000000, "whole messages");
        NS_TEST_EXPECT_MSG_EQ(flow.arrived[1].bytes, 1000000, "whole messages");
    }
};

/** What is refused, and what is none of its business. */
class RefusedTest : public FabricTest
{
  public:
    RefusedTest()
        : FabricTest("what it refuses")
    {
    }

  private:
    /** \param word of the message \param action what is refused */
    void Refused(const std::string& word, const std::function<void()>& action)
    {
        std::string said;
        try
        {
            action();
        }
        catch (const std::invalid_argument& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(said.find(word), std::string::npos, word << ": " << said);
    }

    void DoRun() override
    {
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", Time(0));
        Refused("has a fabric already", [&] { failover->Install(fabric); });
        Refused("listener already", [&] { Watch(fabric, "move", Time(0)); });
        ConnectionOptions options;
        options.service = TransportService::UD;
        const Connection datagrams = fabric->Connect(0, 1, options);
        const Connection other = fabric->Connect(0, 1);
        QueuePairPath path;
        Refused("UD", [&] { datagrams.nic->Migrate(datagrams.qp, path); });
        path.localPort = 2;
        Refused("has 2 ports", [&] { other.nic->Migrate(other.qp, path); });
        const uint32_t port = datagrams.qp->GetConfig().localPort;
        At(MicroSeconds(1), [this, port] { fabric->SetLinkUp(port == 0 ? 0 : 2, false); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(datagrams.qp->GetConfig().localPort, port, "datagrams stay");
        failover->Dispose();
        Ptr<RailFailover> next = Watch(fabric, "move", Time(0)); // the role is free again
        NS_TEST_EXPECT_MSG_EQ(next->GetMoved(), 0, "new");
    }
};

/** Rails that come back, routes of rails, refusals. */
class RailRoutesSuite : public TestSuite
{
  public:
    RailRoutesSuite()
        : TestSuite("roce-rail-routes", TestSuite::Type::UNIT)
    {
        AddTestCase(new BackTest, D::QUICK);
        AddTestCase(new PathTest, D::QUICK);
        AddTestCase(new UnreliableTest, D::QUICK);
        AddTestCase(new RefusedTest, D::QUICK);
    }
};

RailRoutesSuite g_railRoutesSuite; //!< registers the suite

} // namespace
