/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-report.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

std::string
TrainingReport::KindOf(const TaskGraph& graph, uint32_t id)
{
    const Task& task = graph.GetTask(id);
    switch (task.kind)
    {
    case TaskKind::COLLECTIVE:
        return graph.GetGroup(task.group).name;
    case TaskKind::SEND:
        return "send";
    case TaskKind::RECEIVE:
        return "receive";
    case TaskKind::COMPUTE:
        break;
    }
    return task.name[0] == 'F' ? "forward" : task.name[0] == 'B' ? "backward" : "optimizer";
}

void
TrainingReport::Add(Ptr<const Job> job, const ParallelLayout& layout)
{
    if (!job->IsFinished())
    {
        throw std::runtime_error("job " + std::to_string(m_jobs.size()) +
                                 " has not ended: " + job->Describe());
    }
    const TaskGraph& graph = *job->GetGraph();
    const JobResult& result = job->GetResult();
    Figures figures;
    figures.utilization = result.GetUtilization();
    figures.stepS = result.GetDuration().GetSeconds();
    figures.exposedS = result.GetMeanExposed().GetSeconds();
    AddBytes(figures, *job, layout);
    figures.timeS = {{"compute", 0}, {"tensor", 0}, {"expert", 0}, {"pipeline", 0}};
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const std::string kind = KindOf(graph, id);
        const bool computes = graph.GetTask(id).kind == TaskKind::COMPUTE;
        const auto part = figures.timeS.find(computes            ? "compute"
                                             : kind == "receive" ? "pipeline"
                                                                 : kind);
        if (part != figures.timeS.end()) // the program waits for it
        {
            part->second +=
                FromTick(result.GetEnded(id) - result.GetBegun(id)).GetSeconds() / graph.GetRanks();
        }
    }
    double rest = figures.stepS;
    for (const auto& [part, seconds] : figures.timeS)
    {
        rest -= seconds;
    }
    figures.timeS["rest"] = rest;
    m_jobs.push_back(figures);
}

ResultWriter::Json
TrainingReport::ToJson(const Figures& figures)
{
    ResultWriter::Json json;
    json["gpu_utilization"] = figures.utilization;
    json["step_s"] = figures.stepS;
    json["exposed_comm_s"] = figures.exposedS;
    json["traffic_bytes"] = SumOf(figures);
    json["stage_bytes"] = figures.stages;
    json["time_s"] = figures.timeS;
    return json;
}

TrainingReport::Figures
TrainingReport::SumUp() const
{
    Figures all;
    const auto n = static_cast<double>(m_jobs.size());
    for (const Figures& job : m_jobs)
    {
        all.utilization += job.utilization / n;
        all.stepS = std::max(all.stepS, job.stepS);
        all.exposedS += job.exposedS / n;
        all.stages.resize(job.stages.size());
        for (std::size_t stage = 0; stage < job.stages.size(); ++stage)
        {
            for (const auto& [kind, bytes] : job.stages[stage])
            {
                all.stages[stage][kind] += bytes;
            }
        }
        for (const auto& [part, seconds] : job.timeS)
        {
            all.timeS[part] += seconds / n;
        }
    }
    return all;
}

ResultWriter::Json
TrainingReport::GetJson() const
{
    ResultWriter::Json json = ToJson(SumUp());
    json["jobs"] = ResultWriter::Json::array();
    for (const Figures& job : m_jobs)
    {
        json["jobs"].push_back(ToJson(job));
    }
    return json;
}

} // namespace roce
} // namespace ns3
