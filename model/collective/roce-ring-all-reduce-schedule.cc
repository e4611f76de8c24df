/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ring-all-reduce-schedule.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

RingAllReduceSchedule::RingAllReduceSchedule(uint32_t ranks,
                                             uint64_t bytes,
                                             uint32_t channels,
                                             uint32_t chunks)
    : CollectiveSchedule(ranks, bytes),
      m_chunks(chunks),
      m_channels(channels)
{
    if (channels == 0 || chunks == 0)
    {
        throw std::invalid_argument("ring all-reduce: " + std::to_string(channels) +
                                    " channels and " + std::to_string(chunks) +
                                    " chunks, expected 1 or more of each");
    }
    // a rank without a neighbor has nothing to do
    for (uint32_t chunk = 0; ranks > 1 && chunk < chunks; ++chunk)
    {
        for (uint32_t channel = 0; channel < channels; ++channel)
        {
            const uint64_t ofChannel = PartBytes(bytes, channels, channel);
            const Piece piece{channel,
                              PartOffset(bytes, channels, channel) +
                                  PartOffset(ofChannel, chunks, chunk),
                              PartBytes(ofChannel, chunks, chunk)};
            if (piece.bytes > 0)
            {
                m_pieces.push_back(piece);
            }
        }
    }
    const uint64_t steps = 2 * (uint64_t(ranks) - 1) * m_pieces.size();
    if (steps >= CollectiveStep::NONE)
    {
        throw std::invalid_argument("ring all-reduce: " + std::to_string(ranks) + " ranks and " +
                                    std::to_string(m_pieces.size()) + " chunks make " +
                                    std::to_string(steps) +
                                    " steps a rank, the limit is 2^32 - 2; take fewer chunks");
    }
}

uint64_t
RingAllReduceSchedule::GetSliceBytes(uint32_t channel, uint32_t chunk, uint32_t slice) const
{
    if (channel >= m_channels || chunk >= m_chunks || slice >= GetRanks())
    {
        throw std::out_of_range("ring all-reduce: channel " + std::to_string(channel) + " chunk " +
                                std::to_string(chunk) + " slice " + std::to_string(slice) + " of " +
                                std::to_string(m_channels) + ", " + std::to_string(m_chunks) +
                                ", " + std::to_string(GetRanks()));
    }
    const uint64_t ofChannel = PartBytes(GetBytes(), m_channels, channel);
    return PartBytes(PartBytes(ofChannel, m_chunks, chunk), GetRanks(), slice);
}

uint32_t
RingAllReduceSchedule::DoGetSteps(uint32_t) const
{
    return static_cast<uint32_t>(2 * (uint64_t(GetRanks()) - 1) * m_pieces.size());
}

CollectiveStep
RingAllReduceSchedule::DoGetStep(uint32_t rank, uint32_t index) const
{
    const uint32_t n = GetRanks();
    const auto pieces = static_cast<uint32_t>(m_pieces.size());
    const uint32_t round = index / pieces;
    const Piece& piece = m_pieces[index % pieces];
    // slice i - t goes out, and i - 1 - t comes in; t < 2 n
    const auto sent = static_cast<uint32_t>((uint64_t(rank) + 2 * uint64_t(n) - round) % n);
    const uint32_t received = (sent + n - 1) % n;
    CollectiveStep step;
    step.channel = piece.channel;
    step.sendBytes = PartBytes(piece.bytes, n, sent);
    step.receiveBytes = PartBytes(piece.bytes, n, received);
    if (step.sendBytes > 0)
    {
        step.sendTo = (rank + 1) % n;
        step.sendOffset = piece.offset + PartOffset(piece.bytes, n, sent);
        if (round > 0)
        {
            step.after[0] = index - pieces;
        }
    }
    if (step.receiveBytes > 0)
    {
        step.receiveFrom = (rank + n - 1) % n;
        step.receiveOffset = piece.offset + PartOffset(piece.bytes, n, received);
        step.reduce = round < n - 1;
    }
    return step;
}

} // namespace roce
} // namespace ns3
