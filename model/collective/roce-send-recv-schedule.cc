/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-send-recv-schedule.h"

namespace ns3
{
namespace roce
{

SendRecvSchedule::SendRecvSchedule(uint32_t ranks,
                                   uint64_t bytes,
                                   uint32_t channels,
                                   uint32_t chunks)
    : PieceSchedule("send-recv", Counts{ranks, bytes, channels, chunks}, bytes, Order::STEP_FIRST)
{
    CheckLimit(1);
}

uint64_t
SendRecvSchedule::DoGetExtent() const
{
    return 2 * GetBytes();
}

uint32_t
SendRecvSchedule::GetPieceSteps(uint32_t) const
{
    return 1;
}

CollectiveStep
SendRecvSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t) const
{
    const ByteRange input = GetPiece(GetBuffer(), piece);
    const ByteRange output{GetBytes() + input.offset, input.bytes};
    CollectiveStep step;
    SetSend(step, After(rank, 1), input, output.offset);
    SetReceive(step, Before(rank, 1), output, false);
    return step;
}

} // namespace roce
} // namespace ns3
