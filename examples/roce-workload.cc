/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs a workload file on a fabric: JSON of our own, SimAI/AICB text, htsim connection matrices, or
// Chakra traces (the path before ".0.et").
//
// Without --topology the ranks are on one switch, 100G and 1 us each. Sizes and times of large
// models can be scaled down; what was scaled is in the result file.
//
// build/bin/roce-workload --file=all_reduce --gpus-per-server=8 --cc=none,hcc

#include "ns3/core-module.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-job-helper.h"
#include "ns3/roce-job-placement.h"
#include "ns3/roce-topology-loader.h"
#include "ns3/roce-workload-loader.h"
#include "ns3/roce-workload-scale.h"

#include <cstdio>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What the flags say. */
struct Options
{
    std::string file;
    std::string topology;
    std::string rate{"100Gbps"};
    std::string delay{"1us"};
    std::string placement{"packed"};
    std::string allReduce{"auto"};
    uint32_t perServer{1};
    uint32_t channels{1};
    uint32_t queuePairs{1};
    double byteScale{1};
    SimaiOptions simai;
};

/** Name the flags. */
void
AddFlags(ExperimentHelper& experiment, Options& o)
{
    experiment.AddFlag("file", "the workload, or the prefix of Chakra traces", o.file);
    experiment.AddFlag("topology", "a preset or a file; empty: one switch", o.topology);
    experiment.AddFlag("rate", "without a topology: rate of links", o.rate);
    experiment.AddFlag("delay", "without a topology: one-way delay of links", o.delay);
    experiment.AddFlag("placement", "packed, fragmented or random", o.placement);
    experiment.AddFlag("all-reduce", "algorithm: auto, ring, tree, ...", o.allReduce);
    experiment.AddFlag("gpus-per-server", "hosts in a row that share NVLink", o.perServer);
    experiment.AddFlag("channels", "of a collective", o.channels);
    experiment.AddFlag("qps", "queue pairs of a connection", o.queuePairs);
    experiment.AddFlag("byte-scale", "all sizes are multiplied by it", o.byteScale);
    experiment.AddFlag("compute-scale", "SimAI: all times are too", o.simai.computeScale);
    experiment.AddFlag("gpus", "SimAI: GPUs, in place of all_gpus", o.simai.gpus);
    experiment.AddFlag("iterations", "SimAI: passes over all layers", o.simai.iterations);
}

/** Run a job and note its figures. */
void
RunOne(ExperimentHelper& experiment, const Options& o, Ptr<TaskGraph> graph, const std::string& cc)
{
    RoceHelper roce;
    experiment.Configure(roce, cc);
    FabricGraph plan;
    if (o.topology.empty())
    {
        const uint32_t servers = (graph->GetRanks() + o.perServer - 1) / o.perServer;
        ClosHelper star(1, 0, servers * o.perServer);
        star.SetHostLinks(o.rate, o.delay);
        plan = star.MakeGraph();
    }
    else
    {
        plan = TopologyLoader::Load(o.topology).graph;
    }
    Ptr<Fabric> fabric = roce.Install(plan);
    ExperimentRun& run = experiment.Begin(cc, fabric);
    auto network = Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(plan, o.perServer));
    network->SetQueuePairs(o.queuePairs);
    JobPlacement placement(network->GetGpus());
    placement.AssignStreams(experiment.GetNextStream());
    JobHelper helper;
    helper.SetChannels(o.channels);
    helper.SetAllReduce(o.allReduce);
    Ptr<Job> job = helper.Install(network, placement.Place(graph->GetRanks(), o.placement), graph);
    run.Run();
    const JobResult& result = job->GetResult();
    run.GetExtra()["tasks"] = graph->GetTasks();
    run.GetExtra()["finished"] = job->IsFinished();
    run.GetExtra()["job_s"] = result.GetDuration().GetSeconds();
    run.GetExtra()["gpu_utilization"] = result.GetUtilization();
    run.GetExtra()["exposed_comm_s"] = result.GetMeanExposed().GetSeconds();
    run.GetExtra()["message_bytes"] = job->GetMessageBytes();
    for (uint32_t group = 0; group < graph->GetGroups(); ++group)
    {
        auto& bytes = run.GetExtra()["traffic_bytes"][graph->GetGroup(group).name];
        bytes = (bytes.is_null() ? 0 : bytes.get<uint64_t>()) + job->GetGroupBytes(group);
    }
    experiment.End();
    std::printf("  job: %u tasks of %u ranks in %.1f us, GPU utilization %.3f, exposed "
                "communication %.1f us\n%s",
                graph->GetTasks(),
                graph->GetRanks(),
                result.GetDuration().ToDouble(Time::US),
                result.GetUtilization(),
                result.GetMeanExposed().ToDouble(Time::US),
                job->IsFinished() ? "" : ("  not finished: " + job->Describe() + "\n").c_str());
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Options o;
        ExperimentHelper experiment("roce-workload", "A workload file on a fabric");
        experiment.SetDefaults("none");
        AddFlags(experiment, o);
        experiment.Parse(argc, argv);
        if (o.file.empty() || o.perServer == 0)
        {
            throw std::invalid_argument("--file=FILE is needed, --gpus-per-server at least 1");
        }
        const Ptr<TaskGraph> graph =
            WorkloadScale::Bytes(WorkloadLoader::Load(o.file, o.simai), o.byteScale);
        for (const std::string& cc : experiment.GetCcs())
        {
            RunOne(experiment, o, graph, cc);
        }
        return experiment.Finish();
    });
}
