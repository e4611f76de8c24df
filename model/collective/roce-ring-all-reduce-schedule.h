/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RING_ALL_REDUCE_SCHEDULE_H
#define ROCE_RING_ALL_REDUCE_SCHEDULE_H

#include "roce-collective-schedule.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * AllReduce over a ring: reduce-scatter, then all-gather.
 *
 * Models: the buffer of S bytes is cut into channels, each with a connection of its own, each
 * channel into chunks that follow each other through the ring, each chunk into n slices, one a
 * rank. Rank i sends to rank i+1. In round t = 0..n-2 it sends slice i-t, which is added to that of
 * the neighbor; in round t = n-1..2n-3 it sends slice i-t (all mod n), which is whole and replaces
 * that of the neighbor. Each round waits for the slice received in the round before. Steps are in
 * the order of round, chunk, channel.
 *
 * Source: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of
 * workstations, JPDC 2009; with pipelined chunks as in NCCL's ring.
 *
 * Invariants: with s(k) the bytes of slice k summed over channels and chunks, rank i sends
 * 2 S - s(i+1) - s(i+2) and receives 2 S - s(i) - s(i+1) bytes (indices mod n); all ranks together
 * send 2 (n-1) S. If n divides each chunk, each rank sends 2 (n-1)/n S, the least possible.
 * A slice of 0 bytes makes no step: 1 rank or 0 bytes make none at all.
 *
 * Leaves out: element sizes (a slice may end inside a number); barriers: with 0 bytes no rank waits
 * for another.
 */
class RingAllReduceSchedule : public CollectiveSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank
     * \param channels rings that run side by side, each with its own connections
     * \param chunks pieces of a channel that follow each other through the ring
     */
    RingAllReduceSchedule(uint32_t ranks,
                          uint64_t bytes,
                          uint32_t channels = 1,
                          uint32_t chunks = 1);

    /** \return bytes of a slice. \param channel a channel \param chunk a chunk of it
     *  \param slice 0..ranks-1 */
    uint64_t GetSliceBytes(uint32_t channel, uint32_t chunk, uint32_t slice) const;

  private:
    /** One chunk of one channel. */
    struct Piece
    {
        uint32_t channel;
        uint64_t offset;
        uint64_t bytes;
    };

    uint32_t DoGetSteps(uint32_t rank) const override;
    CollectiveStep DoGetStep(uint32_t rank, uint32_t index) const override;

    uint32_t m_chunks;
    uint32_t m_channels;
    std::vector<Piece> m_pieces; //!< by chunk, then channel; those of 0 bytes are left out
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RING_ALL_REDUCE_SCHEDULE_H
