/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_OWNER_H
#define ROCE_PORT_OWNER_H

#include "ns3/roce-frame.h"

namespace ns3
{
namespace roce
{

/**
 * What a port belongs to: a NIC or a switch. Set once, at assembly.
 *
 * Models: the one way up from a port.
 *
 * Invariants: Receive owns the frame it gets. Departing is called once for each queued frame that
 * was accepted by Transmitter::Enqueue with accounting on, just before its first bit leaves.
 *
 * Leaves out: pause frames, which end in the port.
 */
class PortOwner
{
  public:
    virtual ~PortOwner() = default;

    /**
     * A frame has arrived whole.
     * \param frame the frame; the callee owns it now
     * \param port index of the port at the owner
     * \param now present tick
     */
    virtual void Receive(Frame* frame, uint32_t port, Tick now) = 0;

    /**
     * A frame leaves its queue; switches release buffer and mark here.
     * \param frame the frame, still the transmitter's
     * \param port index of the port by which it leaves
     * \param now present tick
     */
    virtual void Departing(Frame* frame, uint32_t port, Tick now);

    /**
     * A frame that was queued is thrown away (link down); switches release buffer here. The
     * transmitter frees it afterwards.
     * \param frame the frame
     * \param port index of the port in whose queue it was
     * \param now present tick
     */
    virtual void Discarded(Frame* frame, uint32_t port, Tick now);

    /**
     * The port is idle and its queues hold nothing it may send: start something of your own.
     * \param port index of the port
     * \param now present tick
     * \return whether to be asked again when that transmission ends
     */
    virtual bool Pull(uint32_t port, Tick now);

    /**
     * The link of a port went up or down.
     * \param port index of the port
     * \param up whether it is up now
     * \param now present tick
     */
    virtual void LinkChanged(uint32_t port, bool up, Tick now);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PORT_OWNER_H
