/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FAT_TREE_HELPER_H
#define ROCE_FAT_TREE_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-fat-tree-builder.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds k-ary fat trees.
 *
 * Models: ns-3's helper pattern over FatTreeBuilder: k in the constructor, links by rate and delay
 * as text, then Install. Hosts have ids 0..n-1, edge switch by edge switch.
 *
 * Source: FatTreeBuilder.
 *
 * Invariants: MakeGraph gives what FatTreeBuilder gives for the same plan.
 *
 * Leaves out: partial fat trees.
 */
class FatTreeHelper
{
  public:
    /**
     * \param k pods, even: k^3 / 4 hosts x oversubscription
     * \param oversubscription hosts on an edge switch are k / 2 times this
     */
    explicit FatTreeHelper(uint32_t k, uint32_t oversubscription = 1);

    /** \param plan all sizes, in place of those so far */
    void SetPlan(const FatTreePlan& plan);

    /** \return all sizes */
    const FatTreePlan& GetPlan() const;

    /**
     * Setters throw std::invalid_argument that names the text and what was expected.
     * \param rate of host links, such as "100Gbps"
     * \param delay one way, such as "1us"
     */
    void SetHostLinks(const std::string& rate, const std::string& delay);

    /** \param rate of links between switches \param delay one way */
    void SetFabricLinks(const std::string& rate, const std::string& delay);

    /** \return the plan as a graph; std::invalid_argument if it makes none */
    FabricGraph MakeGraph() const;

    /** \return the fabric. \param roce makes its parts */
    Ptr<Fabric> Install(const RoceHelper& roce) const;

  private:
    FatTreePlan m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FAT_TREE_HELPER_H
