/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LINK_TIMING_H
#define ROCE_LINK_TIMING_H

#include "ns3/roce-tick.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * How long frames last on links of one rate.
 *
 * Models: serialisation. A byte lasts a/b ticks, with a/b = 8 * ticks-per-second / rate in lowest
 * terms; a frame lasts (size + overhead) * a/b, a whole number of ticks and a remainder in units
 * of 1/b tick. Integers only. Shared by all transmitters of the same rate.
 *
 * Invariants: N frames back to back last N * (size + overhead) * 8 / rate to within one tick; no
 * frame lasts zero; the remainder is always below b.
 *
 * Leaves out: rates that change while a frame is being sent.
 */
class LinkTiming
{
  public:
    /** A length in ticks and a part of a tick. */
    struct Span
    {
        uint64_t ticks;     //!< whole ticks
        uint64_t remainder; //!< in units of 1/b tick
    };

    /**
     * \param rate bit/s, at least 1
     * \param overhead bytes that the link adds to each frame (preamble and gap)
     * \param truncate cut each length down to whole ticks (at least one), as some simulators do;
     *                 for comparison only
     * \param ticksPerSecond resolution
     */
    LinkTiming(uint64_t rate, uint32_t overhead, bool truncate, int64_t ticksPerSecond);

    /**
     * \param size frame bytes without overhead
     * \return how long it lasts
     */
    const Span& Of(uint32_t size)
    {
        Entry& entry = m_cache[size > SMALL];
        if (__builtin_expect(entry.size != size, 0))
        {
            entry.size = size;
            entry.span = Compute(size);
        }
        return entry.span;
    }

    /** \return units a tick is divided in (b) */
    uint64_t GetDenominator() const
    {
        return m_b;
    }

    /**
     * \param remainder in units of 1/b tick, below b
     * \return the same in 2^-16 tick, rounded down
     */
    uint16_t ToFraction(uint64_t remainder) const
    {
        // inverse = floor(2^64 / b), so the product is below 2^64
        return static_cast<uint16_t>((remainder * m_inverse) >> (64 - FRACTION_BITS));
    }

    /**
     * \param fraction in 2^-16 tick
     * \return the same in units of 1/b tick, rounded up, so that a remainder that went through
     *         ToFraction comes back (b <= 2^16); 0 where lengths are truncated
     */
    uint64_t FromFraction(uint16_t fraction) const
    {
        constexpr uint64_t up = (1u << FRACTION_BITS) - 1;
        return m_truncate ? 0 : std::min(m_b - 1, (fraction * m_b + up) >> FRACTION_BITS);
    }

    /** \return bit/s */
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** \return resolution, ticks in a second */
    double GetTicksPerSecond() const
    {
        return m_ticksPerSecond;
    }

    /** \return bytes the link adds to each frame */
    uint32_t GetOverhead() const
    {
        return m_overhead;
    }

    /** \return whether lengths are cut to whole ticks */
    bool IsTruncated() const
    {
        return m_truncate;
    }

  private:
    static constexpr uint32_t SMALL = 256; //!< control and data frames have a cache entry each

    struct Entry
    {
        uint32_t size{~0u};
        Span span{0, 0};
    };

    Span Compute(uint32_t size) const;

    Entry m_cache[2];
    uint64_t m_a;
    uint64_t m_b;
    uint64_t m_inverse;
    uint64_t m_rate;
    double m_ticksPerSecond;
    uint32_t m_overhead;
    bool m_truncate;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LINK_TIMING_H
