/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-link-set.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return what sets call the tier of a node. \param graph the fabric \param id the node */
std::string
TierOf(const FabricGraph& graph, uint32_t id)
{
    const FabricNode& node = graph.Node(id);
    return node.kind == NodeKind::Host ? "host" : node.tier.empty() ? "switch" : node.tier;
}

/** \return the name of the set that a link is in. \param graph the fabric \param link it */
std::string
SetOf(const FabricGraph& graph, const FabricLink& link)
{
    const std::string a = TierOf(graph, link.a);
    const std::string b = TierOf(graph, link.b);
    return a == "host" || b == "host" ? "host" : std::min(a, b) + "-" + std::max(a, b);
}

} // namespace

std::vector<std::string>
LinkSet::Names(const FabricGraph& graph)
{
    std::set<std::string> names;
    for (uint32_t i = 0; i < graph.LinkCount(); ++i)
    {
        names.insert(SetOf(graph, graph.Link(i)));
    }
    return {names.begin(), names.end()};
}

LinkSet::LinkSet(const FabricGraph& graph, const std::string& name)
    : m_graph(&graph),
      m_name(name),
      m_inSet(graph.LinkCount(), false)
{
    std::string known;
    for (const std::string& one : Names(graph))
    {
        known += (known.empty() ? "" : ", ") + one;
        // labels may have dashes themselves: "pod-spine-super-spine" is compared as a whole
        bool same = one == name;
        for (std::size_t at = name.find('-'); at != std::string::npos && !same;
             at = name.find('-', at + 1))
        {
            same = one == name.substr(at + 1) + "-" + name.substr(0, at);
        }
        for (uint32_t i = 0; same && i < graph.LinkCount(); ++i)
        {
            if (graph.Link(i).up && SetOf(graph, graph.Link(i)) == one)
            {
                m_links.push_back(i);
                m_inSet[i] = true;
            }
        }
    }
    if (m_links.empty())
    {
        throw std::invalid_argument("no set of links that are up has the name " +
                                    Quantity::Shown(name) + "; the fabric has " + known);
    }
}

double
LinkSet::GetCapacityBps() const
{
    double sum = 0;
    for (const uint32_t link : m_links)
    {
        sum += double(m_graph->Link(link).rateBps);
    }
    return sum;
}

std::vector<uint32_t>
LinkSet::CrossingsFrom(uint32_t source) const
{
    constexpr uint32_t FAR = UINT32_MAX;
    std::vector<uint32_t> hops(m_graph->NodeCount(), FAR);
    std::vector<uint32_t> fewest(m_graph->NodeCount(), 0);
    std::vector<uint32_t> most(m_graph->NodeCount(), 0);
    std::deque<uint32_t> queue{source};
    hops[m_graph->IndexOf(source)] = 0;
    while (!queue.empty())
    {
        const uint32_t id = queue.front();
        const uint32_t at = m_graph->IndexOf(id);
        queue.pop_front();
        if (id != source && m_graph->IsHost(id))
        {
            continue; // hosts do not forward
        }
        for (const FabricNeighbour& next : m_graph->Neighbours(id))
        {
            const uint32_t to = m_graph->IndexOf(next.peer);
            if (!m_graph->Link(next.link).up || hops[to] <= hops[at])
            {
                continue;
            }
            const uint32_t step = m_inSet[next.link] ? 1 : 0;
            if (hops[to] == FAR)
            {
                hops[to] = hops[at] + 1;
                fewest[to] = fewest[at] + step;
                most[to] = most[at] + step;
                queue.push_back(next.peer);
            }
            else
            {
                fewest[to] = std::min(fewest[to], fewest[at] + step);
                most[to] = std::max(most[to], most[at] + step);
            }
        }
    }
    std::vector<uint32_t> crossings;
    for (const uint32_t host : m_graph->Hosts())
    {
        const uint32_t at = m_graph->IndexOf(host);
        const std::string pair = "hosts " + std::to_string(source) + " and " + std::to_string(host);
        if (hops[at] == FAR)
        {
            throw std::invalid_argument(pair + " have no path between them");
        }
        if (fewest[at] != most[at])
        {
            throw std::invalid_argument("shortest paths of " + pair + " pass " +
                                        std::to_string(fewest[at]) + " to " +
                                        std::to_string(most[at]) + " links of \"" + m_name +
                                        "\", so its load is not defined; choose another set");
        }
        crossings.push_back(fewest[at]);
    }
    return crossings;
}

} // namespace roce
} // namespace ns3
