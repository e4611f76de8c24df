/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REORDER_BUFFER_H
#define ROCE_REORDER_BUFFER_H

#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace roce
{

struct Frame;

/**
 * Request packets that came before their predecessors.
 *
 * Models: what a responder with selective repeat has beyond the first gap.
 *
 * Invariants: it holds at most one frame a number; who takes a frame out owns it.
 *
 * Leaves out: a limit in bytes; the requester's window is one.
 */
class ReorderBuffer
{
  public:
    /** Frames further ahead are not kept: 2^20 packets are 4 GiB at MTU 4096, above any window. */
    static constexpr uint64_t MAX_AHEAD = 1u << 20;

    /** \return false if there is one already, or it is too far ahead. \param ahead how far in front
     * of the expected number, at least 1 \param frame owned from now on if true is returned */
    bool Keep(uint64_t ahead, Frame* frame);

    /** \return whether one is nearer than count, but not the expected one. \param count numbers */
    bool HasBefore(uint64_t count) const;

    /** The expected number grows. \param count by how much; frames passed by must be taken before
     */
    void Advance(uint64_t count);

    /** \return the frame with the expected number, or nullptr */
    Frame* TakeExpected();

    /** \return any frame, or nullptr if it is empty; to clear it */
    Frame* TakeAny();

    /** \return frames in here */
    std::size_t GetHeld() const
    {
        return m_held;
    }

  private:
    boost::circular_buffer<Frame*> m_frames; //!< grows; index 0 has the expected number
    std::size_t m_held{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_REORDER_BUFFER_H
