/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCHEDULE_REHEARSAL_H
#define ROCE_SCHEDULE_REHEARSAL_H

#include "ns3/roce-collective-progress.h"

#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Runs a schedule on real numbers, one a byte.
 *
 * Models: messages of a link keep their order, those of different links overtake each other as they
 * like. What a message carries is read as late as can be, when it arrives, unless asked otherwise:
 * if something could overwrite it before it is sent, it does.
 *
 * Source: none.
 *
 * Invariants: any order it takes is legal by the dependencies of the schedule.
 *
 * Leaves out: time.
 */
class ScheduleRehearsal
{
  public:
    /** Which message in flight arrives next. */
    enum class Arrival
    {
        OLDEST, //!< the one sent first; it carries what was there when it was sent
        NEWEST, //!< the one sent last
        RANDOM, //!< any; ranks start at any time, too
    };

    /** What a byte of the memory of a rank begins with. */
    using Initial = std::function<uint64_t(uint32_t rank, uint64_t offset)>;

    ScheduleRehearsal(const CollectiveSchedule& schedule, const Initial& initial)
        : m_schedule(schedule),
          m_started(schedule.GetRanks(), false)
    {
        for (uint32_t rank = 0; rank < schedule.GetRanks(); ++rank)
        {
            m_progress.emplace_back(schedule, rank);
            m_memory.emplace_back();
            for (uint64_t offset = 0; offset < schedule.GetExtent(); ++offset)
            {
                m_memory[rank].push_back(initial(rank, offset));
            }
        }
    }

    /** Run to the end. \param arrival which message is next \param seed of the random order */
    void Run(Arrival arrival, uint32_t seed = 1)
    {
        m_arrival = arrival;
        std::mt19937 random(seed);
        std::vector<uint32_t> late; // ranks that have not started
        for (uint32_t rank = 0; rank < m_progress.size(); ++rank)
        {
            late.push_back(rank);
            if (arrival != Arrival::RANDOM)
            {
                Start(rank);
            }
        }
        if (arrival != Arrival::RANDOM)
        {
            late.clear();
        }
        while (!m_flying.empty() || !late.empty())
        {
            const std::size_t choices = m_flying.size() + late.size();
            const std::size_t pick = arrival == Arrival::OLDEST   ? 0
                                     : arrival == Arrival::NEWEST ? choices - 1
                                                                  : random() % choices;
            if (pick >= m_flying.size())
            {
                const std::size_t which = pick - m_flying.size();
                const uint32_t rank = late[which];
                late.erase(late.begin() + static_cast<long>(which));
                Start(rank);
                continue;
            }
            const Link link = m_flying[pick];
            m_flying.erase(m_flying.begin() + static_cast<long>(pick));
            Arrive(link);
        }
        for (const CollectiveProgress& progress : m_progress)
        {
            REQUIRE(progress.IsFinished());
        }
    }

    /** \return a byte at the end. \param rank whose \param offset where */
    uint64_t At(uint32_t rank, uint64_t offset) const
    {
        return m_memory[rank].at(offset);
    }

    /** \return the memory of a rank. \param rank whose */
    const std::vector<uint64_t>& GetMemory(uint32_t rank) const
    {
        return m_memory[rank];
    }

  private:
    /** From, to, channel. */
    using Link = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** A message in flight. */
    struct Message
    {
        uint32_t step;
        std::vector<uint64_t> data; //!< unless it is read late
    };

    std::vector<uint64_t> Read(uint32_t rank, uint32_t step) const
    {
        std::vector<uint64_t> data;
        for (const ByteRange& range : m_schedule.GetSegments(rank, step))
        {
            for (uint64_t i = 0; i < range.bytes; ++i)
            {
                data.push_back(m_memory[rank].at(range.offset + i));
            }
        }
        return data;
    }

    void Start(uint32_t rank)
    {
        m_started[rank] = true;
        for (const CollectiveLink& link : m_progress[rank].GetSendLinks())
        {
            Send(rank, link);
        }
    }

    void Send(uint32_t rank, const CollectiveLink& link)
    {
        if (!m_started[rank])
        {
            return; // Start() looks at all links
        }
        for (uint32_t i; (i = m_progress[rank].TakeSend(link)) != CollectiveStep::NONE;)
        {
            const Link key(rank, link.peer, link.channel);
            const bool early = m_arrival == Arrival::OLDEST;
            m_messages[key].push_back({i, early ? Read(rank, i) : std::vector<uint64_t>()});
            m_flying.push_back(key);
        }
    }

    void Arrive(const Link& key)
    {
        const auto [from, to, channel] = key;
        const Message message = m_messages[key].front();
        m_messages[key].pop_front();
        const bool early = m_arrival == Arrival::OLDEST;
        const std::vector<uint64_t> data = early ? message.data : Read(from, message.step);
        const CollectiveStep sent = m_schedule.GetStep(from, message.step);
        const uint32_t i = m_progress[to].Match(CollectiveLink{from, channel});
        const CollectiveStep step = m_schedule.GetStep(to, i);
        REQUIRE(data.size() == sent.sendBytes);
        REQUIRE(data.size() == step.receiveBytes);
        for (uint64_t b = 0; b < data.size(); ++b)
        {
            uint64_t& place = m_memory[to].at(sent.remoteOffset + b);
            place = step.reduce ? place + data[b] : data[b];
        }
        for (const CollectiveLink& freed : m_progress[to].SetIn(i))
        {
            Send(to, freed);
        }
    }

    const CollectiveSchedule& m_schedule;
    std::vector<CollectiveProgress> m_progress;
    std::vector<std::vector<uint64_t>> m_memory; //!< by rank
    std::vector<bool> m_started;
    std::map<Link, std::deque<Message>> m_messages;
    std::deque<Link> m_flying; //!< one entry a message, in the order they were sent
    Arrival m_arrival{Arrival::OLDEST};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCHEDULE_REHEARSAL_H
