/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-admission-test.h"
#include "roce-test-compat.h"

#include <limits>

using namespace ns3;
using namespace ns3::roce;
using namespace ns3::roce::admission;

namespace
{

/** One message, by hand. */
class TimingTest : public AdmissionTest
{
  public:
    TimingTest()
        : AdmissionTest("times of one message")
    {
    }

  private:
    static constexpr double PROXY_NS = 500;

    /** \return the channel after its message. \param chunk ChunkBytes \param slots Slots \param
     *  bytes of the message */
    Watched& RunOnce(uint64_t chunk, uint32_t slots, uint64_t bytes)
    {
        BuildStar(2);
        admission->SetAttribute("ChunkBytes", UintegerValue(chunk));
        admission->SetAttribute("Slots", UintegerValue(slots));
        admission->SetAttribute("ProxyDelay", TimeValue(NanoSeconds(PROXY_NS)));
        Watched& w = Add(0, 1);
        Both(w, bytes);
        Finish();
        NS_TEST_EXPECT_MSG_EQ(w.channel->GetBytesReceived(), bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(w.sent.size(), 1, "sent once");
        NS_TEST_EXPECT_MSG_EQ(w.received.size(), 1, "received once");
        return w;
    }

    void DoRun() override
    {
        // one chunk: CTS, proxy, WRITE, ACK
        const double start = CTS_NS + PROXY_NS;
        const double chunk = TestArrivalNs(PATH, FramesOf({3000}));
        Watched* w = &RunOnce(524288, 8, 3000);
        NS_TEST_EXPECT_MSG_EQ(w->ctsSent.at(0), 0, "granted at once");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->ctsReceived.at(0)), CTS_NS, 1.0, "CTS");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->received.at(0)), start + chunk, 2.0, "in");
        const double ack = TestAckNs(PATH, FrameSizes());
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->sent.at(0)), start + chunk + ack, 2.0, "acknowledged");
        Clear();
        // an empty message has a CTS and a packet of its own
        w = &RunOnce(524288, 8, 0);
        const double empty = TestArrivalNs(PATH, FramesOf({0}));
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->received.at(0)), start + empty, 2.0, "empty");
        Clear();
        // one slot: chunks of 3000, 3000 and 500, each waits for the one before. Its CTS leaves
        // behind the ACK of that one
        w = &RunOnce(3000, 1, 6500);
        NS_TEST_EXPECT_MSG_EQ((w->granted == std::vector<uint64_t>{3000, 3000, 500}), true, "cut");
        const double last = TestArrivalNs(PATH, FramesOf({500}));
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->received.at(0)),
                                  3 * start + 2 * ACK_NS + 2 * chunk + last,
                                  4.0,
                                  "one slot");
        Clear();
        // two slots: two chunks back to back, then one of each two for the one that came in. The
        // sender has the second CTS before the first chunk has left (12.96 < 260.96 ns)
        w = &RunOnce(3000, 2, 18000);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(w->received.at(0)),
                                  3 * start + 2 * ACK_NS + 2 * chunk +
                                      TestArrivalNs(PATH, FramesOf({3000, 3000})),
                                  4.0,
                                  "two slots");
        Clear();
        // two slots of 100 packets, 8657 ns each: longer than what a chunk needs to be replaced
        // (2000 + 87 for the rest of its way, 7 + 2026 + 500 for the CTS), so the link never
        // rests. The ACKs of the last three CTSs come between packets of data
        w = &RunOnce(100000, 2, 450000);
        NS_TEST_EXPECT_MSG_EQ_TOL(
            double(w->received.at(0)),
            start + 3 * ACK_NS +
                TestArrivalNs(PATH, FramesOf({100000, 100000, 100000, 100000, 50000})),
            2.0,
            "a full pipe");
        Clear();
    }
};

/** Who is late, receiver or sender, decides when a message starts. */
class OrderTest : public AdmissionTest
{
  public:
    OrderTest()
        : AdmissionTest("either end may be first")
    {
    }

  private:
    void DoRun() override
    {
        // without ProxyDelay the first packet leaves behind the ACK of the CTS
        const double way = TestArrivalNs(PATH, FramesOf({3000}));
        BuildStar(2);
        Watched& late = Add(0, 1);
        late.channel->Send(3000);
        NS_TEST_EXPECT_MSG_EQ(late.channel->Describe(),
                              "1 messages not acknowledged, 1 messages nobody expects",
                              "what it waits for");
        At(MicroSeconds(10), [&late] { late.channel->Expect(3000); });
        Finish();
        NS_TEST_EXPECT_MSG_EQ_TOL(double(late.received.at(0)),
                                  10000 + CTS_NS + ACK_NS + way,
                                  2.0,
                                  "");
        Clear();
        BuildStar(2);
        Watched& early = Add(0, 1);
        early.channel->Expect(3000);
        At(MicroSeconds(10), [this, &early] {
            NS_TEST_EXPECT_MSG_EQ(early.channel->Describe(),
                                  "1 messages expected, 1 messages nobody sends, 1 CTSs not used",
                                  "what it waits for");
            early.channel->Send(3000);
        });
        Finish();
        NS_TEST_EXPECT_MSG_EQ_TOL(double(early.received.at(0)), 10000 + way, 2.0, "");
        Clear();
    }
};

/** An incast of 16 with and without admission. */
class IncastTest : public AdmissionTest
{
  public:
    IncastTest()
        : AdmissionTest("16 to 1")
    {
    }

  private:
    static constexpr uint32_t SENDERS = 16;
    static constexpr uint64_t BYTES = 240000;

    /** \return XOFFs of the switch */
    uint64_t CountXoffs() const
    {
        uint64_t xoffs = 0;
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            xoffs += fabric->GetSwitch(SENDERS + 1)->GetPfcController()->GetXoffs(p);
        }
        return xoffs;
    }

    /** Each host sends to host 0. Hosts 1 to 16 are the senders */
    void Prepare()
    {
        // a small buffer: 2 MB, 0.125 of what is free for a sender. 16 equal ones stop at x with
        // x = 0.125 (2 MB - headroom - 16 x), so below 83 kB; at line rate 15/16 of 240 kB pile up
        helper->SetSwitchAttribute("BufferSize", UintegerValue(2000000));
        helper->SetSwitchAttribute("LosslessMask", UintegerValue(1 << 3));
        Build(StarGraph(SENDERS + 1, RATE, 1000));
        admission = std::make_unique<AdmissionHelper>(fabric);
        m_started = m_peak = m_queue = 0;
        m_port = fabric->GetSwitch(SENDERS + 1)->GetPort(0);
        fabric->GetPort(0, 0)->SetReceiveFilter([this](const Frame& frame) {
            m_started -= frame.kind == FrameKind::REQUEST ? frame.payload : 0;
            return false;
        });
        for (uint32_t i = 1; i <= SENDERS; ++i)
        {
            fabric->GetPort(i, 0)->TraceConnectWithoutContext(
                "FrameSent",
                MakeCallback(&IncastTest::NoteSent, this));
        }
    }

    /** A sender starts a frame. \param frame the frame */
    void NoteSent(const Frame& frame)
    {
        m_started += frame.kind == FrameKind::REQUEST ? frame.payload : 0;
        m_peak = std::max(m_peak, m_started);
        m_queue = std::max(m_queue, m_port->GetTransmitter().GetQueueBytes(3));
    }

    /** \return ns until all is in. \param bdp limit \param slots a channel \param proxy ns */
    double Admit(double bdp, uint32_t slots, int64_t proxy)
    {
        Prepare();
        admission->SetLimitBdp(bdp);
        admission->SetAttribute("ChunkBytes", UintegerValue(3000));
        admission->SetAttribute("Slots", UintegerValue(slots));
        admission->SetAttribute("ProxyDelay", TimeValue(NanoSeconds(proxy)));
        for (uint32_t i = 1; i <= SENDERS; ++i)
        {
            Both(Add(i, 0), BYTES);
        }
        Finish();
        const Ptr<ReceiverAdmission> accounts = admission->GetAdmission(0);
        // base RTT: 87.84 + 6.88 ns twice and 4 us, cut to 4189 ns; x 12.5 byte/ns
        const auto limit = static_cast<uint64_t>(bdp * 4189 * 12.5);
        NS_TEST_EXPECT_MSG_EQ(accounts->GetLimit(), limit, "limit");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(accounts->GetPeak(), limit, "in flight as it counts");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_peak, limit, "in flight as senders and receiver see it");
        NS_TEST_EXPECT_MSG_GT(m_peak, limit / 2, "the limit is used");
        // no frame of the queue has more headers than a first one
        NS_TEST_EXPECT_MSG_LT_OR_EQ(m_queue, double(limit) * 1078 / 1000, "queue of the switch");
        NS_TEST_EXPECT_MSG_GT(m_queue, 3000, "senders do meet");
        NS_TEST_EXPECT_MSG_EQ(CountXoffs(), 0, "no pause");
        for (const Watched& w : channels)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(w.peak, limit, "trace Granted");
        }
        const auto end = double(LastReceived());
        Clear();
        return end;
    }

    Tick LastReceived() const
    {
        Tick last = 0;
        for (const Watched& w : channels)
        {
            last = std::max(last, w.received.at(0));
        }
        return last;
    }

    void DoRun() override
    {
        Prepare();
        for (uint32_t i = 1; i <= SENDERS; ++i)
        {
            Post(Open(i, 0), BYTES);
        }
        Run();
        NS_TEST_EXPECT_MSG_GT(CountXoffs(), 0, "PFC has to stop senders that nobody admits");
        Clear();
        // 1 BDP and one slot: 16 chunks of 3000 in flight (48000 <= 52362). A chunk lasts
        // 87.84 + 2 x 86.56 = 260.96 ns on a link. From its arrival to that of the one that takes
        // its place: ACK, CTS, proxy, the ACK of the CTS if that goes first, the chunk at the
        // sender's link, its last packet at the switch, two delays of 1 us
        const double length = FIRST_NS + 2 * PACKET_NS;
        // the link to the receiver carries an ACK of a CTS for each chunk too
        const double share = length + ACK_NS;
        const double total = SENDERS * BYTES;
        for (int64_t proxy : {0, 2000})
        {
            const double cycle = ACK_NS + CTS_NS + double(proxy) + length + PACKET_NS + 2000;
            // 16 chunks a cycle, or one after the other on the link of the receiver
            const double least = std::max(cycle, SENDERS * share);
            const double seen = Admit(1, 1, proxy);
            NS_TEST_EXPECT_MSG_GT(seen, total / 48000 * least, "faster than CTSs allow");
            // at the switch a chunk meets one other at most when they are spread over the cycle;
            // the first cycle begins with nothing under way
            NS_TEST_EXPECT_MSG_LT(seen,
                                  (total / 48000 + 1) * (least + share),
                                  "slower than CTSs make it");
        }
        // 2 BDP, two slots: 32 chunks, twice what the cycle needs: the payload's share of the link
        const double seen = Admit(2, 2, 0);
        const double ideal = total / 3000 * share;
        NS_TEST_EXPECT_MSG_GT(seen, ideal, "faster than the link");
        // the first chunk needs a CTS and two links first
        NS_TEST_EXPECT_MSG_LT(seen, ideal * 1.005 + CTS_NS + 2000 + FIRST_NS, "slower");
    }

    uint64_t m_started{0}; //!< payload bytes on their way
    uint64_t m_peak{0};
    uint64_t m_queue{0};
    Ptr<Port> m_port;
};

/** CTSs cross a queue of data. */
class PriorityTest : public AdmissionTest
{
  public:
    PriorityTest()
        : AdmissionTest("a CTS overtakes data")
    {
    }

  private:
    /** \return ns of a CTS that meets a queue. \param priority attribute \param expected priority
     *  on the wire */
    double Measure(uint8_t priority, uint8_t expected)
    {
        BuildStar(4);
        admission->SetAttribute("Priority", UintegerValue(priority));
        Watched& w = Add(0, 1); // CTSs go from 1 to 0
        // two hosts write to host 0 at line rate
        for (uint32_t host : {2, 3})
        {
            Post(Open(host, 0), 1000000);
        }
        int seen = -1;
        const uint32_t ring = w.channel->GetCtsQueuePair()->GetConfig().remoteQpn;
        fabric->GetPort(0, 0)->SetReceiveFilter([&seen, ring](const Frame& frame) {
            seen = frame.destinationQp == ring ? frame.priority : seen;
            return false;
        });
        At(MicroSeconds(20), [&w] { Both(w, 1000); });
        checkIdeal = false;
        Finish();
        NS_TEST_EXPECT_MSG_EQ(seen, int(expected), "class of the CTS");
        const auto ns = double(w.ctsReceived.at(0) - w.ctsSent.at(0));
        Clear();
        return ns;
    }

    void DoRun() override
    {
        for (uint8_t priority : {uint8_t(255), uint8_t(6), uint8_t(7), uint8_t(4)})
        {
            const double high = Measure(priority, priority == 255 ? 6 : priority);
            NS_TEST_EXPECT_MSG_GT(high, CTS_NS - 1, "faster than light");
            // it waits for the packet that is being sent
            NS_TEST_EXPECT_MSG_LT(high, CTS_NS + FIRST_NS + 1, "it overtakes");
        }
        // In the class of data it comes to the switch at T = 20000 + 12.96 + 1000 ns. Until then
        // both senders have brought T - 1000 ns of packets each, served from 1087.84 ns on
        const double at = 20000 + CTS_NS / 2;
        const double wait = 2 * (at - 1000) + 1000 + FIRST_NS - at;
        const double low = Measure(3, 3);
        NS_TEST_EXPECT_MSG_EQ_TOL(low, CTS_NS + wait, 2 * PACKET_NS, "it queues up");
        // ACKs go with data: and so do CTSs
        helper->SetNicAttribute("ControlPriority", UintegerValue(255));
        NS_TEST_EXPECT_MSG_GT(Measure(255, 3), 10000, "it queues up with ACKs");
    }
};

/** 64 channels share a receiver. */
class FairTest : public AdmissionTest
{
  public:
    FairTest()
        : AdmissionTest("many channels are even")
    {
    }

  private:
    void DoRun() override
    {
        BuildStar(9);
        admission->SetLimitBytes(120000);
        admission->SetAttribute("ChunkBytes", UintegerValue(3000));
        for (uint32_t i = 0; i < 64; ++i)
        {
            Both(Add(1 + i % 8, 0), 100000000);
        }
        Simulator::Stop(MicroSeconds(500));
        Simulator::Run();
        uint64_t least = std::numeric_limits<uint64_t>::max();
        uint64_t most = 0;
        uint64_t sum = 0;
        for (const Watched& w : channels)
        {
            const uint64_t granted = w.channel->GetAdmission()->GetGranted(w.channel->GetIndex());
            least = std::min(least, granted);
            most = std::max(most, granted);
            sum += w.channel->GetBytesReceived();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(w.peak, 120000, "limit");
        }
        // the first channels may have filled the limit before the last one was there: at most 8
        // slots more than their turn gives them
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most - least, 9 * 3000, "even");
        // 3000 bytes and the ACK of a CTS in 260.96 + 6.88 ns, but for the first 5 us
        const double chunk = FIRST_NS + 2 * PACKET_NS + ACK_NS;
        NS_TEST_EXPECT_MSG_GT(double(sum), 0.99 * (500000 - 5000) / chunk * 3000, "a full link");
        NS_TEST_EXPECT_MSG_LT(double(sum), 500000 / chunk * 3000, "and not more");
        NS_TEST_EXPECT_MSG_GT(least, 0.9 * double(sum) / 64, "nobody starves");
        Clear();
    }
};

/** The suite. */
class ReceiverAdmissionTestSuite : public TestSuite
{
  public:
    ReceiverAdmissionTestSuite()
        : TestSuite("roce-receiver-admission", TestSuite::Type::UNIT)
    {
        AddTestCase(new TimingTest, D::QUICK);
        AddTestCase(new OrderTest, D::QUICK);
        AddTestCase(new IncastTest, D::QUICK);
        AddTestCase(new PriorityTest, D::QUICK);
        AddTestCase(new FairTest, D::QUICK);
    }
};

const ReceiverAdmissionTestSuite g_receiverAdmissionTestSuite;

} // namespace
