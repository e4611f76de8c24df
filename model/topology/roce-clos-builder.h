/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_CLOS_BUILDER_H
#define ROCE_CLOS_BUILDER_H

#include "roce-fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/// Sizes of a two-tier Clos: each leaf is joined to each spine.
struct LeafSpinePlan
{
    uint32_t leaves{2};                      //!< leaf switches
    uint32_t spines{2};                      //!< spine switches; 0 only with a single leaf
    uint32_t hostsPerLeaf{4};                //!< hosts on each leaf
    uint64_t hostRateBps{100000000000ULL};   //!< rate of host links, bit/s
    uint64_t fabricRateBps{100000000000ULL}; //!< rate of leaf-spine links, bit/s
    int64_t hostDelayPs{1000000};            //!< one-way delay of host links, ps
    int64_t fabricDelayPs{1000000};          //!< one-way delay of leaf-spine links, ps
    uint32_t linksPerPair{1};                //!< parallel links between a leaf and a spine
    double oversubscription{0}; //!< of leaves, sets linksPerPair; 0: linksPerPair is as given
    uint32_t leafRadix{0};      //!< ports of a leaf, 0: no limit
    uint32_t spineRadix{0};     //!< ports of a spine, 0: no limit
};

/**
 * Sizes of a three-tier Clos. Each leaf is joined to each pod spine of its pod. Pod spine j of each
 * pod is joined to the super-spines of plane j; a plane has superSpines / podSpines of them.
 */
struct ThreeTierPlan
{
    uint32_t pods{2};                        //!< pods
    uint32_t leavesPerPod{2};                //!< leaf switches in a pod
    uint32_t podSpines{2};                   //!< spine switches in a pod
    uint32_t superSpines{4};                 //!< in all; a multiple of podSpines
    uint32_t hostsPerLeaf{4};                //!< hosts on each leaf
    uint64_t hostRateBps{100000000000ULL};   //!< rate of host links, bit/s
    uint64_t fabricRateBps{100000000000ULL}; //!< rate of leaf to pod-spine links, bit/s
    uint64_t coreRateBps{100000000000ULL};   //!< rate of pod-spine to super-spine links, bit/s
    int64_t hostDelayPs{1000000};            //!< one-way delay of host links, ps
    int64_t fabricDelayPs{1000000};          //!< one-way delay of leaf to pod-spine links, ps
    int64_t coreDelayPs{1000000};   //!< one-way delay of pod-spine to super-spine links, ps
    uint32_t linksPerPair{1};       //!< parallel links from leaf to pod spine
    uint32_t coreLinksPerPair{1};   //!< parallel links from pod spine to super-spine
    double leafOversubscription{0}; //!< sets linksPerPair; 0: linksPerPair is as given
    double podOversubscription{0};  //!< of pod spines, sets coreLinksPerPair; 0: as given
    uint32_t leafRadix{0};          //!< ports of a leaf, 0: no limit
    uint32_t spineRadix{0};         //!< ports of a pod spine, 0: no limit
    uint32_t superRadix{0};         //!< ports of a super-spine, 0: no limit
};

/**
 * \brief Builds Clos fabrics of two and three tiers.
 *
 * Models the wiring plan only. Oversubscription comes from the counts (a leaf has hostsPerLeaf
 * links down and spines * linksPerPair links up), or the number of parallel links comes from it: it
 * is the rate of all links down over the rate of all links up, and must give a whole number.
 *
 * Folded Clos as in data-center practice; not from a standard.
 *
 * Invariants: ids are 0..n-1 for hosts (leaf by leaf), then leaves, spines (pod by pod),
 * super-spines; ports of a leaf are hosts first, then spines in order; tier labels are "leaf",
 * "spine", "super-spine"; no node has more ports than its radix.
 *
 * Left out: hosts with several links; see RailBuilder and DualPlaneBuilder.
 */
class ClosBuilder
{
  public:
    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const LeafSpinePlan& plan);

    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const ThreeTierPlan& plan);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_CLOS_BUILDER_H */
