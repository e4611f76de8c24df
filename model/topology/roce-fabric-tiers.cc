/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fabric-tiers.h"

#include "roce-cable-length.h"
#include "roce-fabric-graph-storage.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace roce
{

FabricTiers::FabricTiers(const FabricDocument& fabric)
{
    FindLevels(fabric.graph);
    SortNodes(fabric);
    AddRates(fabric.graph);
    SortCables(fabric.graph);
}

void
FabricTiers::FindLevels(const FabricGraph& graph)
{
    m_level.assign(graph.NodeCount(), UINT32_MAX);
    std::vector<uint32_t> queue = graph.Hosts();
    for (uint32_t host : queue)
    {
        m_level[graph.IndexOf(host)] = 0;
    }
    for (size_t head = 0; head < queue.size(); head++)
    {
        const uint32_t above = m_level[graph.IndexOf(queue[head])] + 1;
        for (const FabricNeighbour& n : graph.Neighbours(queue[head]))
        {
            const uint32_t index = graph.IndexOf(n.peer);
            if (m_level[index] == UINT32_MAX && graph.Link(n.link).up)
            {
                m_level[index] = above;
                queue.push_back(n.peer);
            }
        }
    }
}

void
FabricTiers::SortNodes(const FabricDocument& fabric)
{
    const FabricGraph& graph = fabric.graph;
    std::map<std::pair<uint32_t, std::string>, FabricTier> rows;
    std::vector<std::pair<uint32_t, std::string>> keys;
    for (uint32_t i = 0; i < graph.NodeCount(); i++)
    {
        const FabricNode& node = graph.GetStorage()[i];
        // files without tiers call every switch a switch
        const bool plain = node.tier.empty() || node.tier == "switch";
        const std::string height = m_level[i] == UINT32_MAX ? "?" : std::to_string(m_level[i]);
        keys.emplace_back(m_level[i], plain ? "tier-" + height : node.tier);
        FabricTier& row = rows[keys.back()];
        const auto radix = fabric.radix.find(node.tier);
        row.radix = radix == fabric.radix.end() ? 0 : radix->second;
        const uint32_t ports = graph.PortCount(node.id);
        row.nodes++;
        row.minPorts = std::min(row.minPorts, ports);
        row.maxPorts = std::max(row.maxPorts, ports);
    }
    std::map<std::pair<uint32_t, std::string>, uint32_t> indexOf;
    for (auto& [key, row] : rows)
    {
        indexOf[key] = static_cast<uint32_t>(m_tiers.size());
        row.level = key.first;
        row.name = key.second;
        m_tiers.push_back(row);
    }
    for (const auto& key : keys)
    {
        m_tierOf.push_back(indexOf[key]);
    }
}

void
FabricTiers::AddRates(const FabricGraph& graph)
{
    std::vector<uint64_t> down(graph.NodeCount());
    std::vector<uint64_t> up(graph.NodeCount());
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        uint32_t low = graph.IndexOf(link.a);
        uint32_t high = graph.IndexOf(link.b);
        if (m_level[low] > m_level[high])
        {
            std::swap(low, high);
        }
        if (link.up && m_level[low] != m_level[high])
        {
            up[low] += link.rateBps;
            down[high] += link.rateBps;
        }
    }
    for (uint32_t i = 0; i < graph.NodeCount(); i++)
    {
        FabricTier& row = m_tiers[m_tierOf[i]];
        if (m_level[i] == 0 || up[i] == 0)
        {
            continue; // hosts have nothing below, the top nothing above
        }
        const double ratio = static_cast<double>(down[i]) / static_cast<double>(up[i]);
        const bool first = row.maxOversubscription == 0;
        row.minOversubscription = first ? ratio : std::min(ratio, row.minOversubscription);
        if (ratio > row.maxOversubscription)
        {
            row.maxOversubscription = ratio;
            row.downBps = down[i];
            row.upBps = up[i];
        }
    }
}

void
FabricTiers::SortCables(const FabricGraph& graph)
{
    std::map<std::tuple<uint32_t, uint32_t, uint64_t, int64_t>, uint32_t> rows;
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        const uint32_t a = m_tierOf[graph.IndexOf(link.a)];
        const uint32_t b = m_tierOf[graph.IndexOf(link.b)];
        rows[{std::min(a, b), std::max(a, b), link.rateBps, link.delayPs}]++;
    }
    for (const auto& [key, count] : rows)
    {
        const auto& [low, high, rate, delay] = key;
        m_cables.push_back({m_tiers[low].name, m_tiers[high].name, rate, delay, count});
    }
}

const std::vector<FabricTier>&
FabricTiers::Tiers() const
{
    return m_tiers;
}

const std::vector<FabricCables>&
FabricTiers::Cables() const
{
    return m_cables;
}

uint32_t
FabricTiers::TierOf(uint32_t vertex) const
{
    return m_tierOf.at(vertex);
}

uint32_t
FabricTiers::LevelOf(uint32_t vertex) const
{
    return m_level.at(vertex);
}

double
FabricTiers::TotalMetres() const
{
    double metres = 0;
    for (const FabricCables& row : m_cables)
    {
        metres += CableLength::Metres(row.delayPs) * row.count;
    }
    return metres;
}

} // namespace roce
} // namespace ns3
