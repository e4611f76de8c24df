/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-schedule.h"

#include "roce-collective-progress.h"

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

/** Name of a step in messages. */
std::string
StepName(uint32_t rank, uint32_t index)
{
    return "collective schedule: step " + std::to_string(index) + " of rank " +
           std::to_string(rank);
}

/** Sender, receiver, channel. */
using Link = std::tuple<uint32_t, uint32_t, uint32_t>;

} // namespace

CollectiveSchedule::CollectiveSchedule(uint32_t ranks, uint64_t bytes)
    : m_ranks(ranks),
      m_bytes(bytes)
{
    if (ranks == 0)
    {
        throw std::invalid_argument("collective schedule: 0 ranks, expected 1 or more");
    }
}

uint32_t
CollectiveSchedule::GetRanks() const
{
    return m_ranks;
}

uint64_t
CollectiveSchedule::GetBytes() const
{
    return m_bytes;
}

void
CollectiveSchedule::CheckRank(uint32_t rank) const
{
    if (rank >= m_ranks)
    {
        throw std::out_of_range("collective schedule: rank " + std::to_string(rank) +
                                ", expected 0.." + std::to_string(m_ranks - 1));
    }
}

uint32_t
CollectiveSchedule::GetSteps(uint32_t rank) const
{
    CheckRank(rank);
    return DoGetSteps(rank);
}

CollectiveStep
CollectiveSchedule::GetStep(uint32_t rank, uint32_t index) const
{
    CheckRank(rank);
    if (index >= DoGetSteps(rank))
    {
        throw std::out_of_range(StepName(rank, index) + " asked for, it has " +
                                std::to_string(DoGetSteps(rank)));
    }
    return DoGetStep(rank, index);
}

uint64_t
CollectiveSchedule::GetBytesSent(uint32_t rank) const
{
    uint64_t bytes = 0;
    const uint32_t steps = GetSteps(rank);
    for (uint32_t i = 0; i < steps; ++i)
    {
        bytes += DoGetStep(rank, i).sendBytes;
    }
    return bytes;
}

uint64_t
CollectiveSchedule::GetBytesReceived(uint32_t rank) const
{
    uint64_t bytes = 0;
    const uint32_t steps = GetSteps(rank);
    for (uint32_t i = 0; i < steps; ++i)
    {
        bytes += DoGetStep(rank, i).receiveBytes;
    }
    return bytes;
}

uint64_t
CollectiveSchedule::PartBytes(uint64_t bytes, uint64_t parts, uint64_t index)
{
    return bytes / parts + (index < bytes % parts ? 1 : 0);
}

uint64_t
CollectiveSchedule::PartOffset(uint64_t bytes, uint64_t parts, uint64_t index)
{
    const uint64_t longer = bytes % parts;
    return bytes / parts * index + (index < longer ? index : longer);
}

void
CollectiveSchedule::Validate() const
{
    CheckSteps();
    CheckMatches();
    CheckProgress();
}

void
CollectiveSchedule::CheckSteps() const
{
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        for (uint32_t i = 0; i < DoGetSteps(rank); ++i)
        {
            const CollectiveStep step = DoGetStep(rank, i);
            for (const uint32_t peer : {step.sendTo, step.receiveFrom})
            {
                if (peer != CollectiveStep::NONE && (peer >= m_ranks || peer == rank))
                {
                    throw std::invalid_argument(
                        StepName(rank, i) + " has rank " + std::to_string(peer) +
                        " as its peer, expected another one of 0.." + std::to_string(m_ranks - 1));
                }
            }
            if ((step.sendTo == CollectiveStep::NONE && step.sendBytes) ||
                (step.receiveFrom == CollectiveStep::NONE && step.receiveBytes))
            {
                throw std::invalid_argument(StepName(rank, i) + " has bytes without a peer");
            }
            for (const uint32_t after : step.after)
            {
                if (after != CollectiveStep::NONE && after >= i)
                {
                    throw std::invalid_argument(StepName(rank, i) + " waits for step " +
                                                std::to_string(after) +
                                                ", expected an earlier one");
                }
            }
        }
    }
}

void
CollectiveSchedule::CheckMatches() const
{
    std::map<Link, std::vector<uint64_t>> sends;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        for (uint32_t i = 0; i < DoGetSteps(rank); ++i)
        {
            const CollectiveStep step = DoGetStep(rank, i);
            if (step.sendTo != CollectiveStep::NONE)
            {
                sends[Link(rank, step.sendTo, step.channel)].push_back(step.sendBytes);
            }
        }
    }
    std::map<Link, std::size_t> taken;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        for (uint32_t i = 0; i < DoGetSteps(rank); ++i)
        {
            const CollectiveStep step = DoGetStep(rank, i);
            if (step.receiveFrom == CollectiveStep::NONE)
            {
                continue;
            }
            const Link link(step.receiveFrom, rank, step.channel);
            const std::size_t k = taken[link]++;
            const auto& sent = sends[link];
            if (k >= sent.size() || sent[k] != step.receiveBytes)
            {
                throw std::invalid_argument(
                    StepName(rank, i) + " receives " + std::to_string(step.receiveBytes) +
                    " bytes from rank " + std::to_string(step.receiveFrom) + ", which sends " +
                    (k < sent.size() ? std::to_string(sent[k]) + " bytes" : "no such message"));
            }
        }
    }
    for (const auto& [link, sent] : sends)
    {
        if (taken[link] != sent.size())
        {
            throw std::invalid_argument("collective schedule: rank " +
                                        std::to_string(std::get<0>(link)) + " sends " +
                                        std::to_string(sent.size()) + " messages to rank " +
                                        std::to_string(std::get<1>(link)) + " on channel " +
                                        std::to_string(std::get<2>(link)) + ", which receives " +
                                        std::to_string(taken[link]));
        }
    }
}

void
CollectiveSchedule::CheckProgress() const
{
    // run it with messages that take no time, one at a time on each link
    std::vector<CollectiveProgress> ranks;
    std::deque<Link> ready;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        ranks.emplace_back(*this, rank);
        for (const auto& link : ranks[rank].GetSendLinks())
        {
            ready.emplace_back(rank, link.peer, link.channel);
        }
    }
    while (!ready.empty())
    {
        const auto [from, to, channel] = ready.front();
        ready.pop_front();
        const CollectiveLink link{to, channel};
        while (ranks[from].TakeSend(link) != CollectiveStep::NONE)
        {
            const uint32_t step = ranks[to].Match(CollectiveLink{from, channel});
            for (const auto& freed : ranks[to].SetIn(step))
            {
                ready.emplace_back(to, freed.peer, freed.channel);
            }
        }
    }
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        if (!ranks[rank].IsFinished())
        {
            throw std::invalid_argument("collective schedule: ranks wait for each other; " +
                                        ranks[rank].Describe());
        }
    }
}

} // namespace roce
} // namespace ns3
