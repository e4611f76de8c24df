/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QP_ARBITER_H
#define ROCE_QP_ARBITER_H

#include "ns3/roce-constants.h"
#include "ns3/roce-tick.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

class QueuePair;

/**
 * Chooses the queue pair that sends next.
 *
 * Models: time-division pacing. Each active queue pair has the slot from which on it may send;
 * the earliest slot goes first, equal slots in the order in which they were asked for, so that
 * unpaced queue pairs take turns. One binary heap a priority. Sans-IO.
 *
 * Invariants: Choose never returns a queue pair of a paused priority or before its slot; cost is
 * O(log n) in the number of active queue pairs.
 *
 * Leaves out: weights among queue pairs.
 */
class QpArbiter
{
  public:
    /**
     * \param qp a queue pair that has something to send; in here at most once
     * \param priority its priority
     * \param slot earliest tick at which it may send
     */
    void Insert(QueuePair* qp, unsigned priority, Tick slot);

    /**
     * \param now present tick
     * \param paused bit p: priority p may not send
     * \return the queue pair to send now, or nullptr; Reschedule or Remove must follow
     */
    QueuePair* Choose(Tick now, unsigned paused)
    {
        const unsigned open = m_active & ~paused;
        if (!open)
        {
            return nullptr;
        }
        m_chosen = Earliest(open);
        const Entry& top = m_heaps[m_chosen].front();
        return top.slot <= now ? top.qp : nullptr;
    }

    /**
     * Give the queue pair last chosen its next slot.
     * \param slot earliest tick of its next packet
     */
    void Reschedule(Tick slot);

    /** Take out the queue pair last chosen. */
    void Remove();

    /**
     * \param paused bit p: priority p may not send
     * \return earliest slot of those that may send; NEVER if there is none
     */
    Tick GetNextSlot(unsigned paused) const
    {
        const unsigned open = m_active & ~paused;
        return open ? m_heaps[Earliest(open)].front().slot : NEVER;
    }

    /** \return active queue pairs */
    std::size_t GetActive() const;

  private:
    struct Entry
    {
        Tick slot;
        uint64_t order; //!< first come, first served among equal slots
        QueuePair* qp;

        bool operator<(const Entry& other) const
        {
            return slot != other.slot ? slot < other.slot : order < other.order;
        }
    };

    using Heap = std::vector<Entry>;

    unsigned Earliest(unsigned open) const
    {
        const unsigned first = __builtin_ctz(open);
        return (open & (open - 1)) ? EarliestOf(open) : first;
    }

    unsigned EarliestOf(unsigned open) const;
    static void SiftDown(Heap& heap, const Entry& entry);

    unsigned m_active{0};
    unsigned m_chosen{0};
    uint64_t m_order{0};
    Heap m_heaps[NUM_PRIORITIES];
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QP_ARBITER_H
