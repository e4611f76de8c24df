/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-dot.h"

#include "roce-cable-length.h"
#include "roce-fabric-graph-storage.h"
#include "roce-fabric-tiers.h"
#include "roce-quantity.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

/** \return a text in quotes. \param text any */
std::string
Quoted(const std::string& text)
{
    std::string quoted = "\"";
    for (char c : text)
    {
        quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return quoted + "\"";
}

/** Write the nodes, a rank a tier. \param out where to \param graph the fabric
 *  \param tiers its tiers */
void
WriteNodes(std::ostream& out, const FabricGraph& graph, const FabricTiers& tiers)
{
    for (size_t t = 0; t < tiers.Tiers().size(); t++)
    {
        out << "  { rank=same; // " << tiers.Tiers()[t].name << "\n";
        for (uint32_t i = 0; i < graph.NodeCount(); i++)
        {
            const FabricNode& node = graph.GetStorage()[i];
            if (tiers.TierOf(i) == t)
            {
                const bool host = node.kind == NodeKind::Host;
                const std::string id = std::to_string(node.id);
                out << "    n" << id
                    << " [label=" << Quoted(node.name.empty() ? id : node.name + " (" + id + ")")
                    << (host ? ", shape=ellipse" : ", shape=box") << "];\n";
            }
        }
        out << "  }\n";
    }
}

/** Write the links, an edge a bundle, from the lower tier to the upper: Graphviz puts the second
 *  end above the first. \param out where to \param graph the fabric \param tiers its tiers */
void
WriteLinks(std::ostream& out, const FabricGraph& graph, const FabricTiers& tiers)
{
    const auto above = [&graph, &tiers](uint32_t id) {
        return std::make_pair(tiers.LevelOf(graph.IndexOf(id)), id);
    };
    using Kind = std::tuple<uint32_t, uint32_t, uint64_t, int64_t, bool>;
    std::map<Kind, uint32_t> count;
    std::vector<Kind> order;
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        const bool rises = above(link.a) < above(link.b);
        const Kind kind{rises ? link.a : link.b,
                        rises ? link.b : link.a,
                        link.rateBps,
                        link.delayPs,
                        link.up};
        if (count[kind]++ == 0)
        {
            order.push_back(kind);
        }
    }
    for (const Kind& kind : order)
    {
        const auto& [a, b, rate, delay, up] = kind;
        out << "  n" << a << " -- n" << b << " [label=\"";
        if (count[kind] > 1)
        {
            out << count[kind] << " x ";
        }
        out << Quantity::RateText(rate) << ", " << CableLength::Metres(delay) << " m\""
            << (up ? "" : ", style=dashed") << "];\n";
    }
}

} // namespace

std::string
TopologyDot::Format(const FabricDocument& fabric)
{
    const FabricTiers tiers(fabric);
    std::ostringstream out;
    out << "graph " << Quoted(fabric.name.empty() ? "fabric" : fabric.name) << " {\n"
        << "  rankdir=BT;\n  ranksep=2;\n  node [fontname=sans];\n"
        << "  edge [fontname=sans, fontsize=8];\n";
    WriteNodes(out, fabric.graph, tiers);
    WriteLinks(out, fabric.graph, tiers);
    out << "}\n";
    return out.str();
}

} // namespace roce
} // namespace ns3
