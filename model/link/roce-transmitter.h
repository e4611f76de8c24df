/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSMITTER_H
#define ROCE_TRANSMITTER_H

#include "roce-in-flight.h"
#include "roce-link-timing.h"
#include "roce-transmit-queue.h"

#include "ns3/roce-constants.h"

namespace ns3
{
namespace roce
{

class PortOwner;
class PortScheduler;

/**
 * The sending half of a port: nine queues, a selection rule and a busy-until time.
 *
 * Models: an IEEE 802.1Q egress port with eight priorities and, before them, a queue for MAC
 * control frames that no pause stops. An event exists only while something waits for the end of
 * the present transmission.
 *
 * Invariants: at most one frame is sent at a time; no priority that is paused is started; frames
 * of a priority leave in order; back-to-back frames take exact time (LinkTiming); frames accepted
 * = frames started + queued + discarded.
 *
 * Leaves out: preemption (IEEE 802.1Qbu).
 */
class alignas(64) Transmitter final : public Event
{
  public:
    /** Queue of MAC control frames. */
    static constexpr unsigned MAC_CONTROL = NUM_PRIORITIES;
    /** Number of queues. */
    static constexpr unsigned NUM_QUEUES = NUM_PRIORITIES + 1;

    /** How the owner takes part. */
    enum Role
    {
        SWITCH, //!< PortOwner::Departing is called
        NIC,    //!< PortOwner::Pull is called
    };

    Transmitter();

    /**
     * \param core event core
     * \param owner whose port it is
     * \param index index of the port at the owner
     * \param role how the owner takes part
     */
    void Assemble(EventCore* core, PortOwner* owner, uint32_t index, Role role);

    /** \param timing how long frames last \param delay propagation in ticks \param peerIndex
     *  index of the far port at its owner */
    void Attach(LinkTiming* timing, uint32_t delay, uint32_t peerIndex);

    /** Take a frame to send, available at the present tick and Frame::fraction. \param frame the
     *  frame, owned by the transmitter now \param queue 0..7, or MAC_CONTROL \param now present
     *  tick */
    void Enqueue(Frame* frame, unsigned queue, Tick now);

    /**
     * Start a frame at once; for owners inside Pull, when the port is idle.
     * \param frame the frame, owned by the transmitter now
     * \param now present tick
     * \param fraction sub-tick part of the time from which it is available
     */
    void Start(Frame* frame, Tick now, uint16_t fraction);

    /**
     * Something may have become sendable: serve now if idle, else at the end of transmission.
     * \param now present tick
     */
    void Kick(Tick now)
    {
        if (m_flags & PENDING)
        {
            return;
        }
        if (m_busyUntil > now)
        {
            Schedule();
            return;
        }
        Serve(now);
    }

    /** \param mask bit p: priority p may not be started */
    void SetPaused(uint8_t mask)
    {
        m_paused = (m_flags & DOWN) ? ALL : static_cast<uint16_t>(mask & ~m_ignored);
    }

    /** \param mask bit p: SetPaused does not stop priority p from now on */
    void SetIgnored(uint8_t mask)
    {
        m_ignored = mask;
    }

    /** Drop what waits in a queue; the owner is told. \param queue 0..7 \param now present tick */
    void Flush(unsigned queue, Tick now);

    /**
     * \param up whether the link works; going down discards what is queued or on the cable
     * \param now present tick
     * \return frames lost on the cable; those that were queued are told to the owner
     */
    uint64_t SetUp(bool up, Tick now);

    /** \param scheduler selection rule, or nullptr for strict priority */
    void SetScheduler(PortScheduler* scheduler);

    /** \param watched whether the port wants to see each frame that starts */
    void SetWatched(bool watched)
    {
        m_flags = watched ? (m_flags | WATCHED) : (m_flags & ~WATCHED);
    }

    /**
     * Give each end of transmission and each arrival an event, scheduled when the frame starts. The
     * order of what happens in one tick is then that of the starts, as in simulators with such
     * events; it costs half as many events again. For comparison only.
     * \param eager whether to
     */
    void SetEager(bool eager)
    {
        m_flags = eager ? (m_flags | EAGER) : (m_flags & ~EAGER);
    }

    /** \return phase in which transmitter and pacing act: with eager events there is one only */
    EventPhase GetServicePhase() const
    {
        return (m_flags & EAGER) ? EventPhase::ARRIVAL : EventPhase::SERVICE;
    }

    /** \return bit p: priority p may not be started */
    uint16_t GetPaused() const
    {
        return m_paused;
    }

    /** \return tick at which the present transmission ends, or ended */
    Tick GetBusyUntil() const
    {
        return m_busyUntil;
    }

    /** \return sub-tick part of that, in 2^-16 tick */
    uint16_t GetBusyFraction() const
    {
        return m_timing->ToFraction(m_remainder);
    }

    /** \return the timing of the link, or nullptr when not attached */
    LinkTiming* GetTiming() const
    {
        return m_timing;
    }

    /** \return propagation in ticks */
    Tick GetDelay() const
    {
        return m_delay;
    }

    /** \return bytes that wait in it. \param queue 0..7, or MAC_CONTROL */
    uint64_t GetQueueBytes(unsigned queue) const
    {
        return m_queues[queue].GetBytes();
    }

    /** \return its oldest frame, or nullptr; others follow. \param queue 0..7, or MAC_CONTROL */
    const Frame* Peek(unsigned queue) const
    {
        return m_queues[queue].Peek();
    }

    /** \return whether any frame waits */
    bool HasBacklog() const
    {
        return m_nonEmpty != 0;
    }

    /** \return the frames under way */
    InFlight& GetFlight()
    {
        return m_flight;
    }

    /** Free all frames and forget pending events, before the owner is gone. */
    void Dispose();

    void Fire(Tick now) override;

  private:
    static constexpr uint16_t ALL = (1u << NUM_QUEUES) - 1;

    enum Flag : uint16_t
    {
        PENDING = 1 << 0,   //!< an event waits for the end of transmission
        PULLS = 1 << 1,     //!< the owner has frames of its own
        NOTIFIES = 1 << 2,  //!< the owner hears of departures
        WATCHED = 1 << 3,   //!< the port wants to see frames
        SCHEDULED = 1 << 4, //!< a scheduler other than strict priority
        DOWN = 1 << 5,      //!< the link does not work
        EAGER = 1 << 6,     //!< an event for each end of transmission and each arrival
    };

    void Schedule()
    {
        m_flags |= PENDING;
        m_core->At(m_busyUntil, this, GetServicePhase());
    }

    void Serve(Tick now);
    void Discard(Frame* frame, unsigned queue, Tick now);
    void Watch(const Frame* frame);

    // first cache line: all that an idle port needs to send
    Tick m_busyUntil{0};
    uint64_t m_remainder{0}; //!< sub-tick part of m_busyUntil, in units of the timing
    LinkTiming* m_timing{nullptr};
    PortOwner* m_owner{nullptr};
    EventCore* m_core{nullptr};
    uint16_t m_nonEmpty{0};
    uint16_t m_paused{ALL};
    uint16_t m_index{0};
    uint16_t m_peerIndex{0};
    uint16_t m_flags{DOWN};
    uint8_t m_ignored{0}; //!< priorities that pauses do not stop
    uint32_t m_delay{0};
    InFlight m_flight;
    TransmitQueue m_queues[NUM_QUEUES];
    PortScheduler* m_scheduler{nullptr};

    friend class Port;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRANSMITTER_H
