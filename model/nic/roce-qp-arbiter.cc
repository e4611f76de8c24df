/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-qp-arbiter.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
QpArbiter::PushDue(Lane& lane, const Entry& entry)
{
    if (lane.due.full())
    {
        lane.due.set_capacity(std::max<std::size_t>(4, 2 * lane.due.capacity()));
    }
    lane.due.push_back(entry);
}

void
QpArbiter::PushHeap(std::vector<Entry>& heap, const Entry& entry)
{
    std::size_t hole = heap.size();
    heap.push_back(entry);
    while (hole > 0)
    {
        const std::size_t parent = (hole - 1) / 2;
        if (!(entry < heap[parent]))
        {
            break;
        }
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = entry;
}

void
QpArbiter::PopHeap(std::vector<Entry>& heap)
{
    const Entry last = heap.back();
    heap.pop_back();
    if (heap.empty())
    {
        return;
    }
    std::size_t hole = 0;
    for (;;)
    {
        std::size_t child = 2 * hole + 1;
        if (child >= heap.size())
        {
            break;
        }
        if (child + 1 < heap.size() && heap[child + 1] < heap[child])
        {
            ++child;
        }
        if (!(heap[child] < last))
        {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = last;
}

void
QpArbiter::MoveDue(Lane& lane, Tick now)
{
    while (!lane.heap.empty() && lane.heap.front().slot <= now)
    {
        PushDue(lane, lane.heap.front());
        PopHeap(lane.heap);
    }
}

void
QpArbiter::Insert(QueuePair* qp, unsigned priority, Tick slot)
{
    PushHeap(m_lanes[priority].heap, Entry{slot, m_order++, qp});
    m_active |= 1u << priority;
}

void
QpArbiter::Reschedule(Tick slot, Tick next)
{
    Lane& lane = m_lanes[m_chosen];
    const Entry entry{slot, m_order++, lane.due.front().qp};
    lane.due.pop_front();
    if (slot <= next)
    {
        PushDue(lane, entry);
        return;
    }
    PushHeap(lane.heap, entry);
}

void
QpArbiter::Remove()
{
    Lane& lane = m_lanes[m_chosen];
    lane.due.pop_front();
    if (lane.due.empty() && lane.heap.empty())
    {
        m_active &= ~(1u << m_chosen);
    }
}

void
QpArbiter::Erase(const QueuePair* qp, unsigned priority)
{
    Lane& lane = m_lanes[priority];
    const auto is = [qp](const Entry& entry) { return entry.qp == qp; };
    lane.due.erase(std::remove_if(lane.due.begin(), lane.due.end(), is), lane.due.end());
    const std::vector<Entry> rest(std::move(lane.heap));
    lane.heap.clear();
    for (const Entry& entry : rest)
    {
        if (!is(entry))
        {
            PushHeap(lane.heap, entry);
        }
    }
    if (lane.due.empty() && lane.heap.empty())
    {
        m_active &= ~(1u << priority);
    }
}

Tick
QpArbiter::FrontSlot(const Lane& lane)
{
    const Tick due = lane.due.empty() ? NEVER : lane.due.front().slot;
    const Tick later = lane.heap.empty() ? NEVER : lane.heap.front().slot;
    return std::min(due, later);
}

unsigned
QpArbiter::EarliestOf(unsigned open, Tick now)
{
    unsigned best = NUM_PRIORITIES;
    for (unsigned rest = open; rest; rest &= rest - 1)
    {
        const unsigned p = __builtin_ctz(rest);
        MoveDue(m_lanes[p], now);
        const Lane& lane = m_lanes[p];
        const bool has = !lane.due.empty();
        if (best == NUM_PRIORITIES ||
            (has && (m_lanes[best].due.empty() || lane.due.front() < m_lanes[best].due.front())))
        {
            best = p;
        }
    }
    return best;
}

Tick
QpArbiter::GetNextSlot(unsigned paused) const
{
    Tick next = NEVER;
    for (unsigned open = m_active & ~paused; open; open &= open - 1)
    {
        next = std::min(next, FrontSlot(m_lanes[__builtin_ctz(open)]));
    }
    return next;
}

std::size_t
QpArbiter::GetActive() const
{
    std::size_t active = 0;
    for (const Lane& lane : m_lanes)
    {
        active += lane.due.size() + lane.heap.size();
    }
    return active;
}

} // namespace roce
} // namespace ns3
