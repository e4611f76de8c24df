/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_TIERS_H
#define ROCE_FABRIC_TIERS_H

#include "roce-fabric-document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/// Nodes of a fabric that stand at the same height.
struct FabricTier
{
    std::string name;              //!< tier label, or "tier-1", "tier-2" where files have none
    uint32_t level{0};             //!< links to the nearest host; 0: hosts; UINT32_MAX: none
    uint32_t nodes{0};             //!< how many
    uint32_t minPorts{UINT32_MAX}; //!< fewest ports of a node
    uint32_t maxPorts{0};          //!< most ports of a node
    uint32_t radix{0};             //!< ports that a node may have; 0: not said
    uint64_t downBps{0};           //!< of the node with most oversubscription: rate to below
    uint64_t upBps{0};             //!< and its rate to above; 0 if nothing is above
    double minOversubscription{0}; //!< smallest down over up; 0 if nothing is above
    double maxOversubscription{0}; //!< largest down over up; 0 if nothing is above
};

/// Cables of the same kind.
struct FabricCables
{
    std::string from;    //!< tier of the lower end
    std::string to;      //!< tier of the upper end
    uint64_t rateBps{0}; //!< rate
    int64_t delayPs{0};  //!< one-way delay
    uint32_t count{0};   //!< how many
};

/**
 * \brief Finds the tiers of a fabric: from labels, and from the distance to hosts.
 *
 * Models: a switch is as high as its distance to the nearest host over links that are up. Down is
 * what leads to a lower node, up what leads to a higher one; links between equals are neither.
 * Switches of one height with different labels (an NVSwitch beside a leaf) are different tiers.
 *
 * Source: oversubscription as everyone defines it, rate of links down over rate of links up.
 *
 * Invariants: the tiers hold each node once, the cables each link once, down or up; rows are in
 * order of height, then name.
 *
 * Leaves out: rates that paths share further up; see Bisection.
 */
class FabricTiers
{
  public:
    /** \param fabric the fabric; not used after construction */
    explicit FabricTiers(const FabricDocument& fabric);

    /** \return tiers, hosts first. */
    const std::vector<FabricTier>& Tiers() const;

    /** \return cables by the tiers they join, rate and delay. */
    const std::vector<FabricCables>& Cables() const;

    /** \return index in Tiers() of a node. \param vertex its vertex index */
    uint32_t TierOf(uint32_t vertex) const;

    /** \return height of a node. \param vertex its vertex index */
    uint32_t LevelOf(uint32_t vertex) const;

    /** \return length of all cables in metres, at 5 ns a metre. */
    double TotalMetres() const;

  private:
    void FindLevels(const FabricGraph& graph);    //!< \param graph the fabric
    void SortNodes(const FabricDocument& fabric); //!< \param fabric the fabric
    void AddRates(const FabricGraph& graph);      //!< \param graph the fabric
    void SortCables(const FabricGraph& graph);    //!< \param graph the fabric

    std::vector<uint32_t> m_level;      //!< by vertex
    std::vector<uint32_t> m_tierOf;     //!< by vertex
    std::vector<FabricTier> m_tiers;    //!< rows
    std::vector<FabricCables> m_cables; //!< rows
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_TIERS_H */
