/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include "ns3/roce-event-core.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

constexpr double RTO_NS = 100000; //!< of all cases

/** Counts frames that fit and says which one is to be dropped. */
class DropOnce
{
  public:
    /** \param fits which frames count \param index of the one to drop, from 0 on */
    DropOnce(std::function<bool(const Frame&)> fits, uint32_t index = 0)
        : m_fits(fits),
          m_index(index)
    {
    }

    /** \return whether to drop it. \param frame that arrives */
    bool operator()(const Frame& frame)
    {
        return m_fits(frame) && m_seen++ == m_index;
    }

  private:
    std::function<bool(const Frame&)> m_fits;
    uint32_t m_index;
    uint32_t m_seen{0};
};

/** A26: a duplicate request behind a READ. */
class DuplicateTest : public VerbsTest
{
  public:
    /** \param recovery loss recovery */
    explicit DuplicateTest(const std::string& recovery)
        : VerbsTest("A26: duplicates and READs, " + recovery),
          m_recovery(recovery)
    {
    }

  private:
    /** \return a pair with MTU 4096. \param psn of the first request \param window of the sender */
    VerbsPair& Start(uint32_t psn, uint64_t window)
    {
        helper->SetLossRecovery(m_recovery);
        if (m_recovery == "irn")
        {
            helper->SetLossRecoveryAttribute("RtoLow", TimeValue(NanoSeconds(100000)));
            helper->SetLossRecoveryAttribute("RtoHigh", TimeValue(NanoSeconds(100000)));
        }
        helper->SetNicAttribute("PathMtu", UintegerValue(4096));
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(100000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        ConnectionOptions options;
        options.sendPsn = psn;
        options.windowBytes = window;
        VerbsPair& pair = OpenPair(0, 1, 40000, options);
        pair.a.Fill(1);
        pair.b.Fill(2);
        return pair;
    }

    /** WRITE 30, READ 31, WRITE 32-34; the ACK of 30 and the response 31 are lost. \param all
     *  whether all other answers are lost too until the timer expires, so that 30 comes again */
    void First(bool all)
    {
        VerbsPair& pair = Start(30, CongestionControl::UNLIMITED);
        std::vector<std::pair<Tick, uint32_t>> acks;
        Tick response = 0;
        DropOnce ack([](const Frame& f) { return f.kind == FrameKind::ACK && f.psn == 30; });
        DropOnce data([](const Frame& f) { return f.kind == FrameKind::RESPONSE; });
        fabric->GetPort(0, 0)->SetReceiveFilter([&](const Frame& frame) {
            const bool early = EventCore::Get()->Now() < static_cast<Tick>(RTO_NS);
            if (ack(frame) || data(frame) || (all && early))
            {
                return true;
            }
            if (frame.kind == FrameKind::ACK)
            {
                acks.emplace_back(EventCore::Get()->Now(), frame.psn);
            }
            else
            {
                response = EventCore::Get()->Now();
            }
            return false;
        });
        Post(pair, Make(pair, Operation::WRITE, 4096, 0));
        WorkRequest read = Make(pair, Operation::READ, 4096, 1);
        read.remoteAddress += 8000;
        read.localAddress += 20000;
        Post(pair, read);
        WorkRequest write = Make(pair, Operation::WRITE, 3 * 4096, 2);
        write.remoteAddress += 20000;
        Post(pair, write);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS, S::SUCCESS}, "A26, first");
        std::vector<uint8_t> a(40000);
        std::vector<uint8_t> b(40000);
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            a[i] = i - 20000 < 4096 ? TestByte(2, i - 12000) : TestByte(1, i);
            b[i] = i < 4096                ? TestByte(1, i)
                   : i - 20000 < 3 * 4096u ? TestByte(1, i - 20000)
                                           : TestByte(2, i);
        }
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == a), true, "memory of a");
        NS_TEST_EXPECT_MSG_EQ((pair.b.Bytes() == b), true, "memory of b");
        if (all)
        {
            // the duplicate WRITE 30 is acknowledged, and not with the PSN of the READ behind it
            NS_TEST_EXPECT_MSG_EQ(acks.front().second, 30, "ACK of the duplicate");
        }
        else
        {
            // ACKs of 32 to 34 came long before, but the READ waits for its data
            NS_TEST_EXPECT_MSG_LT(double(acks.front().first), RTO_NS, "early");
            NS_TEST_EXPECT_MSG_EQ(acks.front().second, 32, "and of a later packet");
        }
        NS_TEST_EXPECT_MSG_GT(double(response), RTO_NS, "the answer comes after the replay");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(pair.a.sent.at(1).completed, response, "READ");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(pair.a.sent.at(2).completed, response, "WRITE behind it");
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken.size(), 2, "each WRITE arrives once");
        NS_TEST_EXPECT_MSG_EQ(pair.b.qp->GetResponder().GetBytes(), 4 * 4096, "and once only");
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().naksSent, 0, "NAKs");
        Reset();
    }

    /** READ 20-22, WRITE 23-24; the response 20 is lost while 23 has arrived and 24 has not. \param
     *  all whether the responses 21 and 22 are lost too, so that only the timer helps */
    void Second(bool all)
    {
        // the READ counts for 3 packets, so 4 stop the sender behind WRITE FIRST
        VerbsPair& pair = Start(20, 4 * 4096);
        std::vector<uint32_t> requests;
        fabric->GetPort(1, 0)->SetReceiveFilter([&requests](const Frame& frame) {
            requests.push_back(frame.psn);
            return false;
        });
        DropOnce first([](const Frame& f) { return f.kind == FrameKind::RESPONSE && f.psn == 20; });
        fabric->GetPort(0, 0)->SetReceiveFilter([&first, &requests, all](const Frame& frame) {
            const bool original = frame.kind == FrameKind::RESPONSE && requests.size() == 2;
            return first(frame) || (all && original);
        });
        WorkRequest read = Make(pair, Operation::READ, 3 * 4096, 0);
        read.localAddress += 20000;
        Post(pair, read);
        WorkRequest write = Make(pair, Operation::WRITE, 5000, 1);
        write.remoteAddress += 20000;
        Post(pair, write);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS}, "A26, second");
        // go-back-N sends 23 again too
        const std::vector<uint32_t> expected = m_recovery == "irn"
                                                   ? std::vector<uint32_t>{20, 23, 20, 24}
                                                   : std::vector<uint32_t>{20, 23, 20, 23, 24};
        NS_TEST_EXPECT_MSG_EQ((requests == expected), true, "the WRITE goes on after the replay");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, (all ? 1 : 0), "timeouts");
        NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().naksSent, 0, "without a sequence error");
        NS_TEST_EXPECT_MSG_EQ(pair.b.qp->GetResponder().GetOutOfOrder(), 0, "in order");
        std::vector<uint8_t> a(40000);
        std::vector<uint8_t> b(40000);
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            a[i] = i - 20000 < 3 * 4096u ? TestByte(2, i - 20000) : TestByte(1, i);
            b[i] = i - 20000 < 5000 ? TestByte(1, i - 20000) : TestByte(2, i);
        }
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == a), true, "memory of a");
        NS_TEST_EXPECT_MSG_EQ((pair.b.Bytes() == b), true, "memory of b");
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken.size(), 1, "the WRITE arrives once");
        Reset();
    }

    void DoRun() override
    {
        for (bool all : {false, true})
        {
            First(all);
            Second(all);
        }
    }

    std::string m_recovery;
};

/** A READ of 1 MB loses its request or a response. */
class ReadLossTest : public VerbsTest
{
  public:
    ReadLossTest()
        : VerbsTest("READ of 1 MB with losses")
    {
    }

  private:
    static constexpr uint64_t BYTES = 1000000;
    static constexpr uint64_t PACKETS = 1000;

    /** \return ticks of the READ. \param recovery loss recovery \param request whether the request
     *  is lost \param response index of the response that is lost, none if not below 1000 */
    double Measure(const std::string& recovery, bool request, uint32_t response)
    {
        const std::string name = recovery + ", response " + std::to_string(response);
        helper->SetLossRecovery(recovery);
        if (recovery == "irn")
        {
            helper->SetLossRecoveryAttribute("RtoLow", TimeValue(NanoSeconds(100000)));
            helper->SetLossRecoveryAttribute("RtoHigh", TimeValue(NanoSeconds(100000)));
        }
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(100000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, BYTES);
        pair.b.Fill(2);
        DropOnce dropRequest([](const Frame& f) { return f.kind == FrameKind::REQUEST; },
                             request ? 0 : 1000);
        DropOnce dropResponse([](const Frame& f) { return f.kind == FrameKind::RESPONSE; },
                              response);
        fabric->GetPort(1, 0)->SetReceiveFilter(
            [&dropRequest](const Frame& frame) { return dropRequest(frame); });
        fabric->GetPort(0, 0)->SetReceiveFilter(
            [&dropResponse](const Frame& frame) { return dropResponse(frame); });
        Post(pair, Make(pair, Operation::READ, BYTES));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, name);
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, name << ": bytes");
        const double ticks = double(pair.a.sent.at(0).completed);
        const bool timer = request || response == PACKETS - 1;
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, (timer ? 1 : 0), name);
        NS_TEST_EXPECT_MSG_EQ(pair.a.qp->GetCompleter().GetResponses(), PACKETS, name << ": once");
        Reset();
        return ticks;
    }

    void DoRun() override
    {
        const double alone = TestVerbsNs(Operation::READ, BYTES, 1000);
        const double up = TestArrivalNs(TestStarPath(), {78}); // 62 + RETH of 16
        std::vector<uint32_t> frames = TestAnswerFrames(Operation::READ, BYTES, 1000);
        for (const char* recovery : {"go-back-n", "go-back-0", "irn"})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(Measure(recovery, false, 2000), alone, 2.0, "no loss");
            NS_TEST_EXPECT_MSG_EQ_TOL(Measure(recovery, true, 2000),
                                      RTO_NS + alone,
                                      2.0,
                                      recovery << ": request lost");
            // the timer runs from the last response but one; then one response is asked for again
            const std::vector<uint32_t> allButOne(frames.begin(), frames.end() - 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(Measure(recovery, false, PACKETS - 1),
                                      up + TestArrivalNs(TestStarPath(), allButOne) + RTO_NS + up +
                                          TestArrivalNs(TestStarPath(), {1000 + 66}),
                                      3.0,
                                      recovery << ": last response lost");
            for (uint32_t lost : {0, 499})
            {
                // response lost + 1 shows the gap; what follows the gap is asked for anew, and the
                // responder may be in the middle of a packet then
                const std::vector<uint32_t> before(frames.begin(), frames.begin() + lost + 2);
                const std::vector<uint32_t> again =
                    TestAnswerFrames(Operation::READ, BYTES - lost * 1000, 1000);
                NS_TEST_EXPECT_MSG_EQ_TOL(Measure(recovery, false, lost),
                                          up + TestArrivalNs(TestStarPath(), before) + up +
                                              TestArrivalNs(TestStarPath(), again) + 44,
                                          46.0,
                                          recovery << ": response " << lost << " lost");
            }
        }
    }
};

/** The answer of an atomic is lost: it is not executed again. */
class AtomicLossTest : public VerbsTest
{
  public:
    AtomicLossTest()
        : VerbsTest("atomics are executed once")
    {
    }

  private:
    /** \param operation what \param request whether the request is lost, else the answer */
    void RunOnce(Operation operation, bool request)
    {
        const std::string name = "operation " + std::to_string(int(operation)) +
                                 (request ? ", request lost" : ", answer lost");
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(100000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 64);
        pair.b.region->GetData()[0] = 40;
        DropOnce drop([](const Frame&) { return true; });
        fabric->GetPort(request ? 1 : 0, 0)->SetReceiveFilter([&drop](const Frame& frame) {
            return drop(frame);
        });
        WorkRequest atomic = Make(pair, operation, 8, 0);
        atomic.compare = 40;
        atomic.swapAdd = 2;
        Post(pair, atomic);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, name);
        const bool add = operation == Operation::FETCH_ADD;
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent.at(0).original, 40, name << ": original");
        NS_TEST_EXPECT_MSG_EQ(+pair.a.Bytes()[0], 40, name << ": original in memory");
        NS_TEST_EXPECT_MSG_EQ(+pair.b.Bytes()[0], (add ? 42 : 2), name << ": once");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 1, name << ": timeouts");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  RTO_NS + TestVerbsNs(operation, 8, 1000),
                                  2.0,
                                  name << ": time");
        NS_TEST_EXPECT_MSG_EQ(pair.b.qp->GetResponder().GetMsn(), 1, name << ": one message");
        Reset();
    }

    void DoRun() override
    {
        for (Operation operation : {Operation::FETCH_ADD, Operation::COMPARE_SWAP})
        {
            RunOnce(operation, true);
            RunOnce(operation, false);
        }
    }
};

/** A1 with SEND: the last ACK is lost, the message is received once. */
class SendLossTest : public VerbsTest
{
  public:
    SendLossTest()
        : VerbsTest("A1, A2: SEND whose last ACK is lost or late")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(100000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 16000);
        pair.a.Fill(1);
        pair.b.Receive(0, 16000);
        pair.b.Receive(1, 16000);
        std::vector<uint32_t> acks;
        DropOnce drop([](const Frame& frame) { return frame.psn == 15; });
        fabric->GetPort(0, 0)->SetReceiveFilter([&](const Frame& frame) {
            acks.push_back(frame.aeth & MASK_24);
            return drop(frame);
        });
        Post(pair, Make(pair, Operation::SEND, 16000));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, "A1");
        CheckStatuses(pair.b.taken, {S::SUCCESS}, "received once");
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, "bytes");
        // the timer runs from the ACK before the last: one packet of 1062 + 20 bytes earlier
        const double alone = TestVerbsNs(Operation::SEND, 16000, 1000);
        const double again =
            TestArrivalNs(TestStarPath(), {1062}) + TestArrivalNs(TestStarPath(), {66});
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  alone - TestBytesNs(1082, VERBS_RATE) + RTO_NS + again,
                                  2.0,
                                  "time");
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 17, "16 and the repeated one");
        NS_TEST_EXPECT_MSG_EQ(acks[15], 1, "MSN");
        NS_TEST_EXPECT_MSG_EQ(acks[16], 1, "same MSN");
        // A2: all ACKs are held back for more than two timers by a pause of their priority
        Reset();
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(100000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& late = OpenPair(0, 1, 16000);
        late.b.Receive(0, 16000);
        late.b.Receive(1, 16000);
        for (uint16_t quanta : {uint16_t(60000), uint16_t(0)})
        {
            At(NanoSeconds(quanta ? 0 : 250000), [this, quanta] {
                const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
                fabric->GetSwitch(2)->GetPort(1)->SendPause(1 << 6,
                                                            times.data(),
                                                            EventCore::Get()->Now());
            });
        }
        Post(late, Make(late, Operation::SEND, 16000));
        Finish();
        CheckStatuses(late.a.sent, {S::SUCCESS}, "A2");
        CheckStatuses(late.b.taken, {S::SUCCESS}, "A2, received once");
        NS_TEST_EXPECT_MSG_EQ(late.a.nic->GetCounters().timeouts, 2, "A2: timeouts");
        NS_TEST_EXPECT_MSG_GT(double(late.a.sent.at(0).completed), 250000.0, "A2: late");
        NS_TEST_EXPECT_MSG_EQ(late.a.nic->GetCounters().acksReceived,
                              late.b.nic->GetCounters().acksSent,
                              "A2: all come");
        Reset();
    }
};

/** PSNs wrap within a READ and within a WRITE, with losses at the wrap. */
class WrapTest : public VerbsTest
{
  public:
    WrapTest()
        : VerbsTest("PSN wrap of READ and WRITE")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* recovery : {"go-back-n", "go-back-0", "irn"})
        {
            for (uint32_t lost : {0xffffffu, 0u, 1u})
            {
                RunOnce(recovery, lost, Operation::READ);
                RunOnce(recovery, lost, Operation::WRITE);
            }
        }
    }

    /** \param recovery loss recovery \param lost PSN of what is lost \param operation the first */
    void RunOnce(const std::string& recovery, uint32_t lost, Operation operation)
    {
        const std::string name = recovery + ", lost " + std::to_string(lost);
        helper->SetLossRecovery(recovery);
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(200000)));
        Build(StarGraph(2, VERBS_RATE, 1000));
        ConnectionOptions options;
        options.sendPsn = 0xfffff0;
        VerbsPair& pair = OpenPair(0, 1, 64000, options);
        pair.a.Fill(1);
        pair.b.Fill(2);
        const bool read = operation == Operation::READ;
        DropOnce drop([lost, read](const Frame& frame) {
            return frame.psn == lost && (frame.kind == FrameKind::RESPONSE) == read;
        });
        fabric->GetPort(read ? 0 : 1, 0)->SetReceiveFilter([&drop](const Frame& frame) {
            return drop(frame);
        });
        // 32 numbers each: 0xfffff0 to 0x00000f, 0x10 to 0x2f, 0x30
        Post(pair, Make(pair, operation, 32000, 0));
        WorkRequest other = Make(pair, read ? Operation::WRITE : Operation::READ, 32000, 1);
        other.localAddress += 32000;
        other.remoteAddress += 32000;
        Post(pair, other);
        Post(pair, Make(pair, Operation::WRITE, 0, 2));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::SUCCESS, S::SUCCESS}, name);
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, name << ": bytes");
        NS_TEST_EXPECT_MSG_EQ(pair.b.qp->GetResponder().GetExpected(), 65, name << ": 32 + 32 + 1");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 0, name << ": timeouts");
        Reset();
    }
};

/** The suite. */
class VerbsLossTestSuite : public TestSuite
{
  public:
    VerbsLossTestSuite()
        : TestSuite("roce-verbs-loss", TestSuite::Type::UNIT)
    {
        AddTestCase(new DuplicateTest("go-back-n"), D::QUICK);
        AddTestCase(new DuplicateTest("irn"), D::QUICK);
        AddTestCase(new ReadLossTest, D::QUICK);
        AddTestCase(new AtomicLossTest, D::QUICK);
        AddTestCase(new SendLossTest, D::QUICK);
        AddTestCase(new WrapTest, D::QUICK);
    }
};

const VerbsLossTestSuite g_verbsLossTestSuite;

} // namespace
