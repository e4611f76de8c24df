/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-link-schedule.h"
#include "ns3/roce-pinned-load-balancer.h"
#include "ns3/roce-traffic-engineer.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::roce;

namespace
{

// A full packet of 1000 bytes is a frame of 1062 and occupies 1082 with preamble and gap: 86.56 ns
// at 100 Gb/s. All links have that rate and 1 us.
constexpr double FRAME_NS = 86.56;

/** A fabric of two leaves. */
class EngineerTest : public FabricTest
{
  public:
    using FabricTest::FabricTest;

  protected:
    /** Hosts 0 to n-1 on leaf 2n, n to 2n-1 on leaf 2n+1, then the spines. Ports of a leaf: its
     *  hosts, then the spines; of a spine: the leaves. \param hosts on each \param spines above */
    void BuildLeaves(uint32_t hosts, uint32_t spines)
    {
        helper->SetLoadBalancer("pinned");
        LeafSpinePlan plan;
        plan.hostsPerLeaf = hosts;
        plan.spines = spines;
        Build(ClosBuilder::Build(plan));
        leaf = 2 * hosts;
        firstSpine = leaf + 2;
        firstUplink = hosts;
    }

    /** \return index of the link of the first leaf to a spine. \param spine its number, from 0 */
    uint32_t UplinkOf(uint32_t spine) const
    {
        const auto ends = std::to_string(leaf) + "-" + std::to_string(firstSpine + spine);
        return LinkSchedule::FindLinks(fabric->GetGraph(), ends).at(0);
    }

    /** \return number of the spine a connection has; 1000: none. \param te who pinned it \param
     *  index of it */
    uint32_t SpineOf(const TrafficEngineer& te, uint32_t index) const
    {
        const AssignedPath& path = te.GetPath(index);
        return path.steps.empty() ? 1000 : path.steps[0].port - firstUplink;
    }

    /** \return frames of the first leaf whose pin was no member */
    uint64_t Misses() const
    {
        return DynamicCast<PinnedLoadBalancer>(fabric->GetSwitch(leaf)->GetLoadBalancer())
            ->GetMisses();
    }

    /** \return the other direction of a flow. \param flow the flow */
    static Connection Reverse(const TestFlow& flow)
    {
        return {flow.pair.peerNic, flow.pair.peerQp, flow.pair.nic, flow.pair.qp};
    }

    uint32_t leaf{0};        //!< id of the first leaf
    uint32_t firstSpine{0};  //!< id of the first spine
    uint32_t firstUplink{0}; //!< port of a leaf
};

/** As many flows as spines. */
class OwnUplinkTest : public EngineerTest
{
  public:
    OwnUplinkTest()
        : EngineerTest("each flow has an uplink of its own")
    {
    }

  private:
    static constexpr uint32_t FLOWS = 8;
    static constexpr uint64_t BYTES = 1000000;

    void Offer()
    {
        BuildLeaves(FLOWS, FLOWS);
        for (uint32_t host = 0; host < FLOWS; ++host)
        {
            Post(Open(host, FLOWS + host), BYTES);
        }
    }

    void DoRun() override
    {
        const double alone = TestEqualCompletionNs(4, 100 * GBPS, 1000, BYTES, 1000);
        Offer();
        TrafficEngineer te(fabric);
        for (const TestFlow& flow : flows)
        {
            te.Add(flow.pair, 100 * GBPS);
        }
        te.Start();
        NS_TEST_EXPECT_MSG_EQ(te.GetUnfit() + te.GetUnplaced(), 0, "8 flows on 8 uplinks");
        Run();
        std::map<uint32_t, uint32_t> users;
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            ++users[SpineOf(te, i)];
            // as if it were alone, so at 1000 / 1082 of line rate once it flows; the ACKs of all
            // share links with each other: 8 x 86 bytes at the worst, 55 ns
            NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[i].Fct()), alone, 60, "flow " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(users.size(), FLOWS, "all spines");
        NS_TEST_EXPECT_MSG_EQ(Misses(), 0, "pins are members");
    }
};

/** The same by hash. */
class HashTest : public EngineerTest
{
  public:
    HashTest()
        : EngineerTest("without pins flows collide")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t count = 8;
        constexpr uint64_t bytes = 1000000;
        BuildLeaves(count, count);
        Ptr<LoadBalancer> balancer = fabric->GetSwitch(leaf)->GetLoadBalancer();
        std::vector<uint16_t> members(count);
        std::map<uint32_t, uint32_t> users;
        for (uint32_t host = 0; host < count; ++host)
        {
            members[host] = static_cast<uint16_t>(firstUplink + host);
        }
        for (uint32_t host = 0; host < count; ++host)
        {
            TestFlow& flow = Open(host, count + host);
            Post(flow, bytes);
            Frame frame;
            const FlowKey key = PathPinHelper::GetFlow(flow.pair);
            frame.sourcePort = key.sourcePort;
            frame.hash = key.Hash();
            ++users[balancer->Pick(&frame, members.data(), count, 0)];
        }
        uint32_t most = 0;
        for (const auto& [port, number] : users)
        {
            most = std::max(most, number);
        }
        // that none shares has a chance of 8! / 8^8 = 0.0024
        NS_TEST_ASSERT_MSG_GT(most, 1, "an uplink with several flows");
        Run();
        Tick slowest = 0;
        for (const TestFlow& flow : flows)
        {
            slowest = std::max(slowest, flow.Fct());
        }
        // the link sends all of them without a gap; way there and back as alone
        const double alone = TestEqualCompletionNs(4, 100 * GBPS, 1000, bytes, 1000);
        const double shared = alone + (most - 1) * 1000 * FRAME_NS;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(slowest), shared, 0.01 * shared, most << " flows");
    }
};

/** An uplink fails, and the routes follow late. */
class ReactionTest : public EngineerTest
{
  public:
    ReactionTest()
        : EngineerTest("what is lost until the controller reacts")
    {
    }

  private:
    /** \return completion time, ns. \param delay of the reaction \param keep the other's path */
    double RunOnce(Time delay, bool keep)
    {
        BuildLeaves(2, 3);
        fabric->SetRouteDelay(MilliSeconds(10)); // after the end
        for (uint32_t host = 0; host < 2; ++host)
        {
            Post(Open(host, 2 + host), 3000000); // 260 us
        }
        TrafficEngineer te(fabric);
        te.SetReactionDelay(delay);
        te.SetKeepPaths(keep);
        for (const TestFlow& flow : flows)
        {
            te.Add(flow.pair, 100 * GBPS);
            te.Add(Reverse(flow), GBPS); // else answers could stay on the dead link
        }
        te.Start();
        NS_TEST_EXPECT_MSG_EQ(SpineOf(te, 0), 0, "the first of equals");
        NS_TEST_EXPECT_MSG_EQ(SpineOf(te, 2), 1, "the next");
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(UplinkOf(0), false); });
        std::vector<uint32_t> seen;
        for (const Time& at : {delay - NanoSeconds(1), delay + NanoSeconds(1)})
        {
            At(MicroSeconds(50) + at, [this, &seen, &te] { seen.push_back(SpineOf(te, 0)); });
        }
        Run();
        NS_TEST_EXPECT_MSG_EQ(seen.at(0), 0, "not yet");
        NS_TEST_EXPECT_MSG_EQ(seen.at(1), keep ? 2 : 1, "the free one, or the first");
        NS_TEST_EXPECT_MSG_EQ(SpineOf(te, 2), keep ? 1 : 2, "the other");
        NS_TEST_EXPECT_MSG_EQ(te.GetComputations(), 3, "start, link, routes");
        // lost: what is on the cable of 1 us, and what comes until the reaction; the frame that is
        // being sent, and rounding at both ends
        const double lost = (1000 + static_cast<double>(delay.GetNanoSeconds())) / FRAME_NS;
        const uint64_t drops = fabric->GetSwitch(leaf)->GetDrops(DropReason::LINK_DOWN) +
                               fabric->GetPort(leaf, firstUplink)->GetDrops(DropReason::LINK_DOWN);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(drops), lost + 1, 2, "delay " << delay.As(Time::US));
        NS_TEST_EXPECT_MSG_EQ(Misses(), 0, "the dead port stays a member");
        NS_TEST_EXPECT_MSG_EQ(Sender(flows[0]).timeouts, 0, "a NAK tells, not the timer");
        const double alone = TestEqualCompletionNs(4, 100 * GBPS, 1000, 3000000, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[1].Fct()), alone, 20, "the other loses nothing");
        const auto fct = static_cast<double>(flows[0].Fct());
        Reset();
        return fct;
    }

    void DoRun() override
    {
        const double soon = RunOnce(MicroSeconds(10), false);
        const double late = RunOnce(MicroSeconds(50), true);
        NS_TEST_EXPECT_MSG_EQ_TOL(late - soon, 40000, 2 * FRAME_NS, "40 us more");
    }
};

/** The routes follow first. */
class FallbackTest : public EngineerTest
{
  public:
    FallbackTest()
        : EngineerTest("pins that are no members are passed over until then")
    {
    }

  private:
    void DoRun() override
    {
        BuildLeaves(2, 3);
        fabric->SetRouteDelay(MicroSeconds(5));
        for (uint32_t host = 0; host < 2; ++host)
        {
            Post(Open(host, 2 + host), 3000000);
        }
        TrafficEngineer te(fabric);
        te.SetReactionDelay(MicroSeconds(20));
        for (const TestFlow& flow : flows)
        {
            te.Add(flow.pair, 100 * GBPS);
        }
        te.Start();
        At(MicroSeconds(50), [this] { fabric->SetLinkUp(UplinkOf(0), false); });
        std::map<uint32_t, uint64_t> misses;
        std::map<uint32_t, uint32_t> computed;
        for (uint32_t us : {54, 69, 71, 74, 76})
        {
            At(MicroSeconds(us), [this, us, &misses, &computed, &te] {
                misses[us] = Misses();
                computed[us] = te.GetComputations();
            });
        }
        Run();
        NS_TEST_EXPECT_MSG_EQ(misses[54], 0, "the routes do not know");
        // from 55 us on, one flow at line rate, or half of it beside the other
        const double full = 14000 / FRAME_NS;
        NS_TEST_EXPECT_MSG_GT(double(misses[69]), full / 2 - 2, "by hash");
        NS_TEST_EXPECT_MSG_LT(double(misses[69]), full + 2, "no other frames");
        NS_TEST_EXPECT_MSG_EQ(misses[76], misses[71], "pinned again");
        NS_TEST_EXPECT_MSG_EQ(Misses(), misses[71], "to the end");
        const std::map<uint32_t, uint32_t> expected{{54, 1}, {69, 1}, {71, 2}, {74, 2}, {76, 3}};
        NS_TEST_EXPECT_MSG_EQ((computed == expected), true, "at 0, 70 and 75 us");
        NS_TEST_EXPECT_MSG_EQ(te.GetLastComputed(), MicroSeconds(75), "when the routes followed");
        NS_TEST_EXPECT_MSG_EQ(te.GetMoves(), 2, "the other has to make room");
    }
};

/** Links that fail while a reaction is under way. */
class ViewTest : public EngineerTest
{
  public:
    ViewTest()
        : EngineerTest("what the controller knows is as old as its delay")
    {
    }

  private:
    void DoRun() override
    {
        BuildLeaves(2, 3);
        fabric->SetRouteDelay(MilliSeconds(1));
        Open(0, 2);
        Open(1, 3);
        TrafficEngineer te(fabric);
        te.SetReactionDelay(MicroSeconds(20));
        for (const TestFlow& flow : flows)
        {
            te.Add(flow.pair, 80 * GBPS);
        }
        te.Start();
        for (const auto& [us, spine] : {std::pair(50, 0), {60, 2}, {70, 1}})
        {
            At(MicroSeconds(us),
               [this, spine = spine] { fabric->SetLinkUp(UplinkOf(spine), false); });
        }
        At(MicroSeconds(100), [this] { fabric->SetLinkUp(UplinkOf(1), true); });
        At(MicroSeconds(130), [this] { fabric->SetLinkUp(UplinkOf(0), true); });
        At(MicroSeconds(160), [this] { fabric->SetLinkRate(UplinkOf(0), 40 * GBPS); });
        bool pinned = true;
        At(MicroSeconds(92), [this, &pinned] { // no path, so no pin is left
            pinned = PathPinHelper(fabric).UnpinQueuePair(leaf,
                                                          fabric->GetAddresses().Address(2),
                                                          flows[0].pair.peerQp->GetQpn());
        });
        std::vector<std::vector<uint32_t>> seen;
        for (uint32_t us : {69, 71, 81, 91, 121, 151, 181})
        {
            At(MicroSeconds(us), [this, &seen, &te] {
                seen.push_back({SpineOf(te, 0), SpineOf(te, 1), te.GetUnfit(), te.GetUnplaced()});
            });
        }
        Run();
        // spine of each flow, not fitting, without a path
        const std::vector<std::vector<uint32_t>> expected = {
            {0, 1, 0, 0},       // as at the start
            {1, 2, 0, 0},       // spine 0 went at 50 us; that spine 2 did at 60 is not known
            {1, 1, 1, 0},       // now it is: 160 on 100
            {1000, 1000, 0, 2}, // spine 1 went at 70 us
            {1, 1, 1, 0},       // and came back
            {0, 1, 0, 0},       // spine 0 too
            {1, 1, 1, 0},       // and has 40: 160 / 100 is less full than 80 / 40
        };
        NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "spines, unfit, unplaced");
        NS_TEST_EXPECT_MSG_EQ(pinned, false, "pin of a connection without a path");
    }
};

/** Demands that nobody told. */
class ElephantTest : public EngineerTest
{
  public:
    ElephantTest()
        : EngineerTest("measured demands find the elephant")
    {
    }

  private:
    void DoRun() override
    {
        BuildLeaves(4, 2);
        for (uint32_t host = 0; host < 4; ++host)
        {
            Open(host, 4 + host);
        }
        TrafficEngineer te(fabric);
        te.SetInterval(MicroSeconds(100));
        for (const TestFlow& flow : flows)
        {
            te.AddMeasured(flow.pair);
        }
        te.Start();
        const std::vector<uint32_t> blind{SpineOf(te, 0), SpineOf(te, 1), SpineOf(te, 2)};
        Post(flows[0], 5000000); // 433 us at line rate
        for (uint32_t i = 0; i < 35; ++i)
        {
            At(MicroSeconds(10 * i), [this] {
                for (uint32_t mouse : {1, 2, 3})
                {
                    Post(flows[mouse], 8000);
                }
            });
        }
        std::vector<uint64_t> first;
        std::vector<uint64_t> second;
        std::vector<uint32_t> spines;
        At(MicroSeconds(101), [&] {
            for (uint32_t i = 0; i < 4; ++i)
            {
                first.push_back(te.GetDemand(i));
                spines.push_back(SpineOf(te, i));
            }
        });
        At(MicroSeconds(301), [&] {
            for (uint32_t i = 0; i < 4; ++i)
            {
                second.push_back(te.GetDemand(i));
            }
        });
        Run();
        NS_TEST_EXPECT_MSG_EQ((blind == std::vector<uint32_t>{0, 1, 0}), true, "in turn at first");
        // a mouse: 8 packets in 10 us, 8 x 1082 x 8 / 10 us = 6.9 Gb/s, one message more or less
        // in 100 us is 0.7: nearest to 6.25, a sixteenth. The elephant beside one, some us late:
        // more than 80; alone it has all
        for (uint32_t mouse : {1, 2, 3})
        {
            NS_TEST_EXPECT_MSG_EQ(first.at(mouse), 6250000000ULL, "mouse " << mouse);
            NS_TEST_EXPECT_MSG_EQ(second.at(mouse), 6250000000ULL, "mouse " << mouse);
        }
        NS_TEST_EXPECT_MSG_GT(first.at(0), 80 * GBPS, "elephant");
        NS_TEST_EXPECT_MSG_EQ(second.at(0), 100 * GBPS, "elephant alone");
        NS_TEST_EXPECT_MSG_EQ((spines == std::vector<uint32_t>{0, 1, 1, 1}), true, "mice together");
        NS_TEST_EXPECT_MSG_LT(te.GetComputations(), 8, "measuring ends with the work");
    }
};

/** Bad input. */
class EngineerRefusalTest : public EngineerTest
{
  public:
    EngineerRefusalTest()
        : EngineerTest("what it refuses")
    {
    }

  private:
    /** \param word of the message \param action what is refused */
    void Refused(const std::string& word, const std::function<void()>& action)
    {
        std::string said = "nothing";
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
        Build(StarGraph(2, 100 * GBPS, 1000));
        Refused("SetLoadBalancer(\"pinned\")", [this] { TrafficEngineer te(fabric); });
        const Connection foreign = Open(0, 1).pair;
        BuildLeaves(2, 2);
        const Connection pair = Open(0, 2).pair;
        {
            TrafficEngineer te(fabric);
            Refused("0 bit/s", [&] { te.Add(pair, 0); });
            Refused("10000000000001 bit/s", [&] { te.Add(pair, 10000000000001ULL); });
            Refused("is empty", [&] { te.Add(Connection(), GBPS); });
            Refused("not of this fabric", [&] { te.Add(foreign, GBPS); });
            Refused("-5 ns", [&] { te.SetReactionDelay(NanoSeconds(-5)); });
            Refused("interval of 0 ns", [&] { te.SetInterval(Time(0)); });
            NS_TEST_EXPECT_MSG_EQ(te.AddMeasured(pair), 0, "the first");
            Refused("was added before", [&] { te.Add(pair, GBPS); });
            Refused("set an interval", [&] { te.Start(); });
            Refused("no connection 1; there are 1", [&] { te.GetPath(1); });
            te.SetInterval(MicroSeconds(10));
            te.Start();
            Refused("started", [&] { te.Start(); });
            Refused("started", [&] { te.Add(pair, GBPS); });
            Refused("started", [&] { te.SetInterval(MicroSeconds(1)); });
            Refused("a listener already", [&] { TrafficEngineer(fabric).Start(); });
            fabric->SetLinkUp(UplinkOf(0), false);
            Refused("under way", [&] { te.SetReactionDelay(MicroSeconds(1)); });
        }
        // the controller is gone, and with it what it would have done
        TrafficEngineer te(fabric);
        te.Start();
        Run();
        NS_TEST_EXPECT_MSG_EQ(te.GetComputations(), 1, "no links changed since");
    }
};

/** A controller of paths. */
class TrafficEngineerSuite : public TestSuite
{
  public:
    TrafficEngineerSuite()
        : TestSuite("roce-traffic-engineer", TestSuite::Type::UNIT)
    {
        AddTestCase(new OwnUplinkTest, D::QUICK);
        AddTestCase(new HashTest, D::QUICK);
        AddTestCase(new ReactionTest, D::QUICK);
        AddTestCase(new FallbackTest, D::QUICK);
        AddTestCase(new ViewTest, D::QUICK);
        AddTestCase(new ElephantTest, D::QUICK);
        AddTestCase(new EngineerRefusalTest, D::QUICK);
    }
};

TrafficEngineerSuite g_trafficEngineerSuite; //!< registers the suite

} // namespace
