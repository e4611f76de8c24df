/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ALL_TO_ALL_SCHEDULE_H
#define ROCE_ALL_TO_ALL_SCHEDULE_H

#include "roce-round-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * All-to-all with one message a pair of ranks.
 *
 * Models: block d of the input of rank i goes to rank d, where it becomes block i of the output.
 * Direct: all at once, rank i to ranks i+1, i+2, .. (mod n). Pairwise: n-1 rounds, each of which
 * waits for what was received in those before; in round t = 1..n-1 rank i exchanges with i xor t
 * if n is a power of two, else it sends to i+t and receives from i-t (mod n).
 *
 * Source: Thakur, Rabenseifner, Gropp 2005, section 4.3. Offsets: with p(d) the bytes of part d of
 * S (longer ones first), the input is [0, S) and block d of it is part d. The output of rank i
 * begins at S and has n blocks of p(i) bytes by rank of the sender; it has S bytes if n divides S.
 *
 * Invariants: rank i sends S - p(i) and receives (n-1) p(i) bytes; its own block stays in the
 * input. Input and output do not overlap, so no order of messages can spoil data.
 *
 * Leaves out: the copy of the own block to the output; blocks of different sizes (all-to-all-v).
 */
class AllToAllSchedule : public RoundSchedule
{
  public:
    /** When messages may leave. */
    enum class Mode
    {
        DIRECT,
        PAIRWISE,
    };

    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param mode when messages may leave
     * \param ranks number of ranks
     * \param bytes bytes a rank has for all ranks, itself included
     * \param channels connections of a pair, which share each block
     * \param chunks messages that a channel of a block is cut into
     */
    AllToAllSchedule(Mode mode,
                     uint32_t ranks,
                     uint64_t bytes,
                     uint32_t channels = 1,
                     uint32_t chunks = 1);

  private:
    uint64_t DoGetExtent() const override;
    uint32_t GetRounds(uint32_t rank) const override;
    CollectiveStep MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const override;
    bool IsOrdered() const override;

    /** \return where a block of the output is. \param rank whose output \param from sender */
    ByteRange GetOutput(uint32_t rank, uint32_t from) const;

    Mode m_mode;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ALL_TO_ALL_SCHEDULE_H
