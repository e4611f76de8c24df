/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-refusal.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-front-end-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <functional>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint16_t PORT = 5000; //!< of the sinks

/** A fabric of 2 leaves of 4 hosts with a front end of 10 Gb/s and 5 us. */
class FrontEndTest : public TestCase
{
  public:
    /** \param name of the case */
    explicit FrontEndTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** When TCP is told to have back-end addresses too. */
    enum class BackEnd
    {
        NONE,
        BEFORE,
        AFTER
    };

    /** \param backEnd whether and when */
    void Build(BackEnd backEnd)
    {
        RoceHelper roce;
        m_fabric = roce.Install(ClosBuilder::Build(LeafSpinePlan()));
        if (backEnd == BackEnd::BEFORE)
        {
            roce.InstallInternet(m_fabric);
        }
        FrontEndHelper helper;
        helper.SetRate("10Gbps");
        helper.SetDelay("5us");
        m_frontEnd = helper.Install(m_fabric);
        if (backEnd == BackEnd::AFTER)
        {
            roce.InstallInternet(m_fabric);
        }
    }

    /** Send by TCP from the start. \return the sink. \param from index of a host \param to another
     *  \param address of that \param bytes how many */
    Ptr<PacketSink> AddTcp(uint32_t from, uint32_t to, Ipv4Address address, uint64_t bytes)
    {
        const InetSocketAddress goal(address, static_cast<uint16_t>(PORT + m_sinks++));
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), goal.GetPort()));
        ApplicationContainer sinks = sink.Install(m_fabric->GetHosts().Get(to));
        BulkSendHelper source("ns3::TcpSocketFactory", goal);
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        source.Install(m_fabric->GetHosts().Get(from)).Start(Time(0));
        sinks.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&FrontEndTest::OnRx, this));
        return DynamicCast<PacketSink>(sinks.Get(0));
    }

    /** A WRITE from the start. \param from host \param to host \param bytes its length */
    void AddWrite(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const Connection connection = m_fabric->Connect(from, to);
        m_done = CreateObject<CompletionQueue>();
        connection.qp->SetSendQueue(m_done);
        WorkRequest request;
        request.bytes = bytes;
        connection.nic->Post(connection.qp, request);
    }

    /** \return FCT of the WRITE in ticks */
    Tick Fct()
    {
        Completion completion;
        NS_TEST_EXPECT_MSG_EQ(m_done->Poll(completion), true, "the WRITE ended");
        NS_TEST_EXPECT_MSG_EQ((completion.status == CompletionStatus::SUCCESS), true, "well");
        return completion.completed - completion.posted;
    }

    /** \return packets that the router has passed on */
    uint64_t Routed()
    {
        return m_routed;
    }

    /** Count what the router passes on. */
    void CountRouted()
    {
        m_frontEnd.router->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "UnicastForward",
            MakeCallback(&FrontEndTest::OnRouted, this));
    }

    void Reset()
    {
        m_fabric = nullptr;
        m_frontEnd = FrontEnd();
        m_done = nullptr;
        m_sinks = 0;
        m_routed = 0;
        m_lastRx = Time(0);
        Simulator::Destroy();
        Config::Reset();
    }

    void DoTeardown() override
    {
        Reset();
    }

    Ptr<Fabric> m_fabric;
    FrontEnd m_frontEnd;
    Time m_lastRx;

  private:
    void OnRx(Ptr<const Packet>, const Address&)
    {
        m_lastRx = Simulator::Now();
    }

    void OnRouted(const Ipv4Header&, Ptr<const Packet>, uint32_t)
    {
        ++m_routed;
    }

    Ptr<CompletionQueue> m_done;
    uint16_t m_sinks{0};
    uint64_t m_routed{0};
};

/** Each network alone and both at once. */
class BothTest : public FrontEndTest
{
  public:
    BothTest()
        : FrontEndTest("TCP in front, RoCE behind: neither changes the other")
    {
    }

  private:
    static constexpr uint64_t TCP_BYTES = 2000000;

    void DoRun() override
    {
        Build(BackEnd::NONE);
        AddWrite(0, 5, 4000000);
        Simulator::Run();
        const Tick alone = Fct();
        Reset();

        Build(BackEnd::NONE);
        CountRouted();
        Ptr<PacketSink> sink = AddTcp(0, 5, m_frontEnd.GetAddress(5), TCP_BYTES);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), TCP_BYTES, "TCP alone");
        const Time tcpAlone = m_lastRx;
        const uint64_t routed = Routed();
        // segments of 536 bytes, ns-3's default, all by way of the router
        NS_TEST_EXPECT_MSG_GT_OR_EQ(routed, TCP_BYTES / 536, "data, and ACKs");
        // 536 of 536 + 20 + 20 + 12 + 2 bytes at 10 Gb/s at best
        NS_TEST_EXPECT_MSG_GT(tcpAlone.GetNanoSeconds(), int64_t(TCP_BYTES * 0.8), "not faster");
        Reset();

        Build(BackEnd::NONE);
        CountRouted();
        AddWrite(0, 5, 4000000);
        sink = AddTcp(0, 5, m_frontEnd.GetAddress(5), TCP_BYTES);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Fct(), alone, "the WRITE is not later, to the tick");
        NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), TCP_BYTES, "TCP too");
        NS_TEST_EXPECT_MSG_EQ(m_lastRx, tcpAlone, "nor is TCP");
        NS_TEST_EXPECT_MSG_EQ(Routed(), routed, "nor has it sent more");
        NS_TEST_EXPECT_MSG_LT(FromTick(alone), tcpAlone, "they did overlap from 0 on");
    }
};

/** Times from arithmetic. */
class EchoTest : public FrontEndTest
{
  public:
    EchoTest()
        : FrontEndTest("UdpEcho over the router")
    {
    }

  private:
    void OnReply(Ptr<const Packet>)
    {
        m_reply = Simulator::Now();
    }

    void DoRun() override
    {
        Build(BackEnd::NONE);
        UdpEchoServerHelper server(9);
        server.Install(m_fabric->GetHosts().Get(7));
        UdpEchoClientHelper client(m_frontEnd.GetAddress(7), 9);
        client.SetAttribute("MaxPackets", UintegerValue(1));
        client.SetAttribute("PacketSize", UintegerValue(1000));
        ApplicationContainer clients = client.Install(m_fabric->GetHosts().Get(0));
        clients.Start(MicroSeconds(10));
        clients.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&EchoTest::OnReply, this));
        Simulator::Run();
        // 1000 + UDP 8 + IP 20 + PPP 2 = 1030 bytes: 824 ns at 10 Gb/s and 5 us, two links, there
        // and back
        NS_TEST_EXPECT_MSG_EQ(m_reply.GetNanoSeconds(), 10000 + 4 * (824 + 5000), "one echo");
        NS_TEST_EXPECT_MSG_EQ(m_frontEnd.GetAddress(0), Ipv4Address("10.0.0.1"), "first link");
        NS_TEST_EXPECT_MSG_EQ(m_frontEnd.GetAddress(7), Ipv4Address("10.0.0.29"), "8th of 4 each");
        NS_TEST_EXPECT_MSG_EQ(m_frontEnd.hostDevices.GetN(), 8, "a device a host");
        NS_TEST_EXPECT_MSG_EQ(m_frontEnd.routerDevices.GetN(), 8, "and at the router");
        NS_TEST_EXPECT_MSG_EQ(m_frontEnd.hostDevices.Get(3)->GetNode(),
                              m_fabric->GetHosts().Get(3),
                              "in the order of the hosts");
    }

    Time m_reply;
};

/** TCP in both networks. */
class StacksTest : public FrontEndTest
{
  public:
    StacksTest()
        : FrontEndTest("TCP in front and behind, stacks in either order")
    {
    }

  private:
    void RunOnce(BackEnd order)
    {
        Build(order);
        CountRouted();
        const Ipv4Address behind(m_fabric->GetAddresses().Address(5));
        Ptr<PacketSink> back = AddTcp(0, 5, behind, 100000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(back->GetTotalRx(), 100000, "behind");
        NS_TEST_EXPECT_MSG_EQ(Routed(), 0, "not by the router");
        Ptr<PacketSink> front = AddTcp(0, 5, m_frontEnd.GetAddress(5), 100000);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(front->GetTotalRx(), 100000, "in front");
        NS_TEST_EXPECT_MSG_GT(Routed(), 100000 / 536, "by the router");
        Reset();
    }

    void DoRun() override
    {
        RunOnce(BackEnd::BEFORE);
        RunOnce(BackEnd::AFTER);
    }
};

/** What is refused. */
class RefusedTest : public FrontEndTest
{
  public:
    RefusedTest()
        : FrontEndTest("what it refuses")
    {
    }

  private:
    /** \param word of the message \param action what is refused */
    void Refused(const std::string& word, const std::function<void()>& action)
    {
        const std::string said = Refusal(action);
        NS_TEST_EXPECT_MSG_NE(said.find(word), std::string::npos, word << ": " << said);
    }

    void DoRun() override
    {
        FrontEndHelper helper;
        Refused("fast", [&] { helper.SetRate("fast"); });
        Refused("soon", [&] { helper.SetDelay("soon"); });
        Refused("negative", [&] { helper.SetDelay("-1us"); });
        Refused("four numbers", [&] { helper.SetSubnet("10.0.0", "255.0.0.0"); });
        Refused("four numbers", [&] { helper.SetSubnet("10.0.0.256", "255.0.0.0"); });
        Refused("goes on", [&] { helper.SetSubnet("10.0.0.0/8", "255.0.0.0"); });
        Refused("no subnet", [&] { helper.SetSubnet("10.0.0.1", "255.0.0.0"); });
        Refused("no subnet", [&] { helper.SetSubnet("10.0.0.0", "255.0.255.0"); });
        Refused("11.0.0.0/8", [&] { helper.SetSubnet("11.1.0.0", "255.255.0.0"); });
        Refused("11.0.0.0/8", [&] { helper.SetSubnet("8.0.0.0", "248.0.0.0"); });
        helper.SetSubnet("192.168.0.0", "255.255.255.240");
        RoceHelper roce;
        m_fabric = roce.Install(ClosBuilder::Build(LeafSpinePlan()));
        Refused("room for 4 links", [&] { helper.Install(m_fabric); });
        helper.SetSubnet("192.168.0.0", "255.255.255.224"); // 32 addresses are enough for 8
        const FrontEnd made = helper.Install(m_fabric);
        NS_TEST_EXPECT_MSG_EQ(made.GetAddress(1), Ipv4Address("192.168.0.5"), "the second link");
    }
};

/** Front ends. */
class FrontEndSuite : public TestSuite
{
  public:
    FrontEndSuite()
        : TestSuite("roce-front-end", TestSuite::Type::UNIT)
    {
        AddTestCase(new BothTest, D::QUICK);
        AddTestCase(new EchoTest, D::QUICK);
        AddTestCase(new StacksTest, D::QUICK);
        AddTestCase(new RefusedTest, D::QUICK);
    }
};

FrontEndSuite g_frontEndSuite; //!< registers the suite

} // namespace
