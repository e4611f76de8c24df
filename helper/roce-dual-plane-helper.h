/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DUAL_PLANE_HELPER_H
#define ROCE_DUAL_PLANE_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-dual-plane-builder.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds dual-ToR and dual-plane fabrics.
 *
 * Models: ns-3's helper pattern over DualPlaneBuilder: sizes in the constructor, links by rate and
 * length, then Install. Hosts have ids 0..n-1, rack by rack, and two ports; RailFailover says what
 * becomes of their queue pairs when one fails.
 *
 * Source: DualPlaneBuilder.
 *
 * Invariants: MakeGraph gives what DualPlaneBuilder gives for the same plan.
 *
 * Leaves out: what DualPlaneBuilder leaves out.
 */
class DualPlaneHelper
{
  public:
    /** What the spines join. */
    enum Kind
    {
        DUAL_PLANE, //!< spines belong to a plane, half of them each
        DUAL_TOR,   //!< each spine meets both leaves of each rack
    };

    /**
     * \param racks racks, two leaves each
     * \param hostsPerRack hosts in a rack
     * \param spines in all; with DUAL_PLANE even; 0 only with one rack
     * \param kind what the spines join
     */
    DualPlaneHelper(uint32_t racks, uint32_t hostsPerRack, uint32_t spines, Kind kind = DUAL_PLANE);

    /** \param plan all sizes, in place of those so far */
    void SetPlan(const DualPlanePlan& plan);

    /** \return all sizes */
    const DualPlanePlan& GetPlan() const;

    /** \param rate of one port of a host; std::invalid_argument names what was expected
     *  \param metres length of the cables to the leaves */
    void SetHostLinks(const std::string& rate, double metres);

    /**
     * \param rate of links from leaf to spine
     * \param metres length of these cables
     * \param parallel links between each pair
     */
    void SetFabricLinks(const std::string& rate, double metres, uint32_t parallel = 1);

    /** \param leaf ports of a leaf, 0: no limit \param spine ports of a spine, 0: no limit */
    void SetRadix(uint32_t leaf, uint32_t spine);

    /** \return the plan as a graph; std::invalid_argument if it makes none */
    FabricGraph MakeGraph() const;

    /** \return the fabric. \param roce makes its parts */
    Ptr<Fabric> Install(const RoceHelper& roce) const;

  private:
    DualPlanePlan m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DUAL_PLANE_HELPER_H
