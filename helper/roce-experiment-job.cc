/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-job.h"

#include "roce-nearest-name.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-collective-catalog.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-training-step.h"
#include "ns3/roce-workload-loader.h"
#include "ns3/roce-workload-scale.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = ExperimentTraffic::Json;

constexpr double NVLINK_BYTES_PER_S = 450e9; //!< default of the key nvlink_rate, 3600 Gb/s

/** \return byte/s of NVLink. \param document the experiment */
double
NvlinkOf(const Json& document)
{
    const Json gpus = document.value("gpus", Json::object());
    return gpus.contains("nvlink_rate")
               ? double(Quantity::RateBps(gpus.at("nvlink_rate").get<std::string>())) / 8
               : NVLINK_BYTES_PER_S;
}

/** Take a number if it is there. \param entry with it \param key of it \param number gets it */
void
Take(const Json& entry, const char* key, uint32_t& number)
{
    number = entry.value(key, number);
}

} // namespace

ExperimentJob::ExperimentJob(ExperimentPlan& plan, const Json& entry, const std::string& path)
    : m_type(entry.at("type").get<std::string>()),
      m_at(TimeOf(entry.at("at").get<std::string>())),
      m_graph(Load(plan, entry, path))
{
    Refusing(plan, path, [&]() {
        Configure(entry);
        CheckOperations();
    });
    const uint32_t jobs = entry.value("jobs", 1U);
    if (jobs > 1 && entry.contains("gpus"))
    {
        throw std::invalid_argument(plan.document.GetName() + ": " + path +
                                    "/gpus: this key does not go with " + std::to_string(jobs) +
                                    " jobs; write an entry for each");
    }
    for (uint32_t i = 0; i < jobs; ++i)
    {
        m_placements.emplace_back(plan, entry, path, m_graph->GetRanks());
    }
}

Ptr<const TaskGraph>
ExperimentJob::Load(const ExperimentPlan& plan, const Json& entry, const std::string& path)
{
    Ptr<const TaskGraph> graph;
    if (entry.at("type") == "training")
    {
        Refusing(plan, path, [&]() {
            graph = TrainingStep(PlanOf(entry, NvlinkOf(plan.document.GetJson()))).MakeGraph();
        });
        return graph;
    }
    const char* key = entry.contains("file") ? "/file" : "/workload";
    Refusing(plan, path + key, [&]() {
        SimaiOptions options;
        Take(entry, "ranks", options.gpus);
        options.computeScale = entry.at("compute_scale").get<double>();
        options.iterations = entry.at("iterations").get<uint32_t>();
        const Ptr<TaskGraph> read =
            entry.contains("file")
                ? WorkloadLoader::Load(plan.document.Resolve(entry.at("file").get<std::string>()),
                                       options)
                : WorkloadLoader::Parse("workload", entry.at("workload").dump(), options);
        graph = WorkloadScale::Bytes(read, entry.at("byte_scale").get<double>());
    });
    return graph;
}

TrainingPlan
ExperimentJob::PlanOf(const Json& entry, double nvlinkBytesPerS)
{
    TrainingPlan plan;
    plan.model = TrainingModel::Preset(entry.at("model").get<std::string>());
    TrainingModel& model = plan.model;
    if (entry.contains("hidden"))
    {
        const uint64_t inner = uint64_t(model.feedForward) * entry.at("hidden").get<uint32_t>();
        model.feedForward = static_cast<uint32_t>(inner / model.hidden);
    }
    Take(entry, "layers", model.layers);
    Take(entry, "hidden", model.hidden);
    Take(entry, "sequence", model.sequence);
    Take(entry, "micro_batch", model.microBatch);
    plan.gpu.efficiency = entry.at("efficiency").get<double>();
    Take(entry, "tp", plan.degrees.tensor);
    Take(entry, "pp", plan.degrees.pipeline);
    Take(entry, "dp", plan.degrees.data);
    Take(entry, "ep", plan.degrees.expert);
    plan.order = entry.at("order").get<std::string>();
    Take(entry, "micro_batches", plan.microBatches);
    plan.schedule = entry.at("schedule").get<std::string>();
    Take(entry, "interleave", plan.chunks);
    plan.overlap = entry.at("overlap").get<bool>();
    plan.bucketBytes = ParseBytes(entry.at("bucket").get<std::string>());
    plan.scatterGather = entry.at("scatter_gather").get<bool>();
    plan.foldTensor = entry.at("fold_tensor").get<bool>();
    plan.foldBytesPerS = nvlinkBytesPerS;
    return plan;
}

void
ExperimentJob::Configure(const Json& entry)
{
    m_helper.SetChannels(entry.at("channels").get<uint32_t>());
    m_helper.SetChunks(ParseBytes(entry.at("chunk_bytes").get<std::string>()),
                       entry.at("max_chunks").get<uint32_t>());
    m_helper.SetAllReduce(entry.at("all_reduce").get<std::string>());
    m_helper.SetMapping(entry.at("mapping").get<std::string>());
}

void
ExperimentJob::CheckOperations() const
{
    for (uint32_t id = 0; id < m_graph->GetTasks(); ++id)
    {
        const Task& task = m_graph->GetTask(id);
        if (task.kind != TaskKind::COLLECTIVE)
        {
            continue;
        }
        const std::vector<std::string> known = CollectiveCatalog::GetAlgorithms(task.operation);
        if (!task.algorithm.empty() &&
            std::find(known.begin(), known.end(), task.algorithm) == known.end())
        {
            throw std::invalid_argument("task " + std::to_string(id) + ": algorithm " +
                                        Quantity::Shown(task.algorithm) + " of " + task.operation +
                                        " is not known; choose " + NearestName::List(known));
        }
    }
}

void
ExperimentJob::Install(const ExperimentSite& site)
{
    for (const ExperimentPlacement& placement : m_placements)
    {
        m_jobs.push_back(m_helper.Install(site.network, placement.Place(site), m_graph, m_at));
    }
}

ResultWriter::Json
ExperimentJob::ReportOf(const Job& job)
{
    const TaskGraph& graph = *job.GetGraph();
    ResultWriter::Json report = {{"tasks", graph.GetTasks()},
                                 {"ranks", graph.GetRanks()},
                                 {"finished", job.IsFinished()},
                                 {"job_s", job.GetResult().GetDuration().GetSeconds()},
                                 {"gpu_utilization", job.GetResult().GetUtilization()},
                                 {"exposed_comm_s", job.GetResult().GetMeanExposed().GetSeconds()},
                                 {"message_bytes", job.GetMessageBytes()},
                                 {"traffic_bytes", ResultWriter::Json::object()}};
    for (uint32_t group = 0; group < graph.GetGroups(); ++group)
    {
        auto& bytes = report["traffic_bytes"][graph.GetGroup(group).name];
        bytes = (bytes.is_null() ? 0 : bytes.get<uint64_t>()) + job.GetGroupBytes(group);
    }
    if (!job.IsFinished())
    {
        report["waits"] = job.Describe();
    }
    return report;
}

ResultWriter::Json
ExperimentJob::Report() const
{
    ResultWriter::Json report = {{"type", m_type}, {"jobs", ResultWriter::Json::array()}};
    for (const Ptr<Job>& job : m_jobs)
    {
        report["jobs"].push_back(ReportOf(*job));
    }
    return report;
}

uint64_t
ExperimentJob::GetBytes() const
{
    return 0;
}

void
ExperimentJob::Clear()
{
    m_jobs.clear();
}

} // namespace roce
} // namespace ns3
