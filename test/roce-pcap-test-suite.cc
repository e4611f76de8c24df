/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pcap-test.h"
#include "roce-test-compat.h"

#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000; //!< bit/s

/** Two hosts write three packets each to a third. */
class SmallRunTest : public PcapTest
{
  public:
    SmallRunTest()
        : PcapTest("WRITE, ACK, CNP and PFC in captures of NICs and a switch")
    {
    }

  private:
    static constexpr uint32_t BYTES = 2500; //!< 1024 + 1024 + 452

    /** Run with captures. \param name of the files */
    void RunOnce(const std::string& name)
    {
        FabricGraph graph;
        for (uint32_t i = 0; i < 3; ++i)
        {
            graph.AddHost(i);
        }
        graph.AddSwitch(3);
        for (uint32_t i = 0; i < 3; ++i)
        {
            graph.AddLink(i, 3, 100 * G, 1000000);
        }
        RoceHelper roce;
        roce.SetNicAttribute("PathMtu", UintegerValue(1024));
        // any frame that leaves another behind is marked
        roce.SetEcnAttribute("KminBytes", UintegerValue(1));
        roce.SetEcnAttribute("KmaxBytes", UintegerValue(1));
        Ptr<Fabric> fabric = roce.Install(graph);
        for (uint32_t host : {0u, 2u})
        {
            roce.EnablePcap(name + std::to_string(host), fabric->GetPort(host, 0), true, true);
        }
        roce.EnablePcap(name + "3", fabric->GetPort(3, 2), true, true);
        Simulator::Schedule(NanoSeconds(1234), [fabric]() {
            for (uint32_t host : {0u, 1u})
            {
                const Connection connection = fabric->Connect(host, 2);
                WorkRequest request;
                request.bytes = BYTES;
                request.remoteAddress = 0x123456789a;
                connection.nic->Post(connection.qp, request);
            }
            const uint16_t times[NUM_PRIORITIES] = {0, 0, 0, 7};
            fabric->GetPort(3, 0)->SendPause(1 << 3, times, EventCore::Get()->Now());
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(2)->GetCounters().messagesDelivered, 2, "delivered");
        m_sent = fabric->GetNic(2)->GetCounters();
        m_switchMarks = fabric->GetSwitch(3)->GetEcnMarks();
        Simulator::Destroy(); // closes the files
    }

    void CheckSender(const std::string& path)
    {
        const std::vector<PcapRecord> records = Load(path);
        const auto count = Count(records);
        NS_TEST_ASSERT_MSG_EQ((records.size() >= 7), true, "3 packets, 3 ACKs, a pause");
        NS_TEST_EXPECT_MSG_EQ(records[0].ns, 1234, "begins with the post, in nanoseconds");
        // Ethernet 14, IP 20, UDP 8, BTH 12, RETH 16, payload, ICRC 4
        NS_TEST_EXPECT_MSG_EQ(records[0].bytes.size(), 14 + 20 + 8 + 12 + 16 + 1024 + 4, "size");
        // 1098 + FCS 4 + gap 20 bytes later: 89.76 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(double(records[1].ns), 1234 + 89.76, 1, "second packet");
        const WirePacket& first = m_packets[0];
        NS_TEST_EXPECT_MSG_EQ(+first.bth.opcode, 0x06, "WRITE FIRST");
        NS_TEST_EXPECT_MSG_EQ(+m_packets[1].bth.opcode, 0x07, "WRITE MIDDLE");
        NS_TEST_EXPECT_MSG_EQ(+m_packets[2].bth.opcode, 0x08, "WRITE LAST");
        NS_TEST_EXPECT_MSG_EQ(m_packets[2].bth.psn, first.bth.psn + 2, "PSNs");
        NS_TEST_EXPECT_MSG_EQ(m_packets[2].bth.ackReq, true, "the last asks for an ACK");
        NS_TEST_EXPECT_MSG_EQ(m_packets[2].payload.size(), 452, "the rest");
        NS_TEST_EXPECT_MSG_EQ(first.reth.length, BYTES, "RETH length");
        NS_TEST_EXPECT_MSG_EQ(first.reth.address, 0x123456789a, "RETH address");
        NS_TEST_EXPECT_MSG_EQ(first.destinationPort, 4791, "UDP port of RoCEv2");
        NS_TEST_EXPECT_MSG_EQ(+first.ipv4.tos, (3 << 5 | ECN_ECT0), "DSCP 24, ECT(0)");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "6"), 1, "WRITE FIRST");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "7"), 1, "WRITE MIDDLE");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "8"), 1, "WRITE LAST");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "17"), 3, "an ACK a packet");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "PFC 8"), 1, "the pause of priority 3");
        // 02:01, the fourth node, port 0
        NS_TEST_EXPECT_MSG_EQ((m_pauseSource == MacBytes{2, 1, 0, 3, 0, 0}), true, "its port");
    }

    void CheckReceiver(const std::string& host, const std::string& port)
    {
        m_packets.clear();
        m_marks = 0;
        const std::vector<PcapRecord> records = Load(host);
        const auto count = Count(records);
        NS_TEST_EXPECT_MSG_EQ(Of(count, "6"), 2, "WRITE FIRST of both");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "7"), 2, "WRITE MIDDLE of both");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "8"), 2, "WRITE LAST of both");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "17"), 6, "ACKs to both");
        NS_TEST_EXPECT_MSG_EQ(Of(count, "129"), m_sent.cnpsSent, "CNPs");
        NS_TEST_EXPECT_MSG_EQ(m_marks, m_switchMarks, "marks");
        NS_TEST_EXPECT_MSG_GT(m_marks, 0, "the senders met");
        for (const WirePacket& packet : m_packets)
        {
            if (packet.bth.opcode == 0x81 || packet.bth.opcode == 0x11)
            {
                NS_TEST_EXPECT_MSG_EQ((packet.ipv4.tos & 3), 0, "A16: control is Not-ECT");
                NS_TEST_EXPECT_MSG_EQ((packet.ipv4.tos >> 2), 48, "DSCP of the control class");
            }
            NS_TEST_EXPECT_MSG_EQ(packet.bth.becn, (packet.bth.opcode == 0x81), "BECN of CNPs");
        }
        // the far end of the cable shows the same packets, 1 us and a length apart
        m_packets.clear();
        const std::vector<PcapRecord> far = Load(port);
        NS_TEST_EXPECT_MSG_EQ(far.size(), records.size(), "as many");
        NS_TEST_EXPECT_MSG_EQ((Count(far) == count), true, "the same kinds");
    }

    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("run-");
        RunOnce(name);
        CheckSender(name + "0");
        CheckReceiver(name + "2", name + "3");
    }

    NicCounters m_sent;
    uint64_t m_switchMarks{0};
};

/** Captures by node, and files that cannot be written. */
class NamesTest : public PcapTest
{
  public:
    NamesTest()
        : PcapTest("names of captures; a folder that is not there")
    {
    }

  private:
    void DoRun() override
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddLink(0, 1, 100 * G, 1000000);
        RoceHelper roce;
        Ptr<Fabric> fabric = roce.Install(graph);
        const std::string prefix = CreateTempDirFilename("all");
        roce.EnablePcap(prefix, fabric->GetHosts(), true);
        const Connection connection = fabric->Connect(0, 1);
        WorkRequest request;
        request.bytes = 1;
        connection.nic->Post(connection.qp, request);
        Simulator::Run();
        std::string message;
        try
        {
            roce.EnablePcap(CreateTempDirFilename("none/x"), fabric->GetPort(0, 0), true, true);
        }
        catch (const std::runtime_error& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find("none/x"), std::string::npos, "file is named");
        const std::string ids[2] = {std::to_string(fabric->GetNode(0)->GetId()),
                                    std::to_string(fabric->GetNode(1)->GetId())};
        Simulator::Destroy();
        for (const std::string& id : ids)
        {
            const auto count = Count(Load(prefix + "-" + id + "-0.pcap"));
            NS_TEST_EXPECT_MSG_EQ(Of(count, "10"), 1, "WRITE ONLY, node " << id);
            NS_TEST_EXPECT_MSG_EQ(Of(count, "17"), 1, "its ACK");
        }
    }
};

/** Suite roce-pcap. */
class PcapTestSuite : public TestSuite
{
  public:
    PcapTestSuite()
        : TestSuite("roce-pcap", TestSuite::Type::UNIT)
    {
        AddTestCase(new SmallRunTest, D::QUICK);
        AddTestCase(new NamesTest, D::QUICK);
    }
};

PcapTestSuite g_pcapTestSuite;

} // namespace
