/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ROOTED_SCHEDULE_H
#define ROCE_ROOTED_SCHEDULE_H

#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * Broadcast from one rank or reduce to one.
 *
 * Models: ranks have places (rank - root) mod n. In a chain, place v has place v+1 below it; in a
 * binary tree the places 2 v + 1 and 2 v + 2. A broadcast hands each chunk down as soon as it is
 * in, a reduce adds what the places below have sent and hands the sum up.
 *
 * Source: Thakur, Rabenseifner, Gropp 2005, section 4.2 (trees); the pipelined chain is NCCL's ring
 * for broadcast and reduce.
 *
 * Invariants: a rank sends S a place below it in a broadcast; S in a reduce, the root nothing. Any
 * rank but the root receives S in a broadcast.
 *
 * Leaves out: scatter followed by all-gather. Offsets: the buffer of a rank is [0, S). A reduce
 * leaves sums half done in the buffers of the other ranks.
 */
class RootedSchedule : public PieceSchedule
{
  public:
    /** What it does. */
    enum class Operation
    {
        BROADCAST,
        REDUCE,
    };

    /** Who is below whom. */
    enum class Shape
    {
        CHAIN,
        BINARY,
    };

    /**
     * Throws std::invalid_argument if a count is 0, root is not a rank, or a rank would have
     * 2^32 - 1 steps or more.
     * \param operation what it does
     * \param shape who is below whom
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank
     * \param root rank that has, or gets, the data
     * \param channels parts with connections of their own
     * \param chunks pieces of a channel that follow each other
     */
    RootedSchedule(Operation operation,
                   Shape shape,
                   uint32_t ranks,
                   uint64_t bytes,
                   uint32_t root = 0,
                   uint32_t channels = 1,
                   uint32_t chunks = 1);

  private:
    uint32_t GetPieceSteps(uint32_t rank) const override;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const override;

    /** \return rank above, or NONE. \param rank a rank */
    uint32_t GetParent(uint32_t rank) const;

    /** \return rank below, or NONE. \param rank a rank \param which 0 or 1 */
    uint32_t GetChild(uint32_t rank, uint32_t which) const;

    Operation m_operation;
    Shape m_shape;
    uint32_t m_root;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ROOTED_SCHEDULE_H
