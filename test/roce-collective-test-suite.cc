/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-refusal.h"

#include "ns3/roce-cable.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t G100 = 100000000000;
constexpr int64_t US = 1000000; //!< in ps

/** What a run is to do. */
struct Setup
{
    std::string name;
    uint32_t ranks{8};
    uint64_t bytes{0};
    uint32_t channels{1};
    uint32_t chunks{1};
    uint32_t inFlight{0};
    Time receiveDelay;
    Time lastRankStart;      //!< the last rank starts so much later than the others
    int64_t slowDelayPs{US}; //!< delay of the link of rank 2
};

/** n hosts on one switch. */
FabricGraph
Star(uint32_t n, int64_t slowDelayPs)
{
    FabricGraph graph;
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddHost(i);
    }
    graph.AddSwitch(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        graph.AddLink(i, n, G100, i == 2 ? slowDelayPs : US);
    }
    return graph;
}

/** A ring all-reduce on star(n, 100G, 1 us), and the invariants of any run. */
class RingTest : public TestCase
{
  public:
    explicit RingTest(const Setup& setup)
        : TestCase(setup.name),
          m_setup(setup)
    {
    }

  protected:
    /** Checks of one case. \param run the finished collective */
    virtual void Check(const CollectiveRun& run) = 0;

    Setup m_setup;
    uint64_t m_stepsDone{0};
    uint32_t m_ranksDone{0};
    uint32_t m_allDone{0};

  private:
    void DoRun() override
    {
        RoceHelper roce;
        roce.SetCongestionControl("none");
        Ptr<Fabric> fabric = roce.Install(Star(m_setup.ranks, m_setup.slowDelayPs));
        CollectiveHelper helper;
        helper.SetOperation("all-reduce", "ring");
        helper.SetBytes(m_setup.bytes);
        helper.SetChannels(m_setup.channels);
        helper.SetChunks(m_setup.chunks);
        helper.SetAttribute("InFlight", UintegerValue(m_setup.inFlight));
        helper.SetAttribute("ReceiveDelay", TimeValue(m_setup.receiveDelay));
        Ptr<CollectiveRun> run = helper.Install(fabric, fabric->GetGraph().Hosts());
        run->GetRank(m_setup.ranks - 1)->SetStartTime(m_setup.lastRankStart);
        run->SetDoneCallback(MakeCallback(&RingTest::NoteAll, this));
        for (uint32_t r = 0; r < m_setup.ranks; ++r)
        {
            run->GetRank(r)->TraceConnectWithoutContext("StepDone",
                                                        MakeCallback(&RingTest::NoteStep, this));
            run->GetRank(r)->TraceConnectWithoutContext("Done",
                                                        MakeCallback(&RingTest::NoteRank, this));
        }
        NS_TEST_EXPECT_MSG_EQ(run->IsFinished(), false, "finished before the start");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run->IsFinished(), true, "stuck: " << run->Describe());
        if (run->IsFinished())
        {
            CheckInvariants(*run, fabric);
            Check(*run);
        }
        Simulator::Destroy();
    }

    void CheckInvariants(const CollectiveRun& run, Ptr<Fabric> fabric)
    {
        uint64_t ends = 0; // a send or a receive each
        for (uint32_t r = 0; r < m_setup.ranks; ++r)
        {
            const Ptr<CollectiveApplication> rank = run.GetRank(r);
            const uint64_t sent = run.GetSchedule()->GetBytesSent(r);
            NS_TEST_EXPECT_MSG_EQ(run.GetBytesSent(r), sent, "bytes sent by rank " << r);
            NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(r)->GetCounters().bytesCompleted,
                                  sent,
                                  "bytes the NIC of rank " << r << " has sent");
            NS_TEST_EXPECT_MSG_EQ(rank->GetBytesReceived(),
                                  run.GetSchedule()->GetBytesReceived(r),
                                  "bytes received by rank " << r);
            NS_TEST_EXPECT_MSG_EQ(rank->GetSize(), m_setup.bytes, "size");
            if (m_setup.inFlight)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(rank->GetPeakInFlight(),
                                            m_setup.inFlight,
                                            "limit of rank " << r);
            }
            for (uint32_t i = 0; i < run.GetSchedule()->GetSteps(r); ++i)
            {
                const CollectiveStep step = run.GetSchedule()->GetStep(r, i);
                ends += (step.sendTo != CollectiveStep::NONE) +
                        (step.receiveFrom != CollectiveStep::NONE);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_stepsDone, ends, "StepDone fires once for each send and receive");
        NS_TEST_EXPECT_MSG_EQ(m_ranksDone, m_setup.ranks, "Done fires once a rank");
        NS_TEST_EXPECT_MSG_EQ(m_allDone, 1, "the done callback is called once");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetOpenRequests(), 0, "open requests");
    }

    void NoteStep(const CollectiveStepRecord& record)
    {
        ++m_stepsDone;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(record.begun, record.ended, "a step ends before it begins");
    }

    void NoteRank(uint32_t, Tick)
    {
        ++m_ranksDone;
    }

    void NoteAll()
    {
        ++m_allDone;
    }
};

/** Case A22: completes, sends 2 (n-1)/n S a rank, and is not faster than the wire. */
class WaitsTest : public RingTest
{
  public:
    explicit WaitsTest(const Setup& setup)
        : RingTest(setup)
    {
    }

  private:
    void Check(const CollectiveRun& run) override
    {
        for (uint32_t r = 0; r < 8; ++r)
        {
            // 2 * 7/8 * 16777216
            NS_TEST_EXPECT_MSG_EQ(run.GetBytesSent(r), 29360128, "bytes of rank " << r);
        }
        // 29360128 * 8 / 1e11 s = 2348810.24 ns
        NS_TEST_EXPECT_MSG_GT_OR_EQ(run.GetDuration(), NanoSeconds(2348811), "beats the wire");
        // To rank 2 over its slow link go 14 rounds of 4 chunks on each channel. With L in flight,
        // message k + L is posted after the ACK of message k, which is at least its serialization
        // and a round trip of 2 (100 + 1) us after it was posted itself.
        const double message = 16777216.0 / 8 / 4 / m_setup.channels;
        const double turns = 14.0 * 4 / m_setup.inFlight;
        NS_TEST_EXPECT_MSG_GT(run.GetDuration().GetSeconds(),
                              turns * (message / 12.5e9 + 202e-6),
                              "more is in flight than the limit");
        uint64_t early = 0;
        for (uint32_t r = 0; r < 8; ++r)
        {
            early += run.GetRank(r)->GetEarlyArrivals();
            if (m_setup.receiveDelay.IsStrictlyPositive())
            {
                NS_TEST_EXPECT_MSG_GT(run.GetRank(r)->GetFinished(),
                                      ToTick(m_setup.receiveDelay),
                                      "done before it has posted its receives");
            }
        }
        // A first message takes 524288 * 8 / 1e11 = 42 us and at most 101 us of delay, so with
        // receives 1 ms late at least the first of each rank is early; else none is
        const bool late = m_setup.receiveDelay.IsStrictlyPositive();
        NS_TEST_EXPECT_MSG_EQ((late ? early >= 8 : early == 0 || !m_setup.lastRankStart.IsZero()),
                              true,
                              "early arrivals: " << early);
    }
};

/** Case A23 and the time of an uncongested ring. */
class BandwidthTest : public RingTest
{
  public:
    /**
     * \param setup the run
     * \param boundNs 2 (n-1)/n S 8 / C in ns, cut
     */
    BandwidthTest(const Setup& setup, int64_t boundNs)
        : RingTest(setup),
          m_boundNs(boundNs)
    {
    }

  private:
    void Check(const CollectiveRun& run) override
    {
        const double n = m_setup.ranks;
        const double s = static_cast<double>(m_setup.bytes);
        const double t = run.GetDuration().GetSeconds();
        NS_TEST_EXPECT_MSG_GT(run.GetDuration(), NanoSeconds(m_boundNs), "beats the wire");
        const double busbw = 2 * (n - 1) / n * s / t;
        NS_TEST_EXPECT_MSG_EQ_TOL(run.GetAlgorithmBandwidth(), s / t, 1, "algbw = S / t");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.GetBusBandwidth(), busbw, 1, "busbw = 2 (n-1)/n S / t");
        // P = 4096, H = 62 + 20
        NS_TEST_EXPECT_MSG_LT(busbw, 12.5e9 * 4096 / (4096 + 82), "busbw beats the wire");

        // T = 2(n-1)/n S/B' + 2(n-1) lat. On its link a rank sends, for each packet of 4096 + 82
        // bytes, the ACK of one packet it has received: 66 + 20 = 86 bytes, one a packet.
        // So B' = C 4096 / (4178 + 86). lat: two links of 1 us, and the last packet is
        // serialized a second time behind the switch: 4178 * 8 / 100 = 334.24 ns.
        const double goodput = 12.5e9 * 4096 / (4178 + 86);
        const double lat = 2e-6 + 334.24e-9;
        const double ideal = 2 * (n - 1) / n * s / goodput + 2 * (n - 1) * lat;
        NS_TEST_EXPECT_MSG_EQ_TOL(t, ideal, 0.02 * ideal, "time of a ring");
        if (m_setup.chunks == 1)
        {
            // Without pipelining the same holds to the frame. In a round a rank sends N packets,
            // 16 bytes of RETH, and at least as many ACKs before its last packet as came in by
            // then: from N less those on their way (2.4 us, 7) to N. At the end the last ACK
            // returns over two links: 2 * (1000 + 6.88) ns.
            const double rounds = 2 * (n - 1);
            const double packets = s / n / 4096;
            const double most = rounds * ((packets * (4178 + 86) + 16) / 12.5e9 + lat) + 2.02e-6;
            const double least = most - rounds * 8 * 86 / 12.5e9 - 2.02e-6;
            NS_TEST_EXPECT_MSG_GT(t, least, "a round is shorter than its frames");
            NS_TEST_EXPECT_MSG_LT(t, most * 1.0002, "a round is longer than its frames");
        }
    }

    int64_t m_boundNs;
};

/** Nothing to do takes no time, and mistakes are refused. */
class EdgeTest : public TestCase
{
  public:
    EdgeTest()
        : TestCase("no bytes, one rank, mistakes")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        Ptr<Fabric> fabric = roce.Install(Star(8, US));
        CollectiveHelper helper;
        Ptr<CollectiveRun> nothing = helper.Install(fabric, {0, 1, 2});
        helper.SetBytes(1000);
        Ptr<CollectiveRun> alone = helper.Install(fabric, {5});
        helper.SetBytes(3); // fewer bytes than ranks
        Ptr<CollectiveRun> few = helper.Install(fabric, {7, 3, 1, 0});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nothing->IsFinished(), true, "0 bytes: " << nothing->Describe());
        NS_TEST_EXPECT_MSG_EQ(nothing->GetDuration(), Time(0), "0 bytes take no time");
        NS_TEST_EXPECT_MSG_EQ(nothing->GetBusBandwidth(), 0, "0 bytes");
        NS_TEST_EXPECT_MSG_EQ(alone->IsFinished(), true, "1 rank: " << alone->Describe());
        NS_TEST_EXPECT_MSG_EQ(alone->GetBytesSent(), 0, "1 rank sends nothing");
        NS_TEST_EXPECT_MSG_EQ(few->IsFinished(), true, "3 bytes: " << few->Describe());
        NS_TEST_EXPECT_MSG_EQ(few->GetBytesSent(), 2 * 3 * 3, "2 (n-1) S");

        Refuse([&]() { helper.Install(fabric, {}); }, "0 ranks");
        Refuse([&]() { helper.Install(fabric, {0, 1, 0}); }, "rank 0 and rank 2");
        Refuse([&]() { helper.Install(fabric, {0, 8}); }, "node 8 has no GPU");
        Refuse([&]() { helper.SetOperation("scan"); }, "all-gather");
        Refuse([&]() { helper.SetOperation("all-gather", "bruck"); }, "choose ring");
        helper.SetBytes(8000000000);
        helper.SetChunks(50000000); // 4 ranks x 6 rounds
        Refuse([&]() { helper.Install(fabric, {0, 1, 2, 3}); }, "1200000000 steps");
        Refuse([&]() { helper.SetChannels(0); }, "0 channels");
        Refuse([&]() { helper.SetChannels(4294967295); }, "4294967295 channels");
        helper.SetChunks(0);
        Refuse([&]() { helper.Install(fabric, {0, 1}); }, "chunks");
        Simulator::Destroy();
    }

    template <typename F>
    void Refuse(F mistake, const std::string& part)
    {
        const std::string message = Refusal(mistake);
        NS_TEST_EXPECT_MSG_NE(message.find(part),
                              std::string::npos,
                              "\"" << message << "\" does not say \"" << part << "\"");
    }
};

/** A rank whose link breaks for good: the run ends, and tells who waits for what. */
class BrokenLinkTest : public TestCase
{
  public:
    BrokenLinkTest()
        : TestCase("a link breaks for good")
    {
    }

  private:
    void DoRun() override
    {
        RoceHelper roce;
        roce.SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(100)));
        roce.SetNicAttribute("RetryLimit", UintegerValue(1));
        Ptr<Fabric> fabric = roce.Install(Star(4, US));
        CollectiveHelper helper;
        helper.SetBytes(4000000); // slices of 1 MB: 80 us each
        Ptr<CollectiveRun> run = helper.Install(fabric, {0, 1, 2, 3});
        Simulator::Schedule(MicroSeconds(20), &Cable::SetUp, fabric->GetCable(1), false);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run->IsFinished(), false, "finished over a broken link");
        NS_TEST_EXPECT_MSG_EQ(run->GetRank(0)->HasFailed(), true, "rank 0 writes to rank 1");
        NS_TEST_EXPECT_MSG_EQ(run->GetRank(1)->HasFailed(), true, "rank 1 writes to rank 2");
        NS_TEST_EXPECT_MSG_EQ(run->GetRank(2)->HasFailed(), false, "rank 2 writes to rank 3");
        // rank 2 has got nothing from rank 1, so its first receive is missing
        NS_TEST_EXPECT_MSG_NE(run->Describe().find("waits for step 0 from rank 1"),
                              std::string::npos,
                              run->Describe());
        bool thrown = false;
        try
        {
            run->GetDuration();
        }
        catch (const std::runtime_error&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "a time for a run that has not ended");
        Simulator::Destroy();
    }
};

/** Suite roce-collective. */
class CollectiveTestSuite : public TestSuite
{
  public:
    CollectiveTestSuite()
        : TestSuite("roce-collective", TestSuite::Type::UNIT)
    {
        Setup a22;
        a22.bytes = 16777216;
        a22.chunks = 4;
        a22.slowDelayPs = 100 * US;
        for (uint32_t limit : {1, 2, 4})
        {
            for (int64_t lateUs : {0, 1000})
            {
                a22.name = "A22: limit " + std::to_string(limit) + ", receives " +
                           std::to_string(lateUs) + " us late";
                a22.inFlight = limit;
                a22.receiveDelay = MicroSeconds(lateUs);
                AddTestCase(new WaitsTest(a22), D::QUICK);
            }
        }
        a22.name = "A22: a rank starts 1 ms late, 2 channels";
        a22.receiveDelay = Time(0);
        a22.lastRankStart = MilliSeconds(1);
        a22.channels = 2;
        AddTestCase(new WaitsTest(a22), D::QUICK);

        // 2 * 7/8 * 67108864 * 8 / 1e11 s = 9395240.96 ns; of 16 ranks 10066329.6
        Setup a23;
        a23.bytes = 67108864;
        a23.name = "A23: 8 ranks";
        AddTestCase(new BandwidthTest(a23, 9395240), D::QUICK);
        a23.name = "A23: 8 ranks, 4 chunks";
        a23.chunks = 4;
        AddTestCase(new BandwidthTest(a23, 9395240), D::QUICK);
        a23.ranks = 16;
        a23.chunks = 1;
        a23.name = "A23: 16 ranks";
        AddTestCase(new BandwidthTest(a23, 10066329), D::QUICK);
        AddTestCase(new EdgeTest(), D::QUICK);
        AddTestCase(new BrokenLinkTest(), D::QUICK);
    }
};

CollectiveTestSuite g_collectiveTestSuite; //!< registers the suite

} // namespace
