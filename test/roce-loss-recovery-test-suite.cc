/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-event-core.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;
/** A full middle packet of 1000 bytes at 100G: 1082 bytes, 86.56 ns. */
const double PACKET_NS = TestBytesNs(1082, RATE);
/** First bit of a packet without RETH to its ACK in star(2, 100G, 1 us): 2 s + 2 a + 4 d. */
const double RTT_NS = 2 * PACKET_NS + 2 * TestBytesNs(86, RATE) + 4000;
/** Packets sent from the one behind a lost one until the NAK of that one is here: 48.4, so 49. */
const double NAK_PACKETS = std::ceil(RTT_NS / PACKET_NS);
/** IRN's timers (section 4.1), which are the defaults. */
constexpr double RTO_LOW_NS = 100000;
constexpr double RTO_HIGH_NS = 320000;
/** Packets of a bandwidth-delay product: the base RTT has a packet with RETH, 4189.44 ns; at
 *  12.5 bytes a ns 52368 bytes, so 52 packets of 1000. */
constexpr double BDP_PACKETS = 52;

/** \return whether a frame is a NAK of a sequence error. \param frame a frame */
bool
IsNak(const Frame& frame)
{
    return frame.kind == FrameKind::ACK && (frame.aeth >> 24) == SYNDROME_NAK_SEQUENCE;
}

/** A flow from host 0 to host 1 over one switch, with losses by PSN. */
class RecoveryTest : public FabricTest
{
  public:
    using FabricTest::FabricTest;

  protected:
    /** Build the star, lose data packets at the receiver, each as often as it is named.
     *  \param recovery short name \param lose PSNs \return the flow */
    TestFlow& Start(const std::string& recovery, const std::multiset<uint32_t>& lose)
    {
        helper->SetLossRecovery(recovery);
        if (recovery == "irn")
        {
            helper->SetLossRecoveryAttribute("BdpCap", BooleanValue(cap));
        }
        Build(StarGraph(2, RATE, 1000));
        lost = lose;
        fabric->GetPort(1, 0)->SetReceiveFilter([this](const Frame& frame) {
            const auto found = lost.find(frame.psn);
            if (frame.kind != FrameKind::REQUEST || found == lost.end())
            {
                return false;
            }
            lost.erase(found);
            return true;
        });
        return Open(0, 1);
    }

    /** Lose answers at the sender. \param drop tells which */
    void LoseAnswers(std::function<bool(const Frame&)> drop)
    {
        fabric->GetPort(0, 0)->SetReceiveFilter(std::move(drop));
    }

    /** \return ns of a lone message without losses. \param bytes its length */
    static double Alone(uint64_t bytes)
    {
        return TestEqualCompletionNs(2, RATE, 1000, bytes, 1000);
    }

    /** Compare what came of a flow with what was computed. \param flow the flow \param fct ns
     *  \param resent packets \param timeouts expired timers */
    void Expect(const TestFlow& flow, double fct, uint64_t resent, uint64_t timeouts)
    {
        NS_TEST_ASSERT_MSG_EQ(flow.sent.size(), 1, "completed");
        // times are cut to ticks, in each pass
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()), fct, 3.0 + timeouts, "completion in ns");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).retransmitted, resent, "resent");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, timeouts, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(lost.size(), 0, "all losses happened");
    }

    std::multiset<uint32_t> lost; //!< PSNs that are still to be lost
    bool cap{false};              //!< BdpCap of IRN
};

/** IRN, one loss. */
class IrnSingleLossTest : public RecoveryTest
{
  public:
    IrnSingleLossTest()
        : RecoveryTest("IRN: single loss")
    {
    }

  private:
    void DoRun() override
    {
        // without a cap the sender never stops: one packet more than without loss
        TestFlow& flow = Start("irn", {500});
        Post(flow, 1000000);
        Run();
        Expect(flow, Alone(1000000) + PACKET_NS, 1, 0);
        // 501 to 549 have left when the NAK of 501 is here, and each arrives early
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).naksSent, NAK_PACKETS, "a NAK for each early packet");
        NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetResponder().GetDuplicates(), 0, "duplicates");
        Reset();
        // With it: in units of s after 500, 500 is sent again at 50, then 550 and 551, and that is
        // all the cap allows. Its ACK is here at 50 s + RTT; then 552 goes, which without loss had
        // gone at 52.
        cap = true;
        TestFlow& capped = Start("irn", {500});
        Post(capped, 1000000);
        Run();
        const double late = (1 + NAK_PACKETS - BDP_PACKETS) * PACKET_NS + RTT_NS;
        Expect(capped, Alone(1000000) + late, 1, 0);
    }
};

/** IRN, ten packets in a row. */
class IrnBurstLossTest : public RecoveryTest
{
  public:
    IrnBurstLossTest()
        : RecoveryTest("IRN: burst loss")
    {
    }

  private:
    void DoRun() override
    {
        std::multiset<uint32_t> burst;
        for (uint32_t psn = 500; psn < 510; ++psn)
        {
            burst.insert(psn);
        }
        TestFlow& flow = Start("irn", burst);
        Post(flow, 1000000);
        Run();
        Expect(flow, Alone(1000000) + 10 * PACKET_NS, 10, 0);
        // 49 early ones until the NAK of 510 is here. The ten go in a row; each but the last fills
        // the first hole only, and the one behind it is in its place: ACKs, no more NAKs
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).naksSent, NAK_PACKETS, "NAKs");
        Reset();
        // every other one of 20
        burst.clear();
        for (uint32_t psn = 500; psn < 520; psn += 2)
        {
            burst.insert(psn);
        }
        TestFlow& holes = Start("irn", burst);
        Post(holes, 1000000);
        Run();
        Expect(holes, Alone(1000000) + 10 * PACKET_NS, 10, 0);
    }
};

/** IRN, a packet that is sent again is lost again: the timers. */
class IrnTimerTest : public RecoveryTest
{
  public:
    IrnTimerTest()
        : RecoveryTest("IRN: loss of what is sent again, RtoLow and RtoHigh")
    {
    }

  private:
    void DoRun() override
    {
        // 52 packets are out. The timer runs since the ACK of 499, one s before 500 plus an RTT;
        // then 500 goes a third time, and 552 an RTT later instead of 52 s after 500.
        cap = true;
        TestFlow& flow = Start("irn", {500, 500});
        Post(flow, 1000000);
        Run();
        Expect(flow,
               Alone(1000000) + RTO_HIGH_NS + 2 * RTT_NS - (1 + BDP_PACKETS) * PACKET_NS,
               2,
               1);
        Reset();
        // one packet, lost twice, each time for RtoLow
        TestFlow& one = Start("irn", {0, 0});
        Post(one, 1000);
        Run();
        Expect(one, Alone(1000) + 2 * RTO_LOW_NS, 2, 2);
        Reset();
        // Four, all lost: no SACK tells of them, so each waits for a timer of its own. While four
        // are out it is RtoHigh, from the first packet on; then RtoLow, from the ACK on.
        TestFlow& four = Start("irn", {0, 1, 2, 3});
        Post(four, 4000);
        Run();
        Expect(four, RTO_HIGH_NS + Alone(1000) + 3 * (RTO_LOW_NS + RTT_NS), 4, 4);
    }
};

/** IRN, answers are lost. */
class IrnLostAnswerTest : public RecoveryTest
{
  public:
    IrnLostAnswerTest()
        : RecoveryTest("IRN: lost NAK, lost ACK of the last packet")
    {
    }

  private:
    /** \param count how many of the first NAKs are lost */
    void LoseNaks(uint32_t count)
    {
        cap = count > 100;
        TestFlow& flow = Start("irn", {500});
        uint32_t naks = 0;
        LoseAnswers([&](const Frame& frame) { return IsNak(frame) && naks++ < count; });
        Post(flow, 1000000);
        Run();
        if (cap)
        {
            // nothing but the timer is left; see IrnTimerTest
            Expect(flow,
                   Alone(1000000) + RTO_HIGH_NS + 2 * RTT_NS - (1 + BDP_PACKETS) * PACKET_NS,
                   1,
                   1);
            // 501 to 551 come early
            NS_TEST_EXPECT_MSG_EQ(naks, BDP_PACKETS - 1, "NAKs");
        }
        else
        {
            // The next early packet brings the next NAK. Nobody told the sender of those before it,
            // so they count as lost too.
            Expect(flow, Alone(1000000) + (1 + count) * PACKET_NS, 1 + count, 0);
            NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetResponder().GetDuplicates(), count, "twice");
            NS_TEST_EXPECT_MSG_EQ(naks, NAK_PACKETS + count, "NAKs");
        }
        Reset();
    }

    /** \param interval AckInterval \param since packets since the last ACK that arrives \param rto
     *  timer in ns */
    void LoseLastAck(uint32_t interval, double since, double rto)
    {
        cap = true;
        helper->SetNicAttribute("AckInterval", UintegerValue(interval));
        TestFlow& flow = Start("irn", {});
        bool first = true;
        LoseAnswers(
            [&](const Frame& frame) { return frame.psn == 19 && std::exchange(first, false); });
        Post(flow, 20000);
        Run();
        Expect(flow, Alone(20000) - since * PACKET_NS + rto + RTT_NS, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetResponder().GetDuplicates(), 1, "duplicates");
        Reset();
    }

    void DoRun() override
    {
        LoseNaks(1);
        LoseNaks(10);
        LoseNaks(1000);
        LoseLastAck(1, 1, RTO_LOW_NS); // packet 19 is out
        // 16 to 19 are; 16 goes again and asks for the ACK, though alone it would not
        LoseLastAck(16, 4, RTO_HIGH_NS);
    }
};

/** IRN, the cap on what is outstanding. */
class IrnCapTest : public RecoveryTest
{
  public:
    IrnCapTest()
        : RecoveryTest("IRN: BDP cap")
    {
    }

  private:
    /** \return most payload bytes in flight of two flows that share a link. \param window attribute
     *  Window, 0: computed */
    uint64_t Peak(uint64_t window)
    {
        helper->SetLossRecovery("irn");
        helper->SetLossRecoveryAttribute("BdpCap", BooleanValue(cap));
        helper->SetLossRecoveryAttribute("Window", UintegerValue(window));
        Build(StarGraph(3, RATE, 1000));
        uint64_t peak = 0;
        for (uint32_t i = 0; i < 2; ++i)
        {
            TestFlow& flow = Open(i, 2);
            // it only falls when an ACK comes, so it is largest just before one
            fabric->GetPort(i, 0)->SetReceiveFilter([&flow, &peak](const Frame&) {
                peak = std::max(peak, flow.pair.qp->GetRequester().GetInflight());
                return false;
            });
            Post(flow, 1000000);
        }
        Run();
        Reset();
        return peak;
    }

    void DoRun() override
    {
        cap = true;
        const double bdp = RATE / 8e9 * TestEqualCompletionNs(2, RATE, 1000, 1000, 1000);
        const uint64_t peak = Peak(0);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(double(peak), bdp, "at most line rate times RTT");
        NS_TEST_EXPECT_MSG_GT(double(peak), bdp - 1000, "and all of it");
        NS_TEST_EXPECT_MSG_EQ(Peak(20000), 20000, "as told");
        cap = false;
        // each sends 1 MB at 100G and gets half of the link
        NS_TEST_EXPECT_MSG_GT(Peak(0), 400000, "without it the queue grows");
    }
};

/** IRN where a SEND finds no receive request: the packet is refused again and again. */
class IrnReceiverNotReadyTest : public RecoveryTest
{
  public:
    IrnReceiverNotReadyTest()
        : RecoveryTest("IRN: receiver not ready")
    {
    }

  private:
    void DoRun() override
    {
        TestFlow& flow = Start("irn", {});
        WorkRequest send;
        send.operation = Operation::SEND;
        send.bytes = 20000;
        flow.pair.nic->Post(flow.pair.qp, send);
        At(MicroSeconds(2500), [&flow] {
            ReceiveRequest receive;
            receive.bytes = 20000;
            flow.pair.peerNic->PostReceive(flow.pair.peerQp, receive);
        });
        Simulator::Run();
        CheckIdle();
        NS_TEST_ASSERT_MSG_EQ(flow.sent.size(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ((flow.sent[0].status == CompletionStatus::SUCCESS), true, "status");
        NS_TEST_EXPECT_MSG_GT(Sender(flow).rnrNaksReceived, 1, "refused more than once");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, "each time sent again without the timer");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).bytesDelivered, 20000, "bytes");
    }
};

/** IRN, data and answers are lost at random. */
class IrnRandomLossTest : public FabricTest
{
  public:
    IrnRandomLossTest()
        : FabricTest("IRN under random loss")
    {
    }

  private:
    /** Lose frames that arrive at a port. \param node its node \param port its index there */
    void LoseAt(uint32_t node, uint32_t port)
    {
        fabric->GetPort(node, port)->SetReceiveFilter([this](const Frame& frame) {
            const bool lose = random->GetValue() < rate;
            if (lose)
            {
                const bool data = frame.kind == FrameKind::REQUEST;
                ++(data ? lostData : lostAnswers)[frame.source];
            }
            return lose;
        });
    }

    /** \param interval AckInterval */
    void RunOnce(uint32_t interval)
    {
        helper->SetLossRecovery("irn");
        helper->SetNicAttribute("AckInterval", UintegerValue(interval));
        helper->SetNicAttribute("RetryLimit", UintegerValue(20));
        Build(StarGraph(2, RATE, 1000));
        lostData.clear();
        lostAnswers.clear();
        for (uint32_t i = 0; i < 2; ++i)
        {
            LoseAt(i, 0);
            LoseAt(2, i);
        }
        for (uint32_t i = 0; i < 4; ++i)
        {
            TestFlow& flow = Open(i % 2, 1 - i % 2);
            for (uint64_t bytes : {1000000, 1, 0, 123457, 4000})
            {
                Post(flow, bytes);
            }
        }
        Run();
        for (uint32_t i = 0; i < 2; ++i)
        {
            const NicCounters& sender = fabric->GetNic(i)->GetCounters();
            const uint32_t here = fabric->GetAddresses().Address(i, 0);
            const uint32_t there = fabric->GetAddresses().Address(1 - i, 0);
            uint64_t twice = 0;
            for (const TestFlow& flow : flows)
            {
                const Responder& responder = flow.pair.peerQp->GetResponder();
                twice += flow.source == i ? responder.GetDuplicates() : 0;
            }
            NS_TEST_EXPECT_MSG_GT(lostData[here], 0, "some packets were lost");
            // 1000 + 1 + 1 + 124 + 4 packets on each of two queue pairs
            NS_TEST_EXPECT_MSG_EQ(sender.dataSent - sender.retransmitted, 2260, "packets");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(sender.retransmitted, lostData[here], "all lost ones");
            // what arrives twice was sent again because its NAK was lost, or by the timer
            NS_TEST_EXPECT_MSG_LT_OR_EQ(twice, lostAnswers[there] + sender.timeouts, "spurious");
        }
        Reset();
    }

    void DoRun() override
    {
        random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (double chance : {0.03, 0.005})
        {
            rate = chance;
            RunOnce(1);
            RunOnce(16);
        }
    }

    Ptr<UniformRandomVariable> random;
    double rate{0};
    std::map<uint32_t, uint64_t> lostData;    //!< by sender's address
    std::map<uint32_t, uint64_t> lostAnswers; //!< by sender's address
};

/** The suite. */
class LossRecoveryTestSuite : public TestSuite
{
  public:
    LossRecoveryTestSuite()
        : TestSuite("roce-loss-recovery", TestSuite::Type::UNIT)
    {
        AddTestCase(new IrnSingleLossTest, D::QUICK);
        AddTestCase(new IrnBurstLossTest, D::QUICK);
        AddTestCase(new IrnTimerTest, D::QUICK);
        AddTestCase(new IrnLostAnswerTest, D::QUICK);
        AddTestCase(new IrnCapTest, D::QUICK);
        AddTestCase(new IrnReceiverNotReadyTest, D::QUICK);
        AddTestCase(new IrnRandomLossTest, D::QUICK);
    }
};

const LossRecoveryTestSuite g_lossRecoveryTestSuite;

} // namespace
