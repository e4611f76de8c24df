/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/boolean.h"
#include "ns3/roce-event-core.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;
/** A full middle packet of 1000 bytes at 100G: 1082 bytes, 86.56 ns. */
const double PACKET_NS = TestBytesNs(1082, RATE);
/** First bit of a packet without RETH to its ACK in star(2, 100G, 1 us): 2 s + 2 a + 4 d. */
const double RTT_NS = 2 * PACKET_NS + 2 * TestBytesNs(86, RATE) + 4000;

/** What an ACK or NAK said, and when. */
struct Answer
{
    Tick at;
    uint32_t psn;
    uint32_t msn;
    uint8_t syndrome;
};

/** \return notes of a frame that is an ACK. \param frame the frame */
Answer
NoteOf(const Frame& frame)
{
    return {EventCore::Get()->Now(),
            frame.psn,
            frame.aeth & MASK_24,
            static_cast<uint8_t>(frame.aeth >> 24)};
}

/** A1: the last ACK is lost once. */
class LostAckTest : public FabricTest
{
  public:
    LostAckTest()
        : FabricTest("A1: lost last ACK")
    {
    }

  private:
    /** \return tick of completion. \param lose whether the ACK of the last packet is lost once */
    Tick RunOnce(bool lose)
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        acks.clear();
        fabric->GetPort(0, 0)->SetReceiveFilter([this, lose](const Frame& frame) {
            acks.push_back(NoteOf(frame));
            return lose && frame.psn == 15 && acks.size() == 16;
        });
        Post(flow, 16000);
        Run();
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, (lose ? 1 : 0), "timeouts");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).retransmitted, (lose ? 1 : 0), "resent");
        NS_TEST_EXPECT_MSG_EQ(flow.pair.peerQp->GetResponder().GetDuplicates(),
                              (lose ? 1 : 0),
                              "the duplicate is known as one");
        const Tick done = flow.sent.at(0).completed;
        Reset();
        return done;
    }

    void DoRun() override
    {
        const Tick t0 = RunOnce(false);
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 16, "one ACK a packet");
        const Tick late = RunOnce(true);
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 17, "and one again");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(late, t0 + 500000, "not before the timer");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(double(late), double(t0) + 500000 + 2 * RTT_NS, "then at once");
        // the timer restarts with the ACK before the last, one packet earlier; one RTT follows
        NS_TEST_EXPECT_MSG_EQ_TOL(double(late), t0 - PACKET_NS + 500000 + RTT_NS, 2.0, "exactly");
        // 16 packets were good, so expected - 1 is 15; one message is whole
        NS_TEST_EXPECT_MSG_EQ(acks[16].psn, 15, "PSN of the re-ACK");
        NS_TEST_EXPECT_MSG_EQ(acks[16].msn, 1, "MSN of the re-ACK");
        NS_TEST_EXPECT_MSG_EQ(acks[15].msn, 1, "same MSN as the lost one");
        NS_TEST_EXPECT_MSG_EQ(+acks[16].syndrome, 0x1f, "an ACK");
    }

    std::vector<Answer> acks;
};

/** A2: the last ACKs come two timeouts late. */
class LateAckTest : public FabricTest
{
  public:
    LateAckTest()
        : FabricTest("A2: late ACKs complete once")
    {
    }

  private:
    /** Pause or release ACKs at the NIC of host 1. \param at ns \param quanta 0 releases */
    void Pause(Tick at, uint16_t quanta)
    {
        At(NanoSeconds(at), [this, quanta] {
            const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
            fabric->GetSwitch(2)->GetPort(1)->SendPause(1 << 6,
                                                        times.data(),
                                                        EventCore::Get()->Now());
        });
    }

    /** \param destroy whether the queue pair is destroyed as soon as it has completed */
    void RunOnce(bool destroy)
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        flow.onSent = [this, &flow, destroy](const Completion&) {
            if (destroy)
            {
                flow.pair.nic->Destroy(flow.pair.qp);
            }
        };
        // the pause reaches host 1 a few packets before the last one does, and stays for 2 RTO
        const auto arrival = static_cast<Tick>(TestEqualArrivalNs(2, RATE, 1000, 16000, 1000));
        const Tick begin = arrival - 1000 - 400;
        for (Tick at = 0; at < 1000000; at += 300000) // 65535 quanta last 335 us at 100G
        {
            Pause(begin + at, 65535);
        }
        Pause(begin + 1000000, 0);
        Post(flow, 16000);
        Run();
        NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), 1, "told once");
        NS_TEST_EXPECT_MSG_GT(flow.Fct(), 1000000, "the ACKs were late");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Sender(flow).timeouts, 1, "the timer expired meanwhile");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).acksReceived, Receiver(flow).acksSent, "all arrive");
        // 16 ACKs are of use, whatever comes after the 16th finds nothing to complete
        NS_TEST_EXPECT_MSG_GT(Sender(flow).acksReceived, 16, "some were sent twice");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).lateFrames, Sender(flow).acksReceived - 16, "counted");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).requestsCompleted, 1, "one request");
        Reset();
    }

    void DoRun() override
    {
        RunOnce(false);
        RunOnce(true);
    }
};

/** A2: a queue pair made in the completion of another starts now, not at time 0. */
class LateStartTest : public FabricTest
{
  public:
    LateStartTest()
        : FabricTest("A2: queue pair made at 5 ms in a completion")
    {
    }

  private:
    void DoRun() override
    {
        const Tick start = 5000000;
        // 2 * 87.84 + 2 * 6.88 + 4000 = 4189.44 ns
        const double alone = TestEqualCompletionNs(2, RATE, 1000, 1000, 1000);
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        flow.onSent = [this](const Completion&) { Post(Open(0, 1), 1000); };
        At(NanoSeconds(start - static_cast<Tick>(alone)), [&flow] { Post(flow, 1000); });
        Tick first = NEVER;
        fabric->GetPort(2, 0)->SetReceiveFilter([&](const Frame& frame) {
            if (frame.destinationQp == 0x12) // the second queue pair
            {
                first = EventCore::Get()->Now();
            }
            return false;
        });
        Run();
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "made");
        NS_TEST_EXPECT_MSG_EQ(flows[0].sent.at(0).completed, start, "the first ends at 5 ms");
        NS_TEST_EXPECT_MSG_EQ(flows[1].sent.at(0).posted, start, "the second starts then");
        // its first packet is at the switch after 87.84 + 1000 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(first, start + 1087, 1, "its first packet");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flows[1].Fct()), alone, 1.0, "and takes its time");
    }
};

/** A29: one packet is lost. */
class SingleLossTest : public FabricTest
{
  public:
    SingleLossTest()
        : FabricTest("A29: go-back-N after a single loss")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        std::vector<Answer> naks;
        Tick sent = NEVER;
        bool lost = false;
        fabric->GetPort(0, 0)->SetReceiveFilter([&](const Frame& frame) {
            if (NoteOf(frame).syndrome != SYNDROME_ACK)
            {
                naks.push_back(NoteOf(frame));
            }
            return false;
        });
        fabric->GetPort(1, 0)->SetReceiveFilter([&](const Frame& frame) {
            const bool drop = frame.psn == 500 && !lost;
            lost |= drop;
            if (drop)
            {
                sent = EventCore::Get()->Now() - static_cast<Tick>(2 * PACKET_NS + 2000);
            }
            return drop;
        });
        Post(flow, 1000000);
        Run();
        NS_TEST_ASSERT_MSG_EQ(naks.size(), 1, "NAKs");
        NS_TEST_EXPECT_MSG_EQ(+naks[0].syndrome, 0x60, "PSN sequence error");
        NS_TEST_EXPECT_MSG_EQ(naks[0].psn, 500, "PSN");
        const NicCounters& counters = Sender(flow);
        const double resent = double(counters.retransmitted);
        // packet 501 starts one s after 500; its NAK is back one RTT later: 86.56 + 4186.88 ns,
        // 49 whole packets, so 500 to 549 are resent
        NS_TEST_EXPECT_MSG_EQ_TOL(double(naks[0].at - sent), PACKET_NS + RTT_NS, 4.0, "NAK time");
        const double count = std::floor((naks[0].at - sent) / PACKET_NS) + 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(resent, count, 1.0, "resent");
        NS_TEST_EXPECT_MSG_EQ_TOL(resent, 50.0, 1.0, "resent");
        NS_TEST_EXPECT_MSG_EQ(counters.dataSent, 1000 + counters.retransmitted, "packets sent");
        const double alone = TestEqualCompletionNs(2, RATE, 1000, 1000000, 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(flow.Fct()),
                                  alone + resent * PACKET_NS,
                                  2 * PACKET_NS,
                                  "completion");
        NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 0, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetPort(1, 0)->GetDrops(DropReason::CORRUPT), 1, "counted");
    }
};

/** No ACK ever comes: the queue pair gives up. */
class RetryLimitTest : public FabricTest
{
  public:
    RetryLimitTest()
        : FabricTest("retry limit")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(2));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        fabric->GetPort(0, 0)->SetReceiveFilter([](const Frame&) { return true; });
        for (int i = 0; i < 3; ++i)
        {
            Post(flow, 10000);
        }
        At(MicroSeconds(500), [&flow] { Post(flow, 10000); }); // into the failed queue pair
        Simulator::Run();
        CheckIdle();
        NS_TEST_ASSERT_MSG_EQ(flow.sent.size(), 4, "completions");
        for (uint64_t i = 0; i < 4; ++i)
        {
            const bool first = i == 0;
            NS_TEST_EXPECT_MSG_EQ(flow.sent[i].id, i, "in order");
            NS_TEST_EXPECT_MSG_EQ((flow.sent[i].status == CompletionStatus::RETRY_EXCEEDED),
                                  first,
                                  "the first request is told why");
            NS_TEST_EXPECT_MSG_EQ((flow.sent[i].status == CompletionStatus::FLUSHED),
                                  !first,
                                  "the others are flushed");
            // armed with the first packet at 0; the third expiry in a row is above the limit of 2
            NS_TEST_EXPECT_MSG_EQ(flow.sent[i].completed, (i < 3 ? 300000 : 500000), "when");
        }
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 3, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).dataSent, 3 * 30, "30 packets, sent again twice");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).retransmitted, 2 * 30, "resent");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).requestsFailed, 4, "failed");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).bytesDelivered, 30000, "written once all the same");
        NS_TEST_EXPECT_MSG_EQ((flow.pair.qp->GetState() == QueuePairState::ERROR), true, "state");
    }
};

/** Only timeouts in a row count. */
class RetryResetTest : public FabricTest
{
  public:
    RetryResetTest()
        : FabricTest("an ACK forgives earlier timeouts")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(1));
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1);
        uint32_t lost = 0;
        fabric->GetPort(0, 0)->SetReceiveFilter([&lost](const Frame& frame) {
            const bool drop = frame.psn == lost; // the first ACK of each packet
            lost += drop;
            return drop;
        });
        flow.onSent = [&flow](const Completion&) {
            if (flow.posted.size() < 5)
            {
                Post(flow, 1000);
            }
        };
        Post(flow, 1000);
        Run();
        NS_TEST_EXPECT_MSG_EQ(flow.sent.size(), 5, "none failed");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 5, "though each timed out once");
    }
};

/** PSNs wrap in the middle of a message, with losses on both sides of it. */
class PsnWrapTest : public FabricTest
{
  public:
    PsnWrapTest()
        : FabricTest("PSN wraps at 2^24")
    {
    }

  private:
    void DoRun() override
    {
        ConnectionOptions options;
        options.sendPsn = 0xffff00;
        options.receivePsn = 0xfffffe;
        Build(StarGraph(2, RATE, 1000));
        TestFlow& flow = Open(0, 1, options);
        // far enough apart (an RTT is 50 packets) to be two gaps
        std::vector<uint32_t> lose = {0xffffff, 0x000080};
        std::vector<uint32_t> naks;
        fabric->GetPort(1, 0)->SetReceiveFilter([&](const Frame& frame) {
            const bool drop = !lose.empty() && frame.psn == lose.front();
            if (drop)
            {
                lose.erase(lose.begin());
            }
            return drop;
        });
        uint32_t last = 0;
        fabric->GetPort(0, 0)->SetReceiveFilter([&](const Frame& frame) {
            if (NoteOf(frame).syndrome == SYNDROME_NAK_SEQUENCE)
            {
                naks.push_back(frame.psn);
            }
            last = frame.psn;
            return false;
        });
        Post(flow, 1000000);
        Post(flow, 1);
        Run();
        NS_TEST_ASSERT_MSG_EQ(naks.size(), 2, "one NAK a gap");
        NS_TEST_EXPECT_MSG_EQ(naks[0], 0xffffff, "before the wrap");
        NS_TEST_EXPECT_MSG_EQ(naks[1], 0x80, "after the wrap");
        // 1001 packets from 0xffff00 on: the last is 0xffff00 + 1000 - 2^24 = 0x2e8
        NS_TEST_EXPECT_MSG_EQ(last, 0x2e8, "PSN of the last ACK");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).timeouts, 0, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(Sender(flow).dataSent, 1001 + Sender(flow).retransmitted, "sent");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(Sender(flow).retransmitted), 100.0, 2.0, "50 each");
    }
};

/** Data, ACKs and NAKs are lost at random. */
class RandomLossTest : public FabricTest
{
  public:
    RandomLossTest()
        : FabricTest("go-back-N under random loss")
    {
    }

  private:
    /** \param interval AckInterval \param rate chance of loss at each link */
    void RunOnce(uint32_t interval, double rate)
    {
        // above the 173 us that two messages of 1000 packets with one ACK each share the link
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(500)));
        helper->SetNicAttribute("AckInterval", UintegerValue(interval));
        helper->SetNicAttribute("RetryLimit", UintegerValue(20));
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, RATE, 1000000, rate);
        graph.AddLink(1, 2, RATE, 1000000, rate);
        Build(graph);
        helper->AssignStreams(fabric, 1);
        for (uint32_t i = 0; i < 4; ++i)
        {
            TestFlow& flow = Open(i % 2, 1 - i % 2);
            for (uint64_t bytes : {1000000, 1, 0, 123457, 4000})
            {
                Post(flow, bytes);
            }
        }
        Run();
        uint64_t lost = 0;
        for (uint32_t i = 0; i < 2; ++i)
        {
            lost += fabric->GetPort(i, 0)->GetDrops(DropReason::CORRUPT);
            lost += fabric->GetPort(2, i)->GetDrops(DropReason::CORRUPT);
            const NicCounters& counters = fabric->GetNic(i)->GetCounters();
            NS_TEST_EXPECT_MSG_GT(counters.retransmitted, 0, "some packets were sent again");
            // 1000 + 1 + 1 + 124 + 4 packets on each of two queue pairs
            NS_TEST_EXPECT_MSG_EQ(counters.dataSent - counters.retransmitted, 2260, "packets");
        }
        NS_TEST_EXPECT_MSG_GT(lost, 0, "some frames were lost");
        Reset();
    }

    void DoRun() override
    {
        for (uint32_t interval : {1, 16, 1000})
        {
            RunOnce(interval, 0.01);
            RunOnce(interval, 0.001);
        }
    }
};

/** The suite. */
class NicLossTestSuite : public TestSuite
{
  public:
    NicLossTestSuite()
        : TestSuite("roce-nic-loss", TestSuite::Type::UNIT)
    {
        AddTestCase(new LostAckTest, D::QUICK);
        AddTestCase(new LateAckTest, D::QUICK);
        AddTestCase(new LateStartTest, D::QUICK);
        AddTestCase(new SingleLossTest, D::QUICK);
        AddTestCase(new RetryLimitTest, D::QUICK);
        AddTestCase(new RetryResetTest, D::QUICK);
        AddTestCase(new PsnWrapTest, D::QUICK);
        AddTestCase(new RandomLossTest, D::QUICK);
    }
};

const NicLossTestSuite g_nicLossTestSuite;

} // namespace
