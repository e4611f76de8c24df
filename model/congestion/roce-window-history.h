/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WINDOW_HISTORY_H
#define ROCE_WINDOW_HISTORY_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Which window was in force when a byte was sent.
 *
 * Models: pairs of bytes sent and window, one each sixteenth of what is in flight, in a ring.
 *
 * Source: PowerTCP (Addanki et al., NSDI 2022), Algorithm 1: GETCWND and UPDATEOLD.
 *
 * Invariants: no allocation; what At() answers was in force when the byte was sent or at most a
 * sixteenth of a round trip before; if the ring is too small, the oldest pair it has.
 *
 * Leaves out: windows between two pairs.
 */
class WindowHistory
{
  public:
    static constexpr unsigned SIZE = 32; //!< pairs that are kept

    /** Forget all. \param window in force from the first byte on */
    void Start(double window)
    {
        m_first = 0;
        m_count = 1;
        m_pairs[0] = {0, window};
    }

    /**
     * A window comes in force.
     * \param sent bytes that were sent before
     * \param acked bytes that were acknowledged, at most sent
     * \param window the window
     */
    void Note(uint64_t sent, uint64_t acked, double window)
    {
        Pair& last = m_pairs[(m_first + m_count - 1) % SIZE];
        if (sent == last.sent)
        {
            last.window = window;
            return;
        }
        if (sent < last.sent + std::max<uint64_t>(1, (sent - acked) / 16))
        {
            return;
        }
        if (m_count == SIZE)
        {
            m_first = (m_first + 1) % SIZE;
            --m_count;
        }
        m_pairs[(m_first + m_count) % SIZE] = {sent, window};
        ++m_count;
    }

    /**
     * Older pairs are forgotten.
     * \param acked the last byte acknowledged, counted from 1; never less than before
     * \return the window in force when it was sent
     */
    double At(uint64_t acked)
    {
        while (m_count > 1 && m_pairs[(m_first + 1) % SIZE].sent < acked)
        {
            m_first = (m_first + 1) % SIZE;
            --m_count;
        }
        return m_pairs[m_first].window;
    }

  private:
    /** A window and what had been sent before it. */
    struct Pair
    {
        uint64_t sent;
        double window;
    };

    std::array<Pair, SIZE> m_pairs{};
    unsigned m_first{0};
    unsigned m_count{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WINDOW_HISTORY_H
