/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LINEAR_COUNTER_H
#define ROCE_LINEAR_COUNTER_H

#include "ns3/roce-tick.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Counts flows as a chip can: by bits of a bitmap.
 *
 * Models: linear counting. A packet sets the bit that the hash of its flow names; n distinct flows
 * leave a share exp(-n / m) of the m bits at zero on average, which gives n. Time is cut into
 * windows; the answer is that of the last full window, or of the present one if it has more.
 *
 * Source: Whang, Vander-Zanden and Taylor, "A Linear-Time Probabilistic Counting Algorithm for
 * Database Applications", ACM TODS 15 (1990): standard error sqrt(m (e^t - t - 1)) flows, t = n /
 * m.
 *
 * Invariants: 0 without packets in this and the last window; at most m ln m, when all bits but one
 * are set, and the same when none is left.
 *
 * Leaves out: flows whose window has just begun.
 */
class LinearCounter
{
  public:
    /** \param bits of the bitmap, rounded up to a multiple of 64 \param span ticks of a window */
    LinearCounter(uint32_t bits, Tick span)
        : m_words((bits + 63) / 64),
          m_span(span)
    {
    }

    /** \param hash of the flow, all bits mixed \param now present tick */
    void Add(uint64_t hash, Tick now)
    {
        Turn(now);
        const uint64_t bit = hash % (m_words.size() * 64);
        uint64_t& word = m_words[bit / 64];
        const uint64_t mask = uint64_t(1) << bit % 64;
        m_set += (word & mask) == 0;
        word |= mask;
    }

    /** \return flows. \param now present tick */
    double GetCount(Tick now)
    {
        Turn(now);
        const double present = Estimate();
        return present > m_last ? present : m_last;
    }

  private:
    /** \return flows of the present window */
    double Estimate() const
    {
        const double bits = double(m_words.size() * 64);
        const double zeros = bits - m_set > 0 ? bits - m_set : 1;
        return bits * std::log(bits / zeros);
    }

    /** End windows that are over. \param now present tick */
    void Turn(Tick now)
    {
        if (now < m_end)
        {
            return;
        }
        m_last = now < m_end + m_span ? Estimate() : 0;
        m_words.assign(m_words.size(), 0);
        m_set = 0;
        m_end = (now / m_span + 1) * m_span;
    }

    std::vector<uint64_t> m_words;
    Tick m_span;
    Tick m_end{0}; //!< first tick after the present window
    uint32_t m_set{0};
    double m_last{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LINEAR_COUNTER_H
