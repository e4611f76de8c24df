/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_DRAFT_H
#define ROCE_FABRIC_DRAFT_H

#include "roce-fabric-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/// Equal cables between two nodes.
struct CableBundle
{
    uint32_t count{1};   //!< parallel links
    uint64_t rateBps{0}; //!< of each, bit/s
    double metres{0};    //!< length
};

/**
 * \brief A graph in the making: tiers of equal switches with ids that follow each other.
 *
 * Models: what builders have in common. Hosts come first, then tier by tier.
 *
 * Source: none; the order of ids is that of ClosBuilder.
 *
 * Invariants: the n-th node has id n; switch i of a tier is named tier + i.
 *
 * Leaves out: checks of counts (PlanCheck) and of the whole (FabricCheck).
 */
class FabricDraft
{
  public:
    /** Add hosts. \param count how many \return id of the first */
    uint32_t Hosts(uint32_t count);

    /** Add switches. \param count how many \param tier their label \return id of the first */
    uint32_t Tier(uint32_t count, const std::string& tier);

    /**
     * Add parallel links.
     * \param a id of one end
     * \param b id of the other end
     * \param count how many
     * \param rateBps rate, bit/s
     * \param metres length of the cables
     */
    void Link(uint32_t a, uint32_t b, uint32_t count, uint64_t rateBps, double metres);

    /**
     * Join two tiers in planes: the switches of a group are in plane 0, 1, 2... in turn, and each
     * meets all switches above of its plane.
     * \param lower id of the first switch below
     * \param groups groups of them, planes each
     * \param upper id of the first switch above, those of plane 0 first
     * \param above switches above in a plane
     * \param planes how many; 1: all meet all
     * \param cables what lies between each two
     */
    void Planes(uint32_t lower,
                uint32_t groups,
                uint32_t upper,
                uint32_t above,
                uint32_t planes,
                const CableBundle& cables);

    /** \return the graph; the draft is empty afterwards. */
    FabricGraph Take();

  private:
    FabricGraph m_graph; //!< what is made
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_DRAFT_H */
