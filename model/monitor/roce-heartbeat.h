/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HEARTBEAT_H
#define ROCE_HEARTBEAT_H

#include "roce-host-directory.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/roce-event-core.h"

#include <functional>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Calls a monitor periodically as long as the fabric works.
 *
 * Models: a timer in ns-3's event list that only reads. It stops when no request is open and no
 * frame is alive, or when no event of the module is pending (then nothing can move until someone
 * posts or acts from outside). A NIC with a trace source "Posted" starts it again; without one
 * the owner calls Start again after a quiet time.
 *
 * Invariants: the last beat comes at most one period after the last completion; beats are at
 * start + k * period; a run with it and one without it give the same results.
 *
 * Leaves out: waking up for links that come back.
 */
class Heartbeat
{
  public:
    /**
     * \param hosts whose requests keep it going
     * \param beat called at each beat with the present tick
     */
    Heartbeat(const HostDirectory& hosts, std::function<void(Tick now)> beat);
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /**
     * Begin, or begin again; the first beat is one period from now. Does nothing while armed.
     * \param period time between beats; std::invalid_argument if not above zero
     */
    void Start(Time period);

    /** End for good, until Start. */
    void Stop();

    /** \return whether a beat is to come */
    bool IsArmed() const
    {
        return m_event.IsRunning();
    }

  private:
    static void OnPosted(Heartbeat* self, uint32_t qpn, const WorkRequest& request);
    void Arm();
    void Beat();
    bool IsIdle() const;

    const HostDirectory& m_hosts;
    std::function<void(Tick)> m_beat;
    Ptr<EventCore> m_core;
    Time m_period;
    EventId m_event;
    Callback<void, uint32_t, const WorkRequest&> m_onPosted;
    bool m_listening{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HEARTBEAT_H
