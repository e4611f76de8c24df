/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-path-assigner.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double NO_WAY = -std::numeric_limits<double>::infinity(); ///< score of a dead end

/** \return the members of a switch towards a leaf. \param table of the switch \param leaf index */
std::pair<const uint32_t*, const uint32_t*>
MembersOf(const SwitchRoutes& table, uint32_t leaf)
{
    const RouteGroup group = table.groups[leaf];
    const uint32_t* first = table.members.data() + group.offset;
    return {first, first + group.count};
}

} // namespace

constexpr uint64_t PathAssigner::MAX_DEMAND_BPS;

PathAssigner::PathAssigner(const FabricGraph& graph, const Routing& routing)
    : m_graph(&graph),
      m_routing(&routing),
      m_capacity(graph.LinkCount()),
      m_ways(graph.NodeCount()),
      m_marks(graph.NodeCount())
{
    for (uint32_t link = 0; link < graph.LinkCount(); link++)
    {
        const FabricLink& cable = graph.Link(link);
        SetCapacity(link, cable.up ? std::min(cable.rateBps, MAX_DEMAND_BPS) : 0);
    }
    for (uint32_t vertex = 0; vertex < graph.NodeCount(); vertex++)
    {
        for (const FabricNeighbour& n : graph.Neighbours(graph.IdOf(vertex)))
        {
            m_ways[vertex].push_back({n.peer, n.link, 0});
        }
    }
}

void
PathAssigner::SetCapacity(uint32_t link, uint64_t rateBps)
{
    m_graph->Link(link); // refuses an unknown one
    if (rateBps > MAX_DEMAND_BPS)
    {
        throw std::invalid_argument("link " + std::to_string(link) + ": a capacity of " +
                                    std::to_string(rateBps) + " bit/s, the most is " +
                                    std::to_string(MAX_DEMAND_BPS));
    }
    m_capacity[link] = static_cast<int64_t>(rateBps);
}

void
PathAssigner::Check(const PathDemand& demand, uint32_t index) const
{
    const std::string what = "demand " + std::to_string(index) + ": ";
    if (demand.source == demand.destination)
    {
        throw std::invalid_argument(what + "host " + std::to_string(demand.source) +
                                    " to itself; expected two hosts");
    }
    if (demand.rateBps > MAX_DEMAND_BPS)
    {
        throw std::invalid_argument(what + std::to_string(demand.rateBps) + " bit/s, the most is " +
                                    std::to_string(MAX_DEMAND_BPS));
    }
    try
    {
        m_routing->Locate(demand.source, demand.sourcePort);
        m_routing->Locate(demand.destination, demand.destinationPort);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(what + error.what());
    }
}

std::vector<AssignedPath>
PathAssigner::Assign(const std::vector<PathDemand>& demands,
                     const std::vector<AssignedPath>& present)
{
    if (!present.empty() && present.size() != demands.size())
    {
        throw std::invalid_argument(std::to_string(present.size()) + " present paths for " +
                                    std::to_string(demands.size()) +
                                    " demands; give one for each, or none");
    }
    for (uint32_t i = 0; i < demands.size(); i++)
    {
        Check(demands[i], i);
    }
    for (std::vector<Way>& ways : m_ways)
    {
        for (Way& way : ways)
        {
            way.load = 0;
        }
    }
    std::vector<uint32_t> order(demands.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&demands](uint32_t x, uint32_t y) {
        return demands[x].rateBps > demands[y].rateBps;
    });
    std::vector<AssignedPath> paths(demands.size());
    for (uint32_t index : order)
    {
        if (!present.empty() && Keep(demands[index], present[index]))
        {
            paths[index] = {present[index].steps, true, true};
        }
    }
    for (uint32_t index : order)
    {
        if (!paths[index].found)
        {
            paths[index] = Place(demands[index]);
        }
    }
    return paths;
}

AssignedPath
PathAssigner::Place(const PathDemand& demand)
{
    AssignedPath path;
    const auto rate = static_cast<int64_t>(demand.rateBps);
    Way* way = &WaysOf(demand.source)[demand.sourcePort];
    const Way& last = WaysOf(demand.destination)[demand.destinationPort];
    if (m_capacity[way->link] == 0 || m_capacity[last.link] == 0)
    {
        return path;
    }
    std::vector<Way*> taken{way};
    path.fits = way->load + rate <= m_capacity[way->link];
    if (way->link != last.link) // else the hosts share a cable
    {
        const HostLocator goal = m_routing->Locate(demand.destination, demand.destinationPort);
        if (m_graph->IsHost(way->peer) || goal.leaf == Routing::NO_LEAF)
        {
            return AssignedPath();
        }
        if (!Search(way->peer, goal.leaf, rate, true))
        {
            path.fits = false;
            if (!Search(way->peer, goal.leaf, rate, false))
            {
                return path;
            }
        }
        while (m_routing->At(way->peer).leaf != goal.leaf)
        {
            path.steps.push_back({way->peer, MarkOf(way->peer).port});
            way = &WaysOf(way->peer)[path.steps.back().port];
            taken.push_back(way);
        }
        path.steps.push_back({way->peer, goal.leafPort});
        taken.push_back(&WaysOf(way->peer)[goal.leafPort]);
        path.fits = path.fits && taken.back()->load + rate <= m_capacity[last.link];
    }
    for (Way* used : taken)
    {
        used->load += rate;
    }
    path.found = true;
    return path;
}

bool
PathAssigner::Keep(const PathDemand& demand, const AssignedPath& path)
{
    const auto rate = static_cast<int64_t>(demand.rateBps);
    const uint32_t leaf = m_routing->Locate(demand.destination, demand.destinationPort).leaf;
    std::vector<Way*> taken{&WaysOf(demand.source)[demand.sourcePort]};
    for (const PathStep& step : path.steps)
    {
        const uint32_t id = taken.back()->peer;
        if (step.id != id || m_graph->IsHost(id) || leaf == Routing::NO_LEAF)
        {
            return false;
        }
        std::vector<Way>& ways = WaysOf(id);
        const SwitchRoutes& table = m_routing->At(id);
        const auto [first, end] = MembersOf(table, leaf);
        if (step.port >= ways.size() ||
            (table.leaf != leaf && std::find(first, end, step.port) == end))
        {
            return false;
        }
        taken.push_back(&ways[step.port]);
    }
    if (taken.back()->peer != demand.destination ||
        taken.back()->link != WaysOf(demand.destination)[demand.destinationPort].link ||
        !std::all_of(taken.begin(), taken.end(), [this, rate](const Way* way) {
            return IsUsable(*way, rate, true);
        }))
    {
        return false;
    }
    for (Way* used : taken)
    {
        used->load += rate;
    }
    return true;
}

bool
PathAssigner::IsUsable(const Way& way, int64_t rate, bool prune) const
{
    const int64_t capacity = m_capacity[way.link];
    return capacity > 0 && (!prune || way.load + rate <= capacity);
}

bool
PathAssigner::Search(uint32_t from, uint32_t leaf, int64_t rate, bool prune)
{
    Collect(from, leaf, rate, prune);
    // a switch comes after all that are farther, so backwards the ways on are known
    for (auto it = m_order.rbegin(); it != m_order.rend(); ++it)
    {
        Weigh(*it, leaf, rate, prune);
    }
    return MarkOf(from).score != NO_WAY;
}

void
PathAssigner::Collect(uint32_t from, uint32_t leaf, int64_t rate, bool prune)
{
    m_search++;
    m_order.assign(1, from);
    MarkOf(from).search = m_search;
    for (size_t head = 0; head < m_order.size(); head++)
    {
        const uint32_t id = m_order[head];
        const SwitchRoutes& table = m_routing->At(id);
        if (table.leaf == leaf)
        {
            continue;
        }
        const uint32_t distance = m_routing->Distance(id, leaf);
        const auto [first, end] = MembersOf(table, leaf);
        for (const uint32_t* port = first; port != end; ++port)
        {
            const Way& way = WaysOf(id)[*port];
            Mark& mark = MarkOf(way.peer);
            if (IsUsable(way, rate, prune) && mark.search != m_search &&
                m_routing->Distance(way.peer, leaf) + 1 == distance)
            {
                mark.search = m_search;
                m_order.push_back(way.peer);
            }
        }
    }
}

void
PathAssigner::Weigh(uint32_t id, uint32_t leaf, int64_t rate, bool prune)
{
    const SwitchRoutes& table = m_routing->At(id);
    Mark& mark = MarkOf(id);
    mark.score = table.leaf == leaf ? -NO_WAY : NO_WAY;
    if (table.leaf == leaf)
    {
        return;
    }
    const uint32_t distance = m_routing->Distance(id, leaf);
    const auto [first, end] = MembersOf(table, leaf);
    for (const uint32_t* port = first; port != end; ++port)
    {
        const Way& way = WaysOf(id)[*port];
        if (!IsUsable(way, rate, prune) || m_routing->Distance(way.peer, leaf) + 1 != distance)
        {
            continue;
        }
        const auto capacity = static_cast<double>(m_capacity[way.link]);
        // both are exact or rounded alike for like links
        const double own = prune ? capacity - static_cast<double>(way.load)
                                 : -static_cast<double>(way.load + rate) / capacity;
        const double score = std::min(own, MarkOf(way.peer).score);
        if (score > mark.score)
        {
            mark.score = score;
            mark.port = *port;
        }
    }
}

std::vector<PathAssigner::Way>&
PathAssigner::WaysOf(uint32_t id)
{
    return m_ways[m_graph->IndexOf(id)];
}

PathAssigner::Mark&
PathAssigner::MarkOf(uint32_t id)
{
    return m_marks[m_graph->IndexOf(id)];
}

uint64_t
PathAssigner::GetLoad(uint32_t id, uint32_t port) const
{
    const std::vector<Way>& ways = m_ways[m_graph->IndexOf(id)];
    if (port >= ways.size())
    {
        throw std::invalid_argument("node " + std::to_string(id) + " has " +
                                    std::to_string(ways.size()) + " ports, not port " +
                                    std::to_string(port));
    }
    return static_cast<uint64_t>(ways[port].load);
}

double
PathAssigner::GetFullest() const
{
    double fullest = 0;
    for (const std::vector<Way>& ways : m_ways)
    {
        for (const Way& way : ways)
        {
            if (way.load > 0)
            {
                fullest = std::max(fullest,
                                   static_cast<double>(way.load) /
                                       static_cast<double>(m_capacity[way.link]));
            }
        }
    }
    return fullest;
}

} // namespace roce
} // namespace ns3
