/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_RAIL_BUILDER_H
#define ROCE_RAIL_BUILDER_H

#include "roce-fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/// Sizes of a rail-optimized fabric.
struct RailPlan
{
    uint32_t groups{2};        //!< scalable units: nodes that share their rail leaves
    uint32_t nodesPerGroup{4}; //!< servers in a unit
    uint32_t rails{8};         //!< NICs of a server; as many leaves a unit
    uint32_t spines{4};        //!< in all; 0 only with one unit
    uint32_t linksPerPair{1};  //!< parallel links between a leaf and a spine
    bool gpusAsHosts{false};   //!< each NIC is a host of its own, not a port of its server
    bool separateRails{false}; //!< spines belong to one rail each; spines a multiple of rails
    uint64_t hostRateBps{400000000000ULL};   //!< rate of host links, bit/s
    uint64_t fabricRateBps{400000000000ULL}; //!< rate of leaf-spine links, bit/s
    double hostMetres{3};                    //!< cables from servers to leaves
    double fabricMetres{30};                 //!< cables from leaves to spines
    uint32_t leafRadix{64};                  //!< ports of a leaf, 0: no limit
    uint32_t spineRadix{64};                 //!< ports of a spine, 0: no limit
};

/**
 * \brief Builds rail-optimized fabrics: NIC r of every server of a unit is on leaf r of the unit.
 *
 * Models: the wiring of GPU servers with as many NICs as GPUs. A server is one host with a port a
 * rail, or (gpusAsHosts) as many hosts with one port.
 *
 * Source: rail-optimized design as in public reference architectures of GPU clusters; the counts
 * are the plan's.
 *
 * Invariants: ids are hosts (server by server, with gpusAsHosts rail by rail within), then leaves
 * (unit by unit, rail by rail), then spines; port r of a server leads to leaf r of its unit; no
 * node has more ports than its radix. Tier labels are "leaf" and "spine".
 *
 * Leaves out: NVLink between the GPUs of a server. With gpusAsHosts and separateRails, rails do
 * not meet, and FabricGraph::Validate() says so.
 */
class RailBuilder
{
  public:
    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const RailPlan& plan);

    /** \return id of the host that has a NIC. \param plan sizes \param node server, from 0
     *  \param rail from 0 */
    static uint32_t HostOf(const RailPlan& plan, uint32_t node, uint32_t rail);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_RAIL_BUILDER_H */
