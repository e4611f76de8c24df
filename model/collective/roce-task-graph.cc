/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-task-graph.h"

#include "roce-task-order.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse something. */
void
Refuse(const std::string& what)
{
    throw std::invalid_argument("task graph: " + what);
}

/** \return name of a kind in messages. */
const char*
KindName(TaskKind kind)
{
    switch (kind)
    {
    case TaskKind::COMPUTE:
        return "computation";
    case TaskKind::COLLECTIVE:
        return "collective";
    case TaskKind::SEND:
        return "send";
    case TaskKind::RECEIVE:
        return "receive";
    }
    return "?";
}

/** \return all that ranks must agree on of a collective, for messages. \param task it */
std::string
CallText(const Task& task)
{
    return "\"" + task.operation + "\" of " + std::to_string(task.bytes) + " bytes, root " +
           std::to_string(task.root) + ", algorithm \"" + task.algorithm + "\"";
}

} // namespace

TaskGraph::TaskGraph(uint32_t ranks)
    : m_ranks(ranks)
{
    if (ranks == 0)
    {
        Refuse("0 ranks, expected 1 or more");
    }
}

uint32_t
TaskGraph::AddGroup(const std::string& name, const std::vector<uint32_t>& ranks)
{
    std::unordered_map<uint32_t, uint32_t> places;
    for (const uint32_t rank : ranks)
    {
        if (rank >= m_ranks)
        {
            Refuse("group \"" + name + "\" has rank " + std::to_string(rank) + ", expected 0.." +
                   std::to_string(m_ranks - 1));
        }
        if (!places.emplace(rank, static_cast<uint32_t>(places.size())).second)
        {
            Refuse("group \"" + name + "\" has rank " + std::to_string(rank) + " twice");
        }
    }
    if (ranks.empty())
    {
        Refuse("group \"" + name + "\" has no rank");
    }
    m_groups.push_back(TaskGroup{name, ranks});
    m_places.push_back(std::move(places));
    return GetGroups() - 1;
}

uint32_t
TaskGraph::PlaceOf(uint32_t group, uint32_t rank) const
{
    const auto& places = m_places.at(group);
    const auto found = places.find(rank);
    return found == places.end() ? static_cast<uint32_t>(places.size()) : found->second;
}

uint32_t
TaskGraph::Add(const Task& task)
{
    const uint32_t id = GetTasks();
    const std::string name = "task " + std::to_string(id) + " \"" + task.name + "\"";
    if (task.rank >= m_ranks)
    {
        Refuse(name + " is of rank " + std::to_string(task.rank) + ", expected 0.." +
               std::to_string(m_ranks - 1));
    }
    for (const uint32_t after : task.after)
    {
        if (after >= id)
        {
            Refuse(name + " waits for task " + std::to_string(after) +
                   ", expected an earlier one; add tasks in an order that they can run in");
        }
    }
    if (task.durationNs < 0 || task.notBeforeNs < 0)
    {
        Refuse(name + " has a negative time, " +
               std::to_string(std::min(task.durationNs, task.notBeforeNs)) + " ns");
    }
    if (task.kind == TaskKind::COLLECTIVE)
    {
        CheckCall(task, name);
    }
    const bool message = task.kind == TaskKind::SEND || task.kind == TaskKind::RECEIVE;
    if (message && (task.peer >= m_ranks || task.peer == task.rank))
    {
        Refuse(name + " of rank " + std::to_string(task.rank) + " has rank " +
               std::to_string(task.peer) + " as its peer, expected another one of 0.." +
               std::to_string(m_ranks - 1));
    }
    m_tasks.push_back(task);
    return id;
}

void
TaskGraph::CheckCall(const Task& task, const std::string& name) const
{
    if (task.operation.empty())
    {
        Refuse(name + " has no operation, expected one such as all-reduce");
    }
    if (task.group >= GetGroups())
    {
        Refuse(name + " is of group " + std::to_string(task.group) + ", there are " +
               std::to_string(GetGroups()) + "; call AddGroup first");
    }
    const TaskGroup& group = m_groups[task.group];
    if (PlaceOf(task.group, task.rank) == group.ranks.size())
    {
        Refuse(name + ": rank " + std::to_string(task.rank) + " is not in group " +
               std::to_string(task.group) + " \"" + group.name + "\"");
    }
    if (task.root >= group.ranks.size())
    {
        Refuse(name + " has root " + std::to_string(task.root) + ", the group has " +
               std::to_string(group.ranks.size()) + " ranks");
    }
}

uint32_t
TaskGraph::AddCompute(uint32_t rank,
                      const std::string& name,
                      int64_t durationNs,
                      const std::vector<uint32_t>& after,
                      uint32_t stream)
{
    Task task;
    task.rank = rank;
    task.name = name;
    task.durationNs = durationNs;
    task.after = after;
    task.stream = stream;
    return Add(task);
}

std::string
TaskGraph::Describe(uint32_t id) const
{
    const Task& task = GetTask(id);
    return "task " + std::to_string(id) + " \"" + task.name + "\" (" + KindName(task.kind) +
           " of rank " + std::to_string(task.rank) + ")";
}

void
TaskGraph::Validate() const
{
    CheckCollectives();
    CheckProgress(CheckMessages());
}

void
TaskGraph::CheckCollectives() const
{
    // by group and place: its collectives in order
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> calls;
    for (uint32_t id = 0; id < GetTasks(); ++id)
    {
        const Task& task = m_tasks[id];
        if (task.kind == TaskKind::COLLECTIVE)
        {
            calls[{task.group, PlaceOf(task.group, task.rank)}].push_back(id);
        }
    }
    for (uint32_t group = 0; group < GetGroups(); ++group)
    {
        const TaskGroup& members = m_groups[group];
        const std::vector<uint32_t>& first = calls[{group, 0}];
        for (uint32_t place = 1; place < members.ranks.size(); ++place)
        {
            const std::vector<uint32_t>& other = calls[{group, place}];
            if (first.size() != other.size())
            {
                Refuse("group " + std::to_string(group) + " \"" + members.name + "\": rank " +
                       std::to_string(members.ranks[0]) + " calls " + std::to_string(first.size()) +
                       " collectives, rank " + std::to_string(members.ranks[place]) + " " +
                       std::to_string(other.size()));
            }
            for (std::size_t k = 0; k < first.size(); ++k)
            {
                const Task& a = m_tasks[first[k]];
                const Task& b = m_tasks[other[k]];
                if (std::tie(a.operation, a.algorithm, a.bytes, a.root) !=
                    std::tie(b.operation, b.algorithm, b.bytes, b.root))
                {
                    Refuse(Describe(first[k]) + " and " + Describe(other[k]) +
                           " are the same collective of group " + std::to_string(group) +
                           ", but one is " + CallText(a) + ", the other " + CallText(b));
                }
            }
        }
    }
}

std::vector<uint32_t>
TaskGraph::CheckMessages() const
{
    using Lane = std::tuple<uint32_t, uint32_t, uint32_t>; // from, to, tag
    std::map<Lane, std::pair<std::vector<uint32_t>, std::vector<uint32_t>>> lanes;
    for (uint32_t id = 0; id < GetTasks(); ++id)
    {
        const Task& task = m_tasks[id];
        if (task.kind == TaskKind::SEND)
        {
            lanes[Lane(task.rank, task.peer, task.tag)].first.push_back(id);
        }
        else if (task.kind == TaskKind::RECEIVE)
        {
            lanes[Lane(task.peer, task.rank, task.tag)].second.push_back(id);
        }
    }
    std::vector<uint32_t> counterparts(GetTasks(), TaskOrder::NONE);
    for (const auto& [lane, ends] : lanes)
    {
        const auto& [sends, receives] = ends;
        const std::size_t both = std::min(sends.size(), receives.size());
        for (std::size_t k = 0; k < both; ++k)
        {
            if (m_tasks[sends[k]].bytes != m_tasks[receives[k]].bytes)
            {
                Refuse(Describe(sends[k]) + " sends " + std::to_string(m_tasks[sends[k]].bytes) +
                       " bytes, " + Describe(receives[k]) + " expects " +
                       std::to_string(m_tasks[receives[k]].bytes));
            }
            counterparts[sends[k]] = receives[k];
            counterparts[receives[k]] = sends[k];
        }
        if (sends.size() != receives.size())
        {
            Refuse(Describe(sends.size() > both ? sends[both] : receives[both]) +
                   " has no counterpart: rank " + std::to_string(std::get<0>(lane)) + " sends " +
                   std::to_string(sends.size()) + " messages with tag " +
                   std::to_string(std::get<2>(lane)) + " to rank " +
                   std::to_string(std::get<1>(lane)) + ", which receives " +
                   std::to_string(receives.size()));
        }
    }
    return counterparts;
}

void
TaskGraph::CheckProgress(const std::vector<uint32_t>& counterparts) const
{
    // all in no time, as if each collective were a barrier
    TaskOrder order(*this);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> called; // group, number
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;             // group, rank
    std::vector<bool> posted(GetTasks(), false);                           // receives
    for (uint32_t id; (id = order.TakeReady()) != TaskOrder::NONE;)
    {
        const Task& task = m_tasks[id];
        if (task.kind == TaskKind::COMPUTE)
        {
            order.SetDone(id);
        }
        else if (task.kind == TaskKind::COLLECTIVE)
        {
            auto& calls = called[{task.group, numbers[{task.group, task.rank}]++}];
            calls.push_back(id);
            if (calls.size() == m_groups[task.group].ranks.size())
            {
                std::for_each(calls.begin(), calls.end(), [&](uint32_t c) { order.SetDone(c); });
            }
        }
        else if (task.kind == TaskKind::SEND)
        {
            order.SetDone(id); // needs no receive to be posted
            if (posted[counterparts[id]])
            {
                order.SetDone(counterparts[id]);
            }
        }
        else
        {
            posted[id] = true;
            if (order.IsDone(counterparts[id]))
            {
                order.SetDone(id);
            }
        }
    }
    if (order.GetDone() != GetTasks())
    {
        Refuse("tasks wait for each other for ever; " + order.DescribeFirst());
    }
}

} // namespace roce
} // namespace ns3
