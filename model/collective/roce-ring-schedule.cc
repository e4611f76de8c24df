/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ring-schedule.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Name of a ring in messages. */
const char*
RingName(ReducePhases phases)
{
    switch (phases)
    {
    case ReducePhases::REDUCE_SCATTER:
        return "ring reduce-scatter";
    case ReducePhases::ALL_GATHER:
        return "ring all-gather";
    default:
        return "ring all-reduce";
    }
}

} // namespace

RingSchedule::RingSchedule(ReducePhases phases,
                           uint32_t ranks,
                           uint64_t bytes,
                           uint32_t channels,
                           uint32_t chunks)
    : PieceSchedule(RingName(phases),
                    Counts{ranks, bytes, channels, chunks},
                    phases == ReducePhases::ALL_REDUCE ? bytes : LongestPart(ranks, bytes),
                    Order::STEP_FIRST),
      m_phases(phases)
{
    CheckLimit((phases == ReducePhases::ALL_REDUCE ? 2 : 1) * (uint64_t(ranks) - 1));
}

uint32_t
RingSchedule::GetPieceSteps(uint32_t) const
{
    return (m_phases == ReducePhases::ALL_REDUCE ? 2 : 1) * (GetRanks() - 1);
}

ByteRange
RingSchedule::GetSlice(const Piece& piece, uint32_t slice) const
{
    return m_phases == ReducePhases::ALL_REDUCE
               ? GetPiece(GetBuffer(), piece).Part(GetRanks(), slice)
               : GetPiece(GetPart(slice), piece);
}

CollectiveStep
RingSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t round) const
{
    const uint32_t n = GetRanks();
    const uint32_t back = m_phases == ReducePhases::REDUCE_SCATTER ? round + 1 : round;
    const uint32_t sent = Before(rank, back % n);
    const uint32_t received = Before(sent, 1);
    CollectiveStep step;
    const ByteRange out = GetSlice(piece, sent);
    SetSend(step, After(rank, 1), out, out.offset);
    SetReceive(step,
               Before(rank, 1),
               GetSlice(piece, received),
               m_phases != ReducePhases::ALL_GATHER && round < n - 1);
    if (round > 0)
    {
        step.after[0] = round - 1;
    }
    return step;
}

} // namespace roce
} // namespace ns3
