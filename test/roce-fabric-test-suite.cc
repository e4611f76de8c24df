/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-result-writer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000; //!< bit/s
constexpr int64_t US = 1000000;    //!< ps
constexpr uint32_t MTU = 4096;     //!< payload of a full packet, as NICs have it by default

/** \return hosts 0..n-1 around switch n. \param hosts n \param rate of all links */
FabricGraph
MakeStar(uint32_t hosts, uint64_t rate)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(hosts);
    for (uint32_t i = 0; i < hosts; ++i)
    {
        graph.AddLink(i, hosts, rate, US);
    }
    return graph;
}

/** Post one message now. \param fabric where \param from host \param to host \param bytes length */
void
Post(Ptr<Fabric> fabric, uint32_t from, uint32_t to, uint64_t bytes)
{
    const Connection connection = fabric->Connect(from, to);
    WorkRequest request;
    request.bytes = bytes;
    connection.nic->Post(connection.qp, request);
}

/** What must hold of every fabric when it is idle. */
class FabricTest : public TestCase
{
  public:
    explicit FabricTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** \param fabric a fabric that is idle */
    void CheckIdle(Ptr<Fabric> fabric)
    {
        NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "open requests");
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames left over");
        for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
        {
            Ptr<Switch> device = fabric->GetSwitches().Get(i)->GetObject<Switch>();
            NS_TEST_EXPECT_MSG_EQ(device->CheckInvariants(), "", "invariants of switch " << i);
            NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetTotal().used, 0, "stored at switch " << i);
            NS_TEST_EXPECT_MSG_EQ(
                (device->GetMmu().GetTotal().peak <= device->GetMmu().GetTotal().size),
                true,
                "peak of switch " << i);
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                auto pfc = device->GetPfcController();
                NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffs(p), pfc->GetXons(p), "XOFF and XON match");
                NS_TEST_EXPECT_MSG_EQ(pfc->GetPaused(p), 0, "nothing is left paused");
            }
        }
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/** A9: N hosts write 1 MB each to one. */
class IncastTest : public FabricTest
{
  public:
    /** \param senders N */
    explicit IncastTest(uint32_t senders)
        : FabricTest("A9: incast of " + std::to_string(senders)),
          m_senders(senders)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t bytes = 1000000;
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetSwitchAttribute("BufferSize", UintegerValue(32000000));
        Ptr<Fabric> fabric = roce.Install(MakeStar(m_senders + 1, 100 * G));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        Ptr<Port> last = fabric->GetPort(m_senders + 1, m_senders);
        last->TraceConnectWithoutContext("FrameSent", MakeCallback(&IncastTest::OnSent, this));
        for (uint32_t i = 0; i < m_senders; ++i)
        {
            Post(fabric, i, m_senders, bytes);
        }
        Simulator::Run();
        CheckIdle(fabric);
        const RunResult result = monitor->Collect("incast");
        NS_TEST_EXPECT_MSG_EQ(result.completed, m_senders, "all complete");
        NS_TEST_EXPECT_MSG_EQ(result.GetDrops(DropReason::LOSSLESS_BUFFER), 0, "lossless drops");
        NS_TEST_EXPECT_MSG_EQ(result.GetDrops(DropReason::LOSSY_BUFFER), 0, "lossy drops");
        NS_TEST_EXPECT_MSG_EQ(result.retransmitted, 0, "nothing is sent twice");
        NS_TEST_EXPECT_MSG_EQ(result.xoff, result.xon, "XOFF = XON");
        CheckPauses(fabric, result.xoff);
        Tick end = 0;
        for (const MessageRecord& message : monitor->GetMessages())
        {
            end = std::max(end, message.arrived);
        }
        // 1 MB is 245 packets; H = 82
        const double least = m_senders * bytes * (1 + 82.0 / MTU) * 8 / 100;
        NS_TEST_EXPECT_MSG_GT(double(end), least, "not faster than the link");
        NS_TEST_EXPECT_MSG_LT(double(end), 1.05 * least + 20000, "the link is kept busy");
        // busy share of the last link: frames with preamble and gap over first to last bit
        const InFlight& sent = last->GetTransmitter().GetFlight();
        const double bits = double(sent.GetBytes() + 20 * sent.GetFrames()) * 8;
        const double busy = bits / 100 / double(m_lastEnd - m_firstStart);
        NS_TEST_EXPECT_MSG_GT(busy, 0.995, "busy share of the bottleneck");
        NS_TEST_EXPECT_MSG_LT(busy, 1.0001, "and not more than there is time");
        NS_TEST_EXPECT_MSG_EQ(sent.GetBytes(),
                              m_senders * (bytes + 245 * 62 + 16),
                              "each byte once: 245 headers and one RETH a message");
    }

    /** There must be pauses just if what a sender piles up passes the threshold. */
    void CheckPauses(Ptr<Fabric> fabric, uint64_t xoff)
    {
        // all senders send at line rate until paused, and the switch passes on 1/N of each, so
        // each ingress holds up to (1 - 1/N) MB and its headers. With N alike the threshold is
        // T = alpha (pool - N T), alpha 1/8, above the reserve of 4096
        const SwitchMmu& mmu = fabric->GetSwitch(m_senders + 1)->GetMmu();
        const double piled = (1 - 1.0 / m_senders) * (1000000 + 245 * 62 + 16);
        const double threshold = double(mmu.GetPool(true).size) / (8 + m_senders) + 4096;
        if (threshold > piled * 1.02)
        {
            NS_TEST_EXPECT_MSG_EQ(xoff, 0, "below the threshold nobody is paused");
        }
        else
        {
            NS_TEST_EXPECT_MSG_LT(threshold, piled * 0.98, "clear case");
            NS_TEST_EXPECT_MSG_EQ((xoff >= m_senders), true, "each sender is paused");
        }
        NS_TEST_EXPECT_MSG_EQ((m_senders < 63 || xoff > 0), true, "63 and more must be paused");
    }

    void OnSent(const Frame& frame)
    {
        const Tick now = EventCore::Get()->Now();
        if (m_firstStart == NEVER)
        {
            m_firstStart = now;
        }
        m_lastEnd = now + static_cast<Tick>(std::ceil((frame.size + 20) * 0.08));
    }

    uint32_t m_senders;
    Tick m_firstStart{NEVER};
    Tick m_lastEnd{0};
};

/** A9 over two tiers: hosts at 10G, uplinks at 40G, 8 flows from each of 125 hosts to one. */
class ClosIncastTest : public FabricTest
{
  public:
    ClosIncastTest()
        : FabricTest("A9: 125 hosts, 8 flows each, over 10G and 40G")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t bytes = 1000000;
        LeafSpinePlan plan;
        plan.leaves = 9;
        plan.spines = 4;
        plan.hostsPerLeaf = 14;
        plan.hostRateBps = 10 * G;
        plan.fabricRateBps = 40 * G;
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetSwitchAttribute("BufferSize", UintegerValue(32000000));
        Ptr<Fabric> fabric = roce.Install(ClosBuilder::Build(plan));
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        for (uint32_t i = 0; i < 125; ++i)
        {
            for (int flow = 0; flow < 8; ++flow)
            {
                Post(fabric, i, 125, bytes);
            }
        }
        Simulator::Run();
        CheckIdle(fabric);
        const RunResult result = monitor->Collect("incast");
        NS_TEST_EXPECT_MSG_EQ(result.completed, 1000, "all complete");
        NS_TEST_EXPECT_MSG_EQ(result.GetDrops(DropReason::LOSSLESS_BUFFER), 0, "lossless drops");
        NS_TEST_EXPECT_MSG_EQ(result.retransmitted, 0, "nothing is sent twice");
        NS_TEST_EXPECT_MSG_GT(result.xoff, 0, "senders are paused");
        Tick end = 0;
        for (const MessageRecord& message : monitor->GetMessages())
        {
            end = std::max(end, message.arrived);
        }
        const double least = 1000 * double(bytes) * (1 + 82.0 / MTU) * 8 / 10;
        NS_TEST_EXPECT_MSG_GT(double(end), least, "not faster than the link");
        NS_TEST_EXPECT_MSG_LT(double(end), 1.05 * least + 20000, "the link is kept busy");
    }
};

/** Each host writes to each other one. */
class AllPairsTest : public FabricTest
{
  public:
    /** \param name of the fabric \param graph the fabric \param hops links that one message of
     *  one packet and its ACK cross, over all pairs */
    AllPairsTest(const std::string& name, const FabricGraph& graph, uint64_t hops)
        : FabricTest("all pairs: " + name),
          m_graph(graph),
          m_hops(hops)
    {
    }

  private:
    void DoRun() override
    {
        Ptr<Fabric> fabric = RoceHelper().Install(m_graph);
        const std::vector<uint32_t> hosts = fabric->GetGraph().Hosts();
        for (uint32_t from : hosts)
        {
            for (uint32_t to : hosts)
            {
                if (from != to)
                {
                    Post(fabric, from, to, 1);
                }
            }
        }
        const uint64_t before = EventCore::Get()->GetFrameHops();
        Simulator::Run();
        CheckIdle(fabric);
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetFrameHops() - before,
                              m_hops,
                              "each frame crosses its shortest path once");
        for (uint32_t host : hosts)
        {
            const NicCounters& counters = fabric->GetNic(host)->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.messagesDelivered, hosts.size() - 1, "from each other");
            NS_TEST_EXPECT_MSG_EQ(counters.requestsCompleted, hosts.size() - 1, "to each other");
            NS_TEST_EXPECT_MSG_EQ(counters.bytesDelivered, hosts.size() - 1, "one byte each");
        }
        for (uint32_t id : fabric->GetGraph().Switches())
        {
            for (unsigned reason = 0; reason < NUM_DROP_REASONS; ++reason)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    fabric->GetSwitch(id)->GetDrops(static_cast<DropReason>(reason)),
                    0,
                    "drops of switch " << id);
            }
        }
    }

    FabricGraph m_graph;
    uint64_t m_hops;
};

/** Two runs are alike to the last counter, and the law makes a difference. */
class RepeatTest : public FabricTest
{
  public:
    RepeatTest()
        : FabricTest("same seed, same counters; other streams, other marks")
    {
    }

  private:
    /** \return all results as text. \param cc the law \param stream first random stream */
    static std::string RunOnce(const std::string& cc, int64_t stream)
    {
        LeafSpinePlan plan;
        plan.hostsPerLeaf = 8;
        RoceHelper roce;
        roce.SetCongestionControl(cc);
        roce.SetNicAttribute("EcnCapable", BooleanValue(cc != "none"));
        Ptr<Fabric> fabric = roce.Install(ClosBuilder::Build(plan));
        NS_ABORT_MSG_IF(roce.AssignStreams(fabric, stream) < 4, "a stream for each switch");
        Ptr<FabricMonitor> monitor = MonitorHelper().InstallFabricMonitor(fabric);
        for (uint32_t i = 0; i < 8; ++i)
        {
            Post(fabric, i, 8 + i / 4, 2000000);
        }
        Simulator::Run();
        const std::string text = ResultWriter::ToJson(monitor->Collect(cc)).dump();
        Simulator::Destroy();
        return text;
    }

    void DoRun() override
    {
        const std::string dcqcn = RunOnce("dcqcn", 7);
        const std::string none = RunOnce("none", 7);
        NS_TEST_EXPECT_MSG_EQ(RunOnce("dcqcn", 7), dcqcn, "the same again");
        NS_TEST_EXPECT_MSG_EQ(RunOnce("none", 7), none, "the same again");
        NS_TEST_EXPECT_MSG_NE(RunOnce("dcqcn", 77), dcqcn, "RED draws other numbers");
        const auto a = ResultWriter::Json::parse(dcqcn);
        const auto b = ResultWriter::Json::parse(none);
        NS_TEST_EXPECT_MSG_GT(a["cnp"]["sent"].get<uint64_t>(), 0, "DCQCN hears of congestion");
        NS_TEST_EXPECT_MSG_EQ(b["cnp"]["sent"].get<uint64_t>(), 0, "none is Not-ECT");
        NS_TEST_EXPECT_MSG_EQ(b["ecn_marked"].get<uint64_t>(), 0, "so nothing is marked");
        NS_TEST_EXPECT_MSG_EQ(a["messages"]["completed"], 8, "all complete");
        NS_TEST_EXPECT_MSG_EQ(b["messages"]["completed"], 8, "all complete");
    }
};

/** Suite roce-fabric. */
class FabricTestSuite : public TestSuite
{
  public:
    FabricTestSuite()
        : TestSuite("roce-fabric", TestSuite::Type::UNIT)
    {
        for (uint32_t senders : {2, 16, 63, 64, 65, 127})
        {
            AddTestCase(new IncastTest(senders), D::QUICK);
        }
        AddTestCase(new ClosIncastTest, D::QUICK);
        // k = 4: of the 15 others 1 is 2 links away, 2 are 4 and 12 are 6; 16 hosts, there and back
        FatTreePlan tree;
        AddTestCase(new AllPairsTest("fat tree",
                                     FatTreeBuilder::Build(tree),
                                     2 * 16 * (1 * 2 + 2 * 4 + 12 * 6)),
                    D::QUICK);
        // 2 pods of 2 leaves of 4 hosts: 3 at 2 links, 4 at 4, 8 at 6
        ThreeTierPlan tiers;
        AddTestCase(new AllPairsTest("three tiers",
                                     ClosBuilder::Build(tiers),
                                     2 * 16 * (3 * 2 + 4 * 4 + 8 * 6)),
                    D::QUICK);
        // 4 leaves of 4 hosts: 3 at 2 links, 12 at 4
        LeafSpinePlan leaves;
        leaves.leaves = 4;
        AddTestCase(
            new AllPairsTest("leaf-spine", ClosBuilder::Build(leaves), 2 * 16 * (3 * 2 + 12 * 4)),
            D::QUICK);
        AddTestCase(new RepeatTest, D::QUICK);
    }
};

FabricTestSuite g_fabricTestSuite;

} // namespace
