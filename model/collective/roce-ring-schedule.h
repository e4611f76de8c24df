/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RING_SCHEDULE_H
#define ROCE_RING_SCHEDULE_H

#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * All-reduce, reduce-scatter or all-gather over a ring.
 *
 * Models: rank i sends to rank i+1 in rounds; each round waits for what came in the round before.
 * Indices are mod n. A piece has n slices: of an all-reduce, n parts of the piece; of a
 * reduce-scatter or all-gather, the pieces of the parts of the n ranks.
 * - All-reduce: in round t = 0..n-2 rank i sends slice i-t, which is added to that of the neighbor;
 *   in round t = n-1..2n-3 it sends slice i-t, which is whole and replaces that of the neighbor.
 * - Reduce-scatter: in round t = 0..n-2 it sends slice i-1-t, so that slice i is whole at last.
 * - All-gather: in round t = 0..n-2 it sends slice i-t.
 *
 * Source: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of
 * workstations, JPDC 2009; with pipelined chunks as in NCCL's ring. Offsets: the buffer of a rank
 * is [0, S); parts of ranks are in the order of ranks, the longer ones first. After a
 * reduce-scatter the other parts of the buffer hold sums half done.
 *
 * Invariants: with s(k) the bytes of slice k over all pieces, rank i sends 2 S - s(i+1) - s(i+2) in
 * an all-reduce, S - s(i) in a reduce-scatter, S - s(i+1) in an all-gather. All ranks together send
 * (n-1) S a phase, the least possible.
 *
 * Leaves out: element sizes; barriers: with 0 bytes no rank waits for another.
 */
class RingSchedule : public PieceSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param phases which phases
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank: of an all-gather, with all parts
     * \param channels rings that run side by side, each with its own connections
     * \param chunks pieces of a channel that follow each other through the ring
     */
    RingSchedule(ReducePhases phases,
                 uint32_t ranks,
                 uint64_t bytes,
                 uint32_t channels = 1,
                 uint32_t chunks = 1);

  private:
    uint32_t GetPieceSteps(uint32_t rank) const override;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t round) const override;
    ByteRange GetSlice(const Piece& piece, uint32_t slice) const;

    ReducePhases m_phases;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RING_SCHEDULE_H
