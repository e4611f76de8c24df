/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-job-result.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** \return ticks in all spans. */
template <typename S>
Tick
Sum(const S& spans)
{
    Tick sum = 0;
    for (const auto& [begun, ended] : spans)
    {
        sum += ended - begun;
    }
    return sum;
}

} // namespace

void
JobResult::Begin(Ptr<const TaskGraph> graph)
{
    m_graph = graph;
    m_start = NEVER;
    m_begun.assign(graph->GetTasks(), NEVER);
    m_ended.assign(graph->GetTasks(), NEVER);
    m_tasks.assign(graph->GetRanks(), {});
    for (uint32_t id = 0; id < graph->GetTasks(); ++id)
    {
        m_tasks[graph->GetTask(id).rank].push_back(id);
    }
}

void
JobResult::NoteBegun(uint32_t task, Tick at)
{
    m_begun.at(task) = at;
}

void
JobResult::NoteEnded(uint32_t task, Tick at)
{
    m_ended.at(task) = at;
}

JobResult::Spans
JobResult::SpansOf(uint32_t rank, bool compute) const
{
    Spans all;
    for (const uint32_t id : m_tasks.at(rank))
    {
        if ((m_graph->GetTask(id).kind == TaskKind::COMPUTE) == compute && m_ended[id] != NEVER &&
            m_ended[id] > m_begun[id])
        {
            all.emplace_back(m_begun[id], m_ended[id]);
        }
    }
    std::sort(all.begin(), all.end());
    Spans joined;
    for (const auto& span : all)
    {
        if (!joined.empty() && span.first <= joined.back().second)
        {
            joined.back().second = std::max(joined.back().second, span.second);
        }
        else
        {
            joined.push_back(span);
        }
    }
    return joined;
}

Time
JobResult::GetDuration() const
{
    Tick last = m_start == NEVER ? 0 : m_start;
    for (const Tick ended : m_ended)
    {
        last = ended == NEVER ? last : std::max(last, ended);
    }
    return FromTick(m_start == NEVER ? 0 : last - m_start);
}

Time
JobResult::GetCompute(uint32_t rank) const
{
    return FromTick(Sum(SpansOf(rank, true)));
}

Time
JobResult::GetCommunication(uint32_t rank) const
{
    return FromTick(Sum(SpansOf(rank, false)));
}

Time
JobResult::GetExposed(uint32_t rank) const
{
    const Spans compute = SpansOf(rank, true);
    auto next = compute.begin(); // the first that may reach into the span
    Tick exposed = 0;
    for (const auto& [begun, ended] : SpansOf(rank, false))
    {
        exposed += ended - begun;
        while (next != compute.end() && next->second <= begun)
        {
            ++next;
        }
        for (auto it = next; it != compute.end() && it->first < ended; ++it)
        {
            exposed -= std::min(it->second, ended) - std::max(it->first, begun);
        }
    }
    return FromTick(exposed);
}

double
JobResult::GetUtilization() const
{
    const double duration = GetDuration().GetSeconds();
    double sum = 0;
    for (uint32_t rank = 0; rank < m_tasks.size(); ++rank)
    {
        sum += GetCompute(rank).GetSeconds();
    }
    return duration > 0 ? sum / duration / static_cast<double>(m_tasks.size()) : 0;
}

Time
JobResult::GetMeanExposed() const
{
    Tick sum = 0;
    for (uint32_t rank = 0; rank < m_tasks.size(); ++rank)
    {
        sum += ToTick(GetExposed(rank));
    }
    return FromTick(m_tasks.empty() ? 0 : sum / static_cast<Tick>(m_tasks.size()));
}

} // namespace roce
} // namespace ns3
