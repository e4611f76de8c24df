/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include <cmath>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t RATE = 100 * GBPS;
/** A full middle packet of 1000 bytes at 100G: 1082 bytes, 86.56 ns. */
const double PACKET_NS = TestBytesNs(1082, RATE);
/** Packets sent from the one behind a lost one until its NAK is here, an RTT (2 s + 2 a + 4 d)
 *  later: 48.4, so 49. */
const double NAK_PACKETS =
    std::ceil((2 * PACKET_NS + 2 * TestBytesNs(86, RATE) + 4000) / PACKET_NS);

/** Guo et al., SIGCOMM 2016, 4.1: messages of 4 MB, one packet in 256 is lost. */
class LivelockTest : public FabricTest
{
  public:
    LivelockTest()
        : FabricTest("go-back-0: the livelock")
    {
    }

  private:
    /** \param recovery short name \param messages how many \param bytes of each */
    void Start(const std::string& recovery, uint32_t messages, uint64_t bytes)
    {
        helper->SetLossRecovery(recovery);
        Build(StarGraph(2, RATE, 1000));
        packets = 0;
        fabric->GetPort(2, 0)->SetReceiveFilter(
            [this](const Frame&) { return ++packets % 256 == 0; });
        TestFlow& flow = Open(0, 1);
        for (uint32_t i = 0; i < messages; ++i)
        {
            Post(flow, bytes);
        }
    }

    /** The counters of the receiver agree, at any time. */
    void Check()
    {
        const TestFlow& flow = flows.front();
        const Responder& responder = flow.pair.peerQp->GetResponder();
        const uint64_t whole = responder.GetMessages() * flow.posted.front();
        NS_TEST_EXPECT_MSG_EQ(Receiver(flow).bytesDelivered, responder.GetBytes(), "bytes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(responder.GetBytes(), whole, "whole messages");
        NS_TEST_EXPECT_MSG_LT(responder.GetBytes() - whole, flow.posted.front(), "and a part");
        most = std::max(most, responder.GetBytes());
    }

    /** \param recovery short name \return bytes that the receiver has after 20 ms */
    uint64_t RunLong(const std::string& recovery)
    {
        Start(recovery, 60, 4000000);
        most = 0;
        for (int i = 0; i < 2000; ++i)
        {
            At(MicroSeconds(10 * i + 5), [this] { Check(); });
        }
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        Check();
        const NicCounters& sender = Sender(flows.front());
        const uint64_t bytes = Receiver(flows.front()).bytesDelivered;
        NS_TEST_EXPECT_MSG_EQ(sender.timeouts, 0, "it never stops to wait");
        // 20 ms of the link at 86.56 ns
        NS_TEST_EXPECT_MSG_EQ_TOL(double(sender.dataSent),
                                  20e6 / PACKET_NS,
                                  100,
                                  "it always sends");
        if (recovery == "go-back-0")
        {
            NS_TEST_EXPECT_MSG_EQ(sender.bytesCompleted, 0, "goodput");
            NS_TEST_EXPECT_MSG_EQ(Receiver(flows.front()).messagesDelivered, 0, "messages");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(most, 255000, "never more than between two losses");
        }
        Reset();
        return bytes;
    }

    void DoRun() override
    {
        helper->SetLossRecovery("go-back-0");
        Build(StarGraph(2, RATE, 1000));
        ConnectionOptions options;
        options.windowBytes = 100000;
        bool refused = false;
        try
        {
            fabric->Connect(0, 1, options);
        }
        catch (const std::invalid_argument&)
        {
            refused = true; // no ACK would come before the window is full
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "a window");
        Reset();
        RunLong("go-back-0");
        // Of each 256 packets sent 50 are in vain: the lost one and those until its NAK is here.
        const double share = (256 - 1 - NAK_PACKETS) / 256;
        const uint64_t bytes = RunLong("go-back-n");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(bytes), share * 1000 * 20e6 / PACKET_NS, 1e6, "progress");
        // 10 packets between two losses are no problem
        Start("go-back-0", 500, 10000);
        for (int i = 0; i < 100; ++i)
        {
            At(MicroSeconds(10 * i + 5), [this] { Check(); });
        }
        Run();
        Check();
        NS_TEST_EXPECT_MSG_GT(Sender(flows.front()).retransmitted, 0, "some were lost");
        NS_TEST_EXPECT_MSG_EQ(Receiver(flows.front()).bytesDelivered, 5000000, "all bytes, once");
    }

    uint64_t packets{0};
    uint64_t most{0};
};

/** The suite. */
class GoBackZeroTestSuite : public TestSuite
{
  public:
    GoBackZeroTestSuite()
        : TestSuite("roce-go-back-zero", TestSuite::Type::UNIT)
    {
        AddTestCase(new LivelockTest, D::QUICK);
    }
};

const GoBackZeroTestSuite g_goBackZeroTestSuite;

} // namespace
