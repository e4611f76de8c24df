/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/roce-helper.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint8_t DATA = 3; //!< priority of data

/** Frames of 1230 + 20 bytes last 100 ns at 100 Gb/s. */
constexpr uint32_t SIZE = 1230;
constexpr Tick FRAME_NS = 100;
constexpr Tick DELAY_NS = 1000;
/** A pause frame lasts (64 + 20) * 0.08 = 6.72 ns, so it arrives 1006 ticks after it is sent. */
constexpr Tick PAUSE_NS = 1006;

/** Two hosts on one cable, 100 Gb/s, 1 us; host a sends frames to host b, b pauses a. */
class PausedLink
{
  public:
    /** \param expires whether pauses end by themselves \param rate of the cable */
    explicit PausedLink(bool expires = true, const std::string& rate = "100Gbps")
        : a(DataRate(rate)),
          b(DataRate(rate)),
          cable(CreateObject<Cable>())
    {
        a.port->SetAttribute("PauseExpires", BooleanValue(expires));
        cable->SetAttribute("Delay", TimeValue(NanoSeconds(DELAY_NS)));
        cable->Connect(a.port, b.port);
    }

    /** Let a pause frame arrive at a. \param at arrival in ns \param enable vector \param quanta
     * the same for all */
    void Pause(Tick at, uint8_t enable, uint16_t quanta)
    {
        Simulator::Schedule(NanoSeconds(at - PAUSE_NS), [this, enable, quanta]() {
            const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
            b.port->SendPause(enable, times.data(), EventCore::Get()->Now());
        });
    }

    /** \return ticks at which frames of a priority began to leave a. \param priority which */
    std::vector<Tick> Starts(uint8_t priority) const
    {
        std::vector<Tick> starts;
        for (const auto& arrival : b.arrivals)
        {
            if (arrival.header.priority == priority)
            {
                starts.push_back(arrival.at - FRAME_NS - DELAY_NS);
            }
        }
        return starts;
    }

    /** Queue frames at a. \param count how many \param priority theirs */
    void Send(uint32_t count, uint8_t priority)
    {
        a.Send(1, count, SIZE, priority, ECN_NOT_ECT, 64);
    }

    /** Run to the end; \return what is left over, or an empty string. */
    std::string Run()
    {
        Simulator::Run();
        EventCore& core = *EventCore::Get();
        return core.GetPool().GetLive() != 0 ? "frames left over"
               : core.GetPending() != 0      ? "events left over"
                                             : "";
    }

    TestHost a;
    TestHost b;
    Ptr<Cable> cable;
};

/** \return first start at or after a tick. \param starts in order \param at from here on */
Tick
FirstAt(const std::vector<Tick>& starts, Tick at)
{
    const auto found = std::lower_bound(starts.begin(), starts.end(), at);
    return found == starts.end() ? NEVER : *found;
}

/** \return last start before a tick. \param starts in order \param at up to here */
Tick
LastBefore(const std::vector<Tick>& starts, Tick at)
{
    const auto found = std::lower_bound(starts.begin(), starts.end(), at);
    return found == starts.begin() ? -1 : *(found - 1);
}

/** A6: pause frames for a NIC with one queue pair, for none, and for a priority nobody uses. */
class NicPauseTest : public TestCase
{
  public:
    NicPauseTest()
        : TestCase("A6: XOFF and XON at a NIC with one queue pair and with none")
    {
    }

  private:
    struct Outcome
    {
        std::vector<Tick> starts;
        Tick xoff{0};
        Tick xon{0};
        uint64_t completed{0};
    };

    /** \param extra whether the superfluous frames are sent too */
    Outcome RunOnce(bool extra)
    {
        FabricGraph graph;
        graph.AddHost(0);
        graph.AddHost(1);
        graph.AddSwitch(2);
        graph.AddLink(0, 2, 100000000000, 1000000);
        graph.AddLink(1, 2, 100000000000, 1000000);
        RoceHelper roce;
        roce.SetCongestionControl("none");
        Ptr<Fabric> fabric = roce.Install(graph);
        const Connection connection = fabric->Connect(0, 1);
        Ptr<Port> nicPort = fabric->GetPort(0, 0);
        Ptr<Port> far = fabric->GetPort(2, 0);
        Outcome outcome;
        const auto send = [far](Tick at, uint8_t priority, uint16_t quanta) {
            Simulator::Schedule(NanoSeconds(at - PAUSE_NS), [far, priority, quanta]() {
                const std::vector<uint16_t> times(NUM_PRIORITIES, quanta);
                far->SendPause(1u << priority, times.data(), EventCore::Get()->Now());
            });
        };
        m_outcome = &outcome;
        nicPort->TraceConnectWithoutContext("FrameSent", MakeCallback(&NicPauseTest::OnSent, this));
        nicPort->TraceConnectWithoutContext("PauseReceived",
                                            MakeCallback(&NicPauseTest::OnPause, this));
        WorkRequest request;
        request.bytes = 1000000;
        connection.nic->Post(connection.qp, request);
        send(10000, DATA, 65535);
        send(20000, DATA, 0);
        if (extra)
        {
            send(21000, DATA, 0);
            send(22000, 7, 65535);
            send(23000, 7, 0);
            send(24000, 7, 0);
            Simulator::Schedule(MicroSeconds(200),
                                [connection]() { connection.nic->Destroy(connection.qp); });
            send(210000, DATA, 65535); // no queue pair is left
            send(220000, DATA, 0);
            send(230000, DATA, 0);
        }
        Simulator::Run();
        outcome.completed = connection.nic->GetCounters().requestsCompleted;
        CheckCounters(nicPort->GetPauseState(), extra);
        NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "frames left over");
        Simulator::Destroy();
        return outcome;
    }

    void CheckCounters(const PauseState& state, bool extra)
    {
        NS_TEST_EXPECT_MSG_EQ(state.GetFrames(), extra ? 9 : 2, "pause frames");
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(DATA), extra ? 2 : 1, "XOFF of the data");
        NS_TEST_EXPECT_MSG_EQ(state.GetXons(DATA), extra ? 4 : 1, "XON of the data");
        NS_TEST_EXPECT_MSG_EQ(state.GetXoffs(7), extra ? 1 : 0, "XOFF of priority 7");
        NS_TEST_EXPECT_MSG_EQ(state.GetXons(7), extra ? 2 : 0, "XON of priority 7");
        NS_TEST_EXPECT_MSG_EQ(+state.GetMask(), 0, "nothing is paused in the end");
    }

    void OnSent(const Frame& frame)
    {
        if (frame.kind == FrameKind::REQUEST)
        {
            m_outcome->starts.push_back(EventCore::Get()->Now());
        }
    }

    void OnPause(const Frame& frame)
    {
        Tick& first = frame.pauseQuanta[DATA] ? m_outcome->xoff : m_outcome->xon;
        if (first == 0)
        {
            first = EventCore::Get()->Now();
        }
    }

    void DoRun() override
    {
        const Outcome plain = RunOnce(false);
        // an ACK of (66 + 20) * 0.08 = 6.88 ns may be on the link when the pause wants to go
        NS_TEST_EXPECT_MSG_EQ_TOL(plain.xoff, 10003, 4, "XOFF arrives");
        NS_TEST_EXPECT_MSG_EQ_TOL(plain.xon, 20000, 1, "XON arrives");
        // a full frame lasts (4096 + 82) * 0.08 = 334.24 ns
        const Tick last = LastBefore(plain.starts, plain.xoff);
        NS_TEST_EXPECT_MSG_GT(last, plain.xoff - 336, "line rate until the XOFF");
        NS_TEST_EXPECT_MSG_EQ(FirstAt(plain.starts, plain.xoff),
                              plain.xon,
                              "nothing between, and on in the tick of the XON");
        NS_TEST_EXPECT_MSG_EQ(plain.starts.size(), 245, "no packet is lost or sent twice");
        NS_TEST_EXPECT_MSG_EQ(plain.completed, 1, "completes");
        const Outcome extra = RunOnce(true);
        NS_TEST_EXPECT_MSG_EQ((extra.starts == plain.starts), true, "the extra frames only count");
        NS_TEST_EXPECT_MSG_EQ(extra.completed, 1, "completes");
    }

    Outcome* m_outcome{nullptr};
};

/** A7: XON ends a long pause; a clear enable bit does nothing. */
class XonTest : public TestCase
{
  public:
    /** \param response attribute PauseResponse in ns */
    explicit XonTest(Tick response)
        : TestCase("A7: XON cuts a pause short, response " + std::to_string(response) + " ns"),
          m_response(response)
    {
    }

  private:
    void DoRun() override
    {
        PausedLink link;
        link.a.port->SetAttribute("PauseResponse", TimeValue(NanoSeconds(m_response)));
        link.Send(400, DATA);
        link.Pause(10050, 1u << DATA, 65535); // would last 335.5 us
        link.Pause(20030, 1u << DATA, 0);
        NS_TEST_EXPECT_MSG_EQ(link.Run(), "", "end");
        const std::vector<Tick> starts = link.Starts(DATA);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 400, "all arrive");
        // frames start at 0, 100, 200...; the one that began before the effect goes on
        const Tick stop = 10050 + m_response;
        NS_TEST_EXPECT_MSG_EQ(LastBefore(starts, stop), stop / 100 * 100, "last frame before");
        NS_TEST_EXPECT_MSG_EQ(FirstAt(starts, stop), 20030 + m_response, "first frame after");
        NS_TEST_EXPECT_MSG_EQ(starts.back(),
                              20030 + m_response + 100 * (399 - stop / 100 - 1),
                              "line rate to the end");
        NS_TEST_EXPECT_MSG_EQ(link.a.port->GetPauseState().GetPaused(DATA, 1000000),
                              9980,
                              "paused time is from XOFF to XON");
        NS_TEST_EXPECT_MSG_EQ(link.a.port->GetPauseState().GetLongest(DATA, 1000000),
                              9980,
                              "so is the longest pause");
        Simulator::Destroy();
    }

    Tick m_response;
};

/** A7: frames whose enable bits are clear, and frames for two priorities. */
class EnableTest : public TestCase
{
  public:
    EnableTest()
        : TestCase("A7: only enabled priorities stop")
    {
    }

  private:
    void DoRun() override
    {
        PausedLink clear;
        clear.Send(100, DATA);
        clear.Pause(3050, 0, 65535);
        clear.Pause(4050, static_cast<uint8_t>(~(1u << DATA)), 65535);
        clear.Pause(5050, 0, 0);
        NS_TEST_EXPECT_MSG_EQ(clear.Run(), "", "end");
        const std::vector<Tick> starts = clear.Starts(DATA);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 100, "all arrive");
        for (uint32_t i = 0; i < starts.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(starts[i], 100 * i, "frame " << i << " at line rate");
        }
        Simulator::Destroy();

        PausedLink two;
        two.Pause(2000, 0x21, 65535);
        Simulator::Schedule(MicroSeconds(3), [&two]() {
            for (uint8_t priority = 0; priority < NUM_PRIORITIES; ++priority)
            {
                two.Send(10, priority);
            }
        });
        two.Pause(100000, 0x21, 0);
        NS_TEST_EXPECT_MSG_EQ(two.Run(), "", "end");
        for (uint8_t priority = 0; priority < NUM_PRIORITIES; ++priority)
        {
            const bool paused = priority == 0 || priority == 5;
            const std::vector<Tick> times = two.Starts(priority);
            NS_TEST_ASSERT_MSG_EQ(times.size(), 10, "all of priority " << +priority);
            // 60 frames of 100 ns from 3000 on are not paused
            NS_TEST_EXPECT_MSG_EQ((times.front() >= 100000),
                                  paused,
                                  "priority " << +priority << " stopped");
            NS_TEST_EXPECT_MSG_EQ((times.back() < 9000),
                                  !paused,
                                  "priority " << +priority << " went on");
        }
        NS_TEST_EXPECT_MSG_EQ(two.Starts(5).front(), 100000, "the higher one in the tick of XON");
        NS_TEST_EXPECT_MSG_EQ(two.Starts(0).front(), 101000, "the lower one after its ten");
        Simulator::Destroy();
    }
};

/** A pause ends after quanta * 512 bit times (IEEE 802.1Q 36.1.3.2) to one tick. */
class ExpiryTest : public TestCase
{
  public:
    ExpiryTest()
        : TestCase("pauses expire after their quanta, 10G to 800G")
    {
    }

  private:
    /** \return first start after a pause. \param rate Gb/s \param quanta its time \param expires
     *  attribute PauseExpires \param arrival set to when the pause arrived */
    static Tick Resume(uint32_t rate, uint16_t quanta, bool expires, Tick& arrival)
    {
        PausedLink link(expires, std::to_string(rate) + "Gbps");
        arrival = 0;
        link.Pause(2000, 1u << DATA, quanta);
        Tick first = 0;
        Simulator::Schedule(NanoSeconds(3500), [&link]() { link.Send(1, DATA); });
        if (!expires)
        {
            link.Pause(1000000000, 1u << DATA, 0);
        }
        Simulator::Run();
        // the pause frame arrives 84 bytes and the cable after it was sent at 994
        arrival = static_cast<Tick>(994 + 84 * 8.0 / rate) + DELAY_NS;
        const double length = (SIZE + 20) * 8.0 / rate;
        first = link.b.arrivals.at(0).at - DELAY_NS - static_cast<Tick>(length);
        Simulator::Destroy();
        return first;
    }

    void DoRun() override
    {
        for (uint32_t rate : {10, 25, 40, 100, 400, 800})
        {
            for (uint16_t quanta : {3000, 10000, 65535})
            {
                // e.g. 65535 quanta are 335539.2 ns at 100 Gb/s
                Tick arrival;
                const Tick first = Resume(rate, quanta, true, arrival);
                const double expected = std::max(3500.0, arrival + quanta * 512.0 / rate);
                NS_TEST_EXPECT_MSG_EQ_TOL(double(first),
                                          expected,
                                          1,
                                          quanta << " quanta at " << rate << " Gb/s");
            }
        }
        Tick arrival;
        NS_TEST_EXPECT_MSG_EQ_TOL(Resume(100, 1, false, arrival),
                                  1000000000,
                                  1,
                                  "PauseExpires=false: until XON");
        // a second XOFF while paused moves the end: 2500 + 1000 * 5.12
        PausedLink link;
        link.Send(100, DATA);
        link.Pause(2050, 1u << DATA, 1000);
        link.Pause(2500, 1u << DATA, 1000);
        NS_TEST_EXPECT_MSG_EQ(link.Run(), "", "end");
        NS_TEST_EXPECT_MSG_EQ(FirstAt(link.Starts(DATA), 2050), 2500 + 5120, "the last one counts");
        Simulator::Destroy();
    }
};

/** Strict priority, the rule of a port without a scheduler. */
class StrictTest : public TestCase
{
  public:
    StrictTest()
        : TestCase("strict priority, MAC control first")
    {
    }

  private:
    void DoRun() override
    {
        PausedLink link;
        // all at tick 0: the first frame leaves at once, the others wait for it
        for (uint8_t priority = 0; priority < NUM_PRIORITIES; ++priority)
        {
            link.Send(2, priority);
        }
        const std::vector<uint16_t> none(NUM_PRIORITIES, 0);
        link.a.port->SendPause(0, none.data(), 0);
        NS_TEST_EXPECT_MSG_EQ(link.Run(), "", "end");
        std::vector<int> order;
        for (const auto& arrival : link.b.arrivals)
        {
            order.push_back(arrival.header.priority);
        }
        const std::vector<int> expected{0, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0};
        NS_TEST_EXPECT_MSG_EQ((order == expected), true, "the highest first");
        // the pause frame goes second: all after the first are 6.72 ns later
        NS_TEST_EXPECT_MSG_EQ(link.b.arrivals[0].at, 1100, "first frame");
        NS_TEST_EXPECT_MSG_EQ(link.b.arrivals[1].at, 1206, "behind the pause frame");
        NS_TEST_EXPECT_MSG_EQ(link.b.port->GetPauseState().GetFrames(), 1, "pause frame");
        Simulator::Destroy();
    }
};

/** Suite roce-pause. */
class PauseTestSuite : public TestSuite
{
  public:
    PauseTestSuite()
        : TestSuite("roce-pause", TestSuite::Type::UNIT)
    {
        AddTestCase(new NicPauseTest, D::QUICK);
        AddTestCase(new XonTest(0), D::QUICK);
        AddTestCase(new XonTest(500), D::QUICK);
        AddTestCase(new EnableTest, D::QUICK);
        AddTestCase(new ExpiryTest, D::QUICK);
        AddTestCase(new StrictTest, D::QUICK);
    }
};

PauseTestSuite g_pauseTestSuite;

} // namespace
