/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One step of training a transformer with tensor, pipeline and data parallelism, packet by packet,
// under each congestion control. By default 64 GPUs, 8 a server with NVLink and a NIC each, on
// leaves that are 2:1 oversubscribed; 4 x 4 x 4 ranks train the model "demo": 16 layers of hidden
// size 1024 where real models have 4096 and more, so that it ends in seconds. Ratios of computation
// to bytes are not those of a large model then; --model=llama-7b takes many minutes.
//
// build/bin/roce-training --gantt=out/gantt.json && tools/plot.py out/gantt.json out/gantt.svg
// build/bin/roce-training --model=demo-moe --ep=4
// build/bin/roce-training --jobs=2 --tp=2 --placement=fragmented

#include "roce-training-gantt.h"
#include "roce-training-network.h"
#include "roce-training-report.h"
#include "roce-training-settings.h"

#include "ns3/core-module.h"
#include "ns3/roce-job-placement.h"

#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** All jobs of one run. \param experiment the program \param cc congestion control \param settings
 *  what was chosen \param step what a job does \param gantt gets the tasks \param links gets the
 *  bytes of stages of the network */
TrainingReport
RunOne(ExperimentHelper& experiment,
       const std::string& cc,
       const TrainingSettings& settings,
       const TrainingStep& step,
       TrainingGantt& gantt,
       std::map<std::string, uint64_t>& links)
{
    const FabricGraph graph = settings.MakeGraph(settings.jobs * step.GetLayout().GetRanks());
    RoceHelper roce;
    experiment.Configure(roce, cc);
    roce.SetSwitchAttribute("BufferSize", UintegerValue(settings.GetBufferBytes(graph)));
    Ptr<Fabric> fabric = roce.Install(graph);
    ExperimentRun& run = experiment.Begin(cc, fabric);
    Ptr<GpuNetwork> network = settings.MakeNetwork(fabric);
    JobPlacement placement(network->GetGpus());
    placement.AssignStreams(experiment.GetNextStream());
    const JobHelper helper = settings.MakeJobs();
    const Ptr<TaskGraph> tasks = step.MakeGraph();
    std::vector<Ptr<Job>> jobs;
    for (uint32_t i = 0; i < settings.jobs; ++i)
    {
        const std::vector<uint32_t> gpus = placement.Place(tasks->GetRanks(), settings.placement);
        jobs.push_back(helper.Install(network, gpus, tasks));
    }
    run.Run();
    TrainingReport report;
    gantt.BeginRun(cc);
    for (const Ptr<Job>& job : jobs)
    {
        report.Add(job, step.GetLayout());
        gantt.Add(job, step.GetLayout());
    }
    run.GetExtra().update(report.GetJson());
    links = BytesByLinks(run, *network);
    run.GetExtra()["link_bytes"] = links;
    for (const Ptr<Job>& job : jobs)
    {
        job->Dispose();
    }
    experiment.End();
    return report;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        TrainingSettings settings;
        ExperimentHelper experiment("roce-training", "A step of 3D-parallel training on a fabric");
        experiment.SetDefaults("none,dcqcn,hcc");
        settings.AddFlags(experiment);
        experiment.Parse(argc, argv);
        if (settings.jobs == 0)
        {
            throw std::invalid_argument("--jobs=0: expected 1 or more");
        }
        const TrainingStep step(settings.MakePlan());
        TrainingGantt gantt(settings.gantt);
        std::vector<std::pair<std::string, TrainingReport>> reports;
        std::map<std::string, std::map<std::string, uint64_t>> links;
        for (const std::string& cc : experiment.GetCcs())
        {
            reports.emplace_back(cc, RunOne(experiment, cc, settings, step, gantt, links[cc]));
        }
        gantt.Finish();
        if (!experiment.IsQuiet())
        {
            TrainingReport::PrintHead();
            for (const auto& [label, report] : reports)
            {
                report.Print(label);
            }
            reports.front().second.PrintStages();
            for (const auto& [label, bytes] : links)
            {
                PrintLinks(label, bytes);
            }
            std::cout << "\nwithout communication a step takes " << step.GetIdealNs() / 1000
                      << " us\n";
        }
        return experiment.Finish();
    });
}
