/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs topology, flow and config files of the HPCC family of simulators, and writes their fct.txt.
//
// build/bin/roce-replay --topology=T --flows=F [--config=C] --fct=out/fct.txt --json=out/r.json
//
// --compat=all does all that the HPCC artifact does differently from real hardware, to compare
// with it flow by flow: hash (its ECMP hash and UDP ports), ack (ACKs in the data class of
// switches), headers (payload + 48), ticks (times cut to whole ns), switch (headroom, threshold,
// pause without end, CE echoed in ACKs). doc/hpcc.rst has the rules.

#include "ns3/core-module.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-replay-helper.h"
#include "ns3/roce-topology-reader.h"

#include <fstream>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** All flags of this program. */
struct Flags
{
    std::string topology;
    std::string flows;
    std::string config;
    std::string fct;
    std::string pfc;
    std::string compat;
    std::string order{"descending"};
    bool step{false};
    bool gaps{false};
};

std::optional<HpccConfig>
ReadConfig(const Flags& flags)
{
    if (flags.config.empty())
    {
        return std::nullopt;
    }
    HpccConfig config = HpccConfigReader::Read(TextSource::FromFile(flags.config));
    for (const HpccIgnoredKey& key : config.ignored)
    {
        std::cerr << flags.config << ":" << key.line << ": " << key.key
                  << " has no effect: " << key.why << "\n";
    }
    if (flags.step)
    {
        config.kmaxKb = config.kminKb;
    }
    return config;
}

std::ofstream
Open(const std::string& path)
{
    std::ofstream out(path);
    if (!path.empty() && !out)
    {
        throw std::runtime_error(path + " cannot be written; does its folder exist?");
    }
    return out;
}

int
Replay(ExperimentHelper& experiment, const Flags& flags)
{
    TopologyReadOptions reading;
    reading.allowIdGaps = flags.gaps;
    const Topology topology = TopologyReader::Read(TextSource::FromFile(flags.topology), reading);
    const FlowList flows = FlowReader::Read(TextSource::FromFile(flags.flows), &topology.graph);
    if (topology.ignoredLinkRows > 0)
    {
        std::cerr << flags.topology << ": " << topology.ignoredLinkRows
                  << " rows after the declared links are ignored, as the originals do\n";
    }
    if (flows.ignoredRows > 0)
    {
        std::cerr << flags.flows << ": " << flows.ignoredRows << " rows after the declared "
                  << flows.flows.size() << " flows are ignored, as the originals do\n";
    }
    ReplayHelper replay(topology.graph,
                        flows,
                        ReadConfig(flags),
                        ReplayOptions::Parse(flags.compat, flags.order));
    RoceHelper roce;
    experiment.Configure(roce);
    replay.Configure(roce, !experiment.IsGiven("cc"));
    // only the hosts that have flows need a path
    Ptr<Fabric> fabric = roce.Install(topology.graph, PartitionPolicy::Allow);
    roce.AssignStreams(fabric, 1);
    std::ofstream fct = Open(flags.fct);
    std::ofstream pfc = Open(flags.pfc);
    ExperimentRun& run = experiment.Begin("replay", fabric);
    replay.Schedule(fabric);
    if (!flags.fct.empty())
    {
        replay.WriteFct(fct);
    }
    if (!flags.pfc.empty())
    {
        replay.WritePfc(pfc, fabric);
    }
    run.Run();
    return experiment.Finish();
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Flags f;
        ExperimentHelper experiment("roce-replay", "Run files of the HPCC family of simulators");
        experiment.AddFlag("topology",
                           "topology file (HPCC, inet-tub or SimAI header)",
                           f.topology);
        experiment.AddFlag("flows", "flow file", f.flows);
        experiment.AddFlag("config", "config file; --cc overrides its CC_MODE", f.config);
        experiment.AddFlag("fct", "gets fct.txt", f.fct);
        experiment.AddFlag("pfc", "gets pfc.txt", f.pfc);
        experiment.AddFlag("id-gaps", "take node ids beyond the declared count", f.gaps);
        experiment.AddFlag("compat",
                           "do as HPCC: all, or of hash,ack,headers,ticks,switch",
                           f.compat);
        experiment.AddFlag("order", "next hops with hash: descending or ascending ids", f.order);
        experiment.AddFlag("step", "mark at KMIN as a step (KMAX = KMIN)", f.step);
        experiment.Parse(argc, argv);
        if (f.topology.empty() || f.flows.empty())
        {
            throw std::invalid_argument("--topology=FILE and --flows=FILE are needed");
        }
        return Replay(experiment, f);
    });
}
