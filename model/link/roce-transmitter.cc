/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-transmitter.h"

#include "roce-port-owner.h"
#include "roce-port-scheduler.h"
#include "roce-port.h"

namespace ns3
{
namespace roce
{

Transmitter::Transmitter() = default;

void
Transmitter::Assemble(EventCore* core, PortOwner* owner, uint32_t index, Role role)
{
    m_core = core;
    m_owner = owner;
    m_index = static_cast<uint16_t>(index);
    m_flags |= role == NIC ? PULLS : NOTIFIES;
}

void
Transmitter::Attach(LinkTiming* timing, uint32_t delay, uint32_t peerIndex)
{
    m_timing = timing;
    m_delay = delay;
    m_peerIndex = static_cast<uint16_t>(peerIndex);
    m_flags &= ~DOWN;
    m_paused = 0;
}

void
Transmitter::SetScheduler(PortScheduler* scheduler)
{
    m_scheduler = scheduler;
    m_flags = scheduler ? (m_flags | SCHEDULED) : (m_flags & ~SCHEDULED);
}

void
Transmitter::Start(Frame* frame, Tick now, uint16_t fraction)
{
    const LinkTiming::Span& span = m_timing->Of(frame->size);
    uint64_t remainder = m_timing->FromFraction(fraction);
    if (m_busyUntil == now && m_remainder > remainder)
    {
        remainder = m_remainder; // back to back: go on where the last frame ended
    }
    remainder += span.remainder;
    uint64_t ticks = span.ticks;
    if (remainder >= m_timing->GetDenominator())
    {
        remainder -= m_timing->GetDenominator();
        ++ticks;
    }
    m_busyUntil = now + static_cast<Tick>(ticks);
    m_remainder = remainder;
    frame->arrival = m_busyUntil + m_delay;
    frame->fraction = m_timing->ToFraction(remainder);
    frame->inPort = m_peerIndex;
    ++frame->hops;
    if (__builtin_expect(m_flags & WATCHED, 0))
    {
        Watch(frame);
    }
    m_flight.Push(frame, m_flags & EAGER);
    if (__builtin_expect((m_flags & (EAGER | PENDING)) == EAGER, 0))
    {
        Schedule();
    }
}

void
Transmitter::Enqueue(Frame* frame, unsigned queue, Tick now)
{
    const uint16_t bit = 1u << queue;
    if (m_busyUntil <= now && !(m_flags & PENDING) && !(m_nonEmpty & ~m_paused) &&
        !(m_paused & bit))
    {
        if ((m_flags & NOTIFIES) && queue != MAC_CONTROL)
        {
            m_owner->Departing(frame, m_index, now);
        }
        Start(frame, now, frame->fraction);
        return;
    }
    if (__builtin_expect(m_flags & DOWN, 0))
    {
        Discard(frame, queue, now);
        return;
    }
    m_queues[queue].Push(frame);
    m_nonEmpty |= bit;
    if (!(m_flags & PENDING) && !(m_paused & bit))
    {
        Schedule();
    }
}

void
Transmitter::Serve(Tick now)
{
    const unsigned eligible = m_nonEmpty & ~m_paused;
    if (eligible)
    {
        unsigned queue = 31 - __builtin_clz(eligible);
        if (__builtin_expect((m_flags & SCHEDULED) && queue != MAC_CONTROL, 0))
        {
            queue = m_scheduler->Pick(static_cast<uint8_t>(eligible), m_queues);
        }
        TransmitQueue& waiting = m_queues[queue];
        Frame* frame = waiting.Pop();
        if (waiting.IsEmpty())
        {
            m_nonEmpty &= ~(1u << queue);
        }
        else
        {
            __builtin_prefetch(waiting.Peek());
        }
        if ((m_flags & NOTIFIES) && queue != MAC_CONTROL)
        {
            m_owner->Departing(frame, m_index, now);
        }
        Start(frame, now, 0);
        if (!(m_flags & PENDING) && ((m_nonEmpty & ~m_paused) || (m_flags & PULLS)))
        {
            Schedule();
        }
        return;
    }
    if ((m_flags & PULLS) && m_owner->Pull(m_index, now) && !(m_flags & PENDING))
    {
        Schedule();
    }
}

void
Transmitter::Fire(Tick now)
{
    m_flags &= ~PENDING;
    if (__builtin_expect(now < m_busyUntil, 0))
    {
        Schedule(); // a frame was started meanwhile
        return;
    }
    Serve(now);
}

void
Transmitter::Discard(Frame* frame, unsigned queue, Tick now)
{
    if (queue != MAC_CONTROL)
    {
        m_owner->Discarded(frame, m_index, now);
    }
    m_core->GetPool().Free(frame);
}

void
Transmitter::Flush(unsigned queue, Tick now)
{
    m_nonEmpty &= ~(1u << queue);
    while (!m_queues[queue].IsEmpty())
    {
        Discard(m_queues[queue].Pop(), queue, now);
    }
}

void
Transmitter::Dispose()
{
    if (m_flags & PENDING)
    {
        m_core->Forget(this);
        m_flags &= ~PENDING;
    }
    m_flight.Lose();
    for (auto& queue : m_queues)
    {
        while (!queue.IsEmpty())
        {
            m_core->GetPool().Free(queue.Pop());
        }
    }
    m_nonEmpty = 0;
}

uint64_t
Transmitter::SetUp(bool up, Tick now)
{
    if (up == !(m_flags & DOWN))
    {
        return 0;
    }
    if (up)
    {
        m_flags &= ~DOWN;
        m_paused = 0;
        Kick(now);
        return 0;
    }
    m_flags |= DOWN;
    m_paused = ALL;
    const uint64_t lost = m_flight.Lose();
    for (unsigned queue = 0; queue < NUM_QUEUES; ++queue)
    {
        while (!m_queues[queue].IsEmpty())
        {
            Discard(m_queues[queue].Pop(), queue, now);
        }
    }
    m_nonEmpty = 0;
    return lost;
}

} // namespace roce
} // namespace ns3
