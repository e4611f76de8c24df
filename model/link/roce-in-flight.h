/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_IN_FLIGHT_H
#define ROCE_IN_FLIGHT_H

#include "roce-event-core.h"

namespace ns3
{
namespace roce
{

class Port;
class PortOwner;

/**
 * The frames that are on one direction of a cable.
 *
 * Models: propagation. A list in order of arrival of which only the head is scheduled, unless all
 * are to have an event (Transmitter::SetEager).
 *
 * Invariants: arrivals never go back in time; frames pushed = frames delivered + lost + in the
 * list.
 *
 * Leaves out: reordering on the cable, which does not happen.
 */
class alignas(64) InFlight final : public Event
{
  public:
    /**
     * \param core event core of the simulation
     * \param to port at the far end
     */
    void Connect(EventCore* core, Port* to);

    /**
     * \param owner who gets the frames
     */
    void SetOwner(PortOwner* owner)
    {
        m_owner = owner;
    }

    /**
     * \param frame a frame with its arrival set; owned by the list now
     * \param eager give it an event at once, also behind others
     */
    void Push(Frame* frame, bool eager)
    {
        frame->next = nullptr;
        frame->flags &= ~FRAME_SCHEDULED;
        if (m_head)
        {
            m_tail->next = frame;
            m_tail = frame;
            if (__builtin_expect(eager, 0))
            {
                frame->flags |= FRAME_SCHEDULED;
                m_core->At(frame->arrival, this, EventPhase::ARRIVAL);
            }
            return;
        }
        m_head = m_tail = frame;
        m_core->At(frame->arrival, this, EventPhase::ARRIVAL);
    }

    /**
     * Lose all frames on the cable.
     * \return how many
     */
    uint64_t Lose();

    /** \return frames delivered so far, pause frames included */
    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /** \return bytes of the frames delivered so far, without preamble and gap */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** \return the port at the far end */
    Port* GetTo() const
    {
        return m_to;
    }

    /** \return the oldest frame under way, or nullptr */
    const Frame* Peek() const
    {
        return m_head;
    }

    void Fire(Tick now) override;

  private:
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    EventCore* m_core{nullptr};
    PortOwner* m_owner{nullptr};
    Port* m_to{nullptr};
    uint64_t m_frames{0};
    uint64_t m_bytes{0};
};

static_assert(sizeof(InFlight) == 64, "one cache line");

} // namespace roce
} // namespace ns3

#endif // ROCE_IN_FLIGHT_H
