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

constexpr uint64_t BYTES = 1000000; //!< of each READ: 1000 packets

/** A fixed quarter of the line rate. */
class QuarterRate : public CongestionControl
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::roce::test::QuarterRate")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Roce")
                                .AddConstructor<QuarterRate>();
        return tid;
    }

  private:
    void DoStart(Tick) override
    {
        m_rate = GetFlow().lineRate / 4;
    }
};

NS_OBJECT_ENSURE_REGISTERED(QuarterRate);

/** READ responses leave at the rate of the responder's queue pair. */
class PacedReadTest : public VerbsTest
{
  public:
    PacedReadTest()
        : VerbsTest("READ responses are paced")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetCongestionControl("ns3::roce::test::QuarterRate");
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, BYTES);
        pair.b.Fill(2);
        Post(pair, Make(pair, Operation::READ, BYTES));
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, "paced");
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, "bytes");
        // each response but the last takes its bytes at 25G, then the last goes its way at 100G
        const auto frames = TestAnswerFrames(Operation::READ, BYTES, 1000);
        double spaced = 0;
        for (std::size_t i = 0; i + 1 < frames.size(); ++i)
        {
            spaced += TestBytesNs(frames[i] + 20, VERBS_RATE / 4);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  TestArrivalNs(TestStarPath(), {78}) + spaced +
                                      TestArrivalNs(TestStarPath(), {frames.back()}),
                                  2.0,
                                  "time");
        Reset();
    }
};

/** READ responses are marked, and their responder is told to slow down. */
class MarkedReadTest : public VerbsTest
{
  public:
    MarkedReadTest()
        : VerbsTest("READ responses are marked and slowed down")
    {
    }

  private:
    void DoRun() override
    {
        helper->SetCongestionControl("dcqcn");
        helper->SetCnpAttribute("Interval", TimeValue(MicroSeconds(50)));
        Build(StarGraph(3, VERBS_RATE, 1000));
        std::vector<Tick> cnps[3];
        uint64_t marked = 0;
        fabric->GetPort(0, 0)->SetReceiveFilter([&marked](const Frame& frame) {
            marked += frame.kind == FrameKind::RESPONSE && frame.ecn == ECN_CE;
            return false;
        });
        for (uint32_t host : {1, 2})
        {
            OpenPair(0, host, 2 * BYTES).b.Fill(host);
            fabric->GetPort(host, 0)->SetReceiveFilter([&cnps, host](const Frame& frame) {
                if (frame.kind == FrameKind::CNP)
                {
                    cnps[host].push_back(EventCore::Get()->Now());
                }
                return false;
            });
        }
        for (VerbsPair& pair : pairs)
        {
            Post(pair, Make(pair, Operation::READ, 2 * BYTES));
        }
        Finish();
        const NicCounters& reader = pairs[0].a.nic->GetCounters();
        NS_TEST_EXPECT_MSG_GT(marked, 0, "two responders share a link");
        NS_TEST_EXPECT_MSG_EQ(reader.marksReceived, marked, "noticed");
        NS_TEST_EXPECT_MSG_EQ(reader.cnpsSent, cnps[1].size() + cnps[2].size(), "told");
        for (uint32_t host : {1, 2})
        {
            const VerbsPair& pair = pairs[host - 1];
            CheckStatuses(pair.a.sent, {S::SUCCESS}, "marked");
            NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, "bytes");
            NS_TEST_EXPECT_MSG_EQ(pair.b.nic->GetCounters().cnpsReceived, cnps[host].size(), "");
            NS_TEST_EXPECT_MSG_GT(cnps[host].size(), 0, "each is told");
            NS_TEST_EXPECT_MSG_GT(pair.b.qp->GetCongestionControl()->GetRateChanges(), 0, "slower");
            NS_TEST_EXPECT_MSG_EQ(pair.a.qp->GetCongestionControl()->GetRateChanges(), 0, "reader");
            for (std::size_t i = 1; i < cnps[host].size(); ++i)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(cnps[host][i] - cnps[host][i - 1] + 1, 50000, "spaced");
            }
            // an RTO would mean that it was starved
            NS_TEST_EXPECT_MSG_EQ(pair.a.nic->GetCounters().timeouts, 0, "timeouts");
        }
        Reset();
    }
};

/** Responses and WRITEs of one queue pair take turns on its link. */
class SharedLinkTest : public VerbsTest
{
  public:
    SharedLinkTest()
        : VerbsTest("responses and requests share the link")
    {
    }

  private:
    void DoRun() override
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, 2 * BYTES);
        pair.a.Fill(1);
        pair.b.Fill(2);
        Post(pair, Make(pair, Operation::READ, BYTES));
        WorkRequest write = MakeBack(pair, Operation::WRITE, BYTES);
        write.localAddress += BYTES;
        write.remoteAddress += BYTES;
        pair.b.nic->Post(pair.b.qp, write);
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, "READ");
        CheckStatuses(pair.b.sent, {S::SUCCESS}, "WRITE");
        NS_TEST_EXPECT_MSG_EQ((pair.a.Bytes() == pair.b.Bytes()), true, "bytes of both");
        const auto responses = TestAnswerFrames(Operation::READ, BYTES, 1000);
        const auto requests = TestRequestFrames(Operation::WRITE, BYTES, 1000);
        double all = 0;
        for (std::size_t i = 0; i < responses.size(); ++i)
        {
            all += TestBytesNs(responses[i] + requests[i] + 40, VERBS_RATE);
        }
        // the link is never idle from 0 on, and a response is the last
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.a.sent.at(0).completed),
                                  all + 2000 + TestBytesNs(responses.back() + 20, VERBS_RATE),
                                  2.0,
                                  "READ");
        // until the READ request is there the WRITE has the link alone, k packets long; then each
        // second packet is its own, so its last one is number k + 2 * (1000 - k)
        const double packet = TestBytesNs(1082, VERBS_RATE);
        const double k = TestArrivalNs(TestStarPath(), {78}) / packet;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(pair.b.sent.at(0).completed),
                                  (2000 - k) * packet + packet + 2000 +
                                      TestArrivalNs(TestStarPath(), {66}),
                                  2 * packet,
                                  "WRITE");
        Reset();
    }
};

/** PFC stops responses. */
class PausedReadTest : public VerbsTest
{
  public:
    PausedReadTest()
        : VerbsTest("PFC pauses READ responses")
    {
    }

  private:
    /** \return ticks of the READ. \param priority that is paused from 20 to 50 us */
    double Measure(unsigned priority)
    {
        Build(StarGraph(2, VERBS_RATE, 1000));
        VerbsPair& pair = OpenPair(0, 1, BYTES);
        Post(pair, Make(pair, Operation::READ, BYTES));
        for (uint16_t quanta : {uint16_t(60000), uint16_t(0)})
        {
            At(MicroSeconds(quanta ? 20 : 50), [this, quanta, priority] {
                const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
                fabric->GetSwitch(2)->GetPort(1)->SendPause(static_cast<uint8_t>(1u << priority),
                                                            times.data(),
                                                            EventCore::Get()->Now());
            });
        }
        Finish();
        CheckStatuses(pair.a.sent, {S::SUCCESS}, "paused");
        const auto ticks = double(pair.a.sent.at(0).completed);
        Reset();
        return ticks;
    }

    void DoRun() override
    {
        const double alone = TestVerbsNs(Operation::READ, BYTES, 1000);
        const double packet = TestBytesNs(1082, VERBS_RATE);
        // a packet may be on its way when the pause comes; it is not lost
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(3),
                                  alone + 30000 - packet / 2,
                                  packet / 2 + 2,
                                  "priority of data");
        NS_TEST_EXPECT_MSG_EQ_TOL(Measure(6), alone, 2.0, "priority of control");
    }
};

/** The suite. */
class VerbsCongestionTestSuite : public TestSuite
{
  public:
    VerbsCongestionTestSuite()
        : TestSuite("roce-verbs-congestion", TestSuite::Type::UNIT)
    {
        AddTestCase(new PacedReadTest, D::QUICK);
        AddTestCase(new MarkedReadTest, D::QUICK);
        AddTestCase(new SharedLinkTest, D::QUICK);
        AddTestCase(new PausedReadTest, D::QUICK);
    }
};

const VerbsCongestionTestSuite g_verbsCongestionTestSuite;

} // namespace
