/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-buffer-dependency.h"

#include "roce-cycle-finder.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

std::string
BufferCycle::GetText() const
{
    std::ostringstream text;
    for (std::size_t i = 0; i < hops.size(); ++i)
    {
        text << names[i] << " port " << hops[i].port << " -> ";
    }
    text << (names.empty() ? "" : names.front());
    return text.str();
}

BufferDependency::BufferDependency(const FabricGraph& graph)
    : m_graph(&graph)
{
    for (uint32_t i = 0; i < graph.NodeCount(); ++i)
    {
        m_ports.push_back(graph.Neighbours(graph.IdOf(i)));
    }
}

uint32_t
BufferDependency::VertexOf(uint32_t node, const FabricNeighbour& out) const
{
    const FabricLink& link = m_graph->Link(out.link);
    return 2 * out.link + (link.a == node ? 0 : 1);
}

BufferHop
BufferDependency::HopOf(uint32_t vertex) const
{
    const FabricLink& link = m_graph->Link(vertex / 2);
    if (vertex % 2 == 0)
    {
        return {link.a, link.portA, link.b, link.portB};
    }
    return {link.b, link.portB, link.a, link.portA};
}

std::string
BufferDependency::NameOf(uint32_t node) const
{
    const std::string& name = m_graph->Node(node).name;
    return name.empty() ? "switch " + std::to_string(node) : name;
}

void
BufferDependency::AddRoutes(const Routing& routing)
{
    const RouteTable& table = routing.Table();
    std::vector<uint32_t> indexOf(m_graph->NodeCount(), Routing::NO_LEAF);
    for (uint32_t i = 0; i < table.switches.size(); ++i)
    {
        indexOf[m_graph->IndexOf(table.switches[i].id)] = i;
    }
    // a link direction and a group of members meet for many leaves; their edges are added once
    std::unordered_set<uint64_t> known;
    for (uint32_t leaf = 0; leaf < table.leaves.size(); ++leaf)
    {
        AddLeaf(table, leaf, known, indexOf);
    }
    std::sort(m_edges.begin(), m_edges.end());
    m_edges.erase(std::unique(m_edges.begin(), m_edges.end()), m_edges.end());
}

void
BufferDependency::AddLeaf(const RouteTable& table,
                          uint32_t leaf,
                          std::unordered_set<uint64_t>& known,
                          const std::vector<uint32_t>& indexOf)
{
    // follow frames for this leaf from the switches where hosts put them in
    std::vector<uint32_t> queue;
    std::vector<bool> seen(table.switches.size(), false);
    for (uint32_t i = 0; i < table.switches.size(); ++i)
    {
        const uint32_t own = table.switches[i].leaf;
        if (own != Routing::NO_LEAF && own != leaf)
        {
            queue.push_back(i);
            seen[i] = true;
        }
    }
    for (std::size_t head = 0; head < queue.size(); ++head)
    {
        const SwitchRoutes& from = table.switches[queue[head]];
        const RouteGroup group = from.leaf == leaf ? RouteGroup() : from.groups[leaf];
        for (uint32_t m = 0; m < group.count; ++m)
        {
            const FabricNeighbour& out =
                m_ports[m_graph->IndexOf(from.id)][from.members[group.offset + m]];
            const uint32_t peerVertex = m_graph->IndexOf(out.peer);
            const uint32_t next = indexOf[peerVertex];
            if (!seen[next])
            {
                seen[next] = true;
                queue.push_back(next);
            }
            const SwitchRoutes& to = table.switches[next];
            const RouteGroup onward = to.leaf == leaf ? RouteGroup() : to.groups[leaf];
            const uint32_t vertex = VertexOf(from.id, out);
            if (onward.count == 0 || !known.insert(uint64_t(vertex) << 32 | onward.offset).second)
            {
                continue;
            }
            for (uint32_t k = 0; k < onward.count; ++k)
            {
                const uint32_t port = to.members[onward.offset + k];
                m_edges.emplace_back(vertex, VertexOf(to.id, m_ports[peerVertex][port]));
            }
        }
    }
}

void
BufferDependency::AddPath(const std::vector<uint32_t>& nodes)
{
    std::vector<uint32_t> before;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    {
        std::vector<uint32_t> here;
        for (const FabricNeighbour& out : m_ports[m_graph->IndexOf(nodes[i])])
        {
            if (out.peer == nodes[i + 1])
            {
                here.push_back(VertexOf(nodes[i], out));
            }
        }
        if (here.empty())
        {
            throw std::invalid_argument("path: no link from node " + std::to_string(nodes[i]) +
                                        " to node " + std::to_string(nodes[i + 1]));
        }
        for (uint32_t a : before)
        {
            for (uint32_t b : here)
            {
                m_edges.emplace_back(a, b);
            }
        }
        before = here;
    }
    std::sort(m_edges.begin(), m_edges.end());
    m_edges.erase(std::unique(m_edges.begin(), m_edges.end()), m_edges.end());
}

std::vector<BufferCycle>
BufferDependency::FindCycles() const
{
    std::vector<BufferCycle> cycles;
    for (const GraphCycle& found : CycleFinder::Find(2 * m_graph->LinkCount(), m_edges))
    {
        BufferCycle cycle;
        cycle.links = static_cast<uint32_t>(found.component.size());
        for (uint32_t vertex : found.cycle)
        {
            cycle.hops.push_back(HopOf(vertex));
            cycle.names.push_back(NameOf(cycle.hops.back().node));
        }
        cycles.push_back(std::move(cycle));
    }
    return cycles;
}

std::size_t
BufferDependency::CountDependencies() const
{
    return m_edges.size();
}

} // namespace roce
} // namespace ns3
