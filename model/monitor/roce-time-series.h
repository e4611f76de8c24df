/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TIME_SERIES_H
#define ROCE_TIME_SERIES_H

#include "ns3/roce-tick.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A quantity over time in a bounded number of equal buckets.
 *
 * Models: buckets of one width from the first entry on, that hold a sum (counts of events) or a
 * maximum (levels). When the last bucket would lie beyond the limit the width is doubled and
 * neighbors are merged, so a series of any length fits. Sans-IO.
 *
 * Invariants: at most `limit` buckets; bucket borders are multiples of the width; with
 * Merge::SUM the buckets add up to what was added; the result does not depend on wall time.
 *
 * Leaves out: entries before the first one, which go to the first bucket.
 */
class TimeSeries
{
  public:
    /** What a bucket holds. */
    enum class Merge
    {
        SUM, //!< the sum of its entries
        MAX, //!< the largest of its entries
    };

    /**
     * \param merge what a bucket holds
     * \param width of a bucket in ticks to begin with, at least 1
     * \param limit largest number of buckets, at least 2
     */
    explicit TimeSeries(Merge merge, Tick width = 1000, std::size_t limit = 512);

    /**
     * \param at when
     * \param value what
     */
    void Add(Tick at, uint64_t value = 1);

    /** \return width of a bucket now, in ticks */
    Tick GetWidth() const;

    /** \return whether nothing was added */
    bool IsEmpty() const;

    /** \return begin of each bucket in ticks and what it holds, gaps included */
    std::vector<std::pair<Tick, uint64_t>> GetBuckets() const;

    /** \return begin of each bucket in seconds and what it holds a second; for sums */
    std::vector<std::pair<double, double>> GetRates() const;

  private:
    void Halve();

    Merge m_merge;
    Tick m_width;
    std::size_t m_limit;
    Tick m_first{0}; //!< begin of the first bucket, a multiple of m_width
    std::vector<uint64_t> m_buckets;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TIME_SERIES_H
