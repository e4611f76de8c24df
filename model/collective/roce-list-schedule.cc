/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-list-schedule.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

ListSchedule::ListSchedule(uint32_t ranks, uint64_t bytes)
    : CollectiveSchedule(ranks, bytes),
      m_steps(ranks),
      m_extent(bytes)
{
}

uint32_t
ListSchedule::Add(uint32_t rank, const CollectiveStep& step)
{
    const uint32_t index = GetSteps(rank); // refuses a rank that is not there
    m_steps[rank].push_back(step);
    m_extent = std::max({m_extent,
                         step.sendOffset + step.sendBytes,
                         step.remoteOffset + step.sendBytes,
                         step.receiveOffset + step.receiveBytes});
    return index;
}

uint32_t
ListSchedule::DoGetSteps(uint32_t rank) const
{
    return static_cast<uint32_t>(m_steps[rank].size());
}

CollectiveStep
ListSchedule::DoGetStep(uint32_t rank, uint32_t index) const
{
    return m_steps[rank][index];
}

uint64_t
ListSchedule::DoGetExtent() const
{
    return m_extent;
}

} // namespace roce
} // namespace ns3
