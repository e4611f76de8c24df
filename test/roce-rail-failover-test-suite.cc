/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rail-test.h"
#include "roce-test-compat.h"
#include "roce-verbs-test-fabric.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::roce;

namespace
{

using S = CompletionStatus;

// A full packet of 1000 bytes is a frame of 1062 and occupies 1082 with preamble and gap: 86.56 ns
// at 100 Gb/s. An ACK occupies 66 + 20 bytes: 6.88 ns. Cables are 1 us.
constexpr double FRAME_NS = 86.56;
constexpr double ACK_NS = 6.88;

/** \return full packets of one WRITE that are acknowledged at a time, sent from 0 on over two
 * links. \param at ns. ACK k is there at (k + 1) frames at the sender, one at the switch, the way
 * of the ACK and 4 us of cables; the 16 bytes of the RETH are in the first frame, on both links */
double
Acknowledged(double at)
{
    const double first = 2 * FRAME_NS + 2 * 16 * 0.08 + 2 * ACK_NS + 4000;
    return std::floor((at - first) / FRAME_NS) + 1;
}

/** The port of a message fails in the middle. */
class MoveTest : public FabricTest
{
  public:
    MoveTest()
        : FabricTest("a message moves to the other rail")
    {
    }

  private:
    /** \param at when it fails, ns \param delay of detection, ns \param link which one, of rail 0
     */
    void RunOnce(int64_t at, int64_t delay, uint32_t link)
    {
        constexpr uint64_t packets = 2000;
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", NanoSeconds(delay));
        Told told;
        failover->TraceConnectWithoutContext("Moved", MakeCallback(&Told::Moved, &told));
        TestFlow& flow = Open(0, 1);
        Post(flow, packets * 1000);
        At(NanoSeconds(at), [this, link] { fabric->SetLinkUp(link, false); });
        Run();
        const std::string what = "link " + std::to_string(link) + " at " + std::to_string(at) +
                                 " ns, delay " + std::to_string(delay);
        const uint32_t other = flow.pair.qp->GetConfig().localPort;
        NS_TEST_EXPECT_MSG_EQ(other, 1, what << ": the port of rail 1");
        NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetConfig().localPort, 1, what << ": the peer too");
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 1, what);
        const std::vector<std::array<uint32_t, 3>> expected{{0, 0, 1}, {1, 0, 1}};
        NS_TEST_EXPECT_MSG_EQ((told.moves == expected), true, what << ": the trace");
        NS_TEST_EXPECT_MSG_EQ(told.times.at(0), NanoSeconds(at + delay), what << ": when");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, what << ": no timer was needed");
        // acknowledged: what came back before the failure; if the far cable fails (link 1), also
        // what it carried and what was on the two cables behind it is lost, but ACKs of the switch
        // and of the near cable come through: one cable and an ACK later
        const double until = at + (link == 0 ? 0 : 1000 + ACK_NS);
        const double una = Acknowledged(until);
        // then all the others from the move on, over two links again
        const double rest = (packets - una + 1) * FRAME_NS + 2 * ACK_NS + 4000;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()), at + delay + rest, 1.01 * FRAME_NS, what);
        Reset();
    }

    void DoRun() override
    {
        RunOnce(50000, 10000, 0);
        RunOnce(50000, 100000, 0);
        RunOnce(50000, 10000, 1);
        RunOnce(120000, 0, 0);
    }
};

/** Failures at many times, with memory at both ends. */
class BytesTest : public VerbsTest
{
  public:
    /** \param recovery loss recovery */
    explicit BytesTest(const std::string& recovery)
        : VerbsTest("bytes are exact whenever it fails, " + recovery),
          m_recovery(recovery)
    {
    }

  private:
    static constexpr uint64_t BYTES = 50000; //!< of a WRITE, of a READ, of a SEND

    /** \param at when the cable of host 0 on rail 0 fails, ns */
    void RunOnce(int64_t at)
    {
        helper->SetLossRecovery(m_recovery);
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(3));
        VerbsPair& pair = OpenPair(0, 1, 4 * BYTES);
        pair.a.Fill(1);
        pair.b.Fill(2);
        const std::vector<uint8_t> sent = pair.a.Bytes();
        const std::vector<uint8_t> asked = pair.b.Bytes();
        pair.b.Receive(0, BYTES, 2 * BYTES);
        const auto place = [&pair](Operation operation,
                                   uint64_t bytes,
                                   uint64_t id,
                                   uint64_t here,
                                   uint64_t there) {
            WorkRequest request = Make(pair, operation, bytes, id);
            request.localAddress += here;
            request.remoteAddress += operation == Operation::SEND ? 0 : there;
            Post(pair, request);
        };
        place(Operation::WRITE, BYTES, 0, 0, 0);
        place(Operation::READ, BYTES, 1, BYTES, BYTES);
        place(Operation::SEND, BYTES, 2, 2 * BYTES, 0);
        uint64_t* counter = reinterpret_cast<uint64_t*>(pair.b.region->GetData() + 3 * BYTES);
        *counter = 0;
        for (uint64_t id = 3; id < 13; ++id)
        {
            WorkRequest add = Make(pair, Operation::FETCH_ADD, 8, id);
            add.localAddress += 3 * BYTES + 8 * id;
            add.remoteAddress += 3 * BYTES;
            add.swapAdd = 1;
            Post(pair, add);
        }
        place(Operation::WRITE, 1000, 13, 0, 3 * BYTES + 1000);
        At(NanoSeconds(at), [this] { fabric->SetLinkUp(0, false); });
        Finish();
        const std::string what = "at " + std::to_string(at) + " ns";
        CheckStatuses(pair.a.sent, std::vector<S>(14, S::SUCCESS), what);
        const std::vector<uint8_t> a = pair.a.Bytes();
        const std::vector<uint8_t> b = pair.b.Bytes();
        const auto same = [](const std::vector<uint8_t>& x,
                             const std::vector<uint8_t>& y,
                             uint64_t from,
                             uint64_t to) {
            return std::equal(x.begin() + from, x.begin() + to, y.begin() + from);
        };
        NS_TEST_EXPECT_MSG_EQ(same(b, sent, 0, BYTES), true, what << ": WRITE");
        NS_TEST_EXPECT_MSG_EQ(same(a, asked, BYTES, 2 * BYTES), true, what << ": READ");
        NS_TEST_EXPECT_MSG_EQ(same(b, sent, 2 * BYTES, 3 * BYTES), true, what << ": SEND");
        NS_TEST_EXPECT_MSG_EQ(pair.b.taken.size(), 3, what << ": WRITE, SEND, WRITE");
        NS_TEST_EXPECT_MSG_EQ(*counter, 10, what << ": each atomic once");
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 1, what);
        Reset();
    }

    void DoRun() override
    {
        // 151 kB take 13 us and two round trips of 4 us: the steps meet each request, going out and
        // coming back, and what is done already
        for (int64_t at = 500; at < 30000; at += 700)
        {
            RunOnce(at);
        }
    }

    std::string m_recovery;
};

/** Many queue pairs, paced and not, both ways. */
class ManyTest : public FabricTest
{
  public:
    ManyTest()
        : FabricTest("all queue pairs of a rail move")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetCongestionControl("dcqcn");
        checkIdeal = false;
        Build(TwoRails());
        Ptr<RailFailover> failover = Watch(fabric, "move", MicroSeconds(20));
        for (uint32_t i = 0; i < 40; ++i)
        {
            // they take turns: half of them, 20, on either rail
            TestFlow& flow = Open(i % 4 < 2 ? 0 : 1, i % 4 < 2 ? 1 : 0);
            Post(flow, 30000);
            Post(flow, 1);
            Post(flow, 70000);
        }
        uint64_t hit = 0;
        for (const TestFlow& flow : flows)
        {
            hit += flow.pair.qp->GetConfig().localPort == 0;
        }
        NS_TEST_EXPECT_MSG_EQ(hit, 20, "half of them");
        At(MicroSeconds(30), [this] { fabric->SetLinkUp(0, false); });
        Run();
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), hit, "those of rail 0");
        for (const TestFlow& flow : flows)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.pair.qp->GetConfig().localPort, 1, "all are on rail 1");
        }
        NS_TEST_EXPECT_MSG_EQ(failover->GetStranded(), 0, "none is left");
    }
};

/** What fails does so at a time that arithmetic gives. */
class FailTest : public VerbsTest
{
  public:
    FailTest()
        : VerbsTest("queue pairs fail: at detection, or by their timers")
    {
    }

  private:
    static constexpr int64_t DOWN_NS = 20000;

    /** Three WRITEs of 100, 1000 and 1 packets. \return them */
    VerbsPair& Start()
    {
        Build(TwoRails());
        VerbsPair& pair = OpenPair(0, 1, 1000000);
        for (uint64_t id = 0; id < 3; ++id)
        {
            Post(pair, Make(pair, Operation::WRITE, id == 0 ? 100000 : id == 1 ? 1000000 : 1, id));
        }
        At(NanoSeconds(DOWN_NS), [this] { fabric->SetLinkUp(0, false); });
        return pair;
    }

    /** Software ends them. */
    void AtDetection()
    {
        VerbsPair& pair = Start();
        Ptr<RailFailover> failover = Watch(fabric, "fail", MicroSeconds(7));
        At(MicroSeconds(40), [&pair] { Post(pair, Make(pair, Operation::WRITE, 1, 3)); });
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::FLUSHED, S::FLUSHED, S::FLUSHED}, "fail");
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent.at(1).completed, 27000, "at detection");
        NS_TEST_EXPECT_MSG_EQ(pair.a.sent.at(3).completed, 40000, "later ones at once");
        CheckState(pair.a.qp, QueuePairState::ERROR, "here");
        CheckState(pair.b.qp, QueuePairState::ERROR, "there");
        NS_TEST_EXPECT_MSG_EQ(failover->GetFailed(), 1, "a connection");
        NS_TEST_EXPECT_MSG_EQ(failover->GetMoved(), 0, "none");
        Reset();
    }

    /** The NIC gives up. \param policy that leaves it to the timers, or none */
    void ByTimers(const std::string& policy)
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(3));
        VerbsPair& pair = Start();
        Ptr<RailFailover> failover;
        if (!policy.empty())
        {
            failover = Watch(fabric, policy, MicroSeconds(7));
        }
        Finish();
        // the timer starts with the last ACK before the failure, and the fourth expiry is one more
        // than the limit
        const double last = (Acknowledged(DOWN_NS) + 1) * FRAME_NS + 2 * ACK_NS + 4000;
        CheckStatuses(pair.a.sent, {S::SUCCESS, S::RETRY_EXCEEDED, S::FLUSHED}, "wait " + policy);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(1).completed),
                                  last + 4 * 100000,
                                  FRAME_NS,
                                  "after four timeouts");
        NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 4, "retry limit + 1");
        CheckState(pair.b.qp, QueuePairState::RTS, "nobody tells the peer");
        Reset();
    }

    void DoRun() override
    {
        AtDetection();
        ByTimers("wait");
        ByTimers("");
    }
};

/** Failures of rails. */
class RailFailoverSuite : public TestSuite
{
  public:
    RailFailoverSuite()
        : TestSuite("roce-rail-failover", TestSuite::Type::UNIT)
    {
        AddTestCase(new MoveTest, D::QUICK);
        AddTestCase(new BytesTest("go-back-n"), D::QUICK);
        AddTestCase(new BytesTest("irn"), D::QUICK);
        AddTestCase(new ManyTest, D::QUICK);
        AddTestCase(new FailTest, D::QUICK);
    }
};

RailFailoverSuite g_railFailoverSuite; //!< registers the suite

} // namespace
