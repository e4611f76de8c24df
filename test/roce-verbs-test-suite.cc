/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Bytes of the memory regions: more than 10 * 9000 + 7, with room to see stray bytes. */
constexpr uint64_t REGION = 100000;

/** Every operation at lengths around multiples of the MTU. */
class OperationTest : public VerbsTest
{
  public:
    /** \param mtu payload of a full packet */
    explicit OperationTest(uint32_t mtu)
        : VerbsTest("each operation, MTU " + std::to_string(mtu)),
          m_mtu(mtu)
    {
    }

  private:
    /** \param pair of the run \param operation what \param bytes length */
    void RunOnce(VerbsPair& pair, Operation operation, uint64_t bytes)
    {
        std::ostringstream name;
        name << "operation " << unsigned(operation) << ", " << bytes << " bytes";
        const uint32_t seed = ++m_runs;
        pair.a.Fill(2 * seed);
        pair.b.Fill(2 * seed + 1);
        const std::vector<uint8_t> a = pair.a.Bytes();
        const std::vector<uint8_t> b = pair.b.Bytes();
        const NicCounters before[] = {pair.a.nic->GetCounters(), pair.b.nic->GetCounters()};
        pair.a.sent.clear();
        pair.b.taken.clear();
        m_receives = operation == Operation::WRITE_IMMEDIATE || TestIsSend(operation);
        if (m_receives)
        {
            pair.b.Receive(700 + seed, bytes); // just enough
        }
        WorkRequest request = Make(pair, operation, bytes, seed);
        request.immediate = 0xdeadbe00 + seed;
        request.swapAdd = 0x0102030405060708;
        request.compare = Number(b);
        request.remoteKey =
            operation == Operation::SEND_INVALIDATE ? Spare(pair) : request.remoteKey;
        const Tick start = static_cast<Tick>(Simulator::Now().GetNanoSeconds());
        Post(pair, request);
        Finish();
        CheckMemory(pair, request, a, b, name.str());
        CheckSender(pair, request, start, name.str());
        CheckReceiver(pair, request, 700 + seed, name.str());
        CheckCounters(pair, request, before, name.str());
    }

    /** \return key of a region that is there to be invalidated. \param pair of the run */
    static uint32_t Spare(const VerbsPair& pair)
    {
        return pair.b.domain->Register(1, 1, ACCESS_LOCAL_WRITE)->GetRemoteKey();
    }

    /** \return the first 8 bytes, little-endian. \param bytes of a region */
    static uint64_t Number(const std::vector<uint8_t>& bytes)
    {
        uint64_t number = 0;
        for (unsigned i = 0; i < 8; ++i)
        {
            number |= uint64_t(bytes[i]) << (8 * i);
        }
        return number;
    }

    /** Set the first 8 bytes. \param bytes of a region \param number its new start */
    static void SetNumber(std::vector<uint8_t>& bytes, uint64_t number)
    {
        for (unsigned i = 0; i < 8; ++i)
        {
            bytes[i] = static_cast<uint8_t>(number >> (8 * i));
        }
    }

    void CheckMemory(const VerbsPair& pair,
                     const WorkRequest& request,
                     std::vector<uint8_t> a,
                     std::vector<uint8_t> b,
                     const std::string& name)
    {
        const auto length = static_cast<std::ptrdiff_t>(request.bytes);
        const uint64_t old = Number(b);
        if (request.operation == Operation::READ)
        {
            std::copy_n(b.begin(), length, a.begin());
        }
        else if (IsAtomic(request.operation))
        {
            SetNumber(a, old);
            const bool add = request.operation == Operation::FETCH_ADD;
            SetNumber(b, add ? old + request.swapAdd : request.swapAdd);
            NS_TEST_EXPECT_MSG_EQ(pair.a.sent.at(0).original, old, name << ": original");
        }
        else
        {
            std::copy_n(a.begin(), length, b.begin());
        }
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == a), true, name << ": memory of a");
        NS_TEST_EXPECT_MSG_EQ((pair.b.Bytes() == b), true, name << ": memory of b");
    }

    void CheckSender(const VerbsPair& pair,
                     const WorkRequest& request,
                     Tick start,
                     const std::string& name)
    {
        NS_TEST_ASSERT_MSG_EQ(pair.a.sent.size(), 1, name << ": completions");
        const Completion& done = pair.a.sent[0];
        NS_TEST_EXPECT_MSG_EQ(done.id, request.id, name << ": id");
        NS_TEST_EXPECT_MSG_EQ(done.bytes, request.bytes, name << ": bytes");
        NS_TEST_EXPECT_MSG_EQ((done.status == CompletionStatus::SUCCESS), true, name);
        NS_TEST_EXPECT_MSG_EQ((done.kind == CompletionKindOf(request.operation)), true, name);
        NS_TEST_EXPECT_MSG_EQ(done.posted, start, name << ": posted");
        NS_TEST_EXPECT_MSG_EQ(done.qpn, pair.a.qp->GetQpn(), name << ": queue pair");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(done.completed - start),
                                  TestVerbsNs(request.operation, request.bytes, m_mtu),
                                  2.0, // each way is cut to a tick
                                  name << ": time");
    }

    void CheckReceiver(const VerbsPair& pair,
                       const WorkRequest& request,
                       uint64_t id,
                       const std::string& name)
    {
        const bool write = request.operation == Operation::WRITE;
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), (m_receives || write ? 1 : 0), name << ": told");
        if (pair.b.taken.empty())
        {
            return; // READ and atomics leave no trace at the responder
        }
        const Completion& done = pair.b.taken[0];
        NS_TEST_EXPECT_MSG_EQ(done.bytes, request.bytes, name << ": bytes taken");
        NS_TEST_EXPECT_MSG_LT(done.completed, pair.a.sent.at(0).completed, name << ": cause");
        if (write)
        {
            NS_TEST_EXPECT_MSG_EQ((done.kind == CompletionKind::ARRIVAL), true, name);
            return;
        }
        const bool imm = request.operation == Operation::WRITE_IMMEDIATE ||
                         request.operation == Operation::SEND_IMMEDIATE;
        const bool invalidates = request.operation == Operation::SEND_INVALIDATE;
        const auto kind = TestIsSend(request.operation) ? CompletionKind::RECEIVE
                                                        : CompletionKind::WRITE_IMMEDIATE;
        NS_TEST_EXPECT_MSG_EQ((done.kind == kind), true, name << ": kind");
        NS_TEST_EXPECT_MSG_EQ(done.id, id, name << ": id of the receive request");
        NS_TEST_EXPECT_MSG_EQ(done.hasImmediate, imm, name << ": has immediate");
        NS_TEST_EXPECT_MSG_EQ(done.immediate, (imm ? request.immediate : 0), name << ": immediate");
        NS_TEST_EXPECT_MSG_EQ(done.invalidatedKey,
                              (invalidates ? request.remoteKey : 0),
                              name << ": key");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            double(done.completed - pair.a.sent.at(0).posted),
            TestArrivalNs(TestStarPath(),
                          TestRequestFrames(request.operation, request.bytes, m_mtu)),
            1.5,
            name << ": time at the receiver");
    }

    void CheckCounters(const VerbsPair& pair,
                       const WorkRequest& request,
                       const NicCounters (&before)[2],
                       const std::string& name)
    {
        const NicCounters& a = pair.a.nic->GetCounters();
        const NicCounters& b = pair.b.nic->GetCounters();
        const bool read = request.operation == Operation::READ;
        const uint64_t packets = TestPackets(request.bytes, m_mtu);
        const uint64_t up = IsReadOrAtomic(request.operation) ? 1 : packets;
        const uint64_t down = read ? packets : 0;
        const uint64_t acks = read ? 0 : up; // each packet asks for one
        NS_TEST_EXPECT_MSG_EQ(a.dataSent - before[0].dataSent, up, name << ": requests");
        NS_TEST_EXPECT_MSG_EQ(b.dataReceived - before[1].dataReceived, up, name << ": arrived");
        NS_TEST_EXPECT_MSG_EQ(b.responsesSent - before[1].responsesSent, down, name);
        NS_TEST_EXPECT_MSG_EQ(a.responsesReceived - before[0].responsesReceived, down, name);
        NS_TEST_EXPECT_MSG_EQ(b.acksSent - before[1].acksSent, acks, name << ": ACKs");
        NS_TEST_EXPECT_MSG_EQ(a.acksReceived - before[0].acksReceived, acks, name << ": ACKs");
        NS_TEST_EXPECT_MSG_EQ(a.requestsCompleted - before[0].requestsCompleted, 1, name);
        NS_TEST_EXPECT_MSG_EQ(a.bytesCompleted - before[0].bytesCompleted, request.bytes, name);
        NS_TEST_EXPECT_MSG_EQ(b.bytesDelivered - before[1].bytesDelivered,
                              (IsReadOrAtomic(request.operation) ? 0 : request.bytes),
                              name << ": delivered");
        NS_TEST_EXPECT_MSG_EQ(a.naksReceived + a.timeouts + a.retransmitted, 0, name << ": smooth");
    }

    void DoRun() override
    {
        for (Operation operation : ALL_OPERATIONS)
        {
            const uint64_t p = m_mtu;
            std::vector<uint64_t> lengths = {0, 1, p - 1, p, p + 1, 10 * p + 7};
            if (IsAtomic(operation))
            {
                lengths = {8};
            }
            helper->SetNicAttribute("PathMtu", UintegerValue(m_mtu));
            Build(StarGraph(2, VERBS_RATE, 1000));
            VerbsPair& pair = OpenPair(0, 1, REGION);
            for (uint64_t bytes : lengths)
            {
                RunOnce(pair, operation, bytes);
            }
            Reset();
        }
    }

    uint32_t m_mtu;
    uint32_t m_runs{0};
    bool m_receives{false};
};

/** A SEND takes the time of a WRITE but for the 16 bytes of the RETH. */
class SendTimeTest : public VerbsTest
{
  public:
    SendTimeTest()
        : VerbsTest("SEND is a WRITE without RETH")
    {
    }

  private:
    /** \return ticks of a request of 100000 bytes. \param operation what */
    Tick Measure(Operation operation)
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, REGION);
        pair.b.Receive(0, REGION);
        Post(pair, Make(pair, operation, REGION));
        Finish();
        const Tick ticks = pair.a.sent.at(0).completed;
        Reset();
        return ticks;
    }

    void DoRun() override
    {
        const Tick write = Measure(Operation::WRITE);
        const Tick send = Measure(Operation::SEND);
        // the longest packet, with the RETH, is first and holds up the train on both links:
        // 16 bytes at 100G are 1.28 ns, twice
        NS_TEST_EXPECT_MSG_EQ_TOL(double(write) - double(send), 2 * 1.28, 1.0, "RETH");
    }
};

/** Inline data needs no memory and may change after Post. */
class InlineTest : public VerbsTest
{
  public:
    InlineTest()
        : VerbsTest("inline data")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("PathMtu", UintegerValue(64)); // several packets
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 1000);
        pair.b.Receive(0, 220);
        std::vector<uint8_t> data(220);
        for (std::size_t i = 0; i < data.size(); ++i)
        {
            data[i] = TestByte(9, i);
        }
        const std::vector<uint8_t> expected = data;
        for (Operation operation : {Operation::SEND, Operation::WRITE})
        {
            WorkRequest request = Make(pair, operation, data.size(), pair.a.sent.size());
            request.inlineData = data;
            request.localKey = 0; // no region
            request.remoteAddress += operation == Operation::WRITE ? 500 : 0;
            Post(pair, request);
        }
        std::fill(data.begin(), data.end(), uint8_t(0));
        WorkRequest request = Make(pair, Operation::WRITE, 221);
        request.inlineData.resize(221);
        CheckRefused(pair, request, "220");
        request = Make(pair, Operation::WRITE, 10);
        request.inlineData.resize(9);
        CheckRefused(pair, request, "9 bytes");
        request = Make(pair, Operation::READ, 10);
        request.inlineData.resize(10);
        CheckRefused(pair, request, "READ");
        Finish();
        const std::vector<uint8_t> b = pair.b.Bytes();
        NS_TEST_EXPECT_MSG_EQ(std::equal(expected.begin(), expected.end(), b.begin()),
                              true,
                              "SEND");
        NS_TEST_EXPECT_MSG_EQ(std::equal(expected.begin(), expected.end(), b.begin() + 500),
                              true,
                              "WRITE");
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent.size(), 2, "the others were refused");
        Reset();
    }

    /** \param pair of it \param request impossible \param word that the message has */
    void CheckRefused(const VerbsPair& pair, const WorkRequest& request, const std::string& word)
    {
        std::string message;
        try
        {
            Post(pair, request);
        }
        catch (const std::invalid_argument& e)
        {
            message = e.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find(word), std::string::npos, "refused: " << message);
    }
};

/** The suite. */
class VerbsTestSuite : public TestSuite
{
  public:
    VerbsTestSuite()
        : TestSuite("roce-verbs", TestSuite::Type::UNIT)
    {
        for (uint32_t mtu : {256, 1024, 4096, 8192, 9000})
        {
            AddTestCase(new OperationTest(mtu), D::QUICK);
        }
        AddTestCase(new SendTimeTest, D::QUICK);
        AddTestCase(new InlineTest, D::QUICK);
    }
};

const VerbsTestSuite g_verbsTestSuite;

} // namespace
