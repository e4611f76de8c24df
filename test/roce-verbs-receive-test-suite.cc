/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include "ns3/boolean.h"

#include <map>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

constexpr uint32_t MTU = 1000;

/** \return ns from the first bit of a message until the NAK of its first packet is back. \param
 *  bytes of a SEND */
double
NakNs(uint64_t bytes)
{
    return TestArrivalNs(TestStarPath(), {TestRequestFrames(Operation::SEND, bytes, MTU).front()}) +
           TestArrivalNs(TestStarPath(), {66}); // a NAK is as long as an ACK
}

/** A SEND finds no receive request, waits and succeeds. */
class NotReadyTest : public VerbsTest
{
  public:
    NotReadyTest()
        : VerbsTest("RNR NAK, wait, success")
    {
    }

  private:
    /** \param code of the timer \param waitNs what it means by IBTA table 45 \param bytes length
     *  \param waits how often it has to wait */
    void RunOnce(uint8_t code, double waitNs, uint64_t bytes, unsigned waits)
    {
        const std::string name = "code " + std::to_string(code) + ", " + std::to_string(bytes) +
                                 " bytes, " + std::to_string(waits) + " waits";
        helper->SetTransportAttribute("RnrTimer", UintegerValue(code));
        helper->SetNicAttribute("AckTimeout", TimeValue(Seconds(0)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000);
        pair.a.Fill(1);
        Post(pair, Make(pair, Operation::SEND, bytes, 0));
        // try k begins at k * round; its first packet is there one flight later
        const double round = NakNs(bytes) + waitNs;
        const double flight = NakNs(bytes) / 2;
        At(NanoSeconds(static_cast<uint64_t>((waits - 1) * round + flight + waitNs / 2)),
           [&pair, bytes] { pair.b.Receive(0, bytes); });
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  waits * round + TestVerbsNs(Operation::SEND, bytes, MTU),
                                  2.0 * waits,
                                  name << ": time");
        const NicCounters& a = pair.a.nic->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(a.rnrNaksReceived, waits, name << ": RNR NAKs");
        NS_TEST_EXPECT_MSG_EQ(a.naksReceived, waits, name << ": NAKs");
        NS_TEST_EXPECT_MSG_EQ(a.retransmitted, waits * TestPackets(bytes, MTU), name << ": again");
        NS_TEST_EXPECT_MSG_EQ(a.timeouts, 0, name << ": timeouts");
        const std::vector<uint8_t> from = pair.a.Bytes();
        const std::vector<uint8_t> to = pair.b.Bytes();
        const auto length = static_cast<std::ptrdiff_t>(bytes);
        NS_TEST_EXPECT_MSG_EQ(std::equal(to.begin(), to.begin() + length, from.begin()),
                              true,
                              name << ": bytes");
        Reset();
    }

    void DoRun() override
    {
        // IBTA table 45: 1 is 0.01 ms, 2 is 0.02, 5 is 0.06, 14 is 1.28, 31 is 491.52, 0 is 655.36
        RunOnce(1, 10e3, 100, 1);
        RunOnce(1, 10e3, 10000, 1);
        RunOnce(2, 20e3, 1000, 3);
        RunOnce(5, 60e3, 3500, 2);
        RunOnce(14, 1280e3, 1, 4);
        RunOnce(31, 491520e3, 0, 1);
        RunOnce(0, 655360e3, 10000, 1);
    }
};

/** More RNR NAKs than allowed. */
class NotReadyLimitTest : public VerbsTest
{
  public:
    NotReadyLimitTest()
        : VerbsTest("RNR retry exceeded")
    {
    }

  private:
    /** \param limit RnrRetryLimit */
    void RunOnce(uint32_t limit)
    {
        const std::string name = "limit " + std::to_string(limit);
        helper->SetTransportAttribute("RnrTimer", UintegerValue(3)); // 0.03 ms
        helper->SetTransportAttribute("RnrRetryLimit", UintegerValue(limit));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000);
        Post(pair, Make(pair, Operation::WRITE, 0, 0));
        Post(pair, Make(pair, Operation::SEND, 100, 1));
        Post(pair, Make(pair, Operation::WRITE, 100, 2));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::RNR_RETRY_EXCEEDED, S::FLUSHED}, name);
        CheckState(pair.a.qp, QueuePairState::ERROR, name);
        CheckState(pair.b.qp, QueuePairState::RTS, name + ", the responder is not to blame");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().rnrNaksReceived, limit + 1, name);
        // the empty WRITE is 62 + 16 bytes and 20 on the link; then limit + 1 tries, limit waits
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(1).completed),
                                  TestBytesNs(98, VERBS_RATE) + (limit + 1) * NakNs(100) +
                                      limit * 30e3,
                                  2.0 * (limit + 1),
                                  name << ": time");
        Reset();
    }

    void DoRun() override
    {
        RunOnce(0);
        RunOnce(1);
        RunOnce(6);
    }
};

/** A WRITE with immediate data needs a receive request at its end only. */
class NotReadyAtEndTest : public VerbsTest
{
  public:
    NotReadyAtEndTest()
        : VerbsTest("RNR NAK of a WRITE with immediate data")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetTransportAttribute("RnrTimer", UintegerValue(1));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000);
        pair.a.Fill(1);
        Post(pair, Make(pair, Operation::WRITE_IMMEDIATE, 10000, 0));
        At(MicroSeconds(6), [&pair] { pair.b.Receive(0, 0); });
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, "WRITE with immediate");
        const NicCounters& a = pair.a.nic->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(a.rnrNaksReceived, 1, "RNR NAKs");
        NS_TEST_EXPECT_MSG_EQ(a.retransmitted, 1, "only the last packet again");
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().bytesDelivered, 10000, "taken once");
        const double last = TestArrivalNs(TestStarPath(), {1000 + 62 + 4});
        const double ack = TestArrivalNs(TestStarPath(), {66});
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  TestVerbsNs(Operation::WRITE_IMMEDIATE, 10000, MTU) + 10e3 +
                                      last + ack,
                                  2.0,
                                  "time");
        Reset();
    }
};

/** An RNR NAK comes behind the responses of a READ; there is no other timer. */
class NotReadyBehindReadTest : public VerbsTest
{
  public:
    NotReadyBehindReadTest()
        : VerbsTest("RNR NAK behind a READ")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetTransportAttribute("RnrTimer", UintegerValue(1));
        helper->SetNicAttribute("AckTimeout", TimeValue(Seconds(0)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000);
        Post(pair, Make(pair, Operation::READ, 10000, 0));
        Post(pair, Make(pair, Operation::SEND, 100, 1));
        At(MicroSeconds(9), [&pair] { pair.b.Receive(0, 100); });
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS}, "READ, SEND");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().rnrNaksReceived, 1, "RNR NAKs");
        // the NAK follows the last response, 66 bytes and 20 on the link later
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(1).completed),
                                  TestVerbsNs(Operation::READ, 10000, MTU) +
                                      TestBytesNs(86, VERBS_RATE) + 10e3 +
                                      TestVerbsNs(Operation::SEND, 100, MTU),
                                  3.0,
                                  "time");
        Reset();
    }
};

/** Three queue pairs take receive requests from one queue. */
class SharedQueueTest : public VerbsTest
{
  public:
    SharedQueueTest()
        : VerbsTest("shared receive queue")
    {
    }

  private:
    void Limit(std::size_t depth)
    {
        depths.push_back(depth);
    }

    void DoRun() override
    {
        constexpr uint64_t SLOT = 4000;
        Build(StarGraph(4, VERBS_RATE, 1000));
        ConnectionOptions options;
        options.peerReceiveQueue = CreateObject<ReceiveQueue>();
        options.peerDomain = CreateObject<ProtectionDomain>();
        const auto room = options.peerDomain->Register(0, 10 * SLOT, ACCESS_LOCAL_WRITE);
        for (uint64_t i = 0; i < 10; ++i)
        {
            options.peerReceiveQueue->Post({i, SLOT, i * SLOT, room->GetLocalKey()});
        }
        options.peerReceiveQueue->SetLimit(4, MakeCallback(&SharedQueueTest::Limit, this));
        for (uint32_t host = 0; host < 3; ++host)
        {
            VerbsPair& pair = OpenPair(host, 3, SLOT, options);
            pair.a.Fill(host);
            for (uint64_t i = 0; i < 3 - host / 2; ++i) // 3 + 3 + 2 messages
            {
                Post(pair, Make(pair, Operation::SEND, 3000 + host, i));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Refused(pairs[0]), true, "not to the queue pair");
        Finish();
        std::map<uint64_t, uint32_t> slots;
        for (uint32_t host = 0; host < 3; ++host)
        {
            CheckStatuses(pairs[host].a.sent,
                          std::vector<S>(3 - host / 2, S::SUCCESS),
                          "host " + std::to_string(host));
            for (const Completion& done : pairs[host].b.taken)
            {
                slots[done.id] = host;
                NS_TEST_EXPECT_MSG_EQ(done.bytes, 3000 + host, "bytes");
                NS_TEST_EXPECT_MSG_EQ(done.qpn, pairs[host].b.qp->GetQpn(), "queue pair");
            }
        }
        NS_TEST_ASSERT_MSG_EQ(slots.size(), 8, "each request once");
        const std::vector<uint8_t> memory(room->GetData(), room->GetData() + 10 * SLOT);
        for (const auto& [slot, host] : slots)
        {
            NS_TEST_EXPECT_MSG_LT(slot, 8, "the oldest first");
            bool same = true;
            for (uint64_t i = 0; i < 3000 + host; ++i)
            {
                same &= memory[slot * SLOT + i] == TestByte(host, i);
            }
            NS_TEST_EXPECT_MSG_EQ(same, true, "slot " << slot << " has the bytes of " << host);
        }
        NS_TEST_EXPECT_MSG_EQ(options.peerReceiveQueue->GetDepth(), 2, "10 - 8 left");
        NS_TEST_ASSERT_MSG_EQ(depths.size(), 1, "one limit event");
        NS_TEST_EXPECT_MSG_EQ(depths[0], 3, "when fewer than 4 are left");
        Reset();
    }

    /** \return whether PostReceive is refused. \param pair with a shared queue at b */
    static bool Refused(const VerbsPair& pair)
    {
        try
        {
            pair.b.Receive(0, 1);
        }
        catch (const std::invalid_argument& e)
        {
            return std::string(e.what()).find("shared") != std::string::npos;
        }
        return false;
    }

    std::vector<std::size_t> depths;
};

/** End-to-end flow control. */
class CreditsTest : public VerbsTest
{
  public:
    CreditsTest()
        : VerbsTest("credits")
    {
    }

  private:
    /** \return counters of the sender. \param credits whether they are told */
    NicCounters RunOnce(bool credits)
    {
        helper->SetTransportAttribute("Credits", BooleanValue(credits));
        helper->SetTransportAttribute("RnrTimer", UintegerValue(1));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 20000);
        for (uint64_t i = 0; i < 4; ++i)
        {
            pair.b.Receive(i, 5000);
        }
        // one message tells the credits that are left, 3; then a burst of 20 comes, and a receive
        // request each 2 us: about as fast as an application would post them
        Post(pair, Make(pair, Operation::SEND, 5000, 0));
        At(MicroSeconds(10), [&pair] {
            for (uint64_t i = 1; i <= 20; ++i)
            {
                Post(pair, Make(pair, Operation::SEND, 5000, i));
            }
        });
        for (uint64_t i = 4; i < 21; ++i)
        {
            At(MicroSeconds(12 + 2 * i), [&pair, i] { pair.b.Receive(i, 5000); });
        }
        Finish();
        CheckStatuses(pair.a.sent, std::vector<S>(21, S::SUCCESS), "credits");
        CheckStatuses(pair.b.taken, std::vector<S>(21, S::SUCCESS), "credits at b");
        const NicCounters counters = pair.a.nic->GetCounters();
        Reset();
        return counters;
    }

    void DoRun() override
    {
        const NicCounters without = RunOnce(false);
        NS_TEST_EXPECT_MSG_GT(without.rnrNaksReceived, 0, "without credits it runs into the wall");
        const NicCounters with = RunOnce(true);
        // a requester without credits may ask with one packet (IBTA 9.7.7.2.5), and no more
        NS_TEST_EXPECT_MSG_EQ(with.retransmitted, with.rnrNaksReceived, "one packet a time");
        NS_TEST_EXPECT_MSG_LT(with.retransmitted, without.retransmitted, "less is sent in vain");
    }
};

/** The suite. */
class VerbsReceiveTestSuite : public TestSuite
{
  public:
    VerbsReceiveTestSuite()
        : TestSuite("roce-verbs-receive", TestSuite::Type::UNIT)
    {
        AddTestCase(new NotReadyTest, D::QUICK);
        AddTestCase(new NotReadyLimitTest, D::QUICK);
        AddTestCase(new NotReadyAtEndTest, D::QUICK);
        AddTestCase(new NotReadyBehindReadTest, D::QUICK);
        AddTestCase(new SharedQueueTest, D::QUICK);
        AddTestCase(new CreditsTest, D::QUICK);
    }
};

const VerbsReceiveTestSuite g_verbsReceiveTestSuite;

} // namespace
