/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/test.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint16_t PORT = 5000; //!< of the sinks

/** Stock applications over a fabric. */
class InternetTest : public TestCase
{
  public:
    explicit InternetTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Build 2 leaves of 4 hosts under 2 spines with IPv4. \param roce how */
    void Build(RoceHelper& roce)
    {
        m_fabric = roce.Install(ClosBuilder::Build(LeafSpinePlan()));
        roce.AssignStreams(m_fabric, 1);
        roce.InstallInternet(m_fabric);
    }

    /** \return address of a host. \param host its id */
    Ipv4Address AddressOf(uint32_t host) const
    {
        return Ipv4Address(m_fabric->GetAddresses().Address(host));
    }

    /** Send by TCP from the start. \return the sink. \param from host \param to host \param bytes
     *  how many */
    Ptr<PacketSink> AddTcp(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const InetSocketAddress goal(AddressOf(to), static_cast<uint16_t>(PORT + from));
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), goal.GetPort()));
        ApplicationContainer sinks = sink.Install(m_fabric->GetNode(to));
        BulkSendHelper source("ns3::TcpSocketFactory", goal);
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        source.Install(m_fabric->GetNode(from)).Start(Time(0));
        return DynamicCast<PacketSink>(sinks.Get(0));
    }

    void DoTeardown() override
    {
        m_fabric = nullptr;
        Simulator::Destroy();
        Config::Reset(); // attributes and global values
    }

    Ptr<Fabric> m_fabric;
};

/** UDP echo: times from arithmetic. */
class EchoTest : public InternetTest
{
  public:
    EchoTest()
        : InternetTest("UdpEcho across leaf and spine")
    {
    }

  private:
    void OnReply(Ptr<const Packet> packet)
    {
        m_replies.push_back(Simulator::Now());
        m_bytes += packet->GetSize();
    }

    void DoRun() override
    {
        RoceHelper roce;
        Build(roce);
        UdpEchoServerHelper server(9);
        server.Install(m_fabric->GetNode(5));
        UdpEchoClientHelper client(AddressOf(5), 9);
        client.SetAttribute("MaxPackets", UintegerValue(3));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(100)));
        client.SetAttribute("PacketSize", UintegerValue(1000));
        ApplicationContainer clients = client.Install(m_fabric->GetNode(0));
        clients.Start(MicroSeconds(10));
        clients.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&EchoTest::OnReply, this));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_replies.size(), 3, "three answers");
        NS_TEST_EXPECT_MSG_EQ(m_bytes, 3000, "bytes");
        for (uint32_t i = 0; i < 3; ++i)
        {
            // 1000 + UDP 8 + IP 20 + Ethernet 18 + gap 20 = 1066 bytes, 85.28 ns on each of four
            // links of 1 us, there and back
            NS_TEST_EXPECT_MSG_EQ_TOL(double(m_replies[i].GetNanoSeconds()),
                                      10000 + 100000 * i + 8 * (85.28 + 1000),
                                      8,
                                      "answer " << i << ", to a tick a link");
        }
    }

    std::vector<Time> m_replies;
    uint32_t m_bytes{0};
};

/** TCP beside RoCE: both deliver all, and RoCE loses nothing. */
class MixedTest : public InternetTest
{
  public:
    MixedTest()
        : InternetTest("TCP beside RoCE")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        Build(roce);
        const Ptr<PacketSink> across = AddTcp(0, 5, 2000000);
        const Ptr<PacketSink> inside = AddTcp(6, 7, 1000000);
        const Ptr<PacketSink> same = AddTcp(1, 5, 500000);
        for (uint32_t from : {0u, 1u, 6u})
        {
            const Connection connection = m_fabric->Connect(from, 5);
            WorkRequest request;
            request.bytes = 3000000;
            connection.nic->Post(connection.qp, request);
        }
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(across->GetTotalRx(), 2000000, "over a spine");
        NS_TEST_EXPECT_MSG_EQ(inside->GetTotalRx(), 1000000, "inside a leaf");
        NS_TEST_EXPECT_MSG_EQ(same->GetTotalRx(), 500000, "to the same host");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetNic(5)->GetCounters().bytesDelivered, 9000000, "RoCE");
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetOpenRequests(), 0, "RoCE completes");
        for (uint32_t id : m_fabric->GetGraph().Switches())
        {
            const Ptr<Switch> device = m_fabric->GetSwitch(id);
            NS_TEST_EXPECT_MSG_EQ(device->GetDrops(DropReason::LOSSLESS_BUFFER), 0, "lossless");
            NS_TEST_EXPECT_MSG_EQ(device->GetDrops(DropReason::NO_ROUTE), 0, "routes");
            NS_TEST_EXPECT_MSG_EQ(device->CheckInvariants(), "", "switch " << id);
            NS_TEST_EXPECT_MSG_EQ(device->GetMmu().GetTotal().used, 0, "switch " << id << " idle");
        }
    }
};

/** Marks of switches reach the IP header, and TCP reacts. */
class EcnTest : public InternetTest
{
  public:
    EcnTest()
        : InternetTest("CE of a switch is in the IP header")
    {
    }

  private:
    void OnRx(Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t)
    {
        Ipv4Header header;
        header.EnableChecksum();
        packet->PeekHeader(header);
        m_ce += header.GetEcn() == Ipv4Header::ECN_CE;
        m_ect += header.GetEcn() == Ipv4Header::ECN_ECT0;
        m_good += header.IsChecksumOk();
        ++m_all;
    }

    void DoRun() override
    {
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        RoceHelper roce;
        // a step at 3000 bytes: two windows of TCP that meet are enough
        roce.SetEcnAttribute("KminBytes", UintegerValue(3000));
        roce.SetEcnAttribute("KmaxBytes", UintegerValue(3000));
        Build(roce);
        const Ptr<PacketSink> a = AddTcp(0, 4, 2000000);
        const Ptr<PacketSink> b = AddTcp(1, 4, 2000000);
        m_fabric->GetNode(4)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "Rx",
            MakeCallback(&EcnTest::OnRx, this));
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(a->GetTotalRx() + b->GetTotalRx(), 4000000, "all arrives");
        uint64_t marks = 0;
        uint64_t lost = 0;
        for (uint32_t id : m_fabric->GetGraph().Switches())
        {
            marks += m_fabric->GetSwitch(id)->GetEcnMarks();
            lost += m_fabric->GetSwitch(id)->GetDrops(DropReason::LOSSY_BUFFER);
        }
        NS_TEST_EXPECT_MSG_GT(m_ce, 0, "some are marked");
        NS_TEST_EXPECT_MSG_GT(m_ect, 0, "some are not");
        NS_TEST_EXPECT_MSG_EQ(marks, m_ce, "each mark arrives in an IP header");
        NS_TEST_EXPECT_MSG_EQ(m_good, m_all, "checksums are right after a mark");
        NS_TEST_EXPECT_MSG_EQ(lost, 0, "nothing is lost");
    }

    uint64_t m_ce{0};
    uint64_t m_ect{0};
    uint64_t m_good{0};
    uint64_t m_all{0};
};

/** Suite roce-fabric-internet. */
class FabricInternetTestSuite : public TestSuite
{
  public:
    FabricInternetTestSuite()
        : TestSuite("roce-fabric-internet", TestSuite::Type::UNIT)
    {
        AddTestCase(new EchoTest, D::QUICK);
        AddTestCase(new MixedTest, D::QUICK);
        AddTestCase(new EcnTest, D::QUICK);
    }
};

FabricInternetTestSuite g_fabricInternetTestSuite;

} // namespace
