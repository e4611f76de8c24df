/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ZERO_LATENCY_H
#define ROCE_ZERO_LATENCY_H

#include "ns3/roce-task-order.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A list scheduler of tests: when tasks run if a message takes no time, and a collective ends when
 * its last rank calls it. Independent of Job: no simulator, no channels.
 */
class ZeroLatency
{
  public:
    /** \param graph all of it is run */
    explicit ZeroLatency(const TaskGraph& graph)
        : begun(graph.GetTasks(), -1),
          ended(graph.GetTasks(), -1),
          m_graph(graph),
          m_order(graph)
    {
        Match();
        for (Drain(); !m_ends.empty(); Drain())
        {
            const auto [at, id] = *m_ends.begin();
            m_ends.erase(m_ends.begin());
            now = at;
            m_busy.erase({m_graph.GetTask(id).rank, m_graph.GetTask(id).stream});
            Done(id);
        }
    }

    std::vector<int64_t> begun; //!< ns, by task; -1: never
    std::vector<int64_t> ended; //!< ns, by task; -1: never
    int64_t now{0};             //!< ns; the end of the last task

  private:
    void Match()
    {
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>> sends;
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>> receives;
        m_other.resize(m_graph.GetTasks());
        for (uint32_t id = 0; id < m_graph.GetTasks(); ++id)
        {
            const Task& task = m_graph.GetTask(id);
            if (task.kind == TaskKind::SEND)
            {
                sends[{task.rank, task.peer, task.tag}].push_back(id);
            }
            if (task.kind == TaskKind::RECEIVE)
            {
                receives[{task.peer, task.rank, task.tag}].push_back(id);
            }
        }
        for (const auto& [lane, ids] : sends)
        {
            for (std::size_t k = 0; k < ids.size(); ++k)
            {
                m_other[ids[k]] = receives.at(lane).at(k);
                m_other[receives.at(lane).at(k)] = ids[k];
            }
        }
    }

    void Done(uint32_t id)
    {
        ended[id] = now;
        m_order.SetDone(id);
    }

    void Drain()
    {
        do
        {
            for (uint32_t id; (id = m_order.TakeReady()) != TaskOrder::NONE;)
            {
                Begin(id);
            }
        } while (Compute());
    }

    void Begin(uint32_t id)
    {
        const Task& task = m_graph.GetTask(id);
        begun[id] = now;
        if (task.kind == TaskKind::COMPUTE)
        {
            m_waiting[{task.rank, task.stream}].insert(id);
        }
        else if (task.kind == TaskKind::COLLECTIVE)
        {
            auto& calls = m_calls[{task.group, m_numbers[{task.group, task.rank}]++}];
            calls.push_back(id);
            if (calls.size() == m_graph.GetGroup(task.group).ranks.size())
            {
                std::for_each(calls.begin(), calls.end(), [this](uint32_t c) { Done(c); });
            }
        }
        else
        {
            const uint32_t other = m_other[id];
            if (task.kind == TaskKind::SEND)
            {
                Done(id);
            }
            const bool both =
                begun[other] >= 0 && (task.kind == TaskKind::SEND || ended[other] >= 0);
            if (both)
            {
                Done(task.kind == TaskKind::SEND ? other : id);
            }
        }
    }

    /** \return whether a computation has begun */
    bool Compute()
    {
        bool some = false;
        for (auto& [stream, ids] : m_waiting)
        {
            if (!ids.empty() && m_busy.insert(stream).second)
            {
                const uint32_t id = *ids.begin();
                ids.erase(ids.begin());
                begun[id] = now;
                m_ends.emplace(now + m_graph.GetTask(id).durationNs, id);
                some = true;
            }
        }
        return some;
    }

    using Stream = std::pair<uint32_t, uint32_t>; // rank and stream

    const TaskGraph& m_graph;
    TaskOrder m_order;
    std::vector<uint32_t> m_other; // of a message: its other end
    std::map<Stream, std::set<uint32_t>> m_waiting;
    std::set<Stream> m_busy;
    std::set<std::pair<int64_t, uint32_t>> m_ends;                          // time, task
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_numbers;            // group, rank
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> m_calls; // group, number
};

} // namespace roce
} // namespace ns3

#endif // ROCE_ZERO_LATENCY_H
