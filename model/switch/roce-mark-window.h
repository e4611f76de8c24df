/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MARK_WINDOW_H
#define ROCE_MARK_WINDOW_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * How many of the last packets were marked.
 *
 * Models: a ring of bits and their sum, so that a packet costs O(1) whatever the length.
 *
 * Source: P_c = C_ECN / C_Total over the last W packets, of hierarchical congestion control.
 *
 * Invariants: GetMarks() <= length; after length calls of Add the past before them has no effect;
 * a ring that is new or cleared stands for packets without mark.
 *
 * Leaves out: which packets count, and when the past is too old.
 */
class MarkWindow
{
  public:
    static constexpr unsigned MAX_LENGTH = 256; //!< packets

    /** \param length packets, 1 to MAX_LENGTH */
    explicit MarkWindow(unsigned length = 16)
        : m_length(static_cast<uint16_t>(length))
    {
    }

    /** \param marked whether the packet that passes now is marked */
    void Add(bool marked)
    {
        uint64_t& word = m_bits[m_next / 64];
        const unsigned shift = m_next % 64;
        m_marks = static_cast<uint16_t>(m_marks + marked - ((word >> shift) & 1));
        word = (word & ~(uint64_t(1) << shift)) | uint64_t(marked) << shift;
        m_next = m_next + 1 == m_length ? 0 : static_cast<uint16_t>(m_next + 1);
    }

    /** Forget the past. */
    void Clear()
    {
        *this = MarkWindow(m_length);
    }

    /** \return marked packets among the last ones */
    unsigned GetMarks() const
    {
        return m_marks;
    }

    /** \return the same by the length, 0..1 */
    double GetShare() const
    {
        return double(m_marks) / m_length;
    }

  private:
    uint64_t m_bits[MAX_LENGTH / 64]{};
    uint16_t m_length;
    uint16_t m_next{0};
    uint16_t m_marks{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MARK_WINDOW_H
