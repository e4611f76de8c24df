/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-task-order.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

TaskOrder::TaskOrder(const TaskGraph& graph)
    : m_graph(&graph),
      m_states(graph.GetTasks(), State::WAITING),
      m_missing(graph.GetTasks(), 0),
      m_next(graph.GetTasks()),
      m_nextCall(graph.GetTasks(), NONE),
      m_turn(graph.GetTasks(), true)
{
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> last; // group, rank
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        for (const uint32_t after : task.after)
        {
            m_next[after].push_back(id);
            ++m_missing[id];
        }
        if (task.kind == TaskKind::COLLECTIVE)
        {
            const auto found = last.emplace(std::make_pair(task.group, task.rank), id);
            if (!found.second)
            {
                m_nextCall[found.first->second] = id;
                m_turn[id] = false;
                found.first->second = id;
            }
        }
    }
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        if (m_missing[id] == 0)
        {
            Free(id);
        }
    }
}

void
TaskOrder::Free(uint32_t id)
{
    m_states[id] = m_turn[id] ? State::READY : State::FREE;
    if (m_turn[id])
    {
        m_ready.push_back(id);
    }
}

uint32_t
TaskOrder::TakeReady()
{
    if (m_ready.empty())
    {
        return NONE;
    }
    const uint32_t id = m_ready.front();
    m_ready.pop_front();
    m_states[id] = State::TAKEN;
    const uint32_t next = m_nextCall[id];
    if (next != NONE)
    {
        m_turn[next] = true;
        if (m_states[next] == State::FREE)
        {
            Free(next);
        }
    }
    return id;
}

void
TaskOrder::SetDone(uint32_t id)
{
    if (m_states.at(id) != State::TAKEN)
    {
        throw std::logic_error(m_graph->Describe(id) + " is done without having started, or twice");
    }
    m_states[id] = State::DONE;
    ++m_done;
    for (const uint32_t next : m_next[id])
    {
        if (--m_missing[next] == 0)
        {
            Free(next);
        }
    }
}

std::string
TaskOrder::DescribeFirst() const
{
    for (uint32_t id = 0; id < m_graph->GetTasks(); ++id)
    {
        const std::string name = m_graph->Describe(id);
        switch (m_states[id])
        {
        case State::WAITING:
            for (const uint32_t after : m_graph->GetTask(id).after)
            {
                if (m_states[after] != State::DONE)
                {
                    return name + " waits for " + m_graph->Describe(after);
                }
            }
            break;
        case State::FREE:
            return name + " waits for an earlier collective of group " +
                   std::to_string(m_graph->GetTask(id).group) + " at its rank";
        case State::READY:
            return name + " is ready";
        case State::TAKEN:
            return name + " has not ended";
        case State::DONE:
            break;
        }
    }
    return "";
}

} // namespace roce
} // namespace ns3
