/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-barrier-schedule.h"

namespace ns3
{
namespace roce
{

BarrierSchedule::BarrierSchedule(uint32_t ranks)
    : CollectiveSchedule(ranks, 0)
{
    while ((uint64_t(1) << m_rounds) < ranks)
    {
        ++m_rounds;
    }
}

uint32_t
BarrierSchedule::DoGetSteps(uint32_t) const
{
    return 2 * m_rounds;
}

CollectiveStep
BarrierSchedule::DoGetStep(uint32_t rank, uint32_t index) const
{
    // a send waits for both steps of the round before: its receive, and all that its send waited
    // for
    const uint64_t n = GetRanks();
    const uint64_t hop = uint64_t(1) << (index / 2);
    CollectiveStep step;
    if (index % 2 == 1)
    {
        step.receiveFrom = static_cast<uint32_t>((rank + n - hop) % n);
        return step;
    }
    step.sendTo = static_cast<uint32_t>((rank + hop) % n);
    if (index > 0)
    {
        step.after = {index - 1, index - 2};
    }
    return step;
}

} // namespace roce
} // namespace ns3
