/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_CYCLE_FINDER_H
#define ROCE_CYCLE_FINDER_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/// A strongly connected component that has a cycle.
struct GraphCycle
{
    std::vector<uint32_t> component; //!< its vertices, ascending
    std::vector<uint32_t> cycle;     //!< a cycle in it, each vertex followed by one it leads to
};

/**
 * \brief Finds cycles of a directed graph.
 *
 * Models nothing by itself; serves BufferDependency and WaitForGraph.
 *
 * Components by Tarjan's algorithm (boost::strong_components); a shortest cycle by breadth-first
 * searches inside a component.
 *
 * Invariants: there is no GraphCycle if and only if the graph is acyclic; a cycle begins with its
 * smallest vertex; the result does not depend on the order of edges; edges given twice count once.
 *
 * Left out: all other cycles of a component. In a component in which the searches would visit more
 * than SEARCH_BUDGET edges the cycle is the shortest found by then, at least through its first
 * vertex.
 */
class CycleFinder
{
  public:
    using Edge = std::pair<uint32_t, uint32_t>; //!< from, to

    /// Edges that the searches of one component may visit.
    static constexpr uint64_t SEARCH_BUDGET = 20000000;

    /**
     * \param vertices number of vertices
     * \param edges edges; std::invalid_argument if one names a vertex that is not below that number
     * \return one for each component with a cycle, by smallest vertex
     */
    static std::vector<GraphCycle> Find(uint32_t vertices, std::vector<Edge> edges);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_CYCLE_FINDER_H */
