/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DIRECT_SCHEDULE_H
#define ROCE_DIRECT_SCHEDULE_H

#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * All-reduce, reduce-scatter or all-gather in which each rank sends to each other one directly.
 *
 * Models: reduce-scatter: rank i sends part i+d to rank i+d, d = 1..n-1, at once; what comes is
 * added to part i. All-gather: rank i sends part i to each other rank, which puts it in its place.
 * All-reduce: both; the second phase of a piece waits for all n-1 parts of the first.
 *
 * Source: the collective implementation called "direct" in ASTRA-sim, for switches that connect all
 * ranks at full rate. Offsets: the buffer of a rank is [0, S); parts in the order of ranks, the
 * longer ones first. After a reduce-scatter the other parts are as they were.
 *
 * Invariants: with p(i) the bytes of part i, rank i sends S - p(i) in a reduce-scatter and
 * (n-1) p(i) in an all-gather, both in an all-reduce: 2 (n-1)/n S if n divides S.
 *
 * Leaves out: a limit to the messages that arrive at a time (incast); element sizes.
 */
class DirectSchedule : public PieceSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param phases which phases
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank: of an all-gather, with all parts
     * \param channels connections to each rank, which share each part
     * \param chunks messages that a channel of a part is cut into
     */
    DirectSchedule(ReducePhases phases,
                   uint32_t ranks,
                   uint64_t bytes,
                   uint32_t channels = 1,
                   uint32_t chunks = 1);

  private:
    uint32_t GetPieceSteps(uint32_t rank) const override;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const override;
    CollectiveStep Scatter(uint32_t rank, const Piece& piece, uint32_t distance) const;
    CollectiveStep Gather(uint32_t rank, const Piece& piece, uint32_t distance) const;

    ReducePhases m_phases;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DIRECT_SCHEDULE_H
