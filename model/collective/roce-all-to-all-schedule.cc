/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-all-to-all-schedule.h"

namespace ns3
{
namespace roce
{

AllToAllSchedule::AllToAllSchedule(Mode mode,
                                   uint32_t ranks,
                                   uint64_t bytes,
                                   uint32_t channels,
                                   uint32_t chunks)
    : RoundSchedule(mode == Mode::PAIRWISE ? "pairwise all-to-all" : "direct all-to-all",
                    Counts{ranks, bytes, channels, chunks},
                    LongestPart(ranks, bytes),
                    uint64_t(ranks) - 1),
      m_mode(mode)
{
}

uint64_t
AllToAllSchedule::DoGetExtent() const
{
    return GetBytes() + GetRanks() * GetPart(0).bytes;
}

uint32_t
AllToAllSchedule::GetRounds(uint32_t) const
{
    return GetRanks() - 1;
}

bool
AllToAllSchedule::IsOrdered() const
{
    return m_mode == Mode::PAIRWISE;
}

ByteRange
AllToAllSchedule::GetOutput(uint32_t rank, uint32_t from) const
{
    const uint64_t bytes = GetPart(rank).bytes;
    return ByteRange{GetBytes() + from * bytes, bytes};
}

CollectiveStep
AllToAllSchedule::MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const
{
    const uint32_t n = GetRanks();
    const bool exchange = m_mode == Mode::PAIRWISE && (n & (n - 1)) == 0;
    const uint32_t to = exchange ? rank ^ (round + 1) : After(rank, round + 1);
    const uint32_t from = exchange ? to : Before(rank, round + 1);
    CollectiveStep step;
    SetSend(step, to, GetPiece(GetPart(to), piece), GetPiece(GetOutput(to, rank), piece).offset);
    SetReceive(step, from, GetPiece(GetOutput(rank, from), piece), false);
    return step;
}

} // namespace roce
} // namespace ns3
