/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_CABLE_LENGTH_H
#define ROCE_CABLE_LENGTH_H

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * \brief Length of a cable against its delay: 5 ns a metre.
 *
 * Models: light in fibre. A refractive index of 1.5 gives c / 1.5 = 2e8 m/s, which is 5 ns a metre;
 * silica has 1.47 (4.9 ns), copper cables about 4.5 ns.
 *
 * Source: speed of light 299 792 458 m/s (SI); the figure that Cable uses.
 *
 * Invariants: Metres(DelayPs(x)) is x to within 0.1 mm, for x from 0 to 1e9.
 *
 * Leaves out: other media; transceivers.
 */
class CableLength
{
  public:
    /// One-way delay of a metre, picoseconds.
    static constexpr int64_t PS_PER_METRE = 5000;

    /// Longest length taken, metres: 1e9 (5 s one way).
    static constexpr double MAX_METRES = 1e9;

    /** \return one-way delay, picoseconds, to the nearest. \param metres 0 to MAX_METRES */
    static constexpr int64_t DelayPs(double metres)
    {
        return static_cast<int64_t>(metres * PS_PER_METRE + 0.5);
    }

    /** \return length in metres. \param delayPs one-way delay, picoseconds */
    static constexpr double Metres(int64_t delayPs)
    {
        return static_cast<double>(delayPs) / PS_PER_METRE;
    }
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_CABLE_LENGTH_H */
