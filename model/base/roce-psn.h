/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PSN_H
#define ROCE_PSN_H

#include "roce-constants.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Packet sequence numbers: 24 bits on the wire, 64 bits inside.
 *
 * Models: the PSN arithmetic of IBTA 9.7.1. A queue pair counts its packets without wrapping
 * (sequence 0, 1, 2...) and sends (initial + sequence) mod 2^24.
 *
 * Invariants: Unwrap(Wrap(s, i), i, ref) == s for each s with |s - ref| < 2^23.
 *
 * Leaves out: nothing; window checks are the caller's.
 */
class Psn
{
  public:
    /**
     * \param sequence the unwrapped packet number
     * \param initial PSN of packet 0
     * \return the 24-bit PSN
     */
    static uint32_t Wrap(uint64_t sequence, uint32_t initial)
    {
        return static_cast<uint32_t>(sequence + initial) & MASK_24;
    }

    /**
     * \param a a PSN
     * \param b a PSN
     * \return a - b as a signed number in [-2^23, 2^23)
     */
    static int32_t Difference(uint32_t a, uint32_t b)
    {
        return static_cast<int32_t>((a - b) << 8) >> 8;
    }

    /**
     * \param psn a 24-bit PSN
     * \param initial PSN of packet 0
     * \param reference an unwrapped number near the wanted one
     * \return the unwrapped number nearest to the reference; negative for PSNs before packet 0
     */
    static int64_t Unwrap(uint32_t psn, uint32_t initial, uint64_t reference)
    {
        return static_cast<int64_t>(reference) + Difference(psn, Wrap(reference, initial));
    }
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PSN_H
