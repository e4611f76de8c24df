/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-bruck-all-to-all-schedule.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Smallest k with 2^k >= value; 0 for 0. */
uint32_t
CeilLog(uint32_t value)
{
    uint32_t log = 0;
    while ((uint64_t(1) << log) < value)
    {
        ++log;
    }
    return log;
}

/** Numbers below n with bit k set. */
uint64_t
CountWithBit(uint64_t n, uint32_t k)
{
    const uint64_t bit = uint64_t(1) << k;
    const uint64_t rest = n % (2 * bit);
    return n / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

/** What a number has in the bits below k. */
uint32_t
Low(uint32_t value, uint32_t k)
{
    return static_cast<uint32_t>(value & ((uint64_t(1) << k) - 1));
}

/** The distance after j that has bit k. */
uint64_t
NextWithBit(uint64_t j, uint32_t k)
{
    const uint64_t bit = uint64_t(1) << k;
    return (j + 1) | bit;
}

} // namespace

BruckAllToAllSchedule::BruckAllToAllSchedule(uint32_t ranks,
                                             uint64_t bytes,
                                             uint32_t channels,
                                             uint32_t chunks)
    : RoundSchedule("bruck all-to-all",
                    Counts{ranks, bytes, channels, chunks},
                    LongestPart(ranks, bytes),
                    CeilLog(ranks)),
      m_before(1, 0)
{
    for (uint32_t k = 0; k < CeilLog(ranks); ++k)
    {
        m_before.push_back(m_before.back() + CountWithBit(ranks, k));
    }
}

uint32_t
BruckAllToAllSchedule::GetRounds(uint32_t) const
{
    return static_cast<uint32_t>(m_before.size() - 1);
}

uint64_t
BruckAllToAllSchedule::GetLanding(const Piece& piece, uint32_t round) const
{
    const uint64_t longest = GetPiece(GetPart(0), Piece{0, 0}).bytes;
    return GetBytes() + (GetPieceIndex(piece) * m_before.back() + m_before[round]) * longest;
}

uint64_t
BruckAllToAllSchedule::DoGetExtent() const
{
    const uint64_t longest = GetPiece(GetPart(0), Piece{0, 0}).bytes;
    return GetBytes() + GetPieces() * m_before.back() * longest;
}

uint64_t
BruckAllToAllSchedule::GetBlockBytes(uint32_t rank,
                                     const Piece& piece,
                                     uint32_t round,
                                     uint32_t j) const
{
    // it has come by the lower bits of j, the others are left
    return GetPiece(GetPart(After(rank, j - Low(j, round))), piece).bytes;
}

uint64_t
BruckAllToAllSchedule::GetBytesBelow(uint32_t rank,
                                     const Piece& piece,
                                     uint32_t round,
                                     uint32_t j) const
{
    if (GetBytes() % GetRanks() == 0)
    {
        return CountWithBit(j, round) * GetPiece(GetPart(0), piece).bytes; // all are equal
    }
    uint64_t bytes = 0;
    for (uint64_t i = uint64_t(1) << round; i < j; i = NextWithBit(i, round))
    {
        bytes += GetBlockBytes(rank, piece, round, static_cast<uint32_t>(i));
    }
    return bytes;
}

ByteRange
BruckAllToAllSchedule::Find(uint32_t rank, const Piece& piece, uint32_t round, uint32_t j) const
{
    const uint32_t low = Low(j, round);
    if (low == 0)
    {
        return GetPiece(GetPart(After(rank, j)), piece);
    }
    uint32_t last = 0; // the round it came in
    while (low >> (last + 1))
    {
        ++last;
    }
    const uint32_t from = Before(rank, uint32_t(1) << last);
    return ByteRange{GetLanding(piece, last) + GetBytesBelow(from, piece, last, j),
                     GetBlockBytes(from, piece, last, j)};
}

CollectiveStep
BruckAllToAllSchedule::MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const
{
    const uint32_t hop = uint32_t(1) << round;
    const uint32_t from = Before(rank, hop);
    const uint64_t landing = GetLanding(piece, round);
    ByteRange out{0, GetBytesBelow(rank, piece, round, GetRanks())};
    if (out.bytes > 0)
    {
        // the first block that is not empty; all are of the same size or one byte less
        uint64_t j = hop;
        while (GetBlockBytes(rank, piece, round, static_cast<uint32_t>(j)) == 0)
        {
            j = NextWithBit(j, round);
        }
        out.offset = Find(rank, piece, round, static_cast<uint32_t>(j)).offset;
    }
    CollectiveStep step;
    SetSend(step, After(rank, hop), out, landing);
    SetReceive(step,
               from,
               ByteRange{landing, GetBytesBelow(from, piece, round, GetRanks())},
               false);
    return step;
}

std::vector<ByteRange>
BruckAllToAllSchedule::DoGetSegments(uint32_t rank, uint32_t index) const
{
    Piece piece;
    const uint32_t number = Locate(rank, index, piece);
    std::vector<ByteRange> segments;
    if (number % 2 == 1)
    {
        return segments; // receives only
    }
    const uint32_t round = number / 2;
    // bytes gone by of what has arrived in each round, as Find() counts them one by one
    std::vector<uint64_t> below(round, 0);
    for (uint32_t j = 1; j < GetRanks(); ++j)
    {
        ByteRange block = GetPiece(GetPart(After(rank, j)), piece); // it has not moved yet
        for (uint32_t k = 0; k < round; ++k)
        {
            if (j >> k & 1)
            {
                const uint32_t from = Before(rank, uint32_t(1) << k);
                block =
                    ByteRange{GetLanding(piece, k) + below[k], GetBlockBytes(from, piece, k, j)};
                below[k] += block.bytes;
            }
        }
        if ((j >> round & 1) && block.bytes > 0)
        {
            segments.push_back(block);
        }
    }
    return segments;
}

std::vector<ByteRange>
BruckAllToAllSchedule::GetBlock(uint32_t rank, uint32_t from) const
{
    const uint32_t worst = std::max(rank, from);
    if (worst >= GetRanks())
    {
        throw std::out_of_range("bruck all-to-all: rank " + std::to_string(worst) +
                                ", expected 0.." + std::to_string(GetRanks() - 1));
    }
    std::vector<ByteRange> ranges;
    if (rank == from)
    {
        ranges.push_back(GetPart(rank));
        return ranges;
    }
    for (const Piece& piece : ListPieces())
    {
        ranges.push_back(Find(rank, piece, GetRounds(rank), Before(rank, from)));
    }
    return ranges;
}

} // namespace roce
} // namespace ns3
