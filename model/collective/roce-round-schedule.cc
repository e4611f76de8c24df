/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-round-schedule.h"

namespace ns3
{
namespace roce
{

RoundSchedule::RoundSchedule(const std::string& name,
                             const Counts& counts,
                             uint64_t longest,
                             uint64_t rounds,
                             Order order)
    : PieceSchedule(name, counts, longest, order)
{
    CheckLimit(2 * rounds);
}

uint32_t
RoundSchedule::GetPieceSteps(uint32_t rank) const
{
    return 2 * GetRounds(rank);
}

CollectiveStep
RoundSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const
{
    const CollectiveStep both = MakeRound(rank, piece, number / 2);
    CollectiveStep step;
    if (number % 2 == 0)
    {
        step.sendTo = both.sendTo;
        step.sendOffset = both.sendOffset;
        step.sendBytes = both.sendBytes;
        step.remoteOffset = both.remoteOffset;
        if (number > 0 && IsOrdered())
        {
            step.after = {number - 1, number - 2};
        }
        return step;
    }
    step.receiveFrom = both.receiveFrom;
    step.receiveOffset = both.receiveOffset;
    step.receiveBytes = both.receiveBytes;
    step.reduce = both.reduce;
    return step;
}

uint32_t
RoundSchedule::GetConnection(uint32_t channel, uint32_t rank, uint32_t step) const
{
    return GetRoundConnection(channel, rank, step / 2);
}

uint32_t
RoundSchedule::GetRoundConnection(uint32_t channel, uint32_t, uint32_t) const
{
    return channel;
}

bool
RoundSchedule::IsOrdered() const
{
    return true;
}

} // namespace roce
} // namespace ns3
