/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-result-writer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000; //!< bit/s
constexpr int64_t US = 1000000;    //!< ps

/** Post one message now. \return its connection. \param fabric where \param from host \param to
 *  host \param bytes length \param sourcePort UDP port; 0: the NIC's choice */
Connection
Post(Ptr<Fabric> fabric, uint32_t from, uint32_t to, uint64_t bytes, uint16_t sourcePort = 0)
{
    ConnectionOptions options;
    options.sourcePort = sourcePort;
    options.mirrorPorts = sourcePort != 0; // so that ACKs take the same path each time
    const Connection connection = fabric->Connect(from, to, options);
    WorkRequest request;
    request.bytes = bytes;
    connection.nic->Post(connection.qp, request);
    return connection;
}

/** A10: four hosts, a switch, four parallel links, a switch, four hosts. */
class ParallelLinksTest : public TestCase
{
  public:
    /** \param fail whether a link fails on the way */
    explicit ParallelLinksTest(bool fail)
        : TestCase(fail ? "A10: a parallel link fails" : "A10: parallel links"),
          m_fail(fail)
    {
    }

  private:
    static constexpr uint32_t LEFT = 8;  //!< id of the left switch
    static constexpr uint32_t RIGHT = 9; //!< id of the right switch

    static FabricGraph MakeGraph()
    {
        FabricGraph graph;
        for (uint32_t i = 0; i < 8; ++i)
        {
            graph.AddHost(i);
        }
        graph.AddSwitch(LEFT);
        graph.AddSwitch(RIGHT);
        for (uint32_t i = 0; i < 4; ++i)
        {
            graph.AddLink(LEFT, RIGHT, 100 * G, US); // link i, port i of both
        }
        for (uint32_t i = 0; i < 8; ++i)
        {
            graph.AddLink(i, i < 4 ? LEFT : RIGHT, 100 * G, US);
        }
        return graph;
    }

    void OnSent(uint32_t link, const Frame& frame)
    {
        if (frame.kind == FrameKind::REQUEST)
        {
            m_flows[link].insert(frame.sourcePort);
            m_bytes[link] += frame.size;
            m_last[link] = EventCore::Get()->Now();
        }
    }

    void DoRun() override
    {
        constexpr Tick failure = 100000;
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(1)));
        Ptr<Fabric> fabric = roce.Install(MakeGraph());
        for (uint32_t link = 0; link < 4; ++link)
        {
            Callback<void, uint32_t, const Frame&> sink =
                MakeCallback(&ParallelLinksTest::OnSent, this);
            fabric->GetPort(LEFT, link)->TraceConnectWithoutContext("FrameSent", sink.Bind(link));
        }
        for (uint32_t flow = 0; flow < 64; ++flow)
        {
            Post(fabric, flow % 4, 4 + flow % 4, 1000000, static_cast<uint16_t>(50000 + flow));
        }
        if (m_fail)
        {
            Simulator::Schedule(NanoSeconds(failure), [fabric]() { fabric->SetLinkUp(2, false); });
        }
        Simulator::Run();
        uint64_t delivered = 0;
        uint64_t completed = 0;
        uint64_t sent = 0;
        for (uint32_t i = 0; i < 8; ++i)
        {
            const NicCounters& counters = fabric->GetNic(i)->GetCounters();
            delivered += counters.bytesDelivered;
            completed += counters.requestsCompleted;
            sent += counters.dataSent;
        }
        NS_TEST_EXPECT_MSG_EQ(completed, 64, "all flows finish");
        NS_TEST_EXPECT_MSG_EQ(delivered, 64000000, "each byte once");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "nothing is open");
        // the chance that a fair hash leaves a link empty is 4 (3/4)^64 = 4e-8, that it gives one
        // half of 64 flows or more 4 P(Binomial(64, 1/4) >= 32) = 5e-5
        for (uint32_t link = 0; link < 4; ++link)
        {
            NS_TEST_EXPECT_MSG_GT(m_bytes[link], 0, "link " << link << " carries data");
            NS_TEST_EXPECT_MSG_EQ((m_fail || m_flows[link].size() < 32),
                                  true,
                                  "link " << link << " has less than half the flows");
        }
        m_fail ? CheckFailure(fabric, sent, failure) : CheckWhole(fabric, sent);
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(LEFT)->CheckInvariants(), "", "left switch");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(RIGHT)->CheckInvariants(), "", "right switch");
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames left over");
        Simulator::Destroy();
    }

    void CheckWhole(Ptr<Fabric> fabric, uint64_t sent)
    {
        // 1 MB: 245 packets with 62 bytes of headers, one RETH of 16
        NS_TEST_EXPECT_MSG_EQ(std::accumulate(m_bytes, m_bytes + 4, uint64_t(0)),
                              64 * (1000000 + 245 * 62 + 16),
                              "the links together carry each byte once");
        NS_TEST_EXPECT_MSG_EQ(sent, 64 * 245, "nothing is sent twice");
        std::size_t flows = 0;
        for (const auto& link : m_flows)
        {
            flows += link.size();
        }
        NS_TEST_EXPECT_MSG_EQ(flows, 64, "a flow keeps to one link");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(LEFT)->GetDrops(DropReason::LINK_DOWN), 0, "drops");
    }

    void CheckFailure(Ptr<Fabric> fabric, uint64_t sent, Tick failure)
    {
        NS_TEST_EXPECT_MSG_LT(m_last[2], failure, "no data over the link that is down");
        NS_TEST_EXPECT_MSG_GT(sent, 64 * 245, "what was on it is sent again");
        std::size_t moved = 0;
        for (uint16_t flow : m_flows[2])
        {
            moved += m_flows[0].count(flow) + m_flows[1].count(flow) + m_flows[3].count(flow) > 0;
        }
        NS_TEST_EXPECT_MSG_EQ(moved, m_flows[2].size(), "all its flows go on over others");
        NS_TEST_EXPECT_MSG_GT(fabric->GetPort(LEFT, 2)->GetDrops(DropReason::LINK_DOWN) +
                                  fabric->GetSwitch(LEFT)->GetDrops(DropReason::LINK_DOWN),
                              0,
                              "what was on it is counted");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetGraph().Link(2).up, false, "the graph knows");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetCable(2)->IsUp(), false, "the cable knows");
    }

    bool m_fail;
    std::set<uint16_t> m_flows[4];
    uint64_t m_bytes[4]{};
    Tick m_last[4]{};
};

/** A link goes down and comes back. */
class ReturnTest : public TestCase
{
  public:
    ReturnTest()
        : TestCase("links down and up again")
    {
    }

  private:
    /** \return data frames that two spines sent in a round of flows between two leaves */
    std::vector<uint64_t> Round(Ptr<Fabric> fabric, const std::vector<uint32_t>& spines)
    {
        std::vector<uint64_t> before;
        for (uint32_t spine : spines)
        {
            before.push_back(fabric->GetSwitch(spine)->GetFramesIn());
        }
        for (uint16_t i = 0; i < 32; ++i)
        {
            Post(fabric, i % 4, 4 + i % 4, 1000, static_cast<uint16_t>(50000 + i));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "all finish");
        for (std::size_t i = 0; i < spines.size(); ++i)
        {
            before[i] = fabric->GetSwitch(spines[i])->GetFramesIn() - before[i];
        }
        return before;
    }

    void Spines()
    {
        // 2 leaves (8, 9) of 4 hosts, spines 10 and 11; links 0..3 and 4..7 go to the hosts
        Ptr<Fabric> fabric = RoceHelper().Install(ClosBuilder::Build(LeafSpinePlan()));
        uint32_t link = 0;
        while (!(fabric->GetGraph().Link(link).a == 8 && fabric->GetGraph().Link(link).b == 10))
        {
            ++link;
        }
        const auto whole = Round(fabric, {10, 11});
        NS_TEST_EXPECT_MSG_EQ(whole[0] + whole[1], 64, "32 packets and 32 ACKs");
        NS_TEST_EXPECT_MSG_GT(whole[0], 0, "both spines");
        NS_TEST_EXPECT_MSG_GT(whole[1], 0, "both spines");
        fabric->SetLinkUp(link, false);
        const auto half = Round(fabric, {10, 11});
        NS_TEST_EXPECT_MSG_EQ(half[0], 0, "spine 10 cannot reach leaf 8");
        NS_TEST_EXPECT_MSG_EQ(half[1], 64, "spine 11 carries all");
        fabric->SetLinkUp(link, true);
        const auto back = Round(fabric, {10, 11});
        NS_TEST_EXPECT_MSG_EQ(back[0], whole[0], "as before");
        NS_TEST_EXPECT_MSG_EQ(back[1], whole[1], "as before");
        for (uint32_t id : fabric->GetGraph().Switches())
        {
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(id)->GetDrops(DropReason::NO_ROUTE),
                                  0,
                                  "no frame without a route");
        }
        Simulator::Destroy();
    }

    /** The link of a host is down for 2.5 ms: timers bring the message over. */
    void Access()
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, 100 * G, US);
        graph.AddLink(1, 2, 100 * G, US);
        RoceHelper roce;
        roce.SetNicAttribute("AckTimeout", TimeValue(MilliSeconds(1)));
        Ptr<Fabric> fabric = roce.Install(graph);
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        const Connection connection = Post(fabric, 0, 1, 1000000);
        Simulator::Schedule(MicroSeconds(20), [fabric]() { fabric->SetLinkUp(1, false); });
        Simulator::Schedule(MicroSeconds(2520), [fabric]() { fabric->SetLinkUp(1, true); });
        Simulator::Run();
        const NicCounters& counters = connection.nic->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.requestsCompleted, 1, "completes");
        NS_TEST_EXPECT_MSG_EQ(connection.peerNic->GetCounters().bytesDelivered, 1000000, "bytes");
        // last ACK before 24 us; timers at about 1.02, 2.02 and 3.02 ms, the last with success
        NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 3, "timeouts");
        const Tick done = monitor->GetLastCompletion();
        NS_TEST_EXPECT_MSG_GT(done, 3020000, "not before the third");
        NS_TEST_EXPECT_MSG_LT(done, 3024000 + 86000, "1 MB and a round trip need less than 86 us");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(2)->CheckInvariants(), "", "switch");
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames left over");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        Spines();
        Access();
    }
};

/** Links that lose frames. */
class ErrorRateTest : public TestCase
{
  public:
    ErrorRateTest()
        : TestCase("error rates of links")
    {
    }

  private:
    /** \return results. \param stream first random stream */
    RunResult RunOnce(int64_t stream)
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, 100 * G, US);
        graph.AddLink(1, 2, 100 * G, US, 0.01);
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        roce.SetNicAttribute("PathMtu", UintegerValue(1024));
        Ptr<Fabric> fabric = roce.Install(graph);
        NS_TEST_EXPECT_MSG_EQ(roce.AssignStreams(fabric, stream), 3, "a switch and two ports");
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        const Connection connection = Post(fabric, 0, 1, 10240000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(connection.nic->GetCounters().requestsCompleted, 1, "completes");
        NS_TEST_EXPECT_MSG_EQ(connection.peerNic->GetCounters().bytesDelivered,
                              10240000,
                              "each byte is taken once, in order");
        m_frames = fabric->GetPort(1, 0)->GetReceived().GetFrames() +
                   fabric->GetPort(2, 1)->GetReceived().GetFrames();
        const RunResult result = monitor->Collect("errors");
        Simulator::Destroy();
        return result;
    }

    void DoRun() override
    {
        const RunResult a = RunOnce(10);
        const auto lost = double(a.GetDrops(DropReason::CORRUPT));
        const double mean = 0.01 * double(m_frames);
        NS_TEST_EXPECT_MSG_GT(m_frames, 20000, "10000 packets and their ACKs at least");
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, mean, 5 * std::sqrt(mean * 0.99), "1 % within 5 sigma");
        NS_TEST_EXPECT_MSG_GT(a.retransmitted, 0, "go-back-N repairs it");
        NS_TEST_EXPECT_MSG_GT(a.naks, 0, "NAKs ask for it");
        const RunResult b = RunOnce(10);
        NS_TEST_EXPECT_MSG_EQ(ResultWriter::ToJson(a).dump(),
                              ResultWriter::ToJson(b).dump(),
                              "the same streams, the same losses");
        const RunResult c = RunOnce(20);
        NS_TEST_EXPECT_MSG_NE(ResultWriter::ToJson(a).dump(),
                              ResultWriter::ToJson(c).dump(),
                              "other streams, other losses");
    }

    uint64_t m_frames{0};
};

/** Suite roce-fabric-links. */
class FabricLinksTestSuite : public TestSuite
{
  public:
    FabricLinksTestSuite()
        : TestSuite("roce-fabric-links", TestSuite::Type::UNIT)
    {
        AddTestCase(new ParallelLinksTest(false), D::QUICK);
        AddTestCase(new ParallelLinksTest(true), D::QUICK);
        AddTestCase(new ReturnTest, D::QUICK);
        AddTestCase(new ErrorRateTest, D::QUICK);
    }
};

FabricLinksTestSuite g_fabricLinksTestSuite;

} // namespace
