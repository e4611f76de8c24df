/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-event-core.h"

#include "ns3/abort.h"
#include "ns3/simulation-singleton.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

/** Ties one core to one simulation. */
class EventCoreHolder
{
  public:
    EventCoreHolder()
        : m_core(Create<EventCore>())
    {
    }

    ~EventCoreHolder()
    {
        m_core->Clear();
    }

    /** \return the core */
    Ptr<EventCore> Get() const
    {
        return m_core;
    }

  private:
    Ptr<EventCore> m_core;
};

EventCore::TickEvent::TickEvent(EventCore* core)
    : m_core(core)
{
}

void
EventCore::TickEvent::Detach()
{
    m_core = nullptr;
}

void
EventCore::TickEvent::Notify()
{
    if (m_core)
    {
        m_core->RunTick();
    }
}

EventCore::EventCore()
    : m_slots(WHEEL_SIZE),
      m_bits(WHEEL_SIZE / 64),
      m_tickEvent(Create<TickEvent>(this))
{
}

EventCore::~EventCore()
{
    m_tickEvent->Detach();
}

Ptr<EventCore>
EventCore::Get()
{
    return SimulationSingleton<EventCoreHolder>::Get()->Get();
}

Tick
EventCore::Now() const
{
    return m_inside ? m_now : Simulator::Now().GetTimeStep();
}

EventCore::Node*
EventCore::Grow()
{
    constexpr unsigned count = 1024;
    m_chunks.push_back(std::make_unique<Node[]>(count));
    Node* nodes = m_chunks.back().get();
    for (unsigned i = count; i-- > 0;)
    {
        nodes[i].next = m_free;
        m_free = &nodes[i];
    }
    return m_free;
}

LinkTiming*
EventCore::GetTiming(uint64_t rate, uint32_t overhead, bool truncate)
{
    auto& timing = m_timings[std::make_tuple(rate, overhead, truncate)];
    if (!timing)
    {
        timing = std::make_unique<LinkTiming>(rate, overhead, truncate, TicksPerSecond());
    }
    return timing.get();
}

void
EventCore::RefusePast(Tick at, Tick now)
{
    NS_FATAL_ERROR("event scheduled for tick " << at << ", which lies before the present tick "
                                               << now);
}

void
EventCore::AtFromOutside(Tick at, Event* event, EventPhase phase)
{
    const Tick now = Simulator::Now().GetTimeStep();
    if (at < now)
    {
        RefusePast(at, now);
    }
    if (m_pending == 0)
    {
        m_now = now; // nothing refers to the old position of the wheel
    }
    Insert(at, event, phase);
    if (at < m_armed)
    {
        Arm(now, at);
    }
}

void
EventCore::Arm(Tick now, Tick at)
{
    m_armed = at;
    ++m_stockEvents;
    m_tickEvent->Ref(); // the simulator drops it after the event ran
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, Time(at - now), PeekPointer(m_tickEvent));
}

void
EventCore::MigrateFar()
{
    while (!m_far.empty() && m_far.begin()->first - m_now < WHEEL_SIZE)
    {
        auto first = m_far.begin();
        Append(first->first, first->second.first, first->second.second);
        m_far.erase(first);
    }
}

void
EventCore::RunTick()
{
    const Tick now = Simulator::Now().GetTimeStep();
    if (m_armed <= now)
    {
        m_armed = NEVER;
    }
    m_now = now;
    if (!m_far.empty())
    {
        MigrateFar();
    }
    m_inside = true;
    Slot& slot = m_slots[now & WHEEL_MASK];
    for (;;)
    {
        List& list = slot.list[0].head ? slot.list[0] : slot.list[1];
        Node* node = list.head;
        if (!node)
        {
            break;
        }
        list.head = node->next;
        if (node->next)
        {
            __builtin_prefetch(node->next->event);
        }
        Event* event = node->event;
        node->next = m_free;
        m_free = node;
        --m_pending;
        ++m_fired;
        event->Fire(now);
    }
    m_bits[(now & WHEEL_MASK) >> 6] &= ~(uint64_t(1) << (now & 63));
    m_inside = false;
    if (m_pending)
    {
        const Tick next = FindNext();
        if (next < m_armed)
        {
            Arm(now, next);
        }
    }
}

Tick
EventCore::FindNext() const
{
    const Tick index = m_now & WHEEL_MASK;
    std::size_t word = index >> 6;
    uint64_t bits = m_bits[word] & (~uint64_t(0) << (index & 63));
    for (std::size_t i = 0; !bits && i <= m_bits.size(); ++i)
    {
        word = (word + 1) & (m_bits.size() - 1);
        bits = m_bits[word];
    }
    if (!bits)
    {
        return m_far.begin()->first;
    }
    const Tick found = Tick(word << 6) + __builtin_ctzll(bits);
    return m_now + ((found - index) & WHEEL_MASK);
}

void
EventCore::Forget(const Event* event)
{
    for (auto& slot : m_slots)
    {
        for (auto& list : slot.list)
        {
            Node** link = &list.head;
            Node* last = nullptr;
            while (Node* node = *link)
            {
                if (node->event != event)
                {
                    last = node;
                    link = &node->next;
                    continue;
                }
                *link = node->next;
                node->next = m_free;
                m_free = node;
                --m_pending;
            }
            list.tail = last;
        }
    }
    for (auto it = m_far.begin(); it != m_far.end();)
    {
        if (it->second.first->event == event)
        {
            it->second.first->next = m_free;
            m_free = it->second.first;
            it = m_far.erase(it);
            --m_pending;
        }
        else
        {
            ++it;
        }
    }
}

void
EventCore::Clear()
{
    for (auto& slot : m_slots)
    {
        slot = Slot();
    }
    std::fill(m_bits.begin(), m_bits.end(), 0);
    m_far.clear();
    m_chunks.clear();
    m_free = nullptr;
    m_pending = 0;
    m_armed = NEVER;
}

} // namespace roce
} // namespace ns3
