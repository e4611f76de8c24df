/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-direct-schedule.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Steps for n ranks. */
uint64_t
DirectSteps(ReducePhases phases, uint64_t n)
{
    // two exchanges with all others, and the joins between them
    return phases == ReducePhases::ALL_REDUCE && n > 1 ? 3 * (n - 1) - 1 : n - 1;
}

/** Name in messages. */
const char*
DirectName(ReducePhases phases)
{
    switch (phases)
    {
    case ReducePhases::REDUCE_SCATTER:
        return "direct reduce-scatter";
    case ReducePhases::ALL_GATHER:
        return "direct all-gather";
    default:
        return "direct all-reduce";
    }
}

} // namespace

DirectSchedule::DirectSchedule(ReducePhases phases,
                               uint32_t ranks,
                               uint64_t bytes,
                               uint32_t channels,
                               uint32_t chunks)
    : PieceSchedule(DirectName(phases),
                    Counts{ranks, bytes, channels, chunks},
                    LongestPart(ranks, bytes),
                    Order::STEP_FIRST),
      m_phases(phases)
{
    CheckLimit(DirectSteps(phases, ranks));
}

uint32_t
DirectSchedule::GetPieceSteps(uint32_t) const
{
    return static_cast<uint32_t>(DirectSteps(m_phases, GetRanks()));
}

CollectiveStep
DirectSchedule::Scatter(uint32_t rank, const Piece& piece, uint32_t distance) const
{
    CollectiveStep step;
    const uint32_t to = After(rank, distance);
    const ByteRange out = GetPiece(GetPart(to), piece);
    SetSend(step, to, out, out.offset);
    SetReceive(step, Before(rank, distance), GetPiece(GetPart(rank), piece), true);
    return step;
}

CollectiveStep
DirectSchedule::Gather(uint32_t rank, const Piece& piece, uint32_t distance) const
{
    CollectiveStep step;
    const uint32_t from = Before(rank, distance);
    const ByteRange out = GetPiece(GetPart(rank), piece);
    SetSend(step, After(rank, distance), out, out.offset);
    SetReceive(step, from, GetPiece(GetPart(from), piece), false);
    return step;
}

CollectiveStep
DirectSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const
{
    const uint32_t others = GetRanks() - 1;
    if (m_phases == ReducePhases::ALL_GATHER)
    {
        return Gather(rank, piece, number + 1);
    }
    if (number < others)
    {
        return Scatter(rank, piece, number + 1);
    }
    // Joins are a binary tree over the exchanges: node v has the children 2 v and 2 v + 1, the
    // nodes others..2 others - 1 are the exchanges, node 1 is the root. Children come first in the
    // list.
    const uint32_t last = 2 * others - 1;
    const auto place = [others, last](uint32_t node) {
        return node >= others ? node - others : last - node;
    };
    if (number < last)
    {
        const uint32_t node = last - number;
        CollectiveStep join;
        join.after = {place(2 * node + 1), place(2 * node)};
        return join;
    }
    CollectiveStep step = Gather(rank, piece, number - last + 1);
    step.after[0] = place(1);
    return step;
}

} // namespace roce
} // namespace ns3
