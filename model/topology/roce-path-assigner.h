/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PATH_ASSIGNER_H
#define ROCE_PATH_ASSIGNER_H

#include "roce-fabric-graph.h"
#include "roce-routing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/// An entry of a flow matrix.
struct PathDemand
{
    uint32_t source{0};          //!< id of a host
    uint32_t sourcePort{0};      //!< its port, from 0
    uint32_t destination{0};     //!< id of another host
    uint32_t destinationPort{0}; //!< its port, from 0
    uint64_t rateBps{0};         //!< what it wants, bit/s on the wire
};

/// A switch on the way and the port a flow leaves it by.
struct PathStep
{
    uint32_t id{0};   //!< id of the switch
    uint32_t port{0}; //!< output port

    /** \return whether both are the same. \param other another step */
    bool operator==(const PathStep& other) const
    {
        return id == other.id && port == other.port;
    }
};

/// Where a demand goes.
struct AssignedPath
{
    std::vector<PathStep> steps; //!< from the first switch to the last
    bool found{false};           //!< whether there is a path at all
    bool fits{false};            //!< whether each link of it had room, those of the hosts too
};

/**
 * \brief Gives each demand of a flow matrix a path of its own: constrained shortest paths.
 *
 * Models: the computation of a central traffic engineer. Demands are placed one by one, the largest
 * first, equal ones in their order. Links whose room is less than the demand are left out. Among
 * the shortest paths that remain, the one with the most room at its tightest link is taken; at each
 * switch the first member of those that are equal. If none remains, the path is taken whose
 * fullest link is least full, load over capacity, and the answer says that it does not fit. Links
 * of hosts count as load and decide what fits; all paths share them, so they do not choose.
 *
 * Source: constrained shortest path first, as in RFC 2702, 6.2, and Gangidi et al., RDMA over
 * Ethernet for Distributed AI Training at Meta Scale, SIGCOMM 2024, on centralized traffic
 * engineering. Neither gives an order or a rule for ties; those above are ours.
 *
 * Invariants: each step is a member of the group of its switch, one hop closer to the destination,
 * so paths do not loop; no link that is down is used; if all demands fit, no link has more than its
 * capacity; a lone demand fits if any path has room; equal input, equal answer.
 *
 * Leaves out: an optimum. The rule is greedy: demands that it cannot fit may fit in another way
 * (3, 3, 2, 2, 2 on two links of 6). Splitting a demand; paths that are not shortest; members that
 * Routing::Override made, unless they are closer.
 */
class PathAssigner
{
  public:
    /// Largest demand, bit/s: sums of 900,000 of them fit into 64 bits.
    static constexpr uint64_t MAX_DEMAND_BPS = 10000000000000ULL;

    /**
     * Capacities are the rates of the graph, 0 for links that are down.
     * \param graph the fabric; must outlive this object
     * \param routing its tables; must outlive this object, and may know less of links than the
     * graph
     */
    PathAssigner(const FabricGraph& graph, const Routing& routing);

    /**
     * Give a link another capacity, both ways.
     * \param link its index; std::invalid_argument if there is none
     * \param rateBps bit/s, at most MAX_DEMAND_BPS; 0: it is not used
     */
    void SetCapacity(uint32_t link, uint64_t rateBps);

    /**
     * Place demands on links that carry nothing.
     * \param demands the flow matrix; std::invalid_argument naming the entry if a host or port is
     *        unknown, both hosts are the same, or a rate is above MAX_DEMAND_BPS
     * \param present where they go now, one for each: before all others, those demands are placed
     *        whose path still is one and has room, on that path; empty: begin anew;
     *        std::invalid_argument if there is another number of them
     * \return a path for each
     */
    std::vector<AssignedPath> Assign(const std::vector<PathDemand>& demands,
                                     const std::vector<AssignedPath>& present = {});

    /** \return bit/s that the last Assign put on a link, one way; std::invalid_argument if there is
     *  no such port. \param id of the node that sends \param port of that node */
    uint64_t GetLoad(uint32_t id, uint32_t port) const;

    /** \return the largest load over capacity of any link, one way, after the last Assign */
    double GetFullest() const;

  private:
    /// One way of a link.
    struct Way
    {
        uint32_t peer{0}; //!< id of the node that receives
        uint32_t link{0}; //!< index of the link
        int64_t load{0};  //!< bit/s
    };

    /// What the search knows of a switch.
    struct Mark
    {
        uint32_t search{0}; //!< the search that saw it last
        uint32_t port{0};   //!< best way on
        double score{0};    //!< of the worst link from here on
    };

    void Check(const PathDemand& demand, uint32_t index) const;
    AssignedPath Place(const PathDemand& demand);
    bool Keep(const PathDemand& demand, const AssignedPath& path);
    bool Search(uint32_t from, uint32_t leaf, int64_t rate, bool prune);
    void Collect(uint32_t from, uint32_t leaf, int64_t rate, bool prune);
    void Weigh(uint32_t id, uint32_t leaf, int64_t rate, bool prune);
    bool IsUsable(const Way& way, int64_t rate, bool prune) const;
    std::vector<Way>& WaysOf(uint32_t id);
    Mark& MarkOf(uint32_t id);

    const FabricGraph* m_graph;           //!< the fabric
    const Routing* m_routing;             //!< its tables
    std::vector<int64_t> m_capacity;      //!< by link, bit/s
    std::vector<std::vector<Way>> m_ways; //!< by vertex and port
    std::vector<Mark> m_marks;            //!< by vertex
    std::vector<uint32_t> m_order;        //!< switches of a search, no nearer one before a farther
    uint32_t m_search{0};                 //!< number of the search
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_PATH_ASSIGNER_H */
