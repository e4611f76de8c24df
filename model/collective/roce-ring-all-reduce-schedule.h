/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RING_ALL_REDUCE_SCHEDULE_H
#define ROCE_RING_ALL_REDUCE_SCHEDULE_H

#include "roce-ring-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * AllReduce over a ring: reduce-scatter, then all-gather.
 *
 * Models: RingSchedule with both phases: the buffer of S bytes is cut into channels, each with a
 * connection of its own, each channel into chunks that follow each other through the ring, each
 * chunk into n slices, one a rank. Steps are in the order of round, chunk, channel.
 *
 * Source: see RingSchedule.
 *
 * Invariants: with s(k) the bytes of slice k summed over channels and chunks, rank i sends
 * 2 S - s(i+1) - s(i+2) and receives 2 S - s(i) - s(i+1) bytes (indices mod n); all ranks together
 * send 2 (n-1) S. If n divides each chunk, each rank sends 2 (n-1)/n S, the least possible.
 * A slice of 0 bytes makes no message: 1 rank or 0 bytes make no steps at all.
 *
 * Leaves out: element sizes (a slice may end inside a number); barriers: with 0 bytes no rank waits
 * for another.
 */
class RingAllReduceSchedule : public RingSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank
     * \param channels rings that run side by side, each with its own connections
     * \param chunks pieces of a channel that follow each other through the ring
     */
    RingAllReduceSchedule(uint32_t ranks,
                          uint64_t bytes,
                          uint32_t channels = 1,
                          uint32_t chunks = 1);

    /** \return bytes of a slice; std::out_of_range if there is none. \param channel a channel
     *  \param chunk a chunk of it \param slice 0..ranks-1 */
    uint64_t GetSliceBytes(uint32_t channel, uint32_t chunk, uint32_t slice) const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RING_ALL_REDUCE_SCHEDULE_H
