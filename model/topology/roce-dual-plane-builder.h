/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_DUAL_PLANE_BUILDER_H
#define ROCE_DUAL_PLANE_BUILDER_H

#include "roce-fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/// Sizes of a fabric in which each host has a port on each of two leaves.
struct DualPlanePlan
{
    bool separatePlanes{true};               //!< dual-plane; false: dual-ToR
    uint32_t racks{4};                       //!< racks, two leaves each
    uint32_t hostsPerRack{8};                //!< hosts in a rack, two ports each
    uint32_t spines{4};                      //!< in all; even with separate planes
    uint32_t linksPerPair{1};                //!< parallel links between a leaf and a spine
    uint64_t hostRateBps{200000000000ULL};   //!< rate of one host port, bit/s
    uint64_t fabricRateBps{400000000000ULL}; //!< rate of leaf-spine links, bit/s
    double hostMetres{3};                    //!< cables from hosts to leaves
    double fabricMetres{30};                 //!< cables from leaves to spines
    uint32_t leafRadix{0};                   //!< ports of a leaf, 0: no limit
    uint32_t spineRadix{0};                  //!< ports of a spine, 0: no limit
};

/**
 * \brief Builds dual-ToR and dual-plane fabrics.
 *
 * Models: hosts that survive a ToR. In a dual-ToR fabric both leaves of a rack meet all spines, so
 * what came in at one leaf may leave at the other. In a dual-plane fabric leaf p meets the spines
 * of plane p only; the planes meet in the hosts, which do not forward.
 *
 * Source: the distinction is that of the public Alibaba HPN design (SIGCOMM 2024); the counts are
 * the plan's.
 *
 * Invariants: ids are hosts (rack by rack), then leaves (rack by rack, two each), then spines
 * (plane 0 first); port p of a host leads to leaf p of its rack; with separate planes no path
 * between two racks leaves its plane. Tier labels are "leaf" and "spine".
 *
 * Leaves out: bonding of the two ports; they have addresses of their own.
 */
class DualPlaneBuilder
{
  public:
    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const DualPlanePlan& plan);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_DUAL_PLANE_BUILDER_H */
