/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-rooted-schedule.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t STEPS = 3; //!< one for the place above, two for those below

} // namespace

RootedSchedule::RootedSchedule(Operation operation,
                               Shape shape,
                               uint32_t ranks,
                               uint64_t bytes,
                               uint32_t root,
                               uint32_t channels,
                               uint32_t chunks)
    : PieceSchedule(operation == Operation::BROADCAST ? "broadcast" : "reduce",
                    Counts{ranks, bytes, channels, chunks},
                    bytes,
                    Order::STEP_FIRST),
      m_operation(operation),
      m_shape(shape),
      m_root(root)
{
    if (root >= ranks)
    {
        throw std::invalid_argument(
            std::string(operation == Operation::BROADCAST ? "broadcast" : "reduce") + ": root " +
            std::to_string(root) + ", expected a rank 0.." + std::to_string(ranks - 1));
    }
    CheckLimit(STEPS);
}

uint32_t
RootedSchedule::GetPieceSteps(uint32_t) const
{
    return STEPS;
}

uint32_t
RootedSchedule::GetParent(uint32_t rank) const
{
    const uint32_t place = Before(rank, m_root);
    if (place == 0)
    {
        return CollectiveStep::NONE;
    }
    return After(m_root, m_shape == Shape::CHAIN ? place - 1 : (place - 1) / 2);
}

uint32_t
RootedSchedule::GetChild(uint32_t rank, uint32_t which) const
{
    const uint64_t place = Before(rank, m_root);
    const uint64_t below = m_shape == Shape::BINARY ? 2 * place + 1 + which
                           : which == 0             ? place + 1
                                                    : GetRanks();
    return below < GetRanks() ? After(m_root, static_cast<uint32_t>(below)) : CollectiveStep::NONE;
}

CollectiveStep
RootedSchedule::MakeStep(uint32_t rank, const Piece& piece, uint32_t number) const
{
    const bool down = m_operation == Operation::BROADCAST;
    const uint32_t above = down ? 0 : 2; // number of the step that talks to the parent
    const bool up = number == above;
    const uint32_t peer = up ? GetParent(rank) : GetChild(rank, down ? number - 1 : number);
    const ByteRange range = GetPiece(GetBuffer(), piece);
    CollectiveStep step;
    if (peer == CollectiveStep::NONE)
    {
        return step;
    }
    if (up == down)
    {
        SetReceive(step, peer, range, !down);
        return step;
    }
    SetSend(step, peer, range, range.offset);
    if (down)
    {
        step.after[0] = 0;
    }
    else
    {
        step.after = {0, 1};
    }
    return step;
}

} // namespace roce
} // namespace ns3
