/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BRUCK_ALL_TO_ALL_SCHEDULE_H
#define ROCE_BRUCK_ALL_TO_ALL_SCHEDULE_H

#include "roce-round-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * All-to-all by the algorithm of Bruck et al.
 *
 * Models: a block that has to go j ranks further (mod n) makes the hops of the bits of j, lowest
 * first: in round k = 0..ceil(log2 n)-1 rank i sends all blocks with bit k of j set, its own and
 * those it has been handed, to rank i + 2^k in one message, and receives as many from i - 2^k. A
 * message is put together from where the blocks are (gather list of a WRITE), so that no copies are
 * made: GetSegments() has the pieces. What arrives in a round lies together, in the order of j.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient algorithms for all-to-all communications
 * in multiport message-passing systems, IEEE TPDS 8(11), 1997; without copies as in Traeff,
 * Rougier, Hunold: Implementing a classic, ICS 2014. Offsets: the input is [0, S), block d of it
 * part d of S, for rank d. From S on each round has a place of its own for what arrives; GetBlock()
 * tells where a block has ended.
 *
 * Invariants: a rank sends ceil(log2 n) messages a piece; with equal blocks of S/n it sends in
 * round k as many as there are j < n with bit k set: (S/2) log2 n in all if n is a power of two.
 *
 * Leaves out: the local copy that sorts the output by sender; the time to gather.
 */
class BruckAllToAllSchedule : public RoundSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes a rank has for all ranks, itself included
     * \param channels connections of a pair, which share each block
     * \param chunks pieces of a channel, each of which goes through all rounds
     */
    BruckAllToAllSchedule(uint32_t ranks,
                          uint64_t bytes,
                          uint32_t channels = 1,
                          uint32_t chunks = 1);

    /**
     * \param rank a rank; std::out_of_range if not
     * \param from sender of the block; std::out_of_range if not a rank
     * \return where the block from that rank is at the end, in the order of its bytes
     */
    std::vector<ByteRange> GetBlock(uint32_t rank, uint32_t from) const;

  private:
    uint64_t DoGetExtent() const override;
    std::vector<ByteRange> DoGetSegments(uint32_t rank, uint32_t index) const override;
    uint32_t GetRounds(uint32_t rank) const override;
    CollectiveStep MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const override;

    /** \return bytes of the block at distance j that a rank sends in a round. \param rank sender
     *  \param piece a piece \param round a round \param j distance, with the bit of the round */
    uint64_t GetBlockBytes(uint32_t rank, const Piece& piece, uint32_t round, uint32_t j) const;

    /** \return bytes of blocks at distances below j that a rank sends in a round.
     *  \param rank sender \param piece a piece \param round a round \param j distance */
    uint64_t GetBytesBelow(uint32_t rank, const Piece& piece, uint32_t round, uint32_t j) const;

    /** \return where what a rank receives in a round begins. \param piece a piece
     *  \param round a round */
    uint64_t GetLanding(const Piece& piece, uint32_t round) const;

    /** \return where the block at distance j is at a rank before a round. \param rank a rank
     *  \param piece a piece \param round a round \param j distance */
    ByteRange Find(uint32_t rank, const Piece& piece, uint32_t round, uint32_t j) const;

    std::vector<uint64_t> m_before; //!< blocks that arrive before a round; last: in all
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BRUCK_ALL_TO_ALL_SCHEDULE_H
