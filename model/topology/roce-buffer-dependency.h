/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_BUFFER_DEPENDENCY_H
#define ROCE_BUFFER_DEPENDENCY_H

#include "roce-fabric-graph.h"
#include "roce-routing.h"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/// One direction of a link, and with it the ingress buffer of the port at its end.
struct BufferHop
{
    uint32_t node{0};     //!< id of the node it leaves
    uint32_t port{0};     //!< port there
    uint32_t peer{0};     //!< id of the node it enters
    uint32_t peerPort{0}; //!< port there, whose ingress buffer holds what comes
};

/// Buffers that may wait for each other in a ring.
struct BufferCycle
{
    std::vector<BufferHop> hops;    //!< a shortest cycle; frames go from each to the next
    std::vector<std::string> names; //!< of the node that each hop leaves, as people call it
    uint32_t links{0};              //!< link directions of the whole component

    /** \return "s1 port 1 -> s2 port 2 -> ... -> s1": each node with the port frames leave by */
    std::string GetText() const;
};

/**
 * \brief Finds cyclic buffer dependencies: where pauses could deadlock.
 *
 * Models each link direction as the ingress buffer at its end. It depends on the next one if a
 * frame that came by the first may have to leave by the second. Without a cycle PFC cannot
 * deadlock; with one it can, but need not.
 *
 * Dally and Seitz, IEEE Trans. Computers C-36(5), 1987 (channel dependency graph); Hu et al.,
 * HotNets 2016 (cyclic buffer dependency under PFC).
 *
 * Invariants: paths that go up and then down a tree give no cycle; a cycle has no host in it;
 * adding paths removes no cycle.
 *
 * Left out: priorities (all traffic is taken as one class), and rates.
 */
class BufferDependency
{
  public:
    /** \param graph the fabric; must outlive this object */
    explicit BufferDependency(const FabricGraph& graph);

    /**
     * Add all that the tables allow: from each host to each host, over each equal-cost member.
     * \param routing tables of the same graph
     */
    void AddRoutes(const Routing& routing);

    /**
     * Add one path.
     * \param nodes ids from source to destination; std::invalid_argument if two neighbors in this
     *              list have no link. Of parallel links all are taken
     */
    void AddPath(const std::vector<uint32_t>& nodes);

    /** \return a cycle for each strongly connected component that has one, by link index */
    std::vector<BufferCycle> FindCycles() const;

    /** \return pairs of link directions of which the first depends on the second */
    std::size_t CountDependencies() const;

  private:
    void AddLeaf(const RouteTable& table,
                 uint32_t leaf,
                 std::unordered_set<uint64_t>& known,
                 const std::vector<uint32_t>& indexOf);
    uint32_t VertexOf(uint32_t node, const FabricNeighbour& out) const;
    BufferHop HopOf(uint32_t vertex) const;
    std::string NameOf(uint32_t node) const;

    const FabricGraph* m_graph;
    std::vector<std::vector<FabricNeighbour>> m_ports;  //!< by vertex index of the node
    std::vector<std::pair<uint32_t, uint32_t>> m_edges; //!< link directions: 2 link + (from b)
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_BUFFER_DEPENDENCY_H */
