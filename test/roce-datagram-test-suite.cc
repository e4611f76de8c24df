/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

constexpr uint32_t MTU = 1000;

/** \return options of a service. \param service which one */
ConnectionOptions
Options(TransportService service)
{
    ConnectionOptions options;
    options.service = service;
    options.queueKey = service == TransportService::UD ? 0x11112222 : 0;
    return options;
}

/** UC completes when the last packet leaves; nothing comes back. */
class UnreliableTimeTest : public VerbsTest
{
  public:
    UnreliableTimeTest()
        : VerbsTest("UC: completion on sending")
    {
    }

  private:
    void RunOnce(Operation operation, uint64_t bytes)
    {
        const std::string name = std::to_string(bytes) + " bytes";
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000, Options(TransportService::UC));
        pair.a.Fill(1);
        pair.b.Receive(5, bytes);
        WorkRequest request = Make(pair, operation, bytes, 0);
        request.immediate = 99;
        Post(pair, request);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, name);
        // the last packet starts when those before it have left
        const auto frames = TestRequestFrames(operation, bytes, MTU);
        double before = 0;
        for (std::size_t i = 0; i + 1 < frames.size(); ++i)
        {
            before += TestBytesNs(frames[i] + 20, VERBS_RATE);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed), before, 1.5, name);
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), 1, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.b.taken[0].completed),
                                  TestArrivalNs(TestStarPath(), frames),
                                  1.5,
                                  name << ": arrival");
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().acksSent, 0, name << ": no ACK");
        const std::vector<uint8_t> a = pair.a.Bytes();
        const std::vector<uint8_t> b = pair.b.Bytes();
        const auto end = a.begin() + static_cast<std::ptrdiff_t>(bytes);
        NS_TEST_EXPECT_MSG_EQ(std::equal(a.begin(), end, b.begin()), true, name << ": memory");
        Reset();
    }

    void DoRun() override
    {
        for (uint64_t bytes : {0, 1, 999, 1000, 1001, 10007})
        {
            for (Operation operation : {Operation::WRITE,
                                        Operation::WRITE_IMMEDIATE,
                                        Operation::SEND,
                                        Operation::SEND_IMMEDIATE})
            {
                RunOnce(operation, bytes);
            }
        }
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000, Options(TransportService::UC));
        for (Operation operation : {Operation::READ,
                                    Operation::FETCH_ADD,
                                    Operation::COMPARE_SWAP,
                                    Operation::SEND_INVALIDATE})
        {
            bool refused = false;
            try
            {
                Post(pair, Make(pair, operation, 8));
            }
            catch (const std::invalid_argument&)
            {
                refused = true;
            }
            NS_TEST_EXPECT_MSG_EQ(refused, true, "not over UC");
        }
        Reset();
    }
};

/** A lost packet costs UC its message and no other. */
class UnreliableLossTest : public VerbsTest
{
  public:
    UnreliableLossTest()
        : VerbsTest("UC: a loss costs one message")
    {
    }

  private:
    /** Five messages of three packets; one packet of the third is lost. \param operation what
     *  \param packet which one of it */
    void RunOnce(Operation operation, uint32_t packet)
    {
        const std::string name =
            "operation " + std::to_string(int(operation)) + ", packet " + std::to_string(packet);
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000, Options(TransportService::UC));
        pair.a.Fill(1);
        fabric->GetPort(1, 0)->SetReceiveFilter(
            [packet](const Frame& frame) { return frame.psn == 6 + packet; });
        for (uint64_t i = 0; i < 5; ++i)
        {
            pair.b.Receive(i, 3000, i * 3000);
            WorkRequest request = Make(pair, operation, 3000, i);
            request.localAddress += i * 3000;
            request.remoteAddress += operation == Operation::WRITE ? i * 3000 : 0;
            Post(pair, request);
        }
        Finish();
        CheckStatuses(pair.a.sent, std::vector<S>(5, S::SUCCESS), name);
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), 4, name << ": the others arrive");
        const bool send = operation == Operation::SEND;
        const std::vector<uint8_t> a = pair.a.Bytes();
        const std::vector<uint8_t> b = pair.b.Bytes();
        for (std::size_t i = 0; i < 4; ++i)
        {
            // a SEND that is lost leaves its receive request to the next one
            const std::size_t from = i < 2 ? i : i + 1;
            const std::size_t to = send ? i : from;
            NS_TEST_EXPECT_MSG_EQ((!send || pair.b.taken[i].id == i), true, name << ": order");
            NS_TEST_EXPECT_MSG_EQ(pair.b.taken[i].bytes, 3000, name << ": length");
            NS_TEST_EXPECT_MSG_EQ(std::equal(a.begin() + from * 3000,
                                             a.begin() + from * 3000 + 3000,
                                             b.begin() + to * 3000),
                                  true,
                                  name << ": bytes of " << from);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().retransmitted, 0, name << ": never again");
        CheckState(pair.b.qp, QueuePairState::RTS, name);
        Reset();
    }

    void DoRun() override
    {
        for (uint32_t packet : {0, 1, 2})
        {
            RunOnce(Operation::WRITE, packet);
            RunOnce(Operation::SEND, packet);
        }
        // half a SEND is not ended by a WRITE behind it
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000, Options(TransportService::UC));
        fabric->GetPort(1, 0)->SetReceiveFilter([](const Frame& frame) { return frame.psn == 2; });
        pair.b.Receive(0, 3000);
        Post(pair, Make(pair, Operation::SEND, 3000, 0)); // its last packet is lost
        Post(pair, Make(pair, Operation::WRITE, 1000, 1));
        Post(pair, Make(pair, Operation::SEND, 10, 2));
        Finish();
        NS_TEST_ASSERT_MSG_EQ(pair.b.taken.size(), 2, "the WRITE and the second SEND");
        NS_TEST_EXPECT_MSG_EQ((pair.b.taken[0].kind == CompletionKind::ARRIVAL), true, "WRITE");
        NS_TEST_EXPECT_MSG_EQ((pair.b.taken[1].kind == CompletionKind::RECEIVE), true, "SEND");
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken[1].bytes, 10, "SEND");
        Reset();
    }
};

/** Datagrams: addresses, keys, lengths. */
class DatagramTest : public VerbsTest
{
  public:
    DatagramTest()
        : VerbsTest("UD: addresses, Q_Key, 40 bytes")
    {
    }

  private:
    /** \return a datagram. \param pair from its a \param to its destination \param host of that
     *  \param bytes length \param id its id */
    WorkRequest Datagram(const VerbsPair& pair,
                         const VerbsSide& to,
                         uint32_t host,
                         uint64_t bytes,
                         uint64_t id)
    {
        WorkRequest request = Make(pair, Operation::SEND_IMMEDIATE, bytes, id);
        request.immediate = 0xabc00000 + static_cast<uint32_t>(id);
        request.datagramAddress = fabric->GetAddresses().Address(host, 0);
        request.datagramQpn = to.qp->GetQpn();
        request.datagramKey = 0x11112222;
        return request;
    }

    void DoRun() override
    {
        Build(StarGraph(3, VERBS_RATE, 1000));
        VerbsPair& one = OpenPair(0, 1, 20000, Options(TransportService::UD));
        VerbsPair& two = OpenPair(0, 2, 20000, Options(TransportService::UD));
        VerbsSide* ends[] = {&one.b, &two.b};
        one.a.Fill(1);
        for (VerbsSide* end : ends)
        {
            end->Fill(2);
            for (uint64_t i = 0; i < 6; ++i)
            {
                end->Receive(i, 1040, i * 1100);
            }
        }
        const uint64_t lengths[] = {0, 1, 999, 1000};
        for (uint64_t i = 0; i < 8; ++i)
        {
            Post(one, Datagram(one, *ends[i % 2], 1 + i % 2, lengths[i / 2], i));
        }
        WorkRequest wrong = Datagram(one, one.b, 1, 100, 8);
        wrong.datagramKey += 1;
        Post(one, wrong);
        Finish();
        CheckStatuses(one.a.sent, std::vector<S>(9, S::SUCCESS), "datagrams");
        for (uint32_t e = 0; e < 2; ++e)
        {
            CheckEnd(*ends[e], one.a, e, lengths);
        }
        CheckRefusals(one);
        Reset();
    }

    void CheckEnd(const VerbsSide& end,
                  const VerbsSide& source,
                  uint32_t parity,
                  const uint64_t (&lengths)[4])
    {
        CheckStatuses(end.taken, std::vector<S>(4, S::SUCCESS), "the wrong key gets none");
        const std::vector<uint8_t> bytes = end.Bytes();
        for (std::size_t i = 0; i < std::min<std::size_t>(4, end.taken.size()); ++i)
        {
            const Completion& done = end.taken[i];
            NS_TEST_EXPECT_MSG_EQ(done.bytes, lengths[i] + 40, "length");
            NS_TEST_EXPECT_MSG_EQ(done.immediate, 0xabc00000 + 2 * i + parity, "immediate");
            NS_TEST_EXPECT_MSG_EQ(done.sourceQpn, source.qp->GetQpn(), "source QP");
            NS_TEST_EXPECT_MSG_EQ(done.sourceAddress,
                                  fabric->GetAddresses().Address(0, 0),
                                  "source address");
            bool same = true;
            const std::size_t place = i * 1100;
            for (uint64_t k = 0; k < 1060; ++k)
            {
                // 20 bytes are free, the IPv4 header fills the next 20, then the payload; what is
                // behind it is as it was
                const bool payload = k >= 40 && k < 40 + lengths[i];
                const uint8_t expected = payload ? TestByte(1, k - 40) : TestByte(2, place + k);
                same &= (k >= 20 && k < 40) || bytes[place + k] == expected;
            }
            NS_TEST_EXPECT_MSG_EQ(same, true, "bytes of " << i);
            NS_TEST_EXPECT_MSG_EQ(+bytes[place + 20], 0x45, "IPv4 header");
            uint32_t address = 0;
            for (unsigned k = 0; k < 4; ++k)
            {
                address = address << 8 | bytes[place + 20 + 12 + k];
            }
            NS_TEST_EXPECT_MSG_EQ(address, done.sourceAddress, "its source address");
        }
    }

    void CheckRefusals(const VerbsPair& pair)
    {
        std::vector<WorkRequest> bad = {Datagram(pair, pair.b, 1, MTU + 1, 9)};
        for (Operation operation : {Operation::WRITE, Operation::READ, Operation::FETCH_ADD})
        {
            bad.push_back(Datagram(pair, pair.b, 1, 8, 9));
            bad.back().operation = operation;
        }
        unsigned refused = 0;
        for (const WorkRequest& request : bad)
        {
            try
            {
                Post(pair, request);
            }
            catch (const std::invalid_argument& e)
            {
                refused += std::string(e.what()).size() > 10;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(refused, 4, "longer than the MTU, or no SEND");
    }
};

/** Datagrams that find no room. */
class DatagramRoomTest : public VerbsTest
{
  public:
    DatagramRoomTest()
        : VerbsTest("UD: no receive request, or one that is too short")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000, Options(TransportService::UD));
        WorkRequest request = Make(pair, Operation::SEND, 100, 0);
        request.datagramAddress = fabric->GetAddresses().Address(1, 0);
        request.datagramQpn = pair.b.qp->GetQpn();
        request.datagramKey = 0x11112222;
        Post(pair, request); // nothing there: dropped without a word
        Finish();
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken.size(), 0, "dropped");
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().naksSent, 0, "silently");
        CheckState(pair.b.qp, QueuePairState::RTS, "and harmlessly");
        pair.b.Receive(0, 139); // one byte short of 100 + 40
        pair.b.Receive(1, 1000);
        request.id = 1;
        Post(pair, request);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS}, "the sender never knows");
        CheckStatuses(pair.b.taken, {S::LOCAL_LENGTH, S::FLUSHED}, "too short");
        CheckState(pair.b.qp, QueuePairState::ERROR, "too short");
        Reset();
    }
};

/** The suite. */
class DatagramTestSuite : public TestSuite
{
  public:
    DatagramTestSuite()
        : TestSuite("roce-datagram", TestSuite::Type::UNIT)
    {
        AddTestCase(new UnreliableTimeTest, D::QUICK);
        AddTestCase(new UnreliableLossTest, D::QUICK);
        AddTestCase(new DatagramTest, D::QUICK);
        AddTestCase(new DatagramRoomTest, D::QUICK);
    }
};

const DatagramTestSuite g_datagramTestSuite;

} // namespace
