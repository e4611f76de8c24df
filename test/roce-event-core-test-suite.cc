/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-compat.h"
#include "roce-test-fabric.h"

#include "ns3/roce-event-core.h"

#include <csignal>
#include <cstdio>
#include <queue>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** One firing: tick and label. */
using Firing = std::pair<Tick, uint32_t>;
/** What happened, in order. */
using History = std::vector<Firing>;

/** An event that writes its label down and then perhaps does something. */
class NoteEvent final : public Event
{
  public:
    /** \param history where to \param label what */
    NoteEvent(History& history, uint32_t label)
        : m_history(history),
          m_label(label)
    {
    }

    void Fire(Tick now) override
    {
        m_history.emplace_back(now, m_label);
        if (action)
        {
            action(now);
        }
    }

    std::function<void(Tick)> action; //!< done after writing

  private:
    History& m_history;
    uint32_t m_label;
};

/** Order within a tick: arrivals, then service, each in order of scheduling. */
class OrderTest : public FabricTest
{
  public:
    OrderTest()
        : FabricTest("order: tick, phase, first come")
    {
    }

  private:
    void DoRun() override
    {
        const Ptr<EventCore> core = EventCore::Get();
        History history;
        std::deque<NoteEvent> notes;
        for (uint32_t i = 0; i < 8; ++i)
        {
            notes.emplace_back(history, i);
        }
        core->At(7, &notes[0], EventPhase::SERVICE);
        core->At(7, &notes[1], EventPhase::ARRIVAL);
        core->At(7, &notes[2], EventPhase::SERVICE);
        core->At(5, &notes[3], EventPhase::SERVICE);
        core->At(7, &notes[4], EventPhase::ARRIVAL);
        core->At(5, &notes[3], EventPhase::SERVICE); // one event, twice
        // an arrival added in the present tick goes before the services that wait
        notes[0].action = [&](Tick now) {
            core->At(now, &notes[5], EventPhase::SERVICE);
            core->At(now, &notes[6], EventPhase::ARRIVAL);
            core->At(now + 1, &notes[7], EventPhase::ARRIVAL);
        };
        NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 6, "pending");
        Simulator::Run();
        const History expected =
            {{5, 3}, {5, 3}, {7, 1}, {7, 4}, {7, 0}, {7, 6}, {7, 2}, {7, 5}, {8, 7}};
        NS_TEST_EXPECT_MSG_EQ((history == expected), true, "order");
        NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 0, "nothing is left");
        NS_TEST_EXPECT_MSG_EQ(core->GetEventCount(), 9, "counted");
        // one for tick 7, one for the earlier 5, and those for 7 (again) and 8
        NS_TEST_EXPECT_MSG_LT_OR_EQ(core->GetStockEventCount(), 4, "one ns-3 event a tick");
    }
};

/** Random events, near and far, against a plain priority queue. */
class RandomOrderTest : public FabricTest
{
  public:
    RandomOrderTest()
        : FabricTest("random events against a priority queue")
    {
    }

  private:
    /** What the event of a label schedules: ticks ahead and phase. */
    struct Child
    {
        Tick ahead;
        EventPhase phase;
    };

    /** \return what event `label` schedules; a function of the label alone. \param label label */
    static std::vector<Child> ChildrenOf(uint32_t label)
    {
        std::mt19937 random(label * 7919 + 1);
        // around the wheel of 4096 ticks, and far beyond it
        const Tick spans[] = {0, 1, 3, 64, 4000, 4095, 4096, 4097, 8192, 20000, 1000003};
        std::vector<Child> children(random() % 3);
        for (Child& child : children)
        {
            const Tick most = spans[random() % 11];
            child.ahead = random() % 2 ? most : static_cast<Tick>(random() % (most + 1));
            child.phase = random() % 2 ? EventPhase::ARRIVAL : EventPhase::SERVICE;
        }
        return children;
    }

    /** \return what a priority queue of (tick, phase, order of scheduling) gives */
    static History Reference()
    {
        using Entry = std::tuple<Tick, unsigned, uint32_t>; // the label is the order
        std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
        uint32_t labels = 0;
        for (; labels < ROOTS; ++labels)
        {
            queue.emplace(labels * 997 % 30000, labels % 2, labels);
        }
        History history;
        while (!queue.empty())
        {
            const auto [tick, phase, label] = queue.top();
            queue.pop();
            history.emplace_back(tick, label);
            for (const Child& child : ChildrenOf(label))
            {
                if (labels < LIMIT)
                {
                    queue.emplace(tick + child.ahead, unsigned(child.phase), labels++);
                }
            }
        }
        return history;
    }

    void DoRun() override
    {
        const Ptr<EventCore> core = EventCore::Get();
        History history;
        std::deque<NoteEvent> notes;
        const auto add = [&](Tick at, EventPhase phase) {
            const auto label = static_cast<uint32_t>(notes.size());
            notes.emplace_back(history, label);
            notes.back().action = [this, label](Tick now) { m_fired(label, now); };
            core->At(at, &notes.back(), phase);
        };
        m_fired = [&](uint32_t label, Tick now) {
            for (const Child& child : ChildrenOf(label))
            {
                if (notes.size() < LIMIT)
                {
                    add(now + child.ahead, child.phase);
                }
            }
        };
        for (uint32_t i = 0; i < ROOTS; ++i)
        {
            add(i * 997 % 30000, i % 2 ? EventPhase::SERVICE : EventPhase::ARRIVAL);
        }
        Simulator::Run();
        const History expected = Reference();
        NS_TEST_EXPECT_MSG_EQ(history.size(), expected.size(), "all events");
        NS_TEST_EXPECT_MSG_GT(history.size(), 3000, "the family did not die out");
        NS_TEST_EXPECT_MSG_EQ((history == expected), true, "the same order");
        NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 0, "nothing is left");
    }

    static constexpr uint32_t ROOTS = 500;
    static constexpr uint32_t LIMIT = 20000;
    std::function<void(uint32_t, Tick)> m_fired;
};

/** Stop and Forget. */
class StopForgetTest : public FabricTest
{
  public:
    StopForgetTest()
        : FabricTest("Stop ends after the tick; Forget")
    {
    }

  private:
    void DoRun() override
    {
        const Ptr<EventCore> core = EventCore::Get();
        History history;
        std::deque<NoteEvent> notes;
        for (uint32_t i = 0; i < 5; ++i)
        {
            notes.emplace_back(history, i);
        }
        core->At(10, &notes[0], EventPhase::ARRIVAL);
        core->At(10, &notes[1], EventPhase::SERVICE);
        core->At(11, &notes[2], EventPhase::ARRIVAL);
        core->At(11, &notes[3], EventPhase::ARRIVAL);
        core->At(11, &notes[2], EventPhase::SERVICE);
        core->At(50000, &notes[2], EventPhase::SERVICE);
        core->At(50000, &notes[4], EventPhase::SERVICE);
        notes[0].action = [](Tick) { Simulator::Stop(); };
        Simulator::Run();
        const History half = {{10, 0}, {10, 1}};
        NS_TEST_EXPECT_MSG_EQ((history == half), true, "the tick is finished");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetTimeStep(), 10, "and no further");
        NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 5, "the rest waits");
        core->Forget(&notes[2]);
        NS_TEST_EXPECT_MSG_EQ(core->GetPending(), 2, "all three instances are gone");
        core->At(12, &notes[0], EventPhase::ARRIVAL);
        notes[0].action = nullptr;
        Simulator::Run();
        const History all = {{10, 0}, {10, 1}, {11, 3}, {12, 0}, {50000, 4}};
        NS_TEST_EXPECT_MSG_EQ((history == all), true, "then it goes on");
        // only what was forgotten was left: the run ends, and later events work
        core->At(60000, &notes[1], EventPhase::ARRIVAL);
        core->Forget(&notes[1]);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((history == all), true, "nothing happens");
        core->At(Simulator::Now().GetTimeStep(), &notes[3], EventPhase::ARRIVAL);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(history.size(), 6, "at the present tick");
    }
};

/** An event in the past ends the program with a message. */
class PastTest : public FabricTest
{
  public:
    PastTest()
        : FabricTest("an event in the past aborts")
    {
    }

  private:
    /** \return whether the action ends its process by SIGABRT. \param action what */
    static bool Aborts(const std::function<void()>& action)
    {
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0)
        {
            if (!std::freopen("/dev/null", "w", stderr))
            {
                _exit(2);
            }
            std::signal(SIGABRT, SIG_DFL);
            action();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    }

    void DoRun() override
    {
        const Ptr<EventCore> core = EventCore::Get();
        History history;
        NoteEvent inside(history, 0);
        NoteEvent late(history, 1);
        bool aborts = false;
        inside.action = [&](Tick now) {
            aborts = Aborts([&] { core->At(now - 1, &late, EventPhase::ARRIVAL); });
            core->At(now, &late, EventPhase::ARRIVAL);
        };
        core->At(10, &inside, EventPhase::ARRIVAL);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(aborts, true, "from an event of the module");
        NS_TEST_EXPECT_MSG_EQ(Aborts([&] { core->At(9, &late, EventPhase::ARRIVAL); }),
                              true,
                              "from outside");
        NS_TEST_EXPECT_MSG_EQ(Aborts([&] { core->At(10, &late, EventPhase::ARRIVAL); }),
                              false,
                              "the present is not the past");
        NS_TEST_EXPECT_MSG_EQ(history.size(), 2, "nothing else happened");
    }
};

/** A run with queues, pauses, marks and random numbers, on any scheduler. */
class SchedulersTest : public FabricTest
{
  public:
    SchedulersTest()
        : FabricTest("same results with all schedulers, and twice in one process")
    {
    }

  private:
    /** \return completion times, then counters. \param scheduler TypeId name */
    std::vector<uint64_t> RunOnce(const std::string& scheduler)
    {
        ObjectFactory factory;
        factory.SetTypeId(scheduler);
        Simulator::SetScheduler(factory);
        helper->SetCongestionControl("dcqcn");
        helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        helper->SetEcnAttribute("KminBytes", UintegerValue(10000));
        helper->SetEcnAttribute("KmaxBytes", UintegerValue(100000));
        Build(StarGraph(6, 100 * GBPS, 1000));
        helper->AssignStreams(fabric, 1);
        for (uint32_t i = 1; i < 6; ++i)
        {
            Post(Open(i, 0), 300000 + i);
            Post(Open(0, i), 10000 + i);
            TestFlow& flow = flows.back();
            flow.onSent = [&flow](const Completion&) {
                if (flow.posted.size() < 5)
                {
                    Post(flow, 5000);
                }
            };
        }
        Run();
        std::vector<uint64_t> results;
        for (const TestFlow& flow : flows)
        {
            for (const Completion& completion : flow.sent)
            {
                results.push_back(completion.completed);
            }
        }
        const Ptr<Switch> device = fabric->GetSwitch(6);
        results.push_back(device->GetEcnMarks());
        results.push_back(device->GetPfcController()->GetXoffs(3));
        results.push_back(device->GetMmu().GetTotal().peak);
        results.push_back(EventCore::Get()->GetEventCount());
        results.push_back(EventCore::Get()->GetFrameHops());
        NS_TEST_EXPECT_MSG_GT(device->GetEcnMarks(), 0, "marks were drawn");
        NS_TEST_EXPECT_MSG_GT(device->GetPfcController()->GetXoffs(3), 0, "pauses were sent");
        Reset();
        return results;
    }

    void DoRun() override
    {
        const auto first = RunOnce("ns3::MapScheduler");
        NS_TEST_EXPECT_MSG_EQ((RunOnce("ns3::MapScheduler") == first), true, "again");
        for (const char* name : {"ns3::HeapScheduler",
                                 "ns3::CalendarScheduler",
                                 "ns3::PriorityQueueScheduler",
                                 "ns3::ListScheduler"})
        {
            NS_TEST_EXPECT_MSG_EQ((RunOnce(name) == first), true, name);
        }
        ObjectFactory factory;
        factory.SetTypeId("ns3::MapScheduler");
        Simulator::SetScheduler(factory);
    }
};

/** A simulation that ends in the middle of everything leaves nothing behind. */
class DestroyTest : public FabricTest
{
  public:
    DestroyTest()
        : FabricTest("Destroy with events, frames and timers pending")
    {
    }

  private:
    void DoRun() override
    {
        for (const int64_t stop : {0, 1, 1500, 30000, 100000})
        {
            helper->SetCongestionControl("dcqcn");
            helper->SetCnpAttribute("ProcessingDelay", TimeValue(MicroSeconds(3)));
            helper->SetNicAttribute("CnpHandling", TimeValue(MicroSeconds(3)));
            helper->SetPortAttribute("PauseResponse", TimeValue(NanoSeconds(500)));
            helper->SetSwitchAttribute("BufferSize", UintegerValue(1000000));
            helper->SetEcnAttribute("KminBytes", UintegerValue(1000));
            helper->SetEcnAttribute("KmaxBytes", UintegerValue(2000));
            Build(StarGraph(6, 100 * GBPS, 1000));
            for (uint32_t i = 1; i < 6; ++i)
            {
                Post(Open(i, 0), 1000000);
                Post(Open(i, 0), 1000000);
            }
            Simulator::Stop(NanoSeconds(stop));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_GT(fabric->GetOpenRequests(), 0, "work is open");
            NS_TEST_EXPECT_MSG_GT(EventCore::Get()->GetPending(), 0, "events are pending");
            Reset();
            NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPending(), 0, "a new core is empty");
            NS_TEST_EXPECT_MSG_EQ(EventCore::Get()->GetPool().GetLive(), 0, "and its pool");
            Simulator::Destroy();
        }
        Build(StarGraph(2, 100 * GBPS, 1000));
        Post(Open(0, 1), 1000);
        Run();
        NS_TEST_EXPECT_MSG_EQ(flows[0].Fct(), 4189, "the next run is not touched: 4189.44 ns");
    }
};

/** The suite. */
class EventCoreTestSuite : public TestSuite
{
  public:
    EventCoreTestSuite()
        : TestSuite("roce-event-core", TestSuite::Type::UNIT)
    {
        AddTestCase(new OrderTest, D::QUICK);
        AddTestCase(new RandomOrderTest, D::QUICK);
        AddTestCase(new StopForgetTest, D::QUICK);
        AddTestCase(new PastTest, D::QUICK);
        AddTestCase(new SchedulersTest, D::QUICK);
        AddTestCase(new DestroyTest, D::QUICK);
    }
};

const EventCoreTestSuite g_eventCoreTestSuite;

} // namespace
