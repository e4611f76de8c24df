/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-flow-key.h"
#include "ns3/roce-link-schedule.h"
#include "ns3/string.h"

#include <cmath>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

// A full packet of 1000 bytes is a frame of 1062 and occupies 1082 with preamble and gap: 86.56 ns
// at 100 Gb/s, 346.24 ns at 25 Gb/s.
constexpr double FRAME_NS = 86.56;
constexpr double SLOW_FRAME_NS = 346.24;

/** \return hosts 0 and 1, leaves 2 and 3, spines 4 and 5, cables of 1 us; ports of a leaf: host,
 *  spine 4, spine 5 */
FabricGraph
TwoSpines()
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    for (uint32_t id = 2; id < 6; ++id)
    {
        graph.AddSwitch(id);
    }
    for (const auto& [a, b] : {std::pair(0, 2), {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}})
    {
        graph.AddLink(a, b, 100 * GBPS, 1000000);
    }
    return graph;
}

/** The spine of a flow fails. */
class RouteDelayTest : public FabricTest
{
  public:
    RouteDelayTest()
        : FabricTest("what is lost until the routes follow")
    {
    }

  private:
    /** Run one. \param delay of the routes \return completion time, ns */
    double RunOnce(Time delay)
    {
        Build(TwoSpines());
        fabric->SetRouteDelay(delay);
        Post(Open(0, 1), 2000000);
        uint32_t port = 0;
        At(MicroSeconds(50), [this, &port] {
            const bool first = fabric->GetPort(2, 1)->GetTransmitter().GetBusyUntil() >
                               Simulator::Now().GetTimeStep();
            port = first ? 1 : 2;
            fabric->SetLinkUp(first ? 2 : 3, false);
        });
        Run();
        // lost: what is on the cable of 1 us, and what comes until the routes follow; the frame
        // that is being sent, and rounding at both ends
        const double lost = (1000 + static_cast<double>(delay.GetNanoSeconds())) / FRAME_NS;
        const uint64_t drops = fabric->GetSwitch(2)->GetDrops(DropReason::LINK_DOWN) +
                               fabric->GetPort(2, port)->GetDrops(DropReason::LINK_DOWN);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(drops), lost + 1, 2, "route delay " << delay.As(Time::US));
        NS_TEST_EXPECT_MSG_EQ(Sender(flows[0]).timeouts, 0, "a NAK tells, not the timer");
        const auto fct = static_cast<double>(flows[0].Fct());
        Reset();
        return fct;
    }

    void DoRun() override
    {
        const double atOnce = RunOnce(Time(0));
        const double soon = RunOnce(MicroSeconds(10));
        const double late = RunOnce(MicroSeconds(50));
        // all that differs is how long packets went nowhere; a slot of one frame is the grain
        NS_TEST_EXPECT_MSG_EQ_TOL(soon - atOnce, 10000, 2 * FRAME_NS, "10 us");
        NS_TEST_EXPECT_MSG_EQ_TOL(late - soon, 40000, 2 * FRAME_NS, "40 us more");
    }
};

/** A link that comes back is not used before the routes know. */
class LinkBackTest : public FabricTest
{
  public:
    LinkBackTest()
        : FabricTest("a link that is up again")
    {
    }

  private:
    void DoRun() override
    {
        Build(TwoSpines());
        fabric->SetRouteDelay(MicroSeconds(5));
        LinkSchedule schedule(fabric);
        NS_TEST_EXPECT_MSG_EQ(schedule.Add("10us 2-4 down; 30us 2-4 up"), 2, "two changes");
        const ForwardingTable& table = fabric->GetSwitch(2)->GetForwarding();
        const uint32_t address = fabric->GetAddresses().Address(1, 0);
        std::vector<std::pair<int64_t, std::size_t>> seen;
        for (int64_t us : {9, 14, 16, 34, 36})
        {
            At(MicroSeconds(us), [&table, &seen, address, us] {
                uint32_t count = 0;
                table.Lookup(address, count);
                seen.emplace_back(us, count);
            });
        }
        Run();
        const std::vector<std::pair<int64_t, std::size_t>> expected{{9, 2},
                                                                    {14, 2},
                                                                    {16, 1},
                                                                    {34, 1},
                                                                    {36, 2}};
        NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "members at 9, 14, 16, 34, 36 us");
    }
};

/** Lanes fail. */
class SlowLinkTest : public FabricTest
{
  public:
    SlowLinkTest()
        : FabricTest("a link loses three of four lanes")
    {
    }

  private:
    void DoRun() override
    {
        checkIdeal = false; // it knows the last rate only
        Build(StarGraph(2, 100 * GBPS, 1000));
        Post(Open(0, 1), 10000000);
        LinkSchedule schedule(fabric);
        schedule.Add("100us 1 rate 25Gbps");
        Run();
        // the switch has sent for 100 us - 1 us - a frame when the rate falls; the rest goes at the
        // new rate, then the ACK comes back over two cables
        const double before = (100000 - 1000 - FRAME_NS) / FRAME_NS;
        const double fct = 100000 + (10000 - before) * SLOW_FRAME_NS + 1000 + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[0].Fct()), fct, 0.001 * fct, "completion");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(1, 0)->GetRate(), 25 * GBPS, "both ends");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(2, 1)->GetRate(), 25 * GBPS, "both ends");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(0, 0)->GetRate(), 100 * GBPS, "not the other link");
    }
};

/** Weighted ECMP. */
class WeightTest : public FabricTest
{
  public:
    WeightTest()
        : FabricTest("weights follow a rate that changes")
    {
    }

  private:
    /** \return part of many flows that takes port 1 of leaf 2 */
    double Share()
    {
        constexpr uint32_t flowCount = 10000;
        const uint16_t members[] = {1, 2};
        Ptr<LoadBalancer> balancer = fabric->GetSwitch(2)->GetLoadBalancer();
        uint32_t first = 0;
        for (uint32_t i = 0; i < flowCount; ++i)
        {
            Frame frame;
            FlowKey key;
            key.sourcePort = static_cast<uint16_t>(i);
            frame.sourcePort = key.sourcePort;
            frame.hash = key.Hash();
            first += balancer->Pick(&frame, members, 2, 0) == 1;
        }
        return double(first) / flowCount;
    }

    void DoRun() override
    {
        helper->SetLoadBalancerAttribute("Weights", StringValue("rate"));
        Build(TwoSpines());
        fabric->SetRouteDelay(MicroSeconds(5));
        LinkSchedule schedule(fabric);
        schedule.Rate(MicroSeconds(10), 2, 25 * GBPS);
        std::vector<double> shares;
        for (int64_t us : {9, 14, 16})
        {
            At(MicroSeconds(us), [this, &shares] { shares.push_back(Share()); });
        }
        Run();
        // 1/2 and 25 / 125 of 10,000 independent draws: three standard deviations, 3 sqrt(p q / n)
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.at(0), 0.5, 0.015, "equal rates");
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.at(1), 0.5, 0.015, "not yet known");
        NS_TEST_EXPECT_MSG_EQ_TOL(shares.at(2), 0.2, 0.012, "a quarter of the other");
    }
};

/** Bit errors for a while. */
class ErrorsTest : public FabricTest
{
  public:
    ErrorsTest()
        : FabricTest("all frames are lost for 5 us")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, 100 * GBPS, 1000));
        Post(Open(0, 1), 1000000);
        LinkSchedule schedule(fabric);
        NS_TEST_EXPECT_MSG_EQ(schedule.Add("20us 1-2 errors 1; 25us 1-2 errors 0"), 2, "changes");
        NS_TEST_EXPECT_MSG_EQ(schedule.AssignStreams(7), 4, "two ends, twice");
        Run();
        const uint64_t lost = fabric->GetPort(1, 0)->GetDrops(DropReason::CORRUPT);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(lost), 5000 / FRAME_NS, 1, "back to back");
        NS_TEST_EXPECT_MSG_GT(Sender(flows[0]).retransmitted, lost - 1, "sent again");
    }
};

/** Bad text. */
class BadTextTest : public FabricTest
{
  public:
    BadTextTest()
        : FabricTest("what it refuses")
    {
    }

  private:
    void DoRun() override
    {
        Build(TwoSpines());
        const std::vector<std::pair<std::string, std::string>> bad = {
            {"10us 2-4", "expected TIME LINK"},
            {"10us 2-4 sideways", "expected TIME LINK"},
            {"10us 2-4 down now", "expected TIME LINK"},
            {"10us 2-4 rate", "expected TIME LINK"},
            {"10 2-4 down", "10"},
            {"-1us 2-4 down", "negative"},
            {"1us 6 down", "links 0 to 5"},
            {"1us 2-9 down", "no node 9"},
            {"1us 0-1 down", "not neighbors"},
            {"1us x-4 down", "x"},
            {"1us 2-4 rate 10bps", "the least is 1Mbps"},
            {"1us 2-4 errors 2", "2"},
            {"1us 2-4 errors nan", "nan"},
            {"1us 2-4 down; 2us 2-7 down", "no node 7"},
        };
        LinkSchedule schedule(fabric);
        for (const auto& [text, word] : bad)
        {
            std::string said;
            try
            {
                schedule.Add(text);
            }
            catch (const std::invalid_argument& error)
            {
                said = error.what();
            }
            NS_TEST_EXPECT_MSG_NE(said.find(word), std::string::npos, text << ": " << said);
        }
        NS_TEST_EXPECT_MSG_EQ(schedule.Add(" ; "), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(LinkSchedule::FindLinks(fabric->GetGraph(), "4-*").size(), 2, "all");
        Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetCable(2)->IsUp(), true, "not half of a bad text");
    }
};

/** Links that change. */
class LinkScheduleSuite : public TestSuite
{
  public:
    LinkScheduleSuite()
        : TestSuite("roce-link-schedule", TestSuite::Type::UNIT)
    {
        AddTestCase(new RouteDelayTest, D::QUICK);
        AddTestCase(new LinkBackTest, D::QUICK);
        AddTestCase(new SlowLinkTest, D::QUICK);
        AddTestCase(new WeightTest, D::QUICK);
        AddTestCase(new ErrorsTest, D::QUICK);
        AddTestCase(new BadTextTest, D::QUICK);
    }
};

LinkScheduleSuite g_linkScheduleSuite; //!< registers the suite

} // namespace
