/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RAIL_HELPER_H
#define ROCE_RAIL_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-rail-builder.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds rail-optimized fabrics.
 *
 * Models: ns-3's helper pattern over RailBuilder: sizes in the constructor, links by rate and
 * length, then Install. Servers have ids 0..n-1, unit by unit, and a port a rail.
 *
 * Invariants: MakeGraph gives what RailBuilder gives for the same plan.
 *
 * Leaves out: what SetPlan can say and the constructor cannot: a host a GPU, spines of a rail.
 */
class RailHelper
{
  public:
    /**
     * \param groups units of servers that share their leaves
     * \param nodesPerGroup servers in a unit
     * \param rails NICs of a server, and leaves of a unit
     * \param spines each joined to each leaf; 0 only with one unit
     */
    RailHelper(uint32_t groups, uint32_t nodesPerGroup, uint32_t rails, uint32_t spines);

    /** \param plan all sizes, in place of those so far */
    void SetPlan(const RailPlan& plan);

    /** \return all sizes */
    const RailPlan& GetPlan() const;

    /** \param rate such as "400Gbps"; std::invalid_argument names what was expected
     *  \param metres length of the cables from servers to leaves */
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
    RailPlan m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RAIL_HELPER_H
