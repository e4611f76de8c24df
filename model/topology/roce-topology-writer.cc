/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-writer.h"

#include "roce-quantity.h"

#include <sstream>

namespace ns3
{
namespace roce
{

namespace
{

/** \return ids of one kind in a line. \param graph the fabric \param kind the kind */
std::string
IdLine(const FabricGraph& graph, NodeKind kind)
{
    std::string line;
    for (uint32_t id : graph.Switches())
    {
        if (graph.Node(id).kind == kind)
        {
            line += (line.empty() ? "" : " ") + std::to_string(id);
        }
    }
    return line + "\n";
}

/** \return seconds with as many digits as needed. \param ps picoseconds, not negative */
std::string
SecondsText(int64_t ps)
{
    std::string fraction = std::to_string(1000000000000LL + ps % 1000000000000LL).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return std::to_string(ps / 1000000000000LL) + (fraction.empty() ? "" : "." + fraction);
}

/** \return the links, one a line. \param graph the fabric */
std::string
LinkLines(const FabricGraph& graph)
{
    std::ostringstream out;
    out.precision(17);
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        out << link.a << ' ' << link.b << ' ' << Quantity::RateText(link.rateBps) << ' '
            << Quantity::DelayText(link.delayPs) << ' ' << link.errorRate << '\n';
    }
    return out.str();
}

} // namespace

std::string
TopologyWriter::Format(const Topology& topology)
{
    const FabricGraph& graph = topology.graph;
    if (topology.format == TopologyFormat::Hpcc)
    {
        return Format(graph);
    }
    std::ostringstream out;
    if (topology.format == TopologyFormat::InetTub)
    {
        out << graph.NodeCount() << ' ' << graph.SwitchCount() << ' ' << topology.tors << ' '
            << graph.LinkCount() << '\n'
            << IdLine(graph, NodeKind::Switch);
    }
    else
    {
        uint32_t nv = 0;
        for (uint32_t id : graph.Switches())
        {
            nv += graph.Node(id).kind == NodeKind::NvSwitch ? 1 : 0;
        }
        out << graph.NodeCount() << ' ' << topology.gpusPerServer << ' ' << nv << ' '
            << graph.SwitchCount() - nv << ' ' << graph.LinkCount() << ' ' << topology.gpuType
            << '\n'
            << IdLine(graph, NodeKind::NvSwitch) << IdLine(graph, NodeKind::Switch);
    }
    return out.str() + LinkLines(graph);
}

std::string
TopologyWriter::Format(const FabricGraph& graph)
{
    std::ostringstream out;
    out << graph.NodeCount() << ' ' << graph.SwitchCount() << ' ' << graph.LinkCount() << '\n';
    std::string ids;
    for (uint32_t id : graph.Switches())
    {
        ids += (ids.empty() ? "" : " ") + std::to_string(id);
    }
    return out.str() + ids + "\n" + LinkLines(graph);
}

std::string
TopologyWriter::Format(const std::vector<FlowSpec>& flows)
{
    std::ostringstream out;
    out << flows.size() << '\n';
    for (const FlowSpec& flow : flows)
    {
        out << flow.src << ' ' << flow.dst << ' ' << flow.pg << ' ' << flow.dport << ' '
            << flow.sizeBytes << ' ' << SecondsText(flow.startPs) << '\n';
    }
    return out.str();
}

} // namespace roce
} // namespace ns3
