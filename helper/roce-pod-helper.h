/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_POD_HELPER_H
#define ROCE_POD_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-pod-builder.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds pods under super-spines.
 *
 * Models: ns-3's helper pattern over PodBuilder: sizes in the constructor, links by rate and
 * length, then Install. GPUs have ids 0..n-1, rack by rack.
 *
 * Source: PodBuilder.
 *
 * Invariants: MakeGraph gives what PodBuilder gives for the same plan.
 *
 * Leaves out: planes of super-spines; those are ClosHelper's three tiers.
 */
class PodHelper
{
  public:
    /**
     * \param pods pods
     * \param racksPerPod racks in a pod, one leaf each
     * \param gpusPerRack GPUs in a rack, each a host
     * \param podSpines spines of a pod, each joined to each leaf of it
     * \param superSpines each joined to each pod spine; 0 only with one pod
     */
    PodHelper(uint32_t pods,
              uint32_t racksPerPod,
              uint32_t gpusPerRack,
              uint32_t podSpines,
              uint32_t superSpines);

    /** \param plan all sizes, in place of those so far */
    void SetPlan(const PodPlan& plan);

    /** \return all sizes */
    const PodPlan& GetPlan() const;

    /** \param rate such as "100Gbps"; std::invalid_argument names what was expected
     *  \param metres length of the cables in the rack */
    void SetHostLinks(const std::string& rate, double metres);

    /**
     * \param rate of links from leaf to pod spine
     * \param metres length of these cables
     * \param parallel links between each pair
     */
    void SetPodLinks(const std::string& rate, double metres, uint32_t parallel = 1);

    /**
     * \param rate of links from pod spine to super-spine
     * \param metres length of these cables
     * \param parallel links between each pair
     */
    void SetCoreLinks(const std::string& rate, double metres, uint32_t parallel = 1);

    /** \param leaf ports of a leaf \param spine of a pod spine \param super of a super-spine; 0:
     *  no limit */
    void SetRadix(uint32_t leaf, uint32_t spine, uint32_t super);

    /** \return the plan as a graph; std::invalid_argument if it makes none */
    FabricGraph MakeGraph() const;

    /** \return the fabric. \param roce makes its parts */
    Ptr<Fabric> Install(const RoceHelper& roce) const;

  private:
    PodPlan m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_POD_HELPER_H
