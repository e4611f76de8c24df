/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QP_ARBITER_H
#define ROCE_QP_ARBITER_H

#include "ns3/roce-constants.h"
#include "ns3/roce-tick.h"

#include <boost/circular_buffer.hpp>
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
 * Models: time-division pacing. Each active queue pair has the slot from which on it may send.
 * Those whose slot has come wait in a line, first come, first served, so that unpaced queue pairs
 * take turns; the others are in a heap by slot. One line and one heap a priority. Sans-IO.
 *
 * Invariants: Choose never returns a queue pair of a paused priority or before its slot; each
 * queue pair is in here at most once; cost is O(1) for unpaced and O(log n) for paced ones in the
 * number of active queue pairs.
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
     * \param now present tick, never before that of the last call
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
        m_chosen = (open & (open - 1)) ? EarliestOf(open, now) : __builtin_ctz(open);
        Lane& lane = m_lanes[m_chosen];
        if (!lane.heap.empty() && lane.heap.front().slot <= now)
        {
            MoveDue(lane, now);
        }
        return lane.due.empty() || lane.due.front().slot > now ? nullptr : lane.due.front().qp;
    }

    /**
     * Give the queue pair last chosen its next slot.
     * \param slot earliest tick of its next packet
     * \param next tick before which Choose will not be called
     */
    void Reschedule(Tick slot, Tick next);

    /** Ask for the memory of the queue pair that is likely to be chosen next. */
    void PrefetchNext() const
    {
        const Lane& lane = m_lanes[m_chosen];
        const Entry& entry = lane.due.empty() ? lane.heap.front() : lane.due.front();
        const auto lines = reinterpret_cast<const char*>(entry.qp);
        __builtin_prefetch(lines);
        __builtin_prefetch(lines + 64);
        __builtin_prefetch(lines + 128);
    }

    /** Take out the queue pair last chosen. */
    void Remove();

    /** Take out any one, at the cost of a walk; not between Choose and Reschedule or Remove.
     *  \param qp one that is in here \param priority that of its Insert */
    void Erase(const QueuePair* qp, unsigned priority);

    /**
     * \param paused bit p: priority p may not send
     * \return earliest slot of those that may send; NEVER if there is none
     */
    Tick GetNextSlot(unsigned paused) const;

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

    struct Lane
    {
        boost::circular_buffer<Entry> due; //!< those whose slot comes before the next choice
        std::vector<Entry> heap;           //!< the others, the earliest in front
    };

    unsigned EarliestOf(unsigned open, Tick now);
    static Tick FrontSlot(const Lane& lane);
    static void MoveDue(Lane& lane, Tick now);
    static void PushDue(Lane& lane, const Entry& entry);
    static void PushHeap(std::vector<Entry>& heap, const Entry& entry);
    static void PopHeap(std::vector<Entry>& heap);

    unsigned m_active{0}; //!< bit p: priority p has queue pairs
    unsigned m_chosen{0};
    uint64_t m_order{0};
    Lane m_lanes[NUM_PRIORITIES];
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QP_ARBITER_H
