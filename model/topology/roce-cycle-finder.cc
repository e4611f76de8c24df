/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-cycle-finder.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

constexpr uint32_t NONE = UINT32_MAX; ///< no vertex

/// Searches inside one component.
class CycleSearch
{
  public:
    /** \param graph the graph \param component component of each vertex */
    CycleSearch(const Graph& graph, const std::vector<uint32_t>& component)
        : m_graph(graph),
          m_component(component),
          m_parent(component.size(), NONE),
          m_depth(component.size(), 0)
    {
    }

    /** \return a shortest cycle. \param members vertices of the component, ascending */
    std::vector<uint32_t> Shortest(const std::vector<uint32_t>& members)
    {
        std::vector<uint32_t> best;
        m_budget = CycleFinder::SEARCH_BUDGET;
        for (uint32_t root : members)
        {
            std::vector<uint32_t> found = Through(root, best.size());
            if (!found.empty())
            {
                best = std::move(found);
            }
            if (best.size() <= 1 || m_budget == 0)
            {
                break;
            }
        }
        std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
        return best;
    }

  private:
    /** \return a shortest cycle through a vertex if shorter than a bound, else an empty one.
     *  \param root the vertex \param bound the length to beat, 0: none */
    std::vector<uint32_t> Through(uint32_t root, std::size_t bound)
    {
        std::vector<uint32_t> queue{root};
        uint32_t last = NONE;
        m_depth[root] = 1;
        for (std::size_t head = 0; head < queue.size() && last == NONE; ++head)
        {
            const uint32_t now = queue[head];
            if (bound != 0 && (m_depth[now] >= bound || m_budget == 0))
            {
                break;
            }
            const auto edges = boost::out_edges(now, m_graph);
            for (auto it = edges.first; it != edges.second; ++it)
            {
                const auto next = static_cast<uint32_t>(boost::target(*it, m_graph));
                m_budget -= m_budget > 0;
                if (next == root)
                {
                    last = now;
                    break;
                }
                if (m_component[next] == m_component[root] && m_depth[next] == 0)
                {
                    m_depth[next] = m_depth[now] + 1;
                    m_parent[next] = now;
                    queue.push_back(next);
                }
            }
        }
        std::vector<uint32_t> cycle;
        for (uint32_t v = last; v != NONE; v = m_parent[v])
        {
            cycle.push_back(v);
        }
        std::reverse(cycle.begin(), cycle.end());
        for (uint32_t v : queue)
        {
            m_depth[v] = 0;
            m_parent[v] = NONE;
        }
        return cycle;
    }

    const Graph& m_graph;
    const std::vector<uint32_t>& m_component;
    std::vector<uint32_t> m_parent; //!< in the search tree
    std::vector<uint32_t> m_depth;  //!< vertices from the root, root 1; 0: not seen
    uint64_t m_budget{0};           //!< edges that may be visited still
};

} // namespace

constexpr uint64_t CycleFinder::SEARCH_BUDGET;

std::vector<GraphCycle>
CycleFinder::Find(uint32_t vertices, std::vector<Edge> edges)
{
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    Graph graph(vertices);
    std::vector<bool> self(vertices, false);
    for (const Edge& edge : edges)
    {
        if (edge.first >= vertices || edge.second >= vertices)
        {
            throw std::invalid_argument("edge " + std::to_string(edge.first) + " to " +
                                        std::to_string(edge.second) + ": expected vertices below " +
                                        std::to_string(vertices));
        }
        self[edge.first] = self[edge.first] || edge.first == edge.second;
        boost::add_edge(edge.first, edge.second, graph);
    }
    std::vector<uint32_t> component(vertices, 0);
    if (vertices > 0)
    {
        boost::strong_components(
            graph,
            boost::make_iterator_property_map(component.begin(),
                                              boost::get(boost::vertex_index, graph)));
    }
    std::map<uint32_t, std::vector<uint32_t>> members;
    for (uint32_t v = 0; v < vertices; ++v)
    {
        members[component[v]].push_back(v);
    }
    std::vector<GraphCycle> cycles;
    CycleSearch search(graph, component);
    for (auto& entry : members)
    {
        std::vector<uint32_t>& list = entry.second;
        if (list.size() > 1 || self[list.front()])
        {
            std::vector<uint32_t> cycle = search.Shortest(list);
            cycles.push_back({std::move(list), std::move(cycle)});
        }
    }
    std::sort(cycles.begin(), cycles.end(), [](const GraphCycle& a, const GraphCycle& b) {
        return a.component.front() < b.component.front();
    });
    return cycles;
}

} // namespace roce
} // namespace ns3
