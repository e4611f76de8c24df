/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_POD_BUILDER_H
#define ROCE_POD_BUILDER_H

#include "roce-fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/// Sizes of pods under super-spines.
struct PodPlan
{
    uint32_t pods{2};                      //!< pods
    uint32_t racksPerPod{4};               //!< racks in a pod, one leaf (ToR) each
    uint32_t gpusPerRack{8};               //!< GPUs in a rack, each a host
    uint32_t podSpines{8};                 //!< spines of a pod, each joined to each leaf of it
    uint32_t superSpines{8};               //!< in all, each joined to each pod spine; 0: one pod
    uint32_t podLinks{1};                  //!< parallel links between a leaf and a pod spine
    uint32_t coreLinks{1};                 //!< parallel links between pod spine and super-spine
    uint64_t hostRateBps{100000000000ULL}; //!< rate of GPU links, bit/s
    uint64_t podRateBps{100000000000ULL};  //!< rate of leaf to pod-spine links, bit/s
    uint64_t coreRateBps{400000000000ULL}; //!< rate of pod-spine to super-spine links, bit/s
    double hostMetres{2};                  //!< cables in the rack
    double podMetres{50};                  //!< cables from leaf to pod spine
    double coreMetres{450};                //!< cables from pod spine to super-spine
    uint32_t leafRadix{0};                 //!< ports of a leaf, 0: no limit
    uint32_t spineRadix{128};              //!< ports of a pod spine, 0: no limit
    uint32_t superRadix{128};              //!< ports of a super-spine, 0: no limit
};

/**
 * \brief Builds pods under super-spines: the stages of the article.
 *
 * Models: racks of 8 GPUs on a ToR, 100G to the pod spines, 400G from these to super-spines that
 * join all pods. Unlike ThreeTierPlan there are no planes: each super-spine meets each pod spine.
 *
 * Source: the article names rates (100G in a pod, 400G between pods), 8 GPUs a rack, 128-port
 * spines, and latencies of about 1 and 5 us. Lengths are 2 m and 50 m, as it says of racks; 450 m
 * to a super-spine makes 2 x (2 + 50 + 450) m x 5 ns/m = 5.02 us one way between pods, and inside
 * one 2 x (2 + 50) m x 5 ns/m = 0.52 us.
 *
 * Invariants: ids are GPUs (rack by rack), leaves, pod spines (pod by pod), super-spines; no node
 * has more ports than its radix. Tier labels are "leaf", "spine" and "super-spine".
 *
 * Leaves out: stage 1, the NVLink inside a rack.
 */
class PodBuilder
{
  public:
    /** \return the fabric; std::invalid_argument for a plan that makes none. \param plan sizes */
    static FabricGraph Build(const PodPlan& plan);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_POD_BUILDER_H */
