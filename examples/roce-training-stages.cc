/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-report.h"

namespace ns3
{
namespace roce
{

void
TrainingReport::AddBytes(Figures& figures, const Job& job, const ParallelLayout& layout)
{
    const TaskGraph& graph = *job.GetGraph();
    figures.stages.assign(layout.GetDegrees().pipeline,
                          {{"tensor", 0}, {"pipeline", 0}, {"data", 0}, {"expert", 0}});
    for (uint32_t i = 0; i < graph.GetGroups(); ++i)
    {
        // all ranks of a group are in one stage: none is along the pipeline
        const TaskGroup& group = graph.GetGroup(i);
        figures.stages[layout.At(group.ranks.front()).pipeline][group.name] += job.GetGroupBytes(i);
    }
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        if (task.kind == TaskKind::SEND)
        {
            figures.stages[layout.At(task.rank).pipeline]["pipeline"] += task.bytes;
        }
    }
}

std::map<std::string, uint64_t>
TrainingReport::SumOf(const Figures& figures)
{
    std::map<std::string, uint64_t> sum;
    for (const auto& stage : figures.stages)
    {
        for (const auto& [kind, bytes] : stage)
        {
            sum[kind] += bytes;
        }
    }
    return sum;
}

} // namespace roce
} // namespace ns3
