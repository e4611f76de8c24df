/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRANSMIT_QUEUE_H
#define ROCE_TRANSMIT_QUEUE_H

#include "ns3/roce-frame.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Frames of one priority that wait for one port.
 *
 * Models: an egress queue, first in, first out, an intrusive list.
 *
 * Invariants: GetBytes() is the sum of the sizes of the frames in it; empty means 0 bytes.
 *
 * Leaves out: limits, which belong to the MMU of a switch.
 */
class TransmitQueue
{
  public:
    /**
     * \param frame a frame to wait; the queue owns it now
     */
    void Push(Frame* frame)
    {
        frame->next = nullptr;
        if (m_head)
        {
            m_tail->next = frame;
        }
        else
        {
            m_head = frame;
        }
        m_tail = frame;
        m_bytes += frame->size;
    }

    /**
     * \return the oldest frame, which the caller owns; the queue must not be empty
     */
    Frame* Pop()
    {
        Frame* frame = m_head;
        m_head = frame->next;
        m_bytes -= frame->size;
        return frame;
    }

    /** \return the oldest frame, or nullptr */
    const Frame* Peek() const
    {
        return m_head;
    }

    /** \return whether nothing waits */
    bool IsEmpty() const
    {
        return m_head == nullptr;
    }

    /** \return bytes that wait */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    Frame* m_head{nullptr};
    Frame* m_tail{nullptr};
    uint64_t m_bytes{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRANSMIT_QUEUE_H
