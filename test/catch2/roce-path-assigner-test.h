/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATH_ASSIGNER_TEST_H
#define ROCE_PATH_ASSIGNER_TEST_H

#include "ns3/roce-path-assigner.h"
#include "ns3/roce-path-list.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

/**
 * \file
 * Fabrics, and all choices of paths, for tests of PathAssigner.
 */

namespace ns3
{
namespace roce
{

constexpr uint64_t G = 1000000000; // bit/s

/** \return hosts 0 and 1 on switches 2 and 3 with links of their own between. \param rates of them
 */
inline FabricGraph
Parallel(const std::vector<uint64_t>& rates)
{
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    graph.AddSwitch(2);
    graph.AddSwitch(3);
    graph.AddLink(0, 2, 1000 * G, 0);
    graph.AddLink(1, 3, 1000 * G, 0);
    for (uint64_t rate : rates)
    {
        graph.AddLink(2, 3, rate, 0);
    }
    return graph;
}

/** \return demands from host 0 to host 1. \param rates of them, Gb/s */
inline std::vector<PathDemand>
Pair(const std::vector<uint64_t>& rates)
{
    std::vector<PathDemand> demands;
    for (uint64_t rate : rates)
    {
        demands.push_back({0, 0, 1, 0, rate * G});
    }
    return demands;
}

/** \return whether each path fits. \param paths the paths */
inline std::vector<bool>
Fits(const std::vector<AssignedPath>& paths)
{
    std::vector<bool> fits;
    for (const AssignedPath& path : paths)
    {
        fits.push_back(path.fits);
    }
    return fits;
}

/// One way of a link: its index, and whether from its end a to its end b.
using Way = std::pair<uint32_t, bool>;

/** \return the ways of a path, checked to join the two hosts. */
inline std::vector<Way>
WaysOf(const FabricGraph& graph, const PathDemand& demand, const AssignedPath& path)
{
    std::vector<PathStep> steps{{demand.source, demand.sourcePort}};
    steps.insert(steps.end(), path.steps.begin(), path.steps.end());
    std::vector<Way> ways;
    uint32_t at = demand.source;
    for (const PathStep& step : steps)
    {
        REQUIRE(step.id == at);
        const FabricNeighbour n = graph.Neighbours(at).at(step.port);
        REQUIRE(graph.Link(n.link).up);
        ways.emplace_back(n.link, graph.Link(n.link).a == at);
        at = n.peer;
    }
    REQUIRE(at == demand.destination);
    return ways;
}

/** \return the ways of a path that was traced. */
inline std::vector<Way>
WaysOf(const FabricGraph& graph, const TracedPath& path)
{
    std::vector<Way> ways;
    for (size_t i = 0; i < path.links.size(); i++)
    {
        ways.emplace_back(path.links[i], graph.Link(path.links[i]).a == path.nodes[i]);
    }
    return ways;
}

using Loads = std::map<Way, uint64_t>;

/** \return whether a demand has room on all ways. */
inline bool
HasRoom(const FabricGraph& graph, Loads& loads, const std::vector<Way>& ways, uint64_t rate)
{
    return std::all_of(ways.begin(), ways.end(), [&](const Way& way) {
        return loads[way] + rate <= graph.Link(way.first).rateBps;
    });
}

/// All choices of paths, one after another.
class BruteForce
{
  public:
    BruteForce(const FabricGraph& graph, const Routing& routing, std::vector<PathDemand> demands)
        : m_graph(graph),
          m_demands(std::move(demands))
    {
        for (const PathDemand& demand : m_demands)
        {
            m_ways.emplace_back();
            const PathList list(graph, routing, demand.source, demand.destination);
            for (const TracedPath& path : list.Paths())
            {
                m_ways.back().push_back(WaysOf(graph, path));
            }
        }
    }

    /** \return whether all demands from one on can be placed. \param index of it */
    bool IsFeasible(size_t index = 0)
    {
        if (index == m_demands.size())
        {
            return true;
        }
        const uint64_t rate = m_demands[index].rateBps;
        for (const std::vector<Way>& ways : m_ways[index])
        {
            if (!HasRoom(m_graph, m_loads, ways, rate))
            {
                continue;
            }
            for (const Way& way : ways)
            {
                m_loads[way] += rate;
            }
            const bool feasible = IsFeasible(index + 1);
            for (const Way& way : ways)
            {
                m_loads[way] -= rate;
            }
            if (feasible)
            {
                return true;
            }
        }
        return false;
    }

    /** \return the paths of a demand. \param index of it */
    const std::vector<std::vector<Way>>& Paths(size_t index) const
    {
        return m_ways[index];
    }

  private:
    const FabricGraph& m_graph;
    std::vector<PathDemand> m_demands;
    std::vector<std::vector<std::vector<Way>>> m_ways;
    Loads m_loads;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PATH_ASSIGNER_TEST_H
