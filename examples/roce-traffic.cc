/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Open-loop traffic: Poisson arrivals with sizes of a published distribution, at a load in per cent
// of a set of links, with incasts on top, and how much longer flows take than alone, by size.
//
// build/bin/roce-traffic --sizes=WebSearch --load=50 --duration=2ms --cc=dcqcn,hcc
// build/bin/roce-traffic --sizes=Solar2022 --pattern=permutation --links=leaf-spine
// --incast-fan-in=8 --incast-size=100kB --incast-every=100us --flows-out=out/flow.txt

#include "roce-traffic-flags.h"
#include "roce-traffic-report.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-replay-helper.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

void
AddFlags(ExperimentHelper& e, TrafficFlags& f)
{
    e.AddFlag("sizes", "a published distribution or a file of size and cumulative %", f.sizes);
    e.AddFlag("load", "of the links, in per cent, without headers; 0: none", f.traffic.loadPercent);
    e.AddFlag("links", "what is loaded: host, or two tiers as leaf-spine", f.links);
    e.AddFlag("pattern", "uniform, permutation, all-to-all or hotspot", f.pattern);
    e.AddFlag("hot-hosts", "of a hotspot", f.traffic.hotHosts);
    e.AddFlag("hot-fraction", "of the flows that go to them, 0 to 1", f.traffic.hotFraction);
    e.AddFlag("incast-fan-in", "senders of each incast; 0: none", f.traffic.incastFanIn);
    e.AddFlag("incast-size", "bytes from each sender", f.incastSize);
    e.AddFlag("incast-every", "time between incasts", f.incastEvery);
    e.AddFlag("duration", "flows arrive for so long", f.duration);
    e.AddFlag("topology", "file or preset, in place of a leaf-spine fabric", f.topology);
    e.AddFlag("leaves", "leaf switches", f.leaves);
    e.AddFlag("spines", "spine switches", f.spines);
    e.AddFlag("hosts", "hosts on each leaf", f.hosts);
    e.AddFlag("rate", "of host links", f.rate);
    e.AddFlag("fabric-rate", "of links between leaf and spine", f.fabricRate);
    e.AddFlag("delay", "one way of each cable", f.delay);
    e.AddFlag("buffer", "of each switch", f.buffer);
    e.AddFlag("mtu", "payload bytes of a full packet", f.mtu);
    e.AddFlag("flows-out", "gets the flows as an HPCC flow file", f.flowsOut);
}

void
RunOne(ExperimentHelper& experiment,
       const std::string& cc,
       const FlowList& flows,
       const TrafficFlags& f)
{
    const FabricGraph graph = MakeGraph(f);
    ReplayHelper replay(graph, flows, std::nullopt, ReplayOptions());
    RoceHelper roce;
    experiment.Configure(roce, cc);
    replay.Configure(roce, false);
    roce.SetNicAttribute("PathMtu", UintegerValue(f.mtu));
    roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(f.buffer)));
    Ptr<Fabric> fabric = roce.Install(graph);
    ExperimentRun& run = experiment.Begin(cc, fabric);
    replay.Schedule(fabric);
    run.Run();
    const std::vector<TrafficBucket> buckets = SortBySize(run, fabric, flows);
    run.GetExtra()["slowdown_by_size"] = BucketsToJson(buckets);
    experiment.End();
    if (!experiment.IsQuiet())
    {
        PrintBuckets(cc, buckets);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        TrafficFlags flags;
        ExperimentHelper experiment("roce-traffic", "Open-loop traffic at a load");
        experiment.SetDefaults("dcqcn");
        AddFlags(experiment, flags);
        experiment.Parse(argc, argv);
        if (flags.mtu == 0 || flags.mtu > 9216)
        {
            throw std::invalid_argument("--mtu=" + std::to_string(flags.mtu) +
                                        ": expected 1 to 9216 bytes");
        }
        const FlowList flows = MakeFlows(experiment, MakeGraph(flags), flags);
        for (const std::string& cc : experiment.GetCcs())
        {
            RunOne(experiment, cc, flows, flags);
        }
        return experiment.Finish();
    });
}
