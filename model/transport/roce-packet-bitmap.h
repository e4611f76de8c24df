/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PACKET_BITMAP_H
#define ROCE_PACKET_BITMAP_H

#include <cstdint>
#include <deque>

namespace ns3
{
namespace roce
{

/**
 * Which packets above a moving lower bound are marked.
 *
 * Models: the SACK bitmap of IRN (Mittal et al., SIGCOMM 2018, section 3.1).
 *
 * Invariants: memory is one bit a number between the bound and the highest mark; Test is false
 * below the bound and above the highest mark.
 *
 * Leaves out: unmarking other than by raising the bound.
 */
class PacketBitmap
{
  public:
    /** \param number of a packet; ignored below the bound */
    void Set(uint64_t number);

    /** \return whether it is marked. \param number of a packet */
    bool Test(uint64_t number) const;

    /** \param bound marks below it are forgotten; a lower bound than before changes nothing */
    void Raise(uint64_t bound);

    /** \return number after the highest mark; 0 if there is none */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /**
     * \param count how many marks, at least 1
     * \return number of the count-th highest mark; 0 if there are fewer
     */
    uint64_t FromTop(uint32_t count) const;

  private:
    std::deque<uint64_t> m_words;
    uint64_t m_base{0};  //!< number of the first bit of the first word, a multiple of 64
    uint64_t m_bound{0}; //!< numbers below are forgotten
    uint64_t m_end{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PACKET_BITMAP_H
