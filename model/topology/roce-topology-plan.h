/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_PLAN_H
#define ROCE_TOPOLOGY_PLAN_H

#include "roce-bisection.h"
#include "roce-fabric-document.h"
#include "roce-fabric-tiers.h"
#include "roce-stage-census.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief The figures of a fabric, before anything is built.
 *
 * Models: what a planner asks: tiers with their radix and oversubscription, cables, stages with
 * their largest base RTT and ECMP width, diameter, bisection bandwidth.
 *
 * Source: FabricTiers, StageCensus and Bisection say what they compute and how.
 *
 * Invariants: the fabric is checked first (FabricCheck, PartitionPolicy Allow), so all figures are
 * of a fabric that can be built.
 *
 * Leaves out: buffers; BufferPlan has them.
 */
class TopologyPlan
{
  public:
    /**
     * \param fabric the fabric; std::invalid_argument if FabricCheck finds a fault
     * \param frames bytes of the packets of a base RTT
     */
    explicit TopologyPlan(const FabricDocument& fabric, const RttFrames& frames = {});

    /** \return tiers and cables. */
    const FabricTiers& Tiers() const;

    /** \return pairs of hosts by distance. */
    const StageCensus& Stages() const;

    /** \return what crosses the middle. */
    const Bisection& Middle() const;

    /** \return what pairs of so many links are in this fabric, such as "within a pod".
     *  \param links links of a shortest path */
    std::string StageName(uint32_t links) const;

  private:
    FabricTiers m_tiers;  //!< tiers
    StageCensus m_stages; //!< stages
    Bisection m_middle;   //!< bisection
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_PLAN_H */
