/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PATH_TRACER_H
#define ROCE_PATH_TRACER_H

#include "roce-fabric-graph.h"
#include "roce-routing.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace roce
{

/// A path from a host to a host.
struct TracedPath
{
    std::vector<uint32_t> nodes; //!< ids, source and destination included
    std::vector<uint32_t> links; //!< link indices, one fewer than nodes
};

/**
 * \brief Follows a packet through the tables of a Routing.
 *
 * Models forwarding hop by hop, without time. At each switch a caller's function picks one of the
 * equal-cost members, as a load balancer would; it is asked at the last switch too, with count 1.
 *
 * Not from a standard.
 *
 * Invariants: a path has one link fewer than nodes; it begins and ends at a host; each link joins
 * the nodes beside it.
 *
 * Left out: queues, loss, changes of tables while the packet is under way.
 */
class PathTracer
{
  public:
    /// Picks a member: (id of the switch, number of members) to an index below that number.
    using Chooser = std::function<uint32_t(uint32_t, uint32_t)>;

    /**
     * \param graph the fabric; must outlive this object
     * \param routing its tables; must outlive this object
     */
    PathTracer(const FabricGraph& graph, const Routing& routing);

    /**
     * Follow a packet from a host port to a host port.
     * \param src id of the source host
     * \param srcPort the port it leaves by
     * \param dst id of the destination host
     * \param dstPort the port it shall arrive at
     * \param choose picks the member at each switch
     * \return the path
     *
     * std::runtime_error if there is no route, std::out_of_range if choose() answers with an
     * index that is not below the number of members.
     */
    TracedPath Trace(uint32_t src,
                     uint32_t srcPort,
                     uint32_t dst,
                     uint32_t dstPort,
                     const Chooser& choose) const;

  private:
    const FabricGraph* m_graph; //!< the fabric
    const Routing* m_routing;   //!< its tables
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_PATH_TRACER_H */
