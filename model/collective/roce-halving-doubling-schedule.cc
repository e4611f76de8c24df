/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-halving-doubling-schedule.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Largest k with 2^k <= value; 0 for 0. */
uint32_t
FloorLog(uint32_t value)
{
    uint32_t log = 0;
    while (value >>= 1)
    {
        ++log;
    }
    return log;
}

} // namespace

HalvingDoublingSchedule::HalvingDoublingSchedule(uint32_t ranks,
                                                 uint64_t bytes,
                                                 uint32_t channels,
                                                 uint32_t chunks)
    : RoundSchedule("halving-doubling all-reduce",
                    Counts{ranks, bytes, channels, chunks},
                    bytes,
                    2 * (uint64_t(FloorLog(ranks)) + 1)),
      m_log(FloorLog(ranks)),
      m_extra(ranks - (uint32_t(1) << m_log))
{
}

uint32_t
HalvingDoublingSchedule::GetRounds(uint32_t) const
{
    return 2 * (m_log + (m_extra ? 1 : 0));
}

uint32_t
HalvingDoublingSchedule::ToRank(uint32_t v) const
{
    return v < m_extra ? 2 * v + 1 : v + m_extra;
}

ByteRange
HalvingDoublingSchedule::GetHeld(const ByteRange& range, uint32_t v, uint32_t rounds) const
{
    const uint32_t p = uint32_t(1) << m_log;
    uint32_t first = 0;
    uint32_t count = p;
    for (uint32_t k = 0; k < rounds; ++k)
    {
        count /= 2;
        first += v >> k & 1 ? count : 0;
    }
    return range.Parts(p, first, first + count);
}

CollectiveStep
HalvingDoublingSchedule::MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const
{
    const ByteRange all = GetPiece(GetBuffer(), piece);
    const uint32_t fold = m_extra ? 1 : 0;
    const bool extra = rank < 2 * m_extra && rank % 2 == 0;
    CollectiveStep step;
    if (round < fold || round == fold + 2 * m_log)
    {
        // the even ranks are outside of the exchanges: all goes in first and comes back last
        const bool in = round < fold;
        if (rank < 2 * m_extra && extra == in)
        {
            SetSend(step, rank ^ 1, all, all.offset);
        }
        else if (rank < 2 * m_extra)
        {
            SetReceive(step, rank ^ 1, all, in);
        }
        return step;
    }
    if (extra)
    {
        return step;
    }
    const uint32_t v = rank < 2 * m_extra ? rank / 2 : rank - m_extra;
    const uint32_t t = round - fold;
    const bool halving = t < m_log;
    const uint32_t k = halving ? t : 2 * m_log - 1 - t;
    const uint32_t other = v ^ (uint32_t(1) << k);
    const ByteRange mine = GetHeld(all, v, k + 1);
    const ByteRange theirs = GetHeld(all, other, k + 1);
    const ByteRange& out = halving ? theirs : mine;
    SetSend(step, ToRank(other), out, out.offset);
    SetReceive(step, ToRank(other), halving ? mine : theirs, halving);
    return step;
}

} // namespace roce
} // namespace ns3
