/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SWITCH_STAGE_H
#define ROCE_SWITCH_STAGE_H

#include "ns3/object.h"
#include "ns3/roce-frame.h"
#include "ns3/roce-tick.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

class Switch;

/**
 * Something a switch does beside storing and forwarding.
 *
 * Models: a step of the pipeline that can be added or left out: PFC watchdog, telemetry, congestion
 * point. A switch asks only those that want to hear of an event, in the order in which they were
 * added; without stages it pays one test of a flag a frame.
 *
 * Invariants: a stage belongs to one switch; a frame that a stage refuses has not been stored.
 *
 * Leaves out: choosing the output port (LoadBalancer) and admission (SwitchMmu).
 */
class SwitchStage : public Object
{
  public:
    /** What a stage wants to hear of; bits. */
    enum Hears : uint8_t
    {
        HEARS_ENQUEUE = 1 << 0,   //!< MayEnqueue
        HEARS_DEPARTURE = 1 << 1, //!< OnDeparture
        HEARS_PAUSE = 1 << 2,     //!< OnPauseSent
    };

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** \return bits of Hears */
    virtual uint8_t GetHears() const = 0;

    /** The switch is frozen: ports, rates and buffers are known. \param device the switch */
    virtual void Assemble(Switch& device) = 0;

    /** \return bytes by which frames may grow in it */
    virtual uint32_t GetGrowth() const
    {
        return 0;
    }

    /**
     * A frame is about to be stored.
     * \param frame the frame; inPort is not valid yet
     * \param in ingress port
     * \param out output port
     * \param now present tick
     * \return false to drop it (DropReason::WATCHDOG)
     */
    virtual bool MayEnqueue(Frame* frame, uint32_t in, uint32_t out, Tick now);

    /**
     * A frame begins to leave; it has been released and perhaps marked.
     * \param frame the frame
     * \param out output port
     * \param now present tick
     */
    virtual void OnDeparture(Frame* frame, uint32_t out, Tick now);

    /**
     * A sender has been told to stop or to go on.
     * \param port ingress port
     * \param priority its priority
     * \param xoff whether it is paused now
     * \param now present tick
     */
    virtual void OnPauseSent(uint32_t port, unsigned priority, bool xoff, Tick now);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SWITCH_STAGE_H
