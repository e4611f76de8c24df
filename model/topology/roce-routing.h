/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_ROUTING_H
#define ROCE_ROUTING_H

#include "roce-fabric-graph.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Order of the members in a group of equal-cost ports.
 *
 * The two id orders are those of the HPCC artifact: a breadth-first search from the destination
 * walks the neighbours of each node by id, and a switch lists its next hops in the order in which
 * they leave the queue. Descending is the artifact as it comes, ascending the artifact with
 * switches allocated upwards. Parallel links follow each other by port.
 */
enum class MemberOrder : uint8_t
{
    PortOrder,
    DescendingPeerId,
    AscendingPeerId
};

/// A group of equal-cost ports: a range of SwitchRoutes::members. Count 0: no route.
struct RouteGroup
{
    uint32_t offset{0}; //!< first member
    uint32_t count{0};  //!< number of members
};

/// The table of one switch.
struct SwitchRoutes
{
    uint32_t id{0};                 //!< id of the switch
    uint32_t leaf{0};               //!< its own leaf index, or Routing::NO_LEAF
    std::vector<RouteGroup> groups; //!< by leaf index; the own leaf has count 0
    std::vector<uint32_t> members;  //!< output ports; equal groups are stored once
};

/// The tables of all switches, as plain data.
struct RouteTable
{
    std::vector<uint32_t> leaves;       //!< id of the switch of each leaf index
    std::vector<SwitchRoutes> switches; //!< in the order in which the graph lists them
};

/// Where a port of a host hangs.
struct HostLocator
{
    uint32_t leaf{0};     //!< leaf index, or Routing::NO_LEAF if the cable ends at a host
    uint32_t leafPort{0}; //!< port of the leaf (or of the host) at the far end
};

/// One way for a host to reach another: out of a port, in at a port.
struct HostRoute
{
    uint32_t srcPort{0}; //!< port of the source host
    uint32_t dstPort{0}; //!< port of the destination host
    uint32_t hops{0};    //!< number of links on the way
};

/**
 * \brief Equal-cost shortest paths in hops, per destination leaf.
 *
 * Models the forwarding tables of a fabric. A leaf is a switch with at least one link to a host;
 * a table has one group of output ports for each leaf, not for each host, so large fabrics fit.
 * At its own leaf a packet goes out of HostLocator::leafPort.
 *
 * Shortest paths by breadth-first search; equal-cost multipath as in RFC 2992.
 *
 * Invariants:
 * - each member of a group leads one hop closer to the leaf, unless Override() was used;
 * - parallel links are separate members;
 * - links that are down are no members; leaf indices do not change when links do;
 * - hosts never forward.
 *
 * Left out: weights, and routes to one host over several leaves as one destination. A host with
 * links to several leaves is reached by the port (address) that HostPorts() offers.
 */
class Routing
{
  public:
    /// "No leaf" in SwitchRoutes::leaf and HostLocator::leaf.
    static constexpr uint32_t NO_LEAF = UINT32_MAX;

    /**
     * Compute all tables.
     * \param graph the fabric; it must outlive this object
     * \param order order of the members of a group
     */
    explicit Routing(const FabricGraph& graph, MemberOrder order = MemberOrder::PortOrder);

    /// Compute all tables again, after links of the graph went down or up.
    void Recompute();

    /**
     * Make a switch send what goes to a leaf out of one port, shortest path or not; such routes may
     * loop. It holds while the link of the port is up, from the next Recompute() on.
     * \param id id of the switch; std::invalid_argument if it is none, or is the leaf itself
     * \param leaf leaf index; std::invalid_argument if there is none
     * \param port its port; std::invalid_argument if it has none, or it leads to a host
     */
    void Override(uint32_t id, uint32_t leaf, uint32_t port);

    /** \return the tables. */
    const RouteTable& Table() const;

    /** \return the table of a switch; std::invalid_argument if it is none. \param id its id */
    const SwitchRoutes& At(uint32_t id) const;

    /**
     * Find where a port of a host hangs.
     * \param host id of the host; std::invalid_argument if it is none
     * \param port its port; std::invalid_argument if it has none
     * \return leaf and port there
     */
    HostLocator Locate(uint32_t host, uint32_t port) const;

    /**
     * List the shortest ways between two hosts.
     * \param src id of the source
     * \param dst id of the destination
     * \return pairs of ports with the smallest number of hops, by source then destination port;
     *         empty if there is no path
     */
    std::vector<HostRoute> HostPorts(uint32_t src, uint32_t dst) const;

    /** \return true if there is a path. \param src a host \param dst another host */
    bool IsReachable(uint32_t src, uint32_t dst) const;

    /**
     * Throw std::runtime_error that names both hosts if there is no path between them.
     * \param src id of the source
     * \param dst id of the destination
     */
    void RequireReachable(uint32_t src, uint32_t dst) const;

    /** \return the number of links between a switch and a leaf, UINT32_MAX if there is no path.
     *  \param id id of the switch \param leaf leaf index */
    uint32_t Distance(uint32_t id, uint32_t leaf) const;

  private:
    /// A link to another switch, as one switch sees it.
    struct Arc
    {
        uint32_t peer{0};     //!< switch index of the peer
        uint32_t peerPort{0}; //!< port of the peer
        uint32_t link{0};     //!< link index
    };

    void FindLeaves(); //!< number switches and leaves
    /** Apply Override(). \param leaf leaf index \param lists ports of each switch, changed */
    void ApplyOverrides(uint32_t leaf, std::vector<std::vector<uint32_t>>& lists) const;
    void SortArcs(); //!< lay out the links between switches in the order of the search
    /** Search from one leaf. \param leaf its index \param lists ports of each switch, filled */
    void Search(uint32_t leaf, std::vector<std::vector<uint32_t>>& lists);
    uint32_t HostIndex(uint32_t host) const; //!< \return vertex index \param host id of a host

    const FabricGraph* m_graph;             //!< the fabric
    MemberOrder m_order;                    //!< order of members
    RouteTable m_table;                     //!< the result
    std::vector<uint32_t> m_switchOfVertex; //!< vertex index to switch index, NO_LEAF for hosts
    std::vector<uint32_t> m_firstArc;       //!< arcs of switch i: [m_firstArc[i], m_firstArc[i+1])
    std::vector<Arc> m_arcs;                //!< all arcs
    std::vector<uint16_t> m_distance;       //!< [leaf * switches + switch], UINT16_MAX = none
    std::map<uint32_t, std::map<uint32_t, uint32_t>> m_overrides; //!< leaf, switch index, port
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_ROUTING_H */
