/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pcap-test.h"
#include "roce-test-compat.h"

#include "ns3/roce-frame-codec.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G = 1000000000; //!< bit/s

/** READ, atomics and datagrams with real bytes between two hosts. */
class ReadsAndDatagramsTest : public PcapTest
{
  public:
    ReadsAndDatagramsTest()
        : PcapTest("READ responses, atomics and datagrams in captures, with their bytes")
    {
    }

  private:
    static constexpr uint32_t BYTES = 2501;    //!< 1024 + 1024 + 453, with 3 of pad
    static constexpr uint64_t THERE = 0x50000; //!< memory of host 1
    static constexpr uint64_t HERE = 0x90000;  //!< memory of host 0
    static constexpr uint32_t QKEY = 0x7654321;

    /** \return two hosts on one cable. \param file capture of host 0 */
    static Ptr<Fabric> Build(const std::string& file)
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddLink(0, 1, 100 * G, 1000000);
        RoceHelper roce;
        roce.SetNicAttribute("PathMtu", UintegerValue(1024));
        Ptr<Fabric> fabric = roce.Install(graph);
        roce.EnablePcap(file, fabric->GetPort(0, 0), true, true);
        return fabric;
    }

    /** Three requests on one RC queue pair, two datagrams, a WRITE on UC. \param file capture of
     * host 0 */
    void RunOnce(const std::string& file)
    {
        Ptr<Fabric> fabric = Build(file);
        ConnectionOptions options;
        options.domain = CreateObject<ProtectionDomain>();
        options.peerDomain = CreateObject<ProtectionDomain>();
        options.sendPsn = 0xfffffe; // READ responses wrap
        options.queueKey = QKEY;
        Ptr<MemoryRegion> here = options.domain->Register(HERE, BYTES, ACCESS_LOCAL_WRITE);
        Ptr<MemoryRegion> there = options.peerDomain->Register(THERE, BYTES, 0xf);
        for (uint32_t i = 0; i < BYTES; ++i)
        {
            there->GetData()[i] = static_cast<uint8_t>(i * 11 + 5);
        }
        m_key = there->GetRemoteKey();
        m_memory.assign(there->GetData(), there->GetData() + BYTES);
        const Connection rc = fabric->Connect(0, 1, options);
        options.service = TransportService::UD;
        const Connection ud = fabric->Connect(0, 1, options);
        m_udQpn = ud.qp->GetQpn();
        WorkRequest request;
        request.localAddress = HERE;
        request.localKey = here->GetLocalKey();
        request.remoteAddress = THERE;
        request.remoteKey = m_key;
        request.operation = Operation::READ;
        request.bytes = BYTES;
        rc.nic->Post(rc.qp, request);
        request.localKey = options.domain->Register(HERE, 8, ACCESS_LOCAL_WRITE)->GetLocalKey();
        request.bytes = 8;
        request.fence = true; // after the READ
        request.operation = Operation::FETCH_ADD;
        request.swapAdd = 0x0102030405060708;
        rc.nic->Post(rc.qp, request);
        request.operation = Operation::COMPARE_SWAP;
        request.compare = 0x1122334455667788; // not what is there
        rc.nic->Post(rc.qp, request);
        Ptr<MemoryRegion> text = options.domain->Register(HERE, 101, 0);
        std::fill_n(text->GetData(), 101, 0x5a);
        request.localKey = text->GetLocalKey();
        request.fence = false;
        request.bytes = 101;
        request.datagramAddress = ud.peerQp->GetConfig().localAddress;
        request.datagramQpn = ud.peerQp->GetQpn();
        request.datagramKey = QKEY;
        request.immediate = 0xfeedbeef;
        for (Operation operation : {Operation::SEND, Operation::SEND_IMMEDIATE})
        {
            request.operation = operation;
            ud.nic->Post(ud.qp, request);
        }
        options.service = TransportService::UC;
        const Connection uc = fabric->Connect(0, 1, options);
        request.operation = Operation::WRITE;
        request.remoteKey = options.peerDomain->Register(THERE, 101, 0xf)->GetRemoteKey();
        uc.nic->Post(uc.qp, request);
        Simulator::Run();
        m_read.assign(here->GetData(), here->GetData() + BYTES);
        Simulator::Destroy();
    }

    /** \return the only packet with this opcode. \param opcode which \param bytes of its frame */
    const WirePacket& Only(uint8_t opcode, uint32_t bytes)
    {
        static const WirePacket none;
        const WirePacket* found = nullptr;
        for (std::size_t i = 0; i < m_packets.size(); ++i)
        {
            if (m_packets[i].bth.opcode == opcode)
            {
                NS_TEST_EXPECT_MSG_EQ((found == nullptr), true, "one of opcode " << +opcode);
                NS_TEST_EXPECT_MSG_EQ(m_sizes[i], bytes, "size with opcode " << +opcode);
                found = &m_packets[i];
            }
        }
        NS_TEST_EXPECT_MSG_EQ((found != nullptr), true, "there is opcode " << +opcode);
        return found ? *found : none;
    }

    void CheckReads()
    {
        // Ethernet 14, IP 20, UDP 8, BTH 12, ICRC 4 are in each; RETH 16, AETH 4
        const WirePacket& request = Only(0x0c, 58 + 16);
        NS_TEST_EXPECT_MSG_EQ(request.bth.psn, 0xfffffe, "READ request: first PSN");
        NS_TEST_EXPECT_MSG_EQ(request.reth.address, THERE, "RETH address");
        NS_TEST_EXPECT_MSG_EQ(request.reth.rkey, m_key, "RETH R_Key");
        NS_TEST_EXPECT_MSG_EQ(request.reth.length, BYTES, "RETH length");
        const WirePacket* responses[] = {&Only(0x0d, 58 + 4 + 1024),
                                         &Only(0x0e, 58 + 1024),
                                         &Only(0x0f, 58 + 4 + 453 + 3)};
        std::vector<uint8_t> bytes;
        uint32_t psn = 0xfffffe; // responses have the PSNs from the request's on (IBTA 9.7.3.1)
        for (const WirePacket* response : responses)
        {
            NS_TEST_EXPECT_MSG_EQ(response->bth.psn, psn, "PSN of a response");
            NS_TEST_EXPECT_MSG_EQ(response->bth.ackReq, false, "nobody acknowledges responses");
            psn = (psn + 1) & 0xffffff;
            bytes.insert(bytes.end(), response->payload.begin(), response->payload.end());
        }
        NS_TEST_EXPECT_MSG_EQ((bytes == m_memory), true, "the payload is the memory of host 1");
        NS_TEST_EXPECT_MSG_EQ((m_read == m_memory), true, "and that of host 0 afterwards");
        // ACK class with no credit count (31: invalid), one message done
        NS_TEST_EXPECT_MSG_EQ(+responses[2]->aeth.syndrome, 0x1f, "AETH of the last");
        NS_TEST_EXPECT_MSG_EQ(responses[2]->aeth.msn, 1, "MSN");
    }

    void CheckAtomics()
    {
        uint64_t number = 0; // the first eight bytes, little-endian
        for (unsigned i = 0; i < 8; ++i)
        {
            number |= uint64_t(m_memory[i]) << (8 * i);
        }
        // AtomicETH 28; the READ took three PSNs: 0xfffffe, 0xffffff, 0
        const WirePacket& add = Only(0x14, 58 + 28);
        NS_TEST_EXPECT_MSG_EQ(add.bth.psn, 1, "FetchAdd");
        NS_TEST_EXPECT_MSG_EQ(add.atomic.address, THERE, "AtomicETH address");
        NS_TEST_EXPECT_MSG_EQ(add.atomic.rkey, m_key, "AtomicETH R_Key");
        NS_TEST_EXPECT_MSG_EQ(add.atomic.swapAdd, 0x0102030405060708, "AtomicETH add");
        const WirePacket& swap = Only(0x13, 58 + 28);
        NS_TEST_EXPECT_MSG_EQ(swap.bth.psn, 2, "CmpSwap");
        NS_TEST_EXPECT_MSG_EQ(swap.atomic.compare, 0x1122334455667788, "AtomicETH compare");
        std::vector<const WirePacket*> answers;
        for (const WirePacket& packet : m_packets)
        {
            if (packet.bth.opcode == 0x12)
            {
                answers.push_back(&packet);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(answers.size(), 2, "ATOMIC acknowledges");
        NS_TEST_EXPECT_MSG_EQ(answers[0]->bth.psn, 1, "PSN of the request");
        NS_TEST_EXPECT_MSG_EQ(answers[0]->atomicAck, number, "what was there");
        NS_TEST_EXPECT_MSG_EQ(answers[1]->bth.psn, 2, "PSN of the request");
        NS_TEST_EXPECT_MSG_EQ(answers[1]->atomicAck, number + 0x0102030405060708, "after the add");
    }

    void CheckDatagrams()
    {
        // DETH 8, ImmDt 4, 101 bytes and 3 of pad
        const WirePacket& plain = Only(0x64, 58 + 8 + 104);
        const WirePacket& immediate = Only(0x65, 58 + 8 + 4 + 104);
        NS_TEST_EXPECT_MSG_EQ(immediate.immediate, 0xfeedbeef, "ImmDt");
        for (const WirePacket* packet : {&plain, &immediate})
        {
            NS_TEST_EXPECT_MSG_EQ(packet->deth.qkey, QKEY, "Q_Key");
            NS_TEST_EXPECT_MSG_EQ(packet->deth.sourceQp, m_udQpn, "source QP");
            NS_TEST_EXPECT_MSG_EQ(packet->bth.ackReq, false, "nobody acknowledges datagrams");
            NS_TEST_EXPECT_MSG_EQ((packet->payload == std::vector<uint8_t>(101, 0x5a)),
                                  true,
                                  "bytes of memory");
        }
    }

    void CheckUnreliableWrite()
    {
        // RETH 16, 101 bytes and 3 of pad
        const WirePacket& write = Only(0x2a, 58 + 16 + 104);
        NS_TEST_EXPECT_MSG_EQ(write.reth.length, 101, "RETH length");
        NS_TEST_EXPECT_MSG_EQ(write.bth.ackReq, false, "nobody acknowledges UC");
    }

    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("reads");
        RunOnce(name);
        const std::vector<PcapRecord> records = Load(name);
        Count(records);
        NS_TEST_ASSERT_MSG_EQ(m_packets.size(), records.size(), "all are RoCE");
        FramePool pool;
        for (const PcapRecord& record : records)
        {
            m_sizes.push_back(record.bytes.size());
            // what FrameCodec reads of it makes the same bytes again
            Frame* frame = FrameCodec::Decode(record.bytes.data(), record.bytes.size(), pool);
            std::vector<uint8_t> again;
            FrameCodec::Encode(*frame, again);
            NS_TEST_EXPECT_MSG_EQ((again == record.bytes), true, "there and back");
            pool.Free(frame);
        }
        CheckReads();
        CheckAtomics();
        CheckDatagrams();
        CheckUnreliableWrite();
    }

    uint32_t m_key{0};
    uint32_t m_udQpn{0};
    std::vector<uint8_t> m_memory;
    std::vector<uint8_t> m_read;
    std::vector<std::size_t> m_sizes;
};

/** Suite roce-pcap-verbs. */
class PcapVerbsTestSuite : public TestSuite
{
  public:
    PcapVerbsTestSuite()
        : TestSuite("roce-pcap-verbs", TestSuite::Type::UNIT)
    {
        AddTestCase(new ReadsAndDatagramsTest, D::QUICK);
    }
};

PcapVerbsTestSuite g_pcapVerbsTestSuite;

} // namespace
