/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-piece-schedule.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

PieceSchedule::PieceSchedule(const std::string& name,
                             const Counts& counts,
                             uint64_t longest,
                             Order order)
    : CollectiveSchedule(counts.ranks, counts.bytes),
      m_name(name),
      m_channels(counts.channels),
      m_chunks(counts.chunks),
      m_order(order)
{
    if (m_channels == 0 || m_chunks == 0)
    {
        throw std::invalid_argument(name + ": " + std::to_string(m_channels) + " channels and " +
                                    std::to_string(m_chunks) +
                                    " chunks, expected 1 or more of each");
    }
    // longer parts come first, so that the empty ones are the last
    m_usedChannels = static_cast<uint32_t>(std::min<uint64_t>(m_channels, longest));
    const uint64_t channel = m_usedChannels ? PartBytes(longest, m_channels, 0) : 0;
    m_usedChunks = static_cast<uint32_t>(std::min<uint64_t>(m_chunks, channel));
    if (counts.ranks == 1)
    {
        m_usedChannels = 0; // nobody to talk to
    }
}

uint64_t
PieceSchedule::LongestPart(uint32_t ranks, uint64_t bytes)
{
    return ranks ? PartBytes(bytes, ranks, 0) : 0;
}

void
PieceSchedule::CheckLimit(uint64_t steps) const
{
    // division, as the product may be beyond 2^64
    const uint64_t pieces = uint64_t(m_usedChannels) * m_usedChunks;
    if (pieces > 0 && steps > 0 && pieces > (CollectiveStep::NONE - 1) / steps)
    {
        throw std::invalid_argument(m_name + ": " + std::to_string(GetRanks()) + " ranks and " +
                                    std::to_string(pieces) + " chunks make " +
                                    std::to_string(steps) + " x " + std::to_string(pieces) +
                                    " steps a rank, the limit is 2^32 - 2; take fewer chunks");
    }
}

uint32_t
PieceSchedule::GetChannels() const
{
    return m_channels;
}

uint32_t
PieceSchedule::GetChunks() const
{
    return m_chunks;
}

ByteRange
PieceSchedule::GetPiece(const ByteRange& range, const Piece& piece) const
{
    return range.Part(m_channels, piece.channel).Part(m_chunks, piece.chunk);
}

ByteRange
PieceSchedule::GetBuffer() const
{
    return ByteRange{0, GetBytes()};
}

ByteRange
PieceSchedule::GetPart(uint32_t rank) const
{
    return GetBuffer().Part(GetRanks(), rank);
}

uint32_t
PieceSchedule::GetPieces() const
{
    return m_usedChannels * m_usedChunks;
}

std::vector<PieceSchedule::Piece>
PieceSchedule::ListPieces() const
{
    std::vector<Piece> pieces;
    for (uint32_t channel = 0; channel < m_usedChannels; ++channel)
    {
        for (uint32_t chunk = 0; chunk < m_usedChunks; ++chunk)
        {
            pieces.push_back(Piece{channel, chunk});
        }
    }
    return pieces;
}

uint32_t
PieceSchedule::GetPieceIndex(const Piece& piece) const
{
    return piece.chunk * m_usedChannels + piece.channel;
}

uint32_t
PieceSchedule::DoGetSteps(uint32_t rank) const
{
    return GetPieces() ? GetPieceSteps(rank) * GetPieces() : 0;
}

uint32_t
PieceSchedule::GetIndex(uint32_t rank, const Piece& piece, uint32_t step) const
{
    const uint32_t number = GetPieceIndex(piece);
    return m_order == Order::STEP_FIRST ? step * GetPieces() + number
                                        : number * GetPieceSteps(rank) + step;
}

uint32_t
PieceSchedule::Locate(uint32_t rank, uint32_t index, Piece& piece) const
{
    const uint32_t steps = GetPieceSteps(rank);
    const bool stepFirst = m_order == Order::STEP_FIRST;
    const uint32_t number = stepFirst ? index % GetPieces() : index / steps;
    piece = Piece{number % m_usedChannels, number / m_usedChannels};
    return stepFirst ? index / GetPieces() : index % steps;
}

CollectiveStep
PieceSchedule::DoGetStep(uint32_t rank, uint32_t index) const
{
    Piece piece;
    const uint32_t number = Locate(rank, index, piece);
    CollectiveStep step = MakeStep(rank, piece, number);
    for (uint32_t& after : step.after)
    {
        if (after != CollectiveStep::NONE)
        {
            after = GetIndex(rank, piece, after);
        }
    }
    step.channel = GetConnection(piece.channel, rank, number);
    return step;
}

uint32_t
PieceSchedule::GetConnection(uint32_t channel, uint32_t, uint32_t) const
{
    return channel;
}

void
PieceSchedule::SetSend(CollectiveStep& step,
                       uint32_t to,
                       const ByteRange& range,
                       uint64_t remoteOffset)
{
    if (range.bytes > 0)
    {
        step.sendTo = to;
        step.sendOffset = range.offset;
        step.sendBytes = range.bytes;
        step.remoteOffset = remoteOffset;
    }
}

void
PieceSchedule::SetReceive(CollectiveStep& step, uint32_t from, const ByteRange& range, bool reduce)
{
    if (range.bytes > 0)
    {
        step.receiveFrom = from;
        step.receiveOffset = range.offset;
        step.receiveBytes = range.bytes;
        step.reduce = reduce;
    }
}

uint32_t
PieceSchedule::After(uint32_t rank, uint32_t distance) const
{
    return static_cast<uint32_t>((uint64_t(rank) + distance) % GetRanks());
}

uint32_t
PieceSchedule::Before(uint32_t rank, uint32_t distance) const
{
    return static_cast<uint32_t>((uint64_t(rank) + GetRanks() - distance) % GetRanks());
}

} // namespace roce
} // namespace ns3
