/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PORT_EVENTS_H
#define ROCE_PORT_EVENTS_H

#include "roce-delay-line.h"
#include "roce-port-owner.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace roce
{

class Port;

/**
 * Stands between a link and the owner of a port while someone watches the port.
 *
 * Models: nothing; it lets an unwatched port pay nothing for sniffers, error models and filters.
 *
 * Invariants: each frame is passed on or dropped with a reason.
 *
 * Leaves out: pause frames, which the port handles itself.
 */
class PortTap final : public PortOwner
{
  public:
    /** \param port the port to watch */
    explicit PortTap(Port* port);
    void Receive(Frame* frame, uint32_t port, Tick now) override;

  private:
    Port* m_port;
};

/**
 * Pause frames between their arrival and their effect.
 *
 * Models: the response time of IEEE 802.1Q 36.1.3.3, the same for each frame.
 *
 * Invariants: frames take effect in the order in which they came.
 *
 * Leaves out: nothing.
 */
class PauseDelay final : public DelayLine
{
  public:
    /** \param port the port whose pause state changes */
    explicit PauseDelay(Port* port);

  private:
    void Release(Frame* frame, Tick now) override;
    Port* m_port;
};

/**
 * Ends pauses whose quanta are over.
 *
 * Models: the pause timer of IEEE 802.1Q 36.
 *
 * Invariants: the earliest end has an event; later ends arm it again.
 *
 * Leaves out: nothing.
 */
class PauseExpiry final : public Event
{
  public:
    /** \param port the port whose pauses end */
    explicit PauseExpiry(Port* port);
    ~PauseExpiry();

    /** \param deadline tick of the next end, or NEVER */
    void Arm(Tick deadline);

    void Fire(Tick now) override;

  private:
    Port* m_port;
    uint32_t m_pending{0};
    Tick m_armed{NEVER};
};

/**
 * \param inner accessor of a trace source of Port
 * \return an accessor that also tells the port that someone watches now
 */
Ptr<const TraceSourceAccessor> MakeWatchedTraceSourceAccessor(Ptr<const TraceSourceAccessor> inner);

} // namespace roce
} // namespace ns3

#endif // ROCE_PORT_EVENTS_H
