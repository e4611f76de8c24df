/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PAUSE_STORM_H
#define ROCE_PAUSE_STORM_H

#include "roce-event-core.h"
#include "roce-port.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3
{
namespace roce
{

/**
 * A port that sends pause frames by itself: a broken NIC, or a receiver that cannot keep up.
 *
 * Models: a pause frame for the priorities of a mask at the start and every Interval for a time.
 * With Quanta 0 it sends frames that end pauses instead.
 *
 * Clause: IEEE 802.1Q 36, the frames only; why they are sent is up to the user.
 *
 * Invariants: the first frame leaves at the start and none at or after start + duration but the one
 * that ends the pause (Release); then nothing is pending.
 *
 * Leaves out: pauses that depend on what arrives.
 */
class PauseStorm : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    PauseStorm();
    ~PauseStorm() override;

    /**
     * Send pause frames. Throws std::invalid_argument if one is under way, if the start lies in the
     * past, or if nothing would be sent.
     * \param port a port with a cable
     * \param mask bit p: for priority p
     * \param start when, in simulation time
     * \param duration how long
     */
    void Start(Ptr<Port> port, uint8_t mask, Time start, Time duration);

    /** End now, with a release if that is set. Does nothing if none is under way. */
    void Stop();

    /** \return whether one waits or is under way */
    bool IsRunning() const;

    /** \return frames sent so far, the release too */
    uint64_t GetFrames() const;

  private:
    /** Sends the next frame. */
    class Timer final : public Event
    {
      public:
        explicit Timer(PauseStorm* owner)
            : m_owner(owner)
        {
        }

        void Fire(Tick now) override;

      private:
        PauseStorm* m_owner;
    };

    void DoDispose() override;
    void Send(uint16_t quanta, Tick now);
    void Step(Tick now);

    Ptr<EventCore> m_core;
    Timer m_timer;
    Ptr<Port> m_port; //!< while it runs
    uint8_t m_mask{0};
    Tick m_period{1};
    Tick m_end{0};
    uint64_t m_frames{0};

    // attributes
    uint16_t m_quanta;
    Time m_interval;
    bool m_release;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PAUSE_STORM_H
