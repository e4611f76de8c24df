/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-gantt.h"

#include "roce-training-report.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace roce
{

TrainingGantt::TrainingGantt(const std::string& path)
    : m_path(path)
{
    if (path.empty())
    {
        return;
    }
    std::error_code error; // that of the file says enough
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    m_out.open(path);
    if (!m_out)
    {
        throw std::runtime_error("--gantt=" + path + " cannot be written");
    }
    m_out << "{\"schema\": \"roce-gantt/1\",\n\"columns\": [\"rank\", \"name\", \"kind\", "
             "\"begin_ns\", \"end_ns\"],\n\"runs\": [";
}

void
TrainingGantt::BeginRun(const std::string& label)
{
    if (!m_path.empty())
    {
        m_out << (m_runs ? "\n]}," : "") << "\n{\"label\": " << nlohmann::json(label)
              << ", \"jobs\": [";
        m_runs = true;
        m_jobs = false;
    }
}

void
TrainingGantt::Add(Ptr<const Job> job, const ParallelLayout& layout)
{
    if (m_path.empty())
    {
        return;
    }
    const TaskGraph& graph = *job->GetGraph();
    const JobResult& result = job->GetResult();
    m_out << (m_jobs ? "," : "") << "\n{\"ranks\": [";
    for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
    {
        const ParallelPlace place = layout.At(rank);
        m_out << (rank ? ",\n" : "\n")
              << nlohmann::ordered_json{{"tensor", place.tensor},
                                        {"pipeline", place.pipeline},
                                        {"data", place.data}};
    }
    m_out << "],\n\"tasks\": [";
    for (uint32_t id = 0; id < graph.GetTasks(); ++id)
    {
        const Task& task = graph.GetTask(id);
        const auto ns = [&result](Tick at) {
            return FromTick(at - result.GetStart()).ToDouble(Time::NS);
        };
        m_out << (id ? ",\n" : "\n")
              << nlohmann::json{task.rank,
                                task.name,
                                TrainingReport::KindOf(graph, id),
                                ns(result.GetBegun(id)),
                                ns(result.GetEnded(id))};
    }
    m_out << "\n]}";
    m_jobs = true;
}

void
TrainingGantt::Finish()
{
    if (m_path.empty())
    {
        return;
    }
    m_out << (m_runs ? "\n]}" : "") << "\n]}\n";
    m_out.close();
    if (!m_out)
    {
        throw std::runtime_error("--gantt=" + m_path + " could not be written to the end");
    }
}

} // namespace roce
} // namespace ns3
