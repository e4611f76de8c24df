/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The article's AllReduce: NVLink inside a rack of 8 GPUs, 100G to the spines of a pod, 400G
// between pods. With PFC only, DCQCN, and HCC: each stage with its own numbers (hcc), or both with
// those of stage 2 (hcc-stage2) or stage 3 (hcc-stage3):
// build/bin/roce-three-stage --seeds=3 --json=out/three-stage.json

#include "roce-example-stage-tuning.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-pod-builder.h"

#include <cstdio>
#include <numeric>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What the flags say. */
struct Options
{
    PodPlan plan;
    std::string size{"64MB"};
    std::string buffer{"16MB"};
    std::string mapping{"rail"};
    std::string coreRate{"400Gbps"};
    uint32_t chunks{4};
    uint32_t seeds{1};
};

/** Means over the seeds of one way. */
struct Row
{
    double us{0};
    double bus{0};
    double xoff{0};
    double peakKb{0};
    double cnps{0};
};

/** Run once. */
void
RunOne(ExperimentHelper& experiment,
       const Options& o,
       const std::string& way,
       uint32_t seed,
       Row& row)
{
    RngSeedManager::SetRun(seed);
    RoceHelper roce;
    const bool hcc = way.rfind("hcc", 0) == 0;
    experiment.Configure(roce, hcc ? "hcc" : way);
    if (hcc)
    {
        const uint32_t stage = way == "hcc" ? 0 : static_cast<uint32_t>(way.back() - '0');
        roce.SetCongestionControlAttribute("Tuning",
                                           PointerValue(MakeStageTuning("default", stage)));
    }
    roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(o.buffer)));
    Ptr<Fabric> fabric = roce.Install(PodBuilder::Build(o.plan));
    ExperimentRun& run = experiment.Begin(way + "/" + std::to_string(seed), fabric);
    auto network =
        Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(fabric->GetGraph(), o.plan.gpusPerRack));
    CollectiveHelper helper;
    helper.SetOperation("all-reduce", "hierarchical");
    helper.SetLevels({o.plan.gpusPerRack, o.plan.racksPerPod, o.plan.pods}, o.mapping);
    helper.SetBytes(ParseBytes(o.size));
    helper.SetChunks(o.chunks);
    std::vector<uint32_t> gpus(network->GetGpus().GetGpus());
    std::iota(gpus.begin(), gpus.end(), 0);
    Ptr<CollectiveRun> collective = helper.Install(network, gpus);
    run.Run();
    const double us = collective->GetDuration().ToDouble(Time::US);
    run.GetExtra()["collective_s"] = us / 1e6;
    run.GetExtra()["busbw_Bps"] = collective->GetBusBandwidth();
    run.GetExtra()["bytes_sent"] = collective->GetBytesSent();
    row.us += us / o.seeds;
    row.bus += collective->GetBusBandwidth() / 1e9 / o.seeds;
    row.xoff += static_cast<double>(run.GetResult().xoff) / o.seeds;
    row.cnps += static_cast<double>(run.GetResult().cnpReceived) / o.seeds;
    uint64_t peak = 0;
    for (const uint32_t id : fabric->GetGraph().Switches())
    {
        peak = std::max(peak, fabric->GetSwitch(id)->GetMmu().GetTotal().peak);
    }
    row.peakKb = std::max(row.peakKb, static_cast<double>(peak) / 1e3);
    run.GetExtra()["peak_buffer_bytes"] = peak;
    experiment.End();
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Options o;
        o.plan.pods = 4;
        o.plan.superSpines = 2;
        ExperimentHelper experiment("roce-three-stage", "AllReduce in the article's three stages");
        experiment.SetDefaults("none,dcqcn,hcc");
        experiment.AddFlag("pods", "pods", o.plan.pods);
        experiment.AddFlag("racks", "racks of a pod", o.plan.racksPerPod);
        experiment.AddFlag("gpus", "GPUs of a rack, which share NVLink", o.plan.gpusPerRack);
        experiment.AddFlag("pod-spines", "spines of a pod", o.plan.podSpines);
        experiment.AddFlag("super-spines", "super-spines", o.plan.superSpines);
        experiment.AddFlag("size", "bytes of the buffer of a GPU", o.size);
        experiment.AddFlag("chunks", "pieces that follow each other through the stages", o.chunks);
        experiment.AddFlag("mapping", "rail or leader", o.mapping);
        experiment.AddFlag("core-rate", "of links to super-spines", o.coreRate);
        experiment.AddFlag("buffer", "packet buffer of each switch", o.buffer);
        experiment.AddFlag("seeds", "runs of each kind, with other paths", o.seeds);
        experiment.Parse(argc, argv);
        o.plan.coreRateBps = Quantity::RateBps(o.coreRate);
        std::vector<std::pair<std::string, Row>> rows;
        for (const std::string& cc : experiment.GetCcs())
        {
            for (const std::string& way :
                 cc == "hcc" ? std::vector<std::string>{"hcc", "hcc-stage2", "hcc-stage3"}
                             : std::vector<std::string>{cc})
            {
                rows.emplace_back(way, Row());
                for (uint32_t seed = 1; seed <= o.seeds; ++seed)
                {
                    RunOne(experiment, o, way, seed, rows.back().second);
                }
            }
        }
        std::printf("\nway           time (us)  busbw (GB/s)      XOFF      CNPs  peak (KB)\n");
        for (const auto& [way, row] : rows)
        {
            std::printf("%-12s %10.1f %13.3f %9.0f %9.0f %10.0f\n",
                        way.c_str(),
                        row.us,
                        row.bus,
                        row.xoff,
                        row.cnps,
                        row.peakKb);
        }
        return experiment.Finish();
    });
}
