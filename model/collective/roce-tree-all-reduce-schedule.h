/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TREE_ALL_REDUCE_SCHEDULE_H
#define ROCE_TREE_ALL_REDUCE_SCHEDULE_H

#include "roce-double-binary-tree.h"
#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * AllReduce over a double binary tree.
 *
 * Models: each channel has two connections to a neighbor, 2 c for tree 0 and 2 c + 1 for tree 1,
 * which carry half of its bytes each. A chunk is added up towards the root of its tree; the sum
 * goes back down. A rank sends a chunk up when those of its children are in, down when it has come
 * from above. Chunks follow each other, up and down at the same time.
 *
 * Source: Sanders, Speck, Traeff: Two-tree algorithms for full bandwidth broadcast, reduction and
 * scan, 2009; as NCCL's tree uses them for all-reduce.
 *
 * Invariants: a rank sends in each tree its half once for the parent, if it has one, and once for
 * each child: at most 2 S in all, and 2 (n-1) S over all ranks. Any n.
 *
 * Leaves out: the reduction of NCCL to one tree node a server (its chain inside); element sizes.
 */
class TreeAllReduceSchedule : public PieceSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank
     * \param channels pairs of trees that run side by side; below 2^31
     * \param chunks pieces of a tree's bytes that follow each other
     */
    TreeAllReduceSchedule(uint32_t ranks,
                          uint64_t bytes,
                          uint32_t channels = 1,
                          uint32_t chunks = 1);

  private:
    uint32_t GetPieceSteps(uint32_t rank) const override;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const override;

    DoubleBinaryTree m_trees;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TREE_ALL_REDUCE_SCHEDULE_H
