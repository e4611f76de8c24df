/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_INJECTOR_H
#define ROCE_CNP_INJECTOR_H

#include "ns3/roce-cnp-body.h"
#include "ns3/roce-delay-line.h"
#include "ns3/roce-frame.h"

namespace ns3
{
namespace roce
{

class Switch;

/**
 * Sends CNPs of a switch to the senders of data packets.
 *
 * Models: a RoCEv2 CNP with a body, to the source of a packet as from its destination. It enters
 * the pipeline in the same tick, when what is being done with the packet is done, as if it had come
 * in by the port of the packet.
 *
 * Clause: CNP format IBTA A17.9.3.
 *
 * Invariants: no CNP for a datagram, nor for a packet whose sender's queue pair is not known.
 *
 * Leaves out: when, and what it says.
 */
class CnpInjector final : public DelayLine
{
  public:
    /** \param device the switch \param core event core of the simulation */
    CnpInjector(Switch* device, EventCore* core);

    /** \return whether it is a request or a READ response with payload. \param frame a frame */
    static bool IsData(const Frame& frame)
    {
        return (frame.kind == FrameKind::REQUEST || frame.kind == FrameKind::RESPONSE) &&
               frame.payload > 0;
    }

    /** \return name of the flow of a data packet: its source and the sender's queue pair. \param
     * frame the packet */
    static uint64_t FlowOf(const Frame& frame)
    {
        return Name(frame.source, SourceQpOf(frame));
    }

    /** \return name of the flow that a CNP is for. \param cnp the CNP */
    static uint64_t TargetOf(const Frame& cnp)
    {
        return Name(cnp.destination, cnp.destinationQp);
    }

    /** \return whether a CNP can be sent for it. \param cause a data packet */
    static bool CanTell(const Frame& cause);

    /**
     * \param cause a data packet for which CanTell
     * \param body what to say
     * \param priority of the CNP
     * \param now present tick
     */
    void Send(const Frame& cause, const CnpBody& body, uint8_t priority, Tick now);

    /**
     * Send one more to the flow of a CNP on its way.
     * \param cnp the CNP
     * \param body what to say
     * \param now present tick
     */
    void Follow(const Frame& cnp, const CnpBody& body, Tick now);

  private:
    static uint32_t SourceQpOf(const Frame& frame)
    {
        return frame.kind == FrameKind::RESPONSE ? frame.sourceQp : frame.aeth;
    }

    static uint64_t Name(uint32_t address, uint32_t qp)
    {
        return uint64_t(address) << 24 | (qp & 0xffffff);
    }

    void Release(Frame* frame, Tick now) override;
    void Launch(Frame* cnp, const CnpBody& body, Tick now);

    Switch* m_switch;
    FramePool* m_pool;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_INJECTOR_H
