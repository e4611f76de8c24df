/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DELAY_LINE_H
#define ROCE_DELAY_LINE_H

#include "roce-event-core.h"

namespace ns3
{
namespace roce
{

/**
 * Frames that wait for a fixed time before something is done with them.
 *
 * Models: a processing delay. A list in order of release of which only the head is scheduled.
 *
 * Invariants: frames are released in the order in which they came.
 *
 * Leaves out: delays that differ from frame to frame.
 */
class DelayLine : public Event
{
  public:
    /** \param core event core of the simulation */
    explicit DelayLine(EventCore* core);

    /**
     * \param frame a frame, owned now
     * \param at tick of its release, not before that of the last one
     */
    void Push(Frame* frame, Tick at);

    void Fire(Tick now) override;

  protected:
    ~DelayLine();

  private:
    /**
     * The time of a frame is over.
     * \param frame the frame, owned by the callee
     * \param now present tick
     */
    virtual void Release(Frame* frame, Tick now) = 0;

    EventCore* m_core;
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DELAY_LINE_H
