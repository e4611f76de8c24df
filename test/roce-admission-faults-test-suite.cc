/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-admission-test.h"
#include "roce-test-compat.h"
#include "roce-test-refusal.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"

#include <functional>
#include <limits>

using namespace ns3;
using namespace ns3::roce;
using namespace ns3::roce::admission;

namespace
{

/** CTSs are lost. */
class LossTest : public AdmissionTest
{
  public:
    LossTest()
        : AdmissionTest("lost CTSs are sent again")
    {
    }

  private:
    static constexpr double RTO_NS = 100000;

    /** \return when a message of 4 chunks is in. \param lost which CTS is lost once; 0 is the
     *  first, above 3 none */
    double Lose(uint64_t lost)
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(RTO_NS)));
        BuildStar(2);
        admission->SetAttribute("ChunkBytes", UintegerValue(3000));
        Watched& w = Add(0, 1);
        const uint32_t ring = w.channel->GetCtsQueuePair()->GetConfig().remoteQpn;
        bool dropped = false;
        fabric->GetPort(0, 0)->SetReceiveFilter([&dropped, ring, lost](const Frame& frame) {
            const bool drop = frame.kind == FrameKind::REQUEST && frame.destinationQp == ring &&
                              frame.psn == lost && !dropped;
            dropped = dropped || drop;
            return drop;
        });
        Both(w, 12000);
        Finish();
        const auto end = double(w.received.at(0));
        NS_TEST_EXPECT_MSG_EQ(dropped, (lost < 4), "a CTS was lost");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetCounters().timeouts, (lost == 3), "timeouts");
        NS_TEST_EXPECT_MSG_EQ(w.channel->GetBytesReceived(), 12000, "bytes");
        Clear();
        return end;
    }

    void Random()
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(NanoSeconds(RTO_NS)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(100));
        BuildStar(3);
        admission->SetLimitBytes(20000);
        admission->SetAttribute("ChunkBytes", UintegerValue(3000));
        for (uint32_t host = 0; host < 3; ++host)
        {
            auto model = CreateObject<RateErrorModel>();
            model->SetAttribute("ErrorRate", DoubleValue(0.05));
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            model->AssignStreams(host);
            fabric->GetPort(host, 0)->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        for (uint32_t source : {1, 2})
        {
            Watched& w = Add(source, 0);
            for (uint64_t k = 0; k < 50; ++k)
            {
                Both(w, 7919 * k % 20000);
            }
        }
        Finish();
        for (const Watched& w : channels)
        {
            NS_TEST_EXPECT_MSG_EQ(w.received.size(), 50, "each once");
            NS_TEST_EXPECT_MSG_EQ(w.sent.size(), 50, "each once");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(w.peak, 20000, "limit");
        }
        NS_TEST_EXPECT_MSG_GT(fabric->GetNic(0)->GetCounters().retransmitted, 0, "CTSs again");
        Clear();
    }

    void DoRun() override
    {
        // the ACKs of the four CTSs go before the second packet of data
        const double all = 4 * ACK_NS + TestArrivalNs(PATH, FramesOf({3000, 3000, 3000, 3000}));
        NS_TEST_EXPECT_MSG_EQ_TOL(Lose(9), CTS_NS + all, 2.0, "none lost");
        // the last one of four: nothing comes behind it, so the timer runs out. It was set anew by
        // the ACK of the third, which follows the ACKs of the other two and, on both links, the
        // first packet of data
        const double acked = CTS_NS + 3 * ACK_NS + 2 * FIRST_NS + 2000;
        NS_TEST_EXPECT_MSG_EQ_TOL(Lose(3),
                                  acked + RTO_NS + CTS_NS + ACK_NS +
                                      TestArrivalNs(PATH, FramesOf({3000})),
                                  2.0,
                                  "last lost");
        // the first one: the second, 12.96 ns behind it, shows the gap, a NAK of the size of an ACK
        // goes back, and all four are sent again
        NS_TEST_EXPECT_MSG_EQ_TOL(Lose(0),
                                  CTS_NS + TestBytesNs(162, RATE) + TestAckNs(PATH, FrameSizes()) +
                                      CTS_NS + all,
                                  3.0,
                                  "first lost");
        Random();
    }
};

/** What is impossible is refused, and a channel that fails leaves the others alone. */
class FaultTest : public AdmissionTest
{
  public:
    FaultTest()
        : AdmissionTest("mistakes and failures")
    {
    }

  private:
    void Expect(bool condition, const char* what)
    {
        NS_TEST_EXPECT_MSG_EQ(condition, true, what);
    }

    void Mistakes()
    {
        BuildStar(3);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (double bdp : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
        {
            Expect(Refuses([&] { admission->SetLimitBdp(bdp); }), "a limit that is none");
        }
        Expect(Refuses([&] { admission->Connect(0, 0); }), "to itself");
        const Connection pair = fabric->Connect(0, 1);
        auto channel = CreateObject<AdmittedChannel>();
        Expect(!channel->SetAttributeFailSafe("ChunkBytes", UintegerValue(0)), "chunks of 0");
        Expect(!channel->SetAttributeFailSafe("Slots", UintegerValue(0)), "no slot");
        Expect(Refuses([&] { channel->Send(1); }), "Send before Connect");
        Expect(Refuses([&] { channel->Expect(1); }), "Expect before Connect");
        auto accounts = Create<ReceiverAdmission>(1000);
        const auto connect =
            [&](Ptr<Nic> nic, Ptr<QueuePair> qp, Ptr<Nic> peer, Ptr<QueuePair> to) {
                return Refuses([&] { channel->Connect(accounts, nic, qp, peer, to); });
            };
        Expect(connect(pair.nic, pair.qp, pair.nic, pair.qp), "same host");
        Expect(connect(pair.nic, pair.qp, pair.peerNic, nullptr), "nothing at one end");
        Expect(connect(pair.nic, pair.qp, fabric->GetNic(2), pair.peerQp), "of another NIC");
        const Connection other = fabric->Connect(0, 1);
        Expect(connect(pair.nic, pair.qp, pair.peerNic, other.peerQp), "not connected");
        ConnectionOptions options;
        options.service = TransportService::UC;
        Expect(Refuses([&] { admission->Connect(0, 1, options); }), "UC");
        channel->SetAttribute("Priority", UintegerValue(9));
        Expect(connect(pair.nic, pair.qp, pair.peerNic, pair.peerQp), "priority 9");
        channel->SetAttribute("Priority", UintegerValue(7));
        Expect(Refuses([&] {
                   channel->Connect(nullptr, pair.nic, pair.qp, pair.peerNic, pair.peerQp);
               }),
               "without accounts");
        Expect(!connect(pair.nic, pair.qp, pair.peerNic, pair.peerQp), "right");
        Expect(connect(pair.nic, pair.qp, pair.peerNic, pair.peerQp), "twice");
        Expect(accounts->GetChannels() == 1, "refused ones leave nothing behind");
        channel->Send(7);
        Expect(Refuses([&] { channel->Expect(8); }), "another length");
        channel->Expect(7);
        channel->Expect(9);
        Expect(Refuses([&] { channel->Send(8); }), "another length");
        channel->Send(9);
        Expect(Refuses([&] { admission->SetLimitBytes(1); }), "a limit after channels");
        Expect(!admission->GetAdmission(2), "no channel leads there");
        Run();
        Expect(channel->GetMessagesReceived() == 2, "both messages");
        Clear();
    }

    void Failure()
    {
        helper->SetNicAttribute("AckTimeout", TimeValue(MicroSeconds(20)));
        helper->SetNicAttribute("RetryLimit", UintegerValue(1));
        BuildStar(3);
        admission->SetLimitBytes(3000);
        admission->SetAttribute("ChunkBytes", UintegerValue(3000));
        Watched& bad = Add(1, 0);
        Watched& good = Add(2, 0);
        fabric->GetPort(1, 0)->SetReceiveFilter([](const Frame&) { return true; });
        Both(bad, 30000);
        Both(good, 30000);
        Simulator::Run();
        Expect(bad.channel->HasFailed(), "its CTS never arrives");
        Expect(bad.received.empty(), "so nothing comes");
        Expect(good.received.size() == 1, "the other one goes on");
        Expect(good.received.at(0) > ToTick(MicroSeconds(40)), "when the limit is free again");
        Expect(!good.channel->HasFailed(), "and does not fail");
        Expect(admission->GetAdmission(0)->GetInFlight() == 0, "nothing is kept for it");
        bad.channel->Expect(1); // no effect, and no crash
        bad.channel->Send(1);
        Simulator::Run();
        Expect(bad.received.empty(), "still nothing");
        Clear();
    }

    void DoRun() override
    {
        Mistakes();
        Failure();
        // channels that are dropped in the middle of a run
        BuildStar(2);
        Both(Add(0, 1), 1000000);
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        channels.clear();
        Simulator::Run();
        Clear();
    }
};

/** The suite. */
class AdmissionFaultsTestSuite : public TestSuite
{
  public:
    AdmissionFaultsTestSuite()
        : TestSuite("roce-admission-faults", TestSuite::Type::UNIT)
    {
        AddTestCase(new LossTest, D::QUICK);
        AddTestCase(new FaultTest, D::QUICK);
    }
};

const AdmissionFaultsTestSuite g_admissionFaultsTestSuite;

} // namespace
