/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-pause-frame.h"
#include "ns3/roce-receive-buffer.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3;
constexpr uint32_t SIZE = 1230; //!< 100 ns at 100 Gb/s with 20 bytes of preamble and gap
constexpr uint32_t FRAMES = 2000;

/** A host that takes half of what the link brings: paused, nothing lost, half the goodput. */
class SlowHostTest : public SwitchTest
{
  public:
    /** \param rate at which the host takes frames \param nanoseconds a frame of SIZE lasts then */
    SlowHostTest(const std::string& rate, double nanoseconds)
        : SwitchTest("host that takes " + rate),
          m_rate(rate),
          m_nanoseconds(nanoseconds)
    {
    }

  private:
    void DoRun() override
    {
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        auto slow = CreateObject<ReceiveBuffer>();
        slow->SetAttribute("DrainRate", DataRateValue(DataRate(m_rate)));
        slow->Install(star.hosts[1]->port, star.hosts[1].get());
        star.At(MicroSeconds(1),
                [&] { star.hosts[0]->Send(1, FRAMES, SIZE, DATA, ECN_NOT_ECT, 64); });
        Finish(star);
        NS_TEST_ASSERT_MSG_EQ(star.hosts[1]->Count(DATA), FRAMES, "all arrive");
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(star.hosts[1]->arrivals[i].header.psn, i, "in order");
        }
        // two links, then one frame after the other without a break
        const double first = 1000 + 2 * (100 + 1000) + m_nanoseconds;
        NS_TEST_EXPECT_MSG_EQ_TOL(star.hosts[1]->arrivals[0].at, first, 1, "first");
        NS_TEST_EXPECT_MSG_EQ_TOL(star.hosts[1]->arrivals.back().at,
                                  first + (FRAMES - 1) * m_nanoseconds,
                                  2,
                                  "last: the host is never idle");
        NS_TEST_EXPECT_MSG_EQ(slow->GetDrops(), 0, "nothing lost at the host");
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "nothing lost in the switch");
        NS_TEST_EXPECT_MSG_EQ((slow->GetXoffs() > 0), true, "the switch was paused");
        NS_TEST_EXPECT_MSG_EQ(slow->GetXoffs(), slow->GetXons(), "XOFF and XON match");
        NS_TEST_EXPECT_MSG_EQ(slow->GetLevel(), 0, "empty in the end");
        NS_TEST_EXPECT_MSG_EQ((slow->GetPeak() >= 131072 && slow->GetPeak() <= 262144),
                              true,
                              "between XOFF and the size");
        const PauseState& state = star.sw->GetPort(1)->GetPauseState();
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(DATA),
                              slow->GetXoffs() + slow->GetRefreshes(),
                              "XOFF that arrived at the switch");
        NS_TEST_EXPECT_MSG_EQ(state.GetXons(DATA), slow->GetXons(), "XON that arrived");
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(0), 0, "lossy priorities are left alone");
        // a pause that outlasts half its 335.5 us is said again
        const bool longPause = m_nanoseconds * (131072 - 65536) / SIZE > 167772;
        NS_TEST_EXPECT_MSG_EQ((slow->GetRefreshes() > 0), longPause, "refreshes");
    }

    std::string m_rate;
    double m_nanoseconds;
};

/** What the host may set, and what is refused. */
class SlowHostRefusalTest : public TestCase
{
  public:
    SlowHostRefusalTest()
        : TestCase("receive buffer that is too small")
    {
    }

  private:
    void DoRun() override
    {
        TestHost a(DataRate("100Gbps"));
        TestHost b(DataRate("100Gbps"));
        auto cable = CreateObject<Cable>();
        cable->SetAttribute("Delay", TimeValue(NanoSeconds(1000)));
        cable->Connect(a.port, b.port);
        // 37646 bytes of headroom: see catch-switch-mmu.cc
        for (uint64_t bytes : {100000 + 37645, 100000 + 37646})
        {
            auto slow = CreateObject<ReceiveBuffer>();
            slow->SetAttribute("Bytes", UintegerValue(bytes));
            slow->SetAttribute("XoffBytes", UintegerValue(100000));
            std::string text;
            try
            {
                slow->Install(b.port, &b);
            }
            catch (const std::invalid_argument& error)
            {
                text = error.what();
            }
            const bool named =
                text.find("37645") != std::string::npos && text.find("37646") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(named, (bytes == 137645), "of " << bytes << ": " << text);
        }
        Simulator::Destroy();
    }
};

/** A real NIC behind a slow host: the message ends, at the rate of the host. */
class SlowNicTest : public TestCase
{
  public:
    SlowNicTest()
        : TestCase("WRITE to a slow host")
    {
    }

  private:
    void DoRun() override
    {
        ClosHelper star(1, 0, 2);
        star.SetHostLinks("100Gbps", "1us");
        RoceHelper roce;
        roce.SetCongestionControl("none");
        roce.SetNicAttribute("EcnCapable", BooleanValue(false));
        Ptr<Fabric> fabric = star.Install(roce);
        auto slow = CreateObject<ReceiveBuffer>();
        slow->SetAttribute("DrainRate", DataRateValue(DataRate("50Gbps")));
        slow->Install(fabric->GetNic(1)->GetPort(0), PeekPointer(fabric->GetNic(1)));
        Connection connection = fabric->Connect(0, 1);
        connection.nic->TraceConnectWithoutContext("Completed",
                                                   MakeCallback(&SlowNicTest::OnCompleted, this));
        WorkRequest request;
        request.bytes = 4096000;
        connection.nic->Post(connection.qp, request);
        Simulator::Run();
        const NicCounters& counters = connection.nic->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.requestsCompleted, 1, "completed");
        // the first frame of 4096 + 62 + 16 crosses two links, 1000 frames and a RETH are taken at
        // 50 Gb/s, and the ACK of 66 bytes goes back
        const double first = 2 * (4194 * 0.08 + 1000);
        const double taken = (1000 * 4158 + 16) * 0.16;
        const double back = 2 * (86 * 0.08 + 1000);
        NS_TEST_EXPECT_MSG_EQ_TOL(m_end, first + taken + back, 4, "completion");
        NS_TEST_EXPECT_MSG_EQ(slow->GetDrops(), 0, "nothing lost");
        NS_TEST_EXPECT_MSG_EQ((slow->GetXoffs() > 0), true, "paused");
        NS_TEST_EXPECT_MSG_EQ(slow->GetXoffs(), slow->GetXons(), "XOFF and XON match");
        NS_TEST_EXPECT_MSG_EQ(slow->GetLevel(), 0, "empty");
        Simulator::Destroy();
    }

    void OnCompleted(const Completion&)
    {
        m_end = EventCore::Get()->Now();
    }

    Tick m_end{0};
};

/** A27: pause frames with any source are counted as such, never as data, and end in the port. */
class PauseCountTest : public SwitchTest
{
  public:
    PauseCountTest()
        : SwitchTest("A27: pause frames are counted apart, with a source of zeros too")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t COUNT = 1234;
        TestStar star(2, "100Gbps", NanoSeconds(1000));
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            star.At(NanoSeconds(100 * i), [&star, i] { Inject(star, i % 2 == 0); });
        }
        Finish(star);
        Ptr<Port> port = star.sw->GetPort(0);
        NS_TEST_EXPECT_MSG_EQ(port->GetPauseState().GetXoffs(DATA), COUNT, "PFC rx[3]");
        NS_TEST_EXPECT_MSG_EQ(port->GetPauseState().GetXoffs(4), 0, "PFC rx[4]");
        NS_TEST_EXPECT_MSG_EQ(port->GetPauseState().GetFrames(), COUNT, "pause frames");
        NS_TEST_EXPECT_MSG_EQ(port->GetReceived().GetBytes(), COUNT * 64, "bytes on the wire");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetFramesIn(), 0, "data");
        NS_TEST_EXPECT_MSG_EQ(star.sw->GetFramesOut(), 0, "forwarded");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->arrivals.size(), 0, "forwarded");
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "drops");
    }

    /** Let the bytes of an XOFF go to the switch. \param star the net \param zeros whether their
     *  source address is 00:00:00:00:00:00 */
    static void Inject(TestStar& star, bool zeros)
    {
        PauseFrame xoff;
        xoff.source = zeros ? MacBytes{} : MacBytes{0x02, 0, 0, 0, 0, 1};
        xoff.enable = 1u << DATA;
        xoff.times[DATA] = 65535;
        const std::vector<uint8_t> bytes = xoff.Encode();
        EventCore& core = *EventCore::Get();
        Frame* frame = FrameCodec::Decode(bytes.data(), bytes.size(), core.GetPool(), {});
        star.hosts[0]->port->GetTransmitter().Enqueue(frame, Transmitter::MAC_CONTROL, core.Now());
    }
};

/** Pause of the whole link: one priority is too full, all stop; they go on together. */
class LinkPauseTest : public SwitchTest
{
  public:
    LinkPauseTest()
        : SwitchTest("IEEE 802.3 PAUSE stops all priorities")
    {
    }

  private:
    /** \return arrivals of the other priority while the first one is stuck. \param link whether
     *  pauses are of the whole link */
    uint32_t RunOnce(bool link)
    {
        TestStar star(3, "100Gbps", NanoSeconds(1000));
        star.sw->SetAttribute("BufferSize", UintegerValue(1000000));
        star.sw->GetPfcController()->SetAttribute("LinkPause", BooleanValue(link));
        star.At(NanoSeconds(0), [&] { star.hosts[1]->Pause(DATA, 65535); });
        star.At(MicroSeconds(150), [&] { star.hosts[1]->Pause(DATA, 0); });
        star.At(MicroSeconds(2), [&] {
            star.hosts[0]->Send(1, 1000, SIZE, DATA, ECN_NOT_ECT, 64); // stuck
        });
        uint32_t before = 0;
        star.At(MicroSeconds(50), [&] {
            star.hosts[0]->Send(2, 100, SIZE, 0, ECN_NOT_ECT, 64); // could pass
        });
        star.At(MicroSeconds(140), [&] { before = star.hosts[2]->Count(0); });
        Finish(star);
        auto pfc = star.sw->GetPfcController();
        NS_TEST_EXPECT_MSG_EQ(star.hosts[1]->Count(DATA), 1000, "all delivered");
        NS_TEST_EXPECT_MSG_EQ(star.hosts[2]->Count(0), 100, "all delivered");
        NS_TEST_EXPECT_MSG_EQ(star.drops.size(), 0, "nothing lost");
        const PauseState& state = star.hosts[0]->port->GetPauseState();
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(DATA), pfc->GetXoffFrames(DATA), "XOFF");
        NS_TEST_EXPECT_MSG_EQ(state.GetXons(DATA), pfc->GetXonFrames(DATA), "XON");
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(0),
                              link ? pfc->GetXoffFrames(DATA) : 0,
                              "XOFF of another priority");
        // sent by port and priority: only port 0 has a sender that is too fast
        NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffsSent(0, DATA), pfc->GetXoffs(DATA), "by port");
        NS_TEST_EXPECT_MSG_EQ(pfc->GetXonsSent(0, DATA), pfc->GetXons(DATA), "by port");
        NS_TEST_EXPECT_MSG_EQ(pfc->GetRefreshesSent(0, DATA) + pfc->GetXoffsSent(0, DATA),
                              pfc->GetXoffFrames(DATA),
                              "by port");
        NS_TEST_EXPECT_MSG_EQ(pfc->GetXoffsSent(2, DATA), 0, "nobody sends here");
        Simulator::Destroy();
        return before;
    }

    void DoRun() override
    {
        const uint32_t pfc = RunOnce(false);
        const uint32_t pause = RunOnce(true);
        NS_TEST_EXPECT_MSG_EQ(pfc, 100, "with PFC the other priority passes");
        NS_TEST_EXPECT_MSG_EQ(pause, 0, "with PAUSE it waits");
    }
};

/** Suite roce-receive-buffer. */
class ReceiveBufferTestSuite : public TestSuite
{
  public:
    ReceiveBufferTestSuite()
        : TestSuite("roce-receive-buffer", TestSuite::Type::UNIT)
    {
        // 1230 bytes at half of the 98.4 Gb/s that the frames have of the link
        AddTestCase(new SlowHostTest("49200000000bps", 200), D::QUICK);
        AddTestCase(new SlowHostTest("1230Mbps", 8000), D::QUICK);
        AddTestCase(new SlowHostRefusalTest, D::QUICK);
        AddTestCase(new SlowNicTest, D::QUICK);
        AddTestCase(new PauseCountTest, D::QUICK);
        AddTestCase(new LinkPauseTest, D::QUICK);
    }
};

ReceiveBufferTestSuite g_receiveBufferTestSuite;

} // namespace
