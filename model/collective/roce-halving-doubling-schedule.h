/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HALVING_DOUBLING_SCHEDULE_H
#define ROCE_HALVING_DOUBLING_SCHEDULE_H

#include "roce-round-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * AllReduce by recursive halving and doubling.
 *
 * Models: with p the largest power of two not above n and r = n - p, the even ranks below 2 r first
 * send their buffer to the odd rank after them, which adds it; the p ranks left have numbers v.
 * In round k = 0..log2(p)-1 ranks v and v xor 2^k exchange halves of what they still hold: each
 * sends the half that the other keeps (bit k of its v says which) and adds what comes. Then the
 * same in reverse: they exchange what they hold whole. At last the even ranks below 2 r get all of
 * it back.
 *
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004; Thakur,
 * Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH, 2005, section
 * 4.5: vector halving with distance doubling, so that the largest messages go to the nearest ranks.
 *
 * Invariants: the p ranks send 2 (p-1)/p S in exchanges if p divides S, in 2 log2 p rounds; an odd
 * rank below 2 r sends S more, the even one S alone.
 *
 * Leaves out: Rabenseifner's split of the fold, in which both ranks of a pair add up one half each;
 * element sizes.
 */
class HalvingDoublingSchedule : public RoundSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes of the buffer of a rank
     * \param channels parts with connections of their own
     * \param chunks pieces of a channel, each of which goes through all rounds
     */
    HalvingDoublingSchedule(uint32_t ranks,
                            uint64_t bytes,
                            uint32_t channels = 1,
                            uint32_t chunks = 1);

  private:
    uint32_t GetRounds(uint32_t rank) const override;
    CollectiveStep MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const override;

    /** \return what number v still holds after halving. \param range all \param v number
     *  \param rounds how many */
    ByteRange GetHeld(const ByteRange& range, uint32_t v, uint32_t rounds) const;

    uint32_t ToRank(uint32_t v) const;

    uint32_t m_log{0};   //!< log2 of p
    uint32_t m_extra{0}; //!< r
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HALVING_DOUBLING_SCHEDULE_H
