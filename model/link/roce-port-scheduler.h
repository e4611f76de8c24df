/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_SCHEDULER_H
#define ROCE_PORT_SCHEDULER_H

#include "roce-transmit-queue.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Chooses the queue that a transmitter serves next.
 *
 * Models: transmission selection (IEEE 802.1Q 8.6.8). One object a port. A port without one
 * serves by strict priority, the highest first.
 *
 * Invariants: Pick returns a queue whose bit is set in the argument.
 *
 * Leaves out: MAC control frames, which go before all queues and are never asked about.
 */
class PortScheduler : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * \param eligible bit p set: priority p holds a frame and is not paused; not 0
     * \param queues the eight queues
     * \return priority to serve
     */
    unsigned Pick(uint8_t eligible, const TransmitQueue* queues)
    {
        return DoPick(eligible, queues);
    }

  private:
    virtual unsigned DoPick(uint8_t eligible, const TransmitQueue* queues) = 0;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PORT_SCHEDULER_H
