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

ByteRange
ByteRange::Parts(uint64_t parts, uint64_t first, uint64_t last) const
{
    const uint64_t begin = CollectiveSchedule::PartOffset(bytes, parts, first);
    return ByteRange{offset + begin, CollectiveSchedule::PartOffset(bytes, parts, last) - begin};
}

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

void
CollectiveSchedule::CheckIndex(uint32_t rank, uint32_t index) const
{
    CheckRank(rank);
    if (index >= DoGetSteps(rank))
    {
        throw std::out_of_range(StepName(rank, index) + " asked for, it has " +
                                std::to_string(DoGetSteps(rank)));
    }
}

CollectiveStep
CollectiveSchedule::GetStep(uint32_t rank, uint32_t index) const
{
    CheckIndex(rank, index);
    return DoGetStep(rank, index);
}

uint64_t
CollectiveSchedule::GetExtent() const
{
    return DoGetExtent();
}

uint64_t
CollectiveSchedule::DoGetExtent() const
{
    return m_bytes;
}

std::vector<ByteRange>
CollectiveSchedule::GetSegments(uint32_t rank, uint32_t index) const
{
    CheckIndex(rank, index);
    return DoGetSegments(rank, index);
}

std::vector<ByteRange>
CollectiveSchedule::DoGetSegments(uint32_t rank, uint32_t index) const
{
    const CollectiveStep step = DoGetStep(rank, index);
    if (step.sendTo == CollectiveStep::NONE)
    {
        return {};
    }
    return {ByteRange{step.sendOffset, step.sendBytes}};
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
        const uint32_t steps = DoGetSteps(rank);
        for (uint32_t i = 0; i < steps; ++i)
        {
            CheckStep(rank, i, DoGetStep(rank, i));
        }
    }
}

void
CollectiveSchedule::CheckStep(uint32_t rank, uint32_t index, const CollectiveStep& step) const
{
    for (const uint32_t peer : {step.sendTo, step.receiveFrom})
    {
        if (peer != CollectiveStep::NONE && (peer >= m_ranks || peer == rank))
        {
            throw std::invalid_argument(
                StepName(rank, index) + " has rank " + std::to_string(peer) +
                " as its peer, expected another one of 0.." + std::to_string(m_ranks - 1));
        }
    }
    if ((step.sendTo == CollectiveStep::NONE && step.sendBytes) ||
        (step.receiveFrom == CollectiveStep::NONE && step.receiveBytes))
    {
        throw std::invalid_argument(StepName(rank, index) + " has bytes without a peer");
    }
    for (const uint32_t after : step.after)
    {
        if (after != CollectiveStep::NONE && after >= index)
        {
            throw std::invalid_argument(StepName(rank, index) + " waits for step " +
                                        std::to_string(after) + ", expected an earlier one");
        }
    }
    uint64_t sum = 0;
    std::vector<ByteRange> ranges = DoGetSegments(rank, index);
    for (const ByteRange& range : ranges)
    {
        sum += range.bytes;
    }
    if (sum != step.sendBytes)
    {
        throw std::invalid_argument(StepName(rank, index) + " sends " +
                                    std::to_string(step.sendBytes) + " bytes, its segments have " +
                                    std::to_string(sum));
    }
    ranges.push_back(ByteRange{step.receiveOffset, step.receiveBytes});
    for (const ByteRange& range : ranges)
    {
        if (range.bytes > 0 &&
            (range.offset > DoGetExtent() || range.bytes > DoGetExtent() - range.offset))
        {
            throw std::invalid_argument(
                StepName(rank, index) + " uses " + std::to_string(range.bytes) +
                " bytes at offset " + std::to_string(range.offset) + ", the memory of a rank has " +
                std::to_string(DoGetExtent()));
        }
    }
}

void
CollectiveSchedule::CheckMatches() const
{
    std::map<Link, std::vector<ByteRange>> sends;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        const uint32_t steps = DoGetSteps(rank);
        for (uint32_t i = 0; i < steps; ++i)
        {
            const CollectiveStep step = DoGetStep(rank, i);
            if (step.sendTo != CollectiveStep::NONE)
            {
                sends[Link(rank, step.sendTo, step.channel)].push_back(
                    ByteRange{step.remoteOffset, step.sendBytes});
            }
        }
    }
    std::map<Link, std::size_t> taken;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        const uint32_t steps = DoGetSteps(rank);
        for (uint32_t i = 0; i < steps; ++i)
        {
            const CollectiveStep step = DoGetStep(rank, i);
            if (step.receiveFrom == CollectiveStep::NONE)
            {
                continue;
            }
            const Link link(step.receiveFrom, rank, step.channel);
            const std::size_t k = taken[link]++;
            const auto& sent = sends[link];
            if (k >= sent.size() || sent[k].bytes != step.receiveBytes)
            {
                throw std::invalid_argument(
                    StepName(rank, i) + " receives " + std::to_string(step.receiveBytes) +
                    " bytes from rank " + std::to_string(step.receiveFrom) + ", which sends " +
                    (k < sent.size() ? std::to_string(sent[k].bytes) + " bytes"
                                     : "no such message"));
            }
            if (step.receiveBytes > 0 && sent[k].offset != step.receiveOffset)
            {
                throw std::invalid_argument(StepName(rank, i) + " receives at offset " +
                                            std::to_string(step.receiveOffset) + " from rank " +
                                            std::to_string(step.receiveFrom) +
                                            ", which sends to offset " +
                                            std::to_string(sent[k].offset));
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
