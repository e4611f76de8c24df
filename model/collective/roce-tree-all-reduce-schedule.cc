/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tree-all-reduce-schedule.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t UP = 2;    //!< step that sends up and hears from above; before it, the children
constexpr uint32_t STEPS = 5; //!< two receives from children, UP, two sends to children

/** Connections of a number of channels. */
uint32_t
Trees(uint32_t channels)
{
    if (channels >= 0x80000000U)
    {
        throw std::invalid_argument("tree all-reduce: " + std::to_string(channels) +
                                    " channels, the limit is 2^31 - 1");
    }
    return 2 * channels;
}

} // namespace

TreeAllReduceSchedule::TreeAllReduceSchedule(uint32_t ranks,
                                             uint64_t bytes,
                                             uint32_t channels,
                                             uint32_t chunks)
    : PieceSchedule("tree all-reduce",
                    Counts{ranks, bytes, Trees(channels), chunks},
                    bytes,
                    Order::STEP_FIRST),
      m_trees(ranks)
{
    CheckLimit(STEPS);
}

uint32_t
TreeAllReduceSchedule::GetPieceSteps(uint32_t) const
{
    return STEPS;
}

CollectiveStep
TreeAllReduceSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const
{
    static_assert(DoubleBinaryTree::NONE == CollectiveStep::NONE, "no rank is written the same");
    const uint32_t tree = piece.channel % 2;
    const ByteRange range = GetPiece(GetBuffer(), piece);
    CollectiveStep step;
    if (number == UP)
    {
        step.after = {0, 1};
        const uint32_t parent = m_trees.GetParent(tree, rank);
        if (parent != DoubleBinaryTree::NONE)
        {
            SetSend(step, parent, range, range.offset);
            SetReceive(step, parent, range, false);
        }
        return step;
    }
    const uint32_t child = m_trees.GetChildren(tree, rank)[number < UP ? number : number - UP - 1];
    if (child == DoubleBinaryTree::NONE)
    {
        return step;
    }
    if (number < UP)
    {
        SetReceive(step, child, range, true);
    }
    else
    {
        SetSend(step, child, range, range.offset);
        step.after[0] = UP;
    }
    return step;
}

} // namespace roce
} // namespace ns3
