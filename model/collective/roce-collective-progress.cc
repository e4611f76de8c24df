/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-progress.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

CollectiveProgress::CollectiveProgress(const CollectiveSchedule& schedule, uint32_t rank)
    : m_schedule(&schedule),
      m_rank(rank),
      m_in(schedule.GetSteps(rank), false)
{
    for (uint32_t i = 0; i < m_in.size(); ++i)
    {
        const CollectiveStep step = schedule.GetStep(rank, i);
        if (step.sendTo != CollectiveStep::NONE)
        {
            m_sends[CollectiveLink{step.sendTo, step.channel}].steps.push_back(i);
            ++m_unsent;
        }
        if (step.receiveFrom != CollectiveStep::NONE)
        {
            m_receives[CollectiveLink{step.receiveFrom, step.channel}].steps.push_back(i);
            ++m_waiting;
        }
    }
}

std::vector<CollectiveLink>
CollectiveProgress::GetSendLinks() const
{
    std::vector<CollectiveLink> links;
    for (const auto& [link, lane] : m_sends)
    {
        links.push_back(link);
    }
    return links;
}

std::vector<CollectiveLink>
CollectiveProgress::GetReceiveLinks() const
{
    std::vector<CollectiveLink> links;
    for (const auto& [link, lane] : m_receives)
    {
        links.push_back(link);
    }
    return links;
}

uint32_t
CollectiveProgress::FirstMissing(uint32_t step)
{
    for (const uint32_t after : m_schedule->GetStep(m_rank, step).after)
    {
        if (after == CollectiveStep::NONE || m_in[after])
        {
            continue;
        }
        if (m_schedule->GetStep(m_rank, after).receiveFrom != CollectiveStep::NONE)
        {
            return after;
        }
        const uint32_t missing = FirstMissing(after);
        if (missing != CollectiveStep::NONE)
        {
            return missing;
        }
        m_in[after] = true;
    }
    return CollectiveStep::NONE;
}

uint32_t
CollectiveProgress::TakeSend(const CollectiveLink& link)
{
    const auto found = m_sends.find(link);
    if (found == m_sends.end() || found->second.next == found->second.steps.size())
    {
        return CollectiveStep::NONE;
    }
    Lane& lane = found->second;
    const uint32_t step = lane.steps[lane.next];
    const uint32_t missing = FirstMissing(step);
    if (missing != CollectiveStep::NONE)
    {
        const auto range = m_blocked.equal_range(missing);
        for (auto it = range.first; it != range.second; ++it)
        {
            if (!(it->second < link) && !(link < it->second))
            {
                return CollectiveStep::NONE; // noted before
            }
        }
        m_blocked.emplace(missing, link);
        return CollectiveStep::NONE;
    }
    ++lane.next;
    --m_unsent;
    return step;
}

bool
CollectiveProgress::IsExpecting(const CollectiveLink& link) const
{
    const auto found = m_receives.find(link);
    return found != m_receives.end() && found->second.next < found->second.steps.size();
}

uint32_t
CollectiveProgress::Match(const CollectiveLink& link)
{
    if (!IsExpecting(link))
    {
        throw std::runtime_error("collective: rank " + std::to_string(m_rank) +
                                 " got a message from rank " + std::to_string(link.peer) +
                                 " on channel " + std::to_string(link.channel) +
                                 " that its schedule does not have");
    }
    Lane& lane = m_receives.at(link);
    return lane.steps[lane.next++];
}

std::vector<CollectiveLink>
CollectiveProgress::SetIn(uint32_t step)
{
    std::vector<CollectiveLink> freed;
    if (m_in[step])
    {
        throw std::logic_error("collective: step " + std::to_string(step) + " of rank " +
                               std::to_string(m_rank) + " came in twice");
    }
    m_in[step] = true;
    --m_waiting;
    const auto range = m_blocked.equal_range(step);
    for (auto it = range.first; it != range.second; ++it)
    {
        freed.push_back(it->second);
    }
    m_blocked.erase(range.first, range.second);
    return freed;
}

std::string
CollectiveProgress::Describe() const
{
    std::string text = "rank " + std::to_string(m_rank) + " has " + std::to_string(m_unsent) +
                       " sends and " + std::to_string(m_waiting) + " receives to go";
    for (const auto& [link, lane] : m_receives)
    {
        for (const uint32_t step : lane.steps)
        {
            if (!m_in[step])
            {
                return text + ", waits for step " + std::to_string(step) + " from rank " +
                       std::to_string(link.peer) + " on channel " + std::to_string(link.channel);
            }
        }
    }
    return text;
}

} // namespace roce
} // namespace ns3
