/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-qp-arbiter.h"

namespace ns3
{
namespace roce
{

void
QpArbiter::Insert(QueuePair* qp, unsigned priority, Tick slot)
{
    Heap& heap = m_heaps[priority];
    const Entry entry{slot, m_order++, qp};
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
    m_active |= 1u << priority;
}

void
QpArbiter::SiftDown(Heap& heap, const Entry& entry)
{
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
        if (!(heap[child] < entry))
        {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = entry;
}

void
QpArbiter::Reschedule(Tick slot)
{
    Heap& heap = m_heaps[m_chosen];
    SiftDown(heap, Entry{slot, m_order++, heap.front().qp});
}

void
QpArbiter::Remove()
{
    Heap& heap = m_heaps[m_chosen];
    const Entry last = heap.back();
    heap.pop_back();
    if (heap.empty())
    {
        m_active &= ~(1u << m_chosen);
        return;
    }
    SiftDown(heap, last);
}

unsigned
QpArbiter::EarliestOf(unsigned open) const
{
    unsigned best = __builtin_ctz(open);
    for (unsigned rest = open & (open - 1); rest; rest &= rest - 1)
    {
        const unsigned p = __builtin_ctz(rest);
        if (m_heaps[p].front() < m_heaps[best].front())
        {
            best = p;
        }
    }
    return best;
}

std::size_t
QpArbiter::GetActive() const
{
    std::size_t active = 0;
    for (const Heap& heap : m_heaps)
    {
        active += heap.size();
    }
    return active;
}

} // namespace roce
} // namespace ns3
