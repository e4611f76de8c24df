/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EVENT_CORE_H
#define ROCE_EVENT_CORE_H

#include "roce-event.h"
#include "roce-link-timing.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/roce-frame-pool.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The module's event list: all its events of one tick run inside one ordinary ns-3 event.
 *
 * Models: a timing wheel of 4096 one-tick buckets and a map for what is further away. It arms one
 * ns-3 event for the earliest non-empty tick, so it works with any simulator implementation and
 * scheduler, and results are the same with each. It also owns the frame pool of the simulation.
 *
 * Invariants: events run in the order of (tick, phase, order of scheduling): first all arrivals
 * of a tick, then transmitters, arbiters and timers, and an arrival that is added meanwhile goes
 * first again. No event is scheduled in the past. Simulator::Stop() takes effect after the
 * present tick. Simulator::GetContext() inside an event of the module is unspecified: what is
 * handed to applications goes through Simulator::ScheduleWithContext. Events of the module are
 * counted here (GetEventCount), not by Simulator::GetEventCount.
 *
 * Leaves out: events before the simulation's present time, cancelling, threads.
 */
class EventCore : public SimpleRefCount<EventCore>
{
  public:
    EventCore();
    ~EventCore();
    EventCore(const EventCore&) = delete;
    EventCore& operator=(const EventCore&) = delete;

    /**
     * \return the core of the present simulation; it lasts until Simulator::Destroy, and longer
     *         for those who hold it
     */
    static Ptr<EventCore> Get();

    /**
     * \return the present tick
     */
    Tick Now() const;

    /**
     * Let an event happen.
     * \param at when; aborts if it lies in the past
     * \param event what; must stay alive
     * \param phase order within the tick
     */
    void At(Tick at, Event* event, EventPhase phase)
    {
        if (__builtin_expect(!m_inside, 0))
        {
            AtFromOutside(at, event, phase);
            return;
        }
        if (__builtin_expect(at < m_now, 0))
        {
            RefusePast(at, m_now);
        }
        Insert(at, event, phase);
    }

    /**
     * Remove all pending instances of an event; for owners that end before the simulation does.
     * Costs a scan of all pending events.
     * \param event the event
     */
    void Forget(const Event* event);

    /**
     * \return the frame pool of this simulation
     */
    FramePool& GetPool()
    {
        return m_pool;
    }

    /**
     * \param rate bit/s
     * \param overhead bytes the link adds to each frame
     * \param truncate whether lengths are cut to whole ticks
     * \return how long frames last on such links; shared, valid as long as the core
     */
    LinkTiming* GetTiming(uint64_t rate, uint32_t overhead, bool truncate);

    /**
     * Count a frame that reached a port.
     */
    void CountHop()
    {
        ++m_frameHops;
    }

    /**
     * \return frames received by any port so far, data and control
     */
    uint64_t GetFrameHops() const
    {
        return m_frameHops;
    }

    /**
     * \return events of the module that ran so far
     */
    uint64_t GetEventCount() const
    {
        return m_fired;
    }

    /**
     * \return ns-3 events the core has used so far
     */
    uint64_t GetStockEventCount() const
    {
        return m_stockEvents;
    }

    /**
     * \return events waiting
     */
    uint64_t GetPending() const
    {
        return m_pending;
    }

  private:
    struct Node
    {
        Node* next;
        Event* event;
    };

    struct List
    {
        Node* head{nullptr};
        Node* tail{nullptr};
    };

    struct Slot
    {
        List list[2]; //!< by phase
    };

    /** Runs one tick from ns-3's event list. */
    class TickEvent : public EventImpl
    {
      public:
        explicit TickEvent(EventCore* core);
        void Detach();

      private:
        void Notify() override;
        EventCore* m_core;
    };

    static constexpr unsigned WHEEL_BITS = 12;
    static constexpr Tick WHEEL_SIZE = Tick(1) << WHEEL_BITS;
    static constexpr Tick WHEEL_MASK = WHEEL_SIZE - 1;

    void Insert(Tick at, Event* event, EventPhase phase)
    {
        Node* node = m_free;
        if (__builtin_expect(node == nullptr, 0))
        {
            node = Grow();
        }
        m_free = node->next;
        node->next = nullptr;
        node->event = event;
        ++m_pending;
        if (__builtin_expect(at - m_now < WHEEL_SIZE, 1))
        {
            Append(at, node, static_cast<unsigned>(phase));
        }
        else
        {
            m_far.emplace(at, std::make_pair(node, static_cast<unsigned>(phase)));
        }
    }

    void Append(Tick at, Node* node, unsigned phase)
    {
        const Tick index = at & WHEEL_MASK;
        List& list = m_slots[index].list[phase];
        if (list.head == nullptr)
        {
            list.head = node;
            m_bits[index >> 6] |= uint64_t(1) << (index & 63);
        }
        else
        {
            list.tail->next = node;
        }
        list.tail = node;
    }

    void AtFromOutside(Tick at, Event* event, EventPhase phase);
    [[noreturn]] static void RefusePast(Tick at, Tick now);
    Node* Grow();
    void Arm(Tick now, Tick at);
    void RunTick();
    void MigrateFar();
    Tick FindNext() const;
    void Clear();

    std::vector<Slot> m_slots;
    std::vector<uint64_t> m_bits;
    std::multimap<Tick, std::pair<Node*, unsigned>> m_far; //!< equal ticks keep their order
    Node* m_free{nullptr};
    Tick m_now{0};
    Tick m_armed{NEVER};
    bool m_inside{false};
    uint64_t m_pending{0};
    uint64_t m_fired{0};
    uint64_t m_stockEvents{0};
    uint64_t m_frameHops{0};
    FramePool m_pool;
    std::vector<std::unique_ptr<Node[]>> m_chunks;
    std::map<std::tuple<uint64_t, uint32_t, bool>, std::unique_ptr<LinkTiming>> m_timings;
    Ptr<TickEvent> m_tickEvent;

    friend class EventCoreHolder;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EVENT_CORE_H
