/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch-test-net.h"
#include "roce-test-compat.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/roce-pause-storm.h"
#include "ns3/roce-pfc-watchdog.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

// Detection 2 ms, restoration 2 ms, polls every 1 ms, links of 1 Gb/s and 1 us, traffic at half the
// rate from host 0 to host 1 (and from 2 to 3) over one switch. A pause frame takes 84 * 8 = 672 ns
// and 1000 ns of cable, so what a host does at t reaches the switch at t + 1672.

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr Tick FLIGHT = 672 + 1000;      //!< of a pause frame, ns
constexpr Tick MS = 1000000;             //!< ns
constexpr uint32_t SIZE = 1230;          //!< bytes of a frame: 10 us with preamble and gap
constexpr Tick LENGTH = (SIZE + 20) * 8; //!< ns at 1 Gb/s

/** A storm that was found or is over. */
struct StormEvent
{
    uint32_t port;
    uint32_t priority;
    bool begins;
    Tick at;
    uint64_t drops; //!< frames the watchdog had dropped by then
};

/** A star with a watchdog. */
class WatchedStar
{
  public:
    /** \param action of the watchdog */
    explicit WatchedStar(const std::string& action = "drop")
        : star(4, "1Gbps", NanoSeconds(1000)),
          watchdog(CreateObject<PfcWatchdog>())
    {
        watchdog->SetAttribute("DetectionTime", TimeValue(MilliSeconds(2)));
        watchdog->SetAttribute("RestorationTime", TimeValue(MilliSeconds(2)));
        watchdog->SetAttribute("PollInterval", TimeValue(MilliSeconds(1)));
        watchdog->SetAttribute("Action", StringValue(action));
        watchdog->TraceConnectWithoutContext("Storm", MakeCallback(&WatchedStar::OnStorm, this));
        star.sw->AddStage(watchdog);
        star.sw->Initialize();
    }

    ~WatchedStar()
    {
        for (const auto& storm : storms)
        {
            storm->Dispose();
        }
    }

    /** Send at half the rate. \param from host \param to host \param priority of all \param end
     *  until, ns */
    void Traffic(uint32_t from, uint32_t to, uint8_t priority, Tick end)
    {
        for (Tick at = 0; at < end; at += 2 * LENGTH)
        {
            star.At(NanoSeconds(at), [this, from, to, priority]() {
                star.hosts[from]->Send(to, 1, SIZE, priority, ECN_ECT0, 64);
            });
        }
    }

    /** A host pauses the switch. \param host the host \param mask priorities \param from ns \param
     *  length ns \param quanta pause time; 2000 are 1.024 ms \param interval between frames, ns; 0:
     *  half the pause time */
    void Storm(uint32_t host,
               uint8_t mask,
               Tick from,
               Tick length,
               uint16_t quanta = 2000,
               Tick interval = 0)
    {
        storms.push_back(CreateObject<PauseStorm>());
        storms.back()->SetAttribute("Quanta", UintegerValue(quanta));
        storms.back()->SetAttribute("Interval", TimeValue(NanoSeconds(interval)));
        storms.back()->Start(star.hosts[host]->port, mask, NanoSeconds(from), NanoSeconds(length));
    }

    /** \return events of a queue. \param port its port \param priority its priority */
    std::vector<StormEvent> Of(uint32_t port, uint32_t priority) const
    {
        std::vector<StormEvent> list;
        for (const StormEvent& event : events)
        {
            if (event.port == port && event.priority == priority)
            {
                list.push_back(event);
            }
        }
        return list;
    }

    TestStar star;
    Ptr<PfcWatchdog> watchdog;
    std::vector<Ptr<PauseStorm>> storms;
    std::vector<StormEvent> events;

  private:
    void OnStorm(uint32_t port, uint32_t priority, bool begins)
    {
        events.push_back({port,
                          priority,
                          begins,
                          EventCore::Get()->Now(),
                          star.sw->GetDrops(DropReason::WATCHDOG)});
    }
};

/** A test of a star with a watchdog. */
class WatchdogTest : public SwitchTest
{
  public:
    explicit WatchdogTest(const std::string& name)
        : SwitchTest(name)
    {
    }

  protected:
    /** What must hold after each run. \param net the network */
    void End(WatchedStar& net)
    {
        Finish(net.star);
        for (const auto& storm : net.storms)
        {
            NS_TEST_EXPECT_MSG_EQ(storm->IsRunning(), false, "the pause storm has ended");
        }
        const PfcWatchdogCounters totals = net.watchdog->GetTotals();
        NS_TEST_EXPECT_MSG_EQ(totals.storms, totals.restores, "each storm was restored");
        NS_TEST_EXPECT_MSG_EQ(totals.storms * 2, net.events.size(), "each was traced");
        NS_TEST_EXPECT_MSG_EQ(totals.dropped,
                              net.star.sw->GetDrops(DropReason::WATCHDOG),
                              "its drops are those of the switch");
        NS_TEST_EXPECT_MSG_EQ(net.star.sw->GetDrops(DropReason::LOSSLESS_BUFFER), 0, "no others");
        NS_TEST_EXPECT_MSG_EQ(net.star.sw->GetDrops(DropReason::LOSSY_BUFFER), 0, "no others");
    }

    /** One storm and one restore, in time. \param net the network \param port egress port \param
     *  priority priority \param from when the switch was paused \param to when no more */
    void CheckOne(const WatchedStar& net, uint32_t port, uint32_t priority, Tick from, Tick to)
    {
        const std::vector<StormEvent> events = net.Of(port, priority);
        NS_TEST_ASSERT_MSG_EQ(events.size(), 2, "one storm, one restore");
        NS_TEST_EXPECT_MSG_EQ(events[0].begins, true, "the storm");
        NS_TEST_EXPECT_MSG_EQ((events[0].at >= from + 2 * MS), true, "not early");
        NS_TEST_EXPECT_MSG_EQ((events[0].at <= from + 3 * MS), true, "not late");
        NS_TEST_EXPECT_MSG_EQ(events[1].begins, false, "the restore");
        NS_TEST_EXPECT_MSG_EQ((events[1].at >= to + 2 * MS), true, "restore not early");
        NS_TEST_EXPECT_MSG_EQ((events[1].at <= to + 3 * MS), true, "restore not late");
    }
};

/** A20 (i), (iii), (iv): nothing to find. */
class NoStormTest : public WatchdogTest
{
  public:
    NoStormTest()
        : WatchdogTest("no storm: short pauses, empty queue, gaps")
    {
    }

  private:
    /** \param what for messages \param setUp makes traffic and pauses */
    void RunOnce(const std::string& what, const std::function<void(WatchedStar&)>& setUp)
    {
        WatchedStar net;
        setUp(net);
        End(net);
        NS_TEST_EXPECT_MSG_EQ(net.events.size(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(net.star.drops.size(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(net.star.hosts[1]->arrivals.size() +
                                  net.star.hosts[3]->arrivals.size(),
                              net.star.hosts[0]->sent + net.star.hosts[2]->sent,
                              what << ": all frames arrive");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        for (const Tick from : {0, 300000, 1000000 - 1672, 1999999})
        {
            RunOnce("1.5 ms from " + std::to_string(from), [from](WatchedStar& net) {
                net.Traffic(0, 1, 3, 15 * MS);
                net.Storm(1, 0x08, from, 3 * MS / 2);
            });
            RunOnce("10 ms, nothing to send", [from](WatchedStar& net) {
                net.Traffic(2, 3, 3, 15 * MS);
                net.Storm(1, 0x08, from, 10 * MS);
            });
        }
        RunOnce("half of every ms", [](WatchedStar& net) {
            net.Traffic(0, 1, 3, 25 * MS);
            // 977 quanta of 512 ns are 0.500224 ms
            net.Storm(1, 0x08, 300000, 20 * MS, 977, MS);
        });
        RunOnce("half of every ms, paused at each poll", [](WatchedStar& net) {
            net.Traffic(0, 1, 3, 25 * MS);
            net.Storm(1, 0x08, 750000, 20 * MS, 977, MS);
        });
        RunOnce("a priority that is not watched", [](WatchedStar& net) {
            net.Traffic(0, 1, 5, 5 * MS);
            net.Storm(1, 0x20, 0, 10 * MS);
        });
    }
};

/** A20 (ii): one storm, one restore; all of the queue is dropped meanwhile and nothing after. */
class OneStormTest : public WatchdogTest
{
  public:
    OneStormTest()
        : WatchdogTest("one storm of 10 ms: drop, restore")
    {
    }

  private:
    void DoRun() override
    {
        for (const Tick from : {0, 300000, 1000000 - 1672, 1500000, 1999999})
        {
            WatchedStar net;
            net.Traffic(0, 1, 3, 20 * MS);
            net.Traffic(2, 3, 3, 20 * MS);
            net.Storm(1, 0x08, from, 10 * MS);
            End(net);
            CheckOne(net, 1, 3, from + FLIGHT, from + 10 * MS + FLIGHT);
            NS_TEST_ASSERT_MSG_EQ(net.events.size(), 2, "no other queue");
            const Tick begin = net.events[0].at;
            const Tick end = net.events[1].at;
            NS_TEST_EXPECT_MSG_EQ(net.events[1].drops,
                                  net.star.drops.size(),
                                  "nothing dropped after the restore");
            // one frame every 20 us reaches the switch: from the pause to the end of the action
            // all of them are dropped, but one that was being sent when the pause came
            const double expected = double(end - from - FLIGHT) / (2 * LENGTH);
            NS_TEST_EXPECT_MSG_EQ_TOL(double(net.star.drops.size()), expected, 2, "drops");
            uint32_t late = 0;
            for (const auto& arrival : net.star.hosts[1]->arrivals)
            {
                late += arrival.at > from + FLIGHT + LENGTH + 1000 && arrival.at < end;
            }
            NS_TEST_EXPECT_MSG_EQ(late, 0, "none arrives from the pause to the restore");
            NS_TEST_EXPECT_MSG_EQ((begin < end), true, "order");
            NS_TEST_EXPECT_MSG_EQ(net.star.hosts[1]->arrivals.size() + net.star.drops.size(),
                                  net.star.hosts[0]->sent,
                                  "arrived or dropped");
            NS_TEST_EXPECT_MSG_EQ(net.star.hosts[3]->arrivals.size(),
                                  net.star.hosts[2]->sent,
                                  "the other port is not touched");
            Simulator::Destroy();
        }
    }
};

/** A20 (v), (vi): queues have states of their own. */
class TwoQueuesTest : public WatchdogTest
{
  public:
    TwoQueuesTest()
        : WatchdogTest("two priorities for 100 ms; two ports at once")
    {
    }

  private:
    void DoRun() override
    {
        {
            WatchedStar net;
            net.Traffic(0, 1, 3, 110 * MS);
            net.Traffic(2, 1, 4, 110 * MS);
            net.Storm(1, 0x18, 300000, 100 * MS);
            End(net);
            CheckOne(net, 1, 3, 300000 + FLIGHT, 100300000 + FLIGHT);
            CheckOne(net, 1, 4, 300000 + FLIGHT, 100300000 + FLIGHT);
            NS_TEST_EXPECT_MSG_EQ(net.events.size(), 4, "no flapping");
            Simulator::Destroy();
        }
        WatchedStar net;
        net.Traffic(0, 1, 3, 20 * MS);
        net.Traffic(2, 3, 3, 20 * MS);
        net.Storm(1, 0x08, 300000, 10 * MS);
        net.Storm(3, 0x08, 700000, 5 * MS);
        End(net);
        CheckOne(net, 1, 3, 300000 + FLIGHT, 10300000 + FLIGHT);
        CheckOne(net, 3, 3, 700000 + FLIGHT, 5700000 + FLIGHT);
        NS_TEST_EXPECT_MSG_EQ(net.events.size(), 4, "one each");
    }
};

/** A20 (vii): the link goes down and comes back while the storm goes on. */
class LinkFlapTest : public WatchdogTest
{
  public:
    LinkFlapTest()
        : WatchdogTest("storm, link down, link up")
    {
    }

  private:
    /** \param down when the link goes down, ns \return the storms that were found */
    std::vector<StormEvent> RunOnce(Tick down)
    {
        WatchedStar net;
        net.Traffic(0, 1, 3, 30 * MS);
        net.Storm(1, 0x08, 300000, 20 * MS);
        net.star.At(NanoSeconds(down), [&net]() { net.star.cables[1]->SetUp(false); });
        net.star.At(MilliSeconds(10), [&net]() { net.star.cables[1]->SetUp(true); });
        End(net);
        std::vector<StormEvent> begins;
        for (const StormEvent& event : net.events)
        {
            if (event.begins)
            {
                begins.push_back(event);
                const bool isDown = event.at >= down && event.at < 10 * MS;
                NS_TEST_EXPECT_MSG_EQ(isDown, false, "no storm while the link is down");
            }
        }
        const StormEvent last = net.events.empty() ? StormEvent{} : net.events.back();
        NS_TEST_EXPECT_MSG_EQ(last.begins, false, "ends restored");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(last.at), 20300000 + FLIGHT + 2.5 * MS, 0.5 * MS, "when");
        Simulator::Destroy();
        return begins;
    }

    void DoRun() override
    {
        const auto before = RunOnce(1500000); // paused for 1.2 ms only
        NS_TEST_ASSERT_MSG_EQ(before.size(), 1, "after the link came back");
        // the next pause frame comes 0.512 ms after that at the latest
        NS_TEST_EXPECT_MSG_EQ((before[0].at >= 12 * MS), true, "2 ms of pause");
        NS_TEST_EXPECT_MSG_EQ((before[0].at <= 13512000 + FLIGHT), true, "and a poll");
        const auto after = RunOnce(6500000);
        NS_TEST_ASSERT_MSG_EQ(after.size(), 2, "before and after");
        NS_TEST_EXPECT_MSG_EQ((after[0].at <= 3300000 + FLIGHT), true, "the first");
        NS_TEST_EXPECT_MSG_EQ((after[1].at >= 12 * MS), true, "the second");
    }
};

/** A20 (viii): frames that end pauses are no pauses. */
class XonStormTest : public WatchdogTest
{
  public:
    XonStormTest()
        : WatchdogTest("XOFF storm turns to XON storm at 10 ms")
    {
    }

  private:
    void DoRun() override
    {
        WatchedStar net;
        net.Traffic(0, 1, 3, 20 * MS);
        net.Storm(1, 0x08, 0, 10 * MS);
        net.Storm(1, 0x08, 10 * MS, 20 * MS, 0, 100000);
        End(net);
        CheckOne(net, 1, 3, FLIGHT, 10 * MS + FLIGHT);
        NS_TEST_EXPECT_MSG_EQ((net.watchdog->GetLastPoll() <= 13 * MS + FLIGHT),
                              true,
                              "no polls after the restore");
    }
};

/** The other actions lose nothing. */
class LosslessActionTest : public WatchdogTest
{
  public:
    LosslessActionTest()
        : WatchdogTest("actions forward and alert")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string action : {"forward", "alert"})
        {
            WatchedStar net(action);
            net.Traffic(0, 1, 3, 20 * MS);
            net.Storm(1, 0x08, 300000, 10 * MS);
            End(net);
            CheckOne(net, 1, 3, 300000 + FLIGHT, 10300000 + FLIGHT);
            NS_TEST_EXPECT_MSG_EQ(net.star.drops.size(), 0, "no drop");
            NS_TEST_EXPECT_MSG_EQ(net.star.hosts[1]->arrivals.size(),
                                  net.star.hosts[0]->sent,
                                  "all arrive");
            const Tick begin = net.events.at(0).at;
            uint64_t during = 0;
            for (const auto& arrival : net.star.hosts[1]->arrivals)
            {
                during += arrival.at > begin && arrival.at < 10300000;
            }
            const bool forwards = action == "forward";
            NS_TEST_EXPECT_MSG_EQ((during > 0), forwards, action << ": frames in the storm");
            // until the restore at 13 ms: forward sends what came since 0.3017 ms, one every 20
            // us; alert begins to send its backlog at 10.3017 ms, one every 10 us
            const double expected = forwards ? (13 - 0.3017) * 50 : (13 - 10.3017) * 100;
            NS_TEST_EXPECT_MSG_EQ_TOL(double(net.watchdog->GetCounters(1, 3).forwarded),
                                      expected,
                                      3,
                                      action << ": frames that left before the restore");
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(Refuses("ignore"), true, "unknown action");
    }

    /** \return whether an action is refused with its name. \param action the action */
    static bool Refuses(const std::string& action)
    {
        try
        {
            CreateObject<PfcWatchdog>()->SetAction(action);
        }
        catch (const std::invalid_argument& error)
        {
            return std::string(error.what()).find(action) != std::string::npos;
        }
        return false;
    }
};

/** A pause that no frame ends and that does not expire: the run returns all the same. */
class EndlessPauseTest : public WatchdogTest
{
  public:
    EndlessPauseTest()
        : WatchdogTest("a pause without end")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::roce::Port::PauseExpires", BooleanValue(false));
        {
            WatchedStar net;
            net.Traffic(0, 1, 3, 10 * MS);
            net.star.At(MicroSeconds(300), [&net]() { net.star.hosts[1]->Pause(3, 1); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ((Simulator::Now() < MilliSeconds(12)), true, "Run returned");
            NS_TEST_ASSERT_MSG_EQ(net.events.size(), 1, "a storm without an end");
            NS_TEST_EXPECT_MSG_EQ((net.watchdog->GetState(1, 3) == PfcWatchdogState::STORMED),
                                  true,
                                  "it goes on");
            NS_TEST_EXPECT_MSG_EQ(net.star.sw->GetMmu().GetTotal().used, 0, "all was dropped");
            // a late XON wakes it
            net.star.At(MilliSeconds(30) - Simulator::Now(),
                        [&net]() { net.star.hosts[1]->Pause(3, 0); });
            End(net);
            CheckOne(net, 1, 3, 300000 + FLIGHT, 30 * MS + FLIGHT);
        }
        Simulator::Destroy();
        Config::SetDefault("ns3::roce::Port::PauseExpires", BooleanValue(true));
    }
};

/** Suite roce-pfc-watchdog. */
class PfcWatchdogTestSuite : public TestSuite
{
  public:
    PfcWatchdogTestSuite()
        : TestSuite("roce-pfc-watchdog", TestSuite::Type::UNIT)
    {
        AddTestCase(new NoStormTest, D::QUICK);
        AddTestCase(new OneStormTest, D::QUICK);
        AddTestCase(new TwoQueuesTest, D::QUICK);
        AddTestCase(new LinkFlapTest, D::QUICK);
        AddTestCase(new XonStormTest, D::QUICK);
        AddTestCase(new LosslessActionTest, D::QUICK);
        AddTestCase(new EndlessPauseTest, D::QUICK);
    }
};

PfcWatchdogTestSuite g_pfcWatchdogTestSuite;

} // namespace
