/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FAT_TREE_BUILDER_H
#define ROCE_FAT_TREE_BUILDER_H

#include "roce-fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/// Sizes of a k-ary fat tree.
struct FatTreePlan
{
    uint32_t k{4};                           //!< pods, even, at least 2
    uint32_t oversubscription{1};            //!< hosts on an edge switch = k/2 times this
    uint64_t hostRateBps{100000000000ULL};   //!< rate of host links, bit/s
    uint64_t fabricRateBps{100000000000ULL}; //!< rate of links between switches, bit/s
    int64_t hostDelayPs{1000000};            //!< one-way delay of host links, ps
    int64_t fabricDelayPs{1000000};          //!< one-way delay of links between switches, ps
};

/**
 * \brief Builds k-ary fat trees.
 *
 * Models the fat tree of Al-Fares et al., SIGCOMM 2008, section 3: k pods with k/2 edge and k/2
 * aggregation switches each, and (k/2)^2 cores. Core c joins aggregation switch c / (k/2) of each
 * pod.
 *
 * Invariants: k/2 * k/2 * k * oversubscription hosts and 5 k^2 / 4 switches; ids are hosts first,
 * then edges, aggregations and cores; two hosts of different pods have (k/2)^2 shortest paths.
 * Tier labels are "leaf", "spine", "super-spine".
 *
 * Left out: partial fat trees.
 */
class FatTreeBuilder
{
  public:
    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const FatTreePlan& plan);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FAT_TREE_BUILDER_H */
