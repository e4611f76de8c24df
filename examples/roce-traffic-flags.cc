/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-flags.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-topology-loader.h"
#include "ns3/roce-topology-writer.h"
#include "ns3/roce-traffic-generator.h"

#include <fstream>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Random streams of the traffic; those of fabrics are below. */
constexpr int64_t TRAFFIC_STREAM = 1000000000;

} // namespace

FabricGraph
MakeGraph(const TrafficFlags& f)
{
    if (!f.topology.empty())
    {
        return TopologyLoader::Load(f.topology).graph;
    }
    ClosHelper clos(f.leaves, f.spines, f.hosts);
    clos.SetHostLinks(f.rate, f.delay);
    clos.SetFabricLinks(f.fabricRate, f.delay);
    return clos.MakeGraph();
}

FlowList
MakeFlows(ExperimentHelper& experiment, const FabricGraph& graph, TrafficFlags& f)
{
    f.traffic.pattern = TrafficPairs::Parse(f.pattern);
    f.traffic.durationPs = Quantity::DelayPs(f.duration);
    f.traffic.incastBytes = ParseBytes(f.incastSize);
    f.traffic.incastEveryPs = Quantity::DelayPs(f.incastEvery);
    const FlowSizeDistribution sizes = FlowSizeDistribution::Load(f.sizes);
    TrafficGenerator generator(graph, LinkSet(graph, f.links), sizes, f.traffic);
    generator.AssignStreams(TRAFFIC_STREAM);
    const FlowList list = generator.Generate();
    const double peak = generator.GetPeakReceivePercent();
    experiment.AddKey("traffic",
                      {{"flows", list.flows.size()},
                       {"mean_size_bytes", sizes.GetMean()},
                       {"arrivals_per_s", generator.GetArrivalsPerSecond()},
                       {"load_percent", f.traffic.loadPercent},
                       {"incast_load_percent", generator.GetIncastLoadPercent()},
                       {"peak_receive_percent", peak}});
    if (peak >= 100)
    {
        std::cerr << "roce-traffic: one host is to receive " << peak
                  << " % of its rate; flows to it pile up for as long as they arrive\n";
    }
    if (!f.flowsOut.empty() &&
        !(std::ofstream(f.flowsOut) << TopologyWriter::Format(list.flows)).flush())
    {
        throw std::runtime_error(f.flowsOut + " cannot be written; does its folder exist?");
    }
    return list;
}
