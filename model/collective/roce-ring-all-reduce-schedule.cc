/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ring-all-reduce-schedule.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

RingAllReduceSchedule::RingAllReduceSchedule(uint32_t ranks,
                                             uint64_t bytes,
                                             uint32_t channels,
                                             uint32_t chunks)
    : RingSchedule(ReducePhases::ALL_REDUCE, ranks, bytes, channels, chunks)
{
}

uint64_t
RingAllReduceSchedule::GetSliceBytes(uint32_t channel, uint32_t chunk, uint32_t slice) const
{
    if (channel >= GetChannels() || chunk >= GetChunks() || slice >= GetRanks())
    {
        throw std::out_of_range("ring all-reduce: channel " + std::to_string(channel) + " chunk " +
                                std::to_string(chunk) + " slice " + std::to_string(slice) + " of " +
                                std::to_string(GetChannels()) + ", " + std::to_string(GetChunks()) +
                                ", " + std::to_string(GetRanks()));
    }
    return GetPiece(GetBuffer(), Piece{channel, chunk}).Part(GetRanks(), slice).bytes;
}

} // namespace roce
} // namespace ns3
