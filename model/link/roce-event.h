/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EVENT_H
#define ROCE_EVENT_H

#include "ns3/roce-tick.h"

namespace ns3
{
namespace roce
{

/**
 * Something that happens at a tick: a base for parts that own their events.
 *
 * Models: nothing of the network. An event is embedded in the port, link or NIC it belongs to,
 * is never allocated per packet and is scheduled with EventCore::At.
 *
 * Invariants: whoever schedules an event keeps it alive until it fired or was forgotten
 * (EventCore::Forget).
 *
 * Leaves out: cancelling. An owner that changed its mind ignores the call.
 */
class Event
{
  public:
    /**
     * The tick has come.
     * \param now present tick
     */
    virtual void Fire(Tick now) = 0;

  protected:
    ~Event() = default;
};

/** Order of events within one tick. */
enum class EventPhase : unsigned
{
    ARRIVAL = 0, //!< a frame's last bit arrives
    SERVICE = 1, //!< a transmitter, arbiter or timer acts on what has arrived
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EVENT_H
