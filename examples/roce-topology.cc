/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The figures of a fabric before anything runs: tiers, oversubscription, cables, base RTT, ECMP
// width, bisection. Takes a preset or a file (HPCC family, htsim's .topo, the module's own JSON).
//
// build/bin/roce-topology article --build
// build/bin/roce-topology homelab --flow=0,16 --svg=out/homelab.svg
// --topology-json=out/homelab.json

#include "roce-topology-parts.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-topology-dot.h"
#include "ns3/roce-topology-json-writer.h"
#include "ns3/roce-topology-loader.h"
#include "ns3/roce-topology-svg.h"

#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** All flags of this program. */
struct Flags
{
    bool build{false};
    TopologyReadOptions reading;
    std::string buffer{"64MB"};
    std::string flow;
    std::string topologyJson;
    std::string dot;
    std::string svg;
};

/** Take the argument that is no flag out of the list. \return it, or "" \param arguments of main */
std::string
TakeName(std::vector<char*>& arguments)
{
    std::vector<char*> rest;
    std::vector<std::string> names;
    for (char* argument : arguments)
    {
        const bool flag = rest.empty() || argument[0] == '-'; // the first is the program
        if (flag)
        {
            rest.push_back(argument);
        }
        else
        {
            names.emplace_back(argument);
        }
    }
    arguments = rest;
    if (names.size() > 1)
    {
        throw std::invalid_argument("expected one file or preset, found " + names[0] + " and " +
                                    names[1]);
    }
    return names.empty() ? "" : names[0];
}

/** \return what is wrong without a name, with the presets. */
std::string
NoName()
{
    std::string text = "which fabric? Give a topology file or a preset, for example "
                       "roce-topology homelab; presets:";
    for (const FabricPreset& preset : FabricPresets::All())
    {
        text += "\n  " + std::string(preset.name) + ": " + preset.text;
    }
    return text;
}

int
Run(ExperimentHelper& program, const FabricDocument& fabric, const Flags& flags)
{
    RequireOwnFiles(
        {{"--topology-json", flags.topologyJson}, {"--dot", flags.dot}, {"--svg", flags.svg}});
    const TopologyPlan plan(fabric);
    program.AddKey("plan", PlanToJson(fabric, plan));
    if (!program.IsQuiet())
    {
        PrintPlan(fabric, plan);
    }
    WriteText(flags.topologyJson, fabric, TopologyJsonWriter::Format);
    WriteText(flags.dot, fabric, TopologyDot::Format);
    WriteText(flags.svg, fabric, TopologySvg::Format);
    if (!flags.flow.empty())
    {
        program.AddKey("paths", ListPaths(fabric, flags.flow, !program.IsQuiet()));
    }
    if (flags.build)
    {
        RoceHelper roce;
        program.Configure(roce);
        roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(flags.buffer)));
        const BuildCost cost = BuildFabric(fabric, plan, roce);
        program.AddKey(
            "build",
            {{"seconds", cost.seconds}, {"peak_mib", cost.mib}, {"probe_rtt_ns", cost.rttsNs}});
        if (!program.IsQuiet())
        {
            PrintCost(cost, plan);
        }
    }
    return program.Finish();
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Flags f;
        ExperimentHelper program("roce-topology", "The figures of a fabric: roce-topology NAME");
        program.AddFlag("build", "build it, print seconds and memory", f.build);
        program.AddFlag("buffer", "of each switch that is built", f.buffer);
        program.AddFlag("flow", "A,B: list the shortest paths between two hosts", f.flow);
        program.AddFlag("id-gaps",
                        "take node ids beyond the declared count",
                        f.reading.allowIdGaps);
        program.AddFlag("topology-json", "gets the fabric, roce-topology/1", f.topologyJson);
        program.AddFlag("dot", "gets the fabric for Graphviz", f.dot);
        program.AddFlag("svg", "gets a picture, up to 500 nodes", f.svg);
        std::vector<char*> arguments(argv, argv + argc);
        const std::string name = TakeName(arguments);
        program.Parse(static_cast<int>(arguments.size()), arguments.data());
        if (name.empty())
        {
            throw std::invalid_argument(NoName());
        }
        return Run(program, TopologyLoader::Load(name, f.reading), f);
    });
}
