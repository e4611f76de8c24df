/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SEND_RECV_SCHEDULE_H
#define ROCE_SEND_RECV_SCHEDULE_H

#include "roce-piece-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * Each rank sends its buffer to the next one.
 *
 * Models: rank i sends S bytes to rank i+1 and receives S bytes from rank i-1 (mod n), at once.
 *
 * Source: the sendrecv test of nccl-tests. Offsets: the input is [0, S), the output [S, 2 S).
 *
 * Invariants: each rank sends and receives S bytes.
 *
 * Leaves out: a rank that sends to itself: 1 rank makes no steps.
 */
class SendRecvSchedule : public PieceSchedule
{
  public:
    /**
     * Throws std::invalid_argument if a count is 0 or a rank would have 2^32 - 1 steps or more.
     * \param ranks number of ranks
     * \param bytes bytes that each sends
     * \param channels parts with connections of their own
     * \param chunks messages of a channel
     */
    SendRecvSchedule(uint32_t ranks, uint64_t bytes, uint32_t channels = 1, uint32_t chunks = 1);

  private:
    uint64_t DoGetExtent() const override;
    uint32_t GetPieceSteps(uint32_t rank) const override;
    CollectiveStep MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const override;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SEND_RECV_SCHEDULE_H
