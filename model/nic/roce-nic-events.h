/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_NIC_EVENTS_H
#define ROCE_NIC_EVENTS_H

#include "ns3/ptr.h"
#include "ns3/roce-delay-line.h"
#include "ns3/roce-event.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace roce
{

class Nic;
class QueuePair;

/**
 * Wakes a NIC port for the next slot of a paced queue pair.
 *
 * Models: the pacing timer; one a port.
 *
 * Invariants: the tick it is armed for is the earliest one asked for; later firings are ignored.
 *
 * Leaves out: nothing.
 */
class PaceEvent final : public Event
{
  public:
    /**
     * \param nic the NIC
     * \param port its port
     */
    PaceEvent(Nic* nic, uint32_t port);
    ~PaceEvent();

    /** \param at tick at which the port is to be asked again */
    void Arm(Tick at);

    /** \return the tick it is armed for, or NEVER */
    Tick GetArmed() const
    {
        return m_armed;
    }

    void Fire(Tick now) override;

  private:
    Nic* m_nic;
    uint32_t m_port;
    uint32_t m_pending{0};
    Tick m_armed{NEVER};
};

/**
 * One kind of timer of all queue pairs of a NIC.
 *
 * Models: local ACK timeouts (IBTA 9.7.6.1.3) and RNR timers (9.7.5.2.8), or the next packet of a
 * guarantee. Progress only moves the deadline of a queue pair, which is looked at when the old one
 * comes up; it is in the heap again only if the new deadline is earlier, and then the old entry is
 * ignored.
 *
 * Invariants: a queue pair whose deadline has come is told within the same tick.
 *
 * Leaves out: nothing.
 */
class QueuePairTimers final : public Event
{
  public:
    /** What the NIC does with a queue pair whose deadline (2nd) has come (3rd: now). */
    typedef void (Nic::*Handler)(QueuePair*, Tick, Tick);

    /** \param nic the NIC \param handler what it does */
    QueuePairTimers(Nic* nic, Handler handler);
    ~QueuePairTimers();

    /**
     * \param qp a queue pair
     * \param deadline when to look at it
     */
    void Arm(QueuePair* qp, Tick deadline);

    /** A queue pair that was armed is destroyed: its entries go, at the latest when they are half.
     */
    void Forget();

    void Fire(Tick now) override;

  private:
    struct Item
    {
        Tick deadline;
        uint64_t order;
        uint32_t qpn; //!< not a reference: a queue pair that is destroyed frees its memory at once

        bool operator>(const Item& other) const
        {
            return deadline != other.deadline ? deadline > other.deadline : order > other.order;
        }
    };

    void Schedule();

    Nic* m_nic;
    Handler m_handler;
    Tick m_armed{NEVER};
    uint32_t m_pending{0};
    uint64_t m_order{0};
    std::vector<Item> m_heap; //!< earliest deadline first (std::push_heap with operator>)
    std::size_t m_stale{0};   //!< queue pairs destroyed since the last cleaning
};

/**
 * CNPs between the packet that caused them and the wire, or between the wire and the reaction.
 *
 * Models: processing delays of notification and reaction point.
 *
 * Invariants: those of DelayLine.
 *
 * Leaves out: nothing.
 */
class CnpDelay final : public DelayLine
{
  public:
    /**
     * \param nic the NIC
     * \param outgoing whether the CNPs leave (else they have arrived)
     */
    CnpDelay(Nic* nic, bool outgoing);

  private:
    void Release(Frame* frame, Tick now) override;

    Nic* m_nic;
    bool m_outgoing;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_NIC_EVENTS_H
