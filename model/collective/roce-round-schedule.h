/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ROUND_SCHEDULE_H
#define ROCE_ROUND_SCHEDULE_H

#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * A schedule in which each piece goes through rounds.
 *
 * Models: in a round a rank sends to at most one rank and receives from at most one, as
 * MPI_Sendrecv does; a send waits until all that the piece was to receive in earlier rounds is in.
 * A round makes two steps: the send, which waits for both steps of the round before, and the
 * receive.
 *
 * Source: see the subclasses.
 *
 * Invariants: those of PieceSchedule; whatever the order of arrival, a send of round t carries all
 * that came in rounds 0..t-1, also where t-1 had nothing to receive.
 *
 * Leaves out: a wait for the own send of the round before; sends on a connection keep their order
 * anyway.
 */
class RoundSchedule : public PieceSchedule
{
  protected:
    /**
     * Throws std::invalid_argument if a count is 0 or there are too many steps.
     * \param name what it is, for messages
     * \param counts how many of what
     * \param longest bytes of the longest range that is cut into channels and chunks
     * \param rounds the most rounds of a rank
     * \param order order of steps
     */
    RoundSchedule(const std::string& name,
                  const Counts& counts,
                  uint64_t longest,
                  uint64_t rounds,
                  Order order = Order::STEP_FIRST);

  private:
    uint32_t GetPieceSteps(uint32_t rank) const final;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t step) const final;
    uint32_t GetConnection(uint32_t channel, uint32_t rank, uint32_t step) const final;

    /** \return rounds of a rank. \param rank a legal one */
    virtual uint32_t GetRounds(uint32_t rank) const = 0;

    /** \return send and receive of a round; `after` and channel are not looked at.
     *  \param rank a legal one \param piece a legal one \param round 0..GetRounds(rank)-1 */
    virtual CollectiveStep MakeRound(uint32_t rank, const Piece& piece, uint32_t round) const = 0;

    /** \return number of the connection. \param channel of the piece \param rank a legal one
     *  \param round a legal one */
    virtual uint32_t GetRoundConnection(uint32_t channel, uint32_t rank, uint32_t round) const;

    /** \return whether sends wait for earlier rounds */
    virtual bool IsOrdered() const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ROUND_SCHEDULE_H
