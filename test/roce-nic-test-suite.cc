/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/node-list.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-event-core.h"

#include <map>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;

/** A12: more hosts and queue pairs than any fixed array would hold. */
class ManyTest : public FabricTest
{
  public:
    ManyTest()
        : FabricTest("A12: many hosts, many queue pairs")
    {
    }

  private:
    /**
     * \param n hosts
     * \param peers how many messages of one packet host 0 sends, to host 1 or to 1, 2, 3...
     * \param spread whether to different hosts
     */
    void RunOnce(uint32_t n, uint32_t peers, bool spread)
    {
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1u << 30));
        Build(StarGraph(n, RATE, 1000));
        for (uint32_t i = 0; i < peers; ++i)
        {
            Open(0, spread ? 1 + i : 1);
        }
        for (TestFlow& flow : flows)
        {
            Post(flow, 1000);
        }
        Run();
        Tick last = 0;
        for (const TestFlow& flow : flows)
        {
            last = std::max(last, flow.sent.at(0).completed);
        }
        // one packet each of 1000 + 98 bytes, 87.84 ns: the last leaves after peers of them, takes
        // one more and two delays, and its ACK of 86 bytes takes two and two delays
        const double expected =
            (peers + 1) * TestBytesNs(1098, RATE) + 2000 + 2 * TestBytesNs(86, RATE) + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(last), expected, 1.0, n << " hosts, " << peers);
        Reset();
    }

    void DoRun() override
    {
        for (uint32_t n : {65, 129, 258, 300, 1025})
        {
            RunOnce(n, n - 1, true);
        }
        RunOnce(2, 129, false);
        RunOnce(2, 300, false);
        // headroom and reserves of 1025 ports do not fit into 32 MiB: said before the run
        std::string text;
        try
        {
            Build(StarGraph(1025, RATE, 1000));
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(text.find("33554432"), std::string::npos, "the buffer: " << text);
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), 0, "before there are nodes");
    }
};

/** A13: ids with gaps, hosts joined directly, hosts that cannot reach each other. */
class IdsTest : public FabricTest
{
  public:
    IdsTest()
        : FabricTest("A13: ids with gaps, links without a switch")
    {
    }

  private:
    /** \return completion times of two flows. \param id ids of two switches and three hosts */
    std::vector<Tick> RunIds(const std::vector<uint32_t>& id)
    {
        FabricGraph graph;
        graph.AddSwitch(id[0]);
        graph.AddHost(id[2]);
        graph.AddHost(id[3]);
        graph.AddSwitch(id[1]);
        graph.AddHost(id[4]);
        graph.AddLink(id[2], id[0], RATE, 1000000);
        graph.AddLink(id[0], id[1], RATE, 1000000);
        graph.AddLink(id[4], id[1], RATE, 1000000);
        graph.AddLink(id[3], id[0], RATE, 1000000);
        Build(graph);
        Post(Open(id[2], id[4]), 123456);
        TestFlow& second = Open(id[4], id[3]);
        At(MicroSeconds(100), [&second] { Post(second, 5000); });
        Run();
        const std::vector<Tick> times = {flows[0].Fct(), flows[1].Fct()};
        Reset();
        return times;
    }

    /** Hosts joined to each other. \param hosts how many, in a ring (two: one cable) */
    void RunDirect(uint32_t hosts)
    {
        FabricGraph graph;
        for (uint32_t i = 0; i < hosts; ++i)
        {
            graph.AddHost(i);
        }
        for (uint32_t i = 0; i < (hosts == 2 ? 1 : hosts); ++i)
        {
            graph.AddLink(i, (i + 1) % hosts, RATE, 1000000);
        }
        Build(graph);
        for (uint32_t i = 0; i < hosts; ++i)
        {
            Post(Open(i, (i + 1) % hosts), 10000);
        }
        Run();
        for (const TestFlow& flow : flows)
        {
            // n = 1. ACKs of the other direction share the cable: 10 of 6.88 ns at most
            const double alone = TestEqualCompletionNs(1, RATE, 1000, 10000, 1000);
            NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()), alone + 34, 36.0, hosts << " hosts");
        }
        Reset();
    }

    /** A lone message over one cable: n = 1 in the formula. */
    void RunCable()
    {
        FabricGraph graph;
        graph.AddHost(3);
        graph.AddHost(70000);
        graph.AddLink(3, 70000, RATE, 1000000);
        Build(graph);
        Post(Open(70000, 3), 123456);
        Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[0].Fct()),
                                  TestEqualCompletionNs(1, RATE, 1000, 123456, 1000),
                                  1.0,
                                  "one cable, one way");
        Reset();
    }

    /** Hosts do not forward: a side of a triangle that is down is not gone round. */
    void RunTriangle()
    {
        FabricGraph graph;
        for (uint32_t id : {20, 21, 22})
        {
            graph.AddHost(id);
        }
        graph.AddLink(20, 21, RATE, 1000000);
        graph.AddLink(21, 22, RATE, 1000000);
        graph.AddLink(22, 20, RATE, 1000000);
        graph.SetLinkUp(2, false);
        Build(graph, PartitionPolicy::Allow);
        std::string text;
        try
        {
            Open(22, 20);
        }
        catch (const std::runtime_error& error)
        {
            text = error.what();
        }
        flows.clear();
        NS_TEST_EXPECT_MSG_NE(text.find("from host 22 to host 20"), std::string::npos, text);
        Post(Open(22, 21), 1000);
        Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[0].Fct()),
                                  TestEqualCompletionNs(1, RATE, 1000, 1000, 1000),
                                  1.0,
                                  "the sides that are up");
        Reset();
    }

    void RunUnreachable()
    {
        FabricGraph graph; // a row: host 21 does not forward
        for (uint32_t id : {20, 21, 22})
        {
            graph.AddHost(id);
        }
        graph.AddLink(20, 21, RATE, 1000000);
        graph.AddLink(21, 22, RATE, 1000000);
        std::string text;
        try
        {
            Build(graph);
        }
        catch (const std::invalid_argument& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(text.find("20"), std::string::npos, "source: " << text);
        NS_TEST_EXPECT_MSG_NE(text.find("22"), std::string::npos, "destination: " << text);
        Build(graph, PartitionPolicy::Allow);
        text.clear();
        try
        {
            Open(20, 22);
        }
        catch (const std::runtime_error& error)
        {
            text = error.what();
        }
        flows.clear();
        NS_TEST_EXPECT_MSG_NE(text.find("20"), std::string::npos, "source: " << text);
        NS_TEST_EXPECT_MSG_NE(text.find("22"), std::string::npos, "destination: " << text);
        Post(Open(20, 21), 1000);
        Run();
        Reset();
    }

    void DoRun() override
    {
        const auto gaps = RunIds({0, 7, 5, 9, 1000});
        const auto dense = RunIds({3, 4, 0, 1, 2});
        NS_TEST_EXPECT_MSG_EQ((gaps == dense), true, "ids do not matter");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(gaps[0]),
                                  TestEqualCompletionNs(3, RATE, 1000, 123456, 1000),
                                  1.0,
                                  "three links");
        RunDirect(2);
        RunDirect(3);
        RunCable();
        RunTriangle();
        RunUnreachable();
    }
};

/** A14: round trips. */
class RttTest : public FabricTest
{
  public:
    RttTest()
        : FabricTest("A14: RTT samples")
    {
    }

  private:
    void OnRtt(uint32_t, Tick rtt)
    {
        samples.push_back(rtt);
    }

    /** \param senders hosts that send to the last one */
    void RunOnce(uint32_t senders)
    {
        samples.clear();
        Build(StarGraph(senders + 1, RATE, 1000));
        for (uint32_t i = 0; i < senders; ++i)
        {
            fabric->GetNic(i)->TraceConnectWithoutContext("Rtt",
                                                          MakeCallback(&RttTest::OnRtt, this));
            Post(Open(i, senders), 10000000);
        }
        Run();
        NS_TEST_ASSERT_MSG_EQ(samples.size(), senders * 10000, "one a packet");
        // 2 s + 2 ack + 4 d, s = 87.84 ns with the RETH of 16 bytes (1.28 ns) and 86.56 without
        const double ack = 2 * TestBytesNs(86, RATE) + 4000;
        const double first = 2 * TestBytesNs(1098, RATE) + ack;
        const double base = 2 * TestBytesNs(1082, RATE) + ack;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(samples.front()), first, 1.0, "first sample");
        // what can be in the way: all that the switch ever stored, 20 bytes more a frame
        const uint64_t peak = fabric->GetSwitch(senders + 1)->GetMmu().GetTotal().peak;
        const double queue = TestBytesNs(peak * 1082.0 / 1062, RATE);
        for (Tick rtt : samples)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(double(rtt) + 1, base, "below the base RTT");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(double(rtt), first + queue + 2, "above the queue");
        }
    }

    void DoRun() override
    {
        RunOnce(1);
        for (Tick rtt : samples)
        {
            // alone, a packet waits for the RETH of the first at most
            NS_TEST_EXPECT_MSG_LT_OR_EQ(double(rtt), 4189.44 + 1, "lone flow");
        }
        const double goodput = 8e7 / double(flows[0].Fct()); // bit/ns
        NS_TEST_EXPECT_MSG_GT_OR_EQ(goodput, 0.95 * 100 * 1000 / 1082, "goodput of a lone flow");
        Reset();
        RunOnce(2);
    }

    std::vector<Tick> samples;
};

/** A18: source ports and the paths they lead to. */
class EntropyTest : public FabricTest
{
  public:
    EntropyTest()
        : FabricTest("A18: source ports and paths")
    {
    }

  private:
    /** \param same value of SameSourcePort */
    void RunOnce(bool same)
    {
        helper->SetNicAttribute("SameSourcePort", BooleanValue(same));
        LeafSpinePlan plan;
        plan.spines = 4;
        plan.hostsPerLeaf = 1;
        plan.hostRateBps = 400 * GBPS;
        Build(ClosBuilder::Build(plan));               // hosts 0, 1, leaves 2, 3, spines 4 to 7
        std::map<uint32_t, std::set<uint32_t>> spines; // by queue pair
        std::set<uint32_t> used;
        for (uint32_t spine = 4; spine < 8; ++spine)
        {
            for (uint32_t port = 0; port < 2; ++port)
            {
                fabric->GetPort(spine, port)->SetReceiveFilter([&, spine](const Frame& frame) {
                    if (frame.kind == FrameKind::REQUEST)
                    {
                        spines[frame.destinationQp].insert(spine);
                        used.insert(spine);
                    }
                    return false;
                });
            }
        }
        std::set<uint16_t> ports;
        for (int i = 0; i < 16; ++i)
        {
            ports.insert(Open(0, 1).pair.qp->GetConfig().sourcePort);
        }
        for (TestFlow& flow : flows)
        {
            Post(flow, 500000);
            Post(flow, 500000);
        }
        Run();
        Tick last = 0;
        for (const TestFlow& flow : flows)
        {
            last = std::max(last, flow.sent.at(1).completed);
            const uint32_t qpn = flow.pair.peerQp->GetQpn();
            NS_TEST_EXPECT_MSG_EQ(spines[qpn].size(), 1, "one path for life");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(*ports.begin(), 49152, "dynamic range");
        const double goodput = 16 * 8e6 / double(last); // bit/ns
        if (same)
        {
            NS_TEST_EXPECT_MSG_EQ(ports.size(), 1, "one port");
            NS_TEST_EXPECT_MSG_EQ(used.size(), 1, "one spine");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(goodput, 100.0, "one link of 100G");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(ports.size(), 12, "ports");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(used.size(), 3, "spines");
            NS_TEST_EXPECT_MSG_GT(goodput, 100.0, "more than one link");
        }
        Reset();
    }

    void DoRun() override
    {
        RunOnce(false);
        RunOnce(true);
    }
};

/** Nothing, and more than a message can hold. */
class ExtremeSizesTest : public FabricTest
{
  public:
    ExtremeSizesTest()
        : FabricTest("messages of 0 bytes and of 5 GiB")
    {
    }

  private:
    void RunEmpty()
    {
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        Post(flow, 0);
        Run();
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).dataSent, 1, "one packet");
        // 98 bytes, 7.84 ns a link; ACK 6.88 ns a link; four delays
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()), 15.68 + 13.76 + 4000, 1.0, "alone");
        for (uint64_t bytes : {0, 1000, 0, 0, 1})
        {
            Post(flow, bytes);
        }
        Run();
        Reset();
    }

    void RunHuge()
    {
        const uint64_t bytes = 5ULL << 30;
        const uint64_t mtu = 9000;
        helper->SetNicAttribute("PathMtu", UintegerValue(mtu));
        helper->SetNicAttribute("AckInterval", UintegerValue(64));
        Build(ChainGraph({1600 * GBPS}, 1000));
        TestFlow& flow = Open(0, 1);
        std::vector<uint64_t> lengths;
        uint64_t lasts = 0;
        fabric->GetPort(1, 0)->SetReceiveFilter([&](const Frame& frame) {
            if (frame.opcode == Opcode::RC_WRITE_FIRST)
            {
                NS_TEST_EXPECT_MSG_EQ(frame.remoteAddress, lengths.size() * 2147481000, "address");
                lengths.push_back(frame.dmaLength);
            }
            lasts += frame.opcode == Opcode::RC_WRITE_LAST;
            return false;
        });
        Post(flow, bytes);
        Simulator::Run();
        CheckIdle();
        // whole packets below 2^31 bytes: 238609 of 9000 = 2147481000; twice, and what is left
        NS_TEST_ASSERT_MSG_EQ(lengths.size(), 3, "messages");
        NS_TEST_EXPECT_MSG_EQ(lengths[0], 2147481000, "RETH length");
        NS_TEST_EXPECT_MSG_EQ(lengths[1], 2147481000, "RETH length");
        NS_TEST_EXPECT_MSG_EQ(lengths[2], bytes - 2 * 2147481000ULL, "RETH length");
        NS_TEST_EXPECT_MSG_EQ(lasts, 3, "one LAST each");
        NS_TEST_ASSERT_MSG_EQ(flow.sent.size(), 1, "one completion");
        NS_TEST_EXPECT_MSG_EQ(flow.sent[0].bytes, bytes, "of all bytes");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).bytesDelivered, bytes, "delivered");
        NS_TEST_EXPECT_MSG_EQ(flow.arrived.size(), 3, "a notice for each message on the wire");
        // 596524 packets of 82 bytes and pad (5 GiB is a multiple of 4), three RETHs, and an ACK
        const uint64_t packets = (bytes + mtu - 1) / mtu;
        const double wire = double(bytes) + 82.0 * double(packets) + 3 * 16 + 86;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()),
                                  TestBytesNs(wire, 1600 * GBPS) + 2000,
                                  1.0,
                                  "completion");
        Reset();
    }

    void DoRun() override
    {
        RunEmpty();
        RunHuge();
    }
};

/** The suite. */
class NicTestSuite : public TestSuite
{
  public:
    NicTestSuite()
        : TestSuite("roce-nic", TestSuite::Type::UNIT)
    {
        AddTestCase(new ManyTest, D::QUICK);
        AddTestCase(new IdsTest, D::QUICK);
        AddTestCase(new RttTest, D::QUICK);
        AddTestCase(new EntropyTest, D::QUICK);
        AddTestCase(new ExtremeSizesTest, D::QUICK);
    }
};

const NicTestSuite g_nicTestSuite;

} // namespace
