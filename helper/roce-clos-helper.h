/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CLOS_HELPER_H
#define ROCE_CLOS_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-clos-builder.h"

#include <string>
#include <variant>

namespace ns3
{
namespace roce
{

/**
 * Builds Clos fabrics of two and three tiers.
 *
 * Models: ns-3's helper pattern over ClosBuilder: sizes in the constructor, links by rate and
 * delay as text, then Install. Hosts have ids 0..n-1, leaf by leaf.
 *
 * Invariants: MakeGraph gives what ClosBuilder gives for the same plan.
 *
 * Leaves out: rails.
 */
class ClosHelper
{
  public:
    /**
     * A leaf-spine fabric.
     * \param leaves leaf switches
     * \param spines spine switches, each joined to each leaf; 0 only with one leaf (a star)
     * \param hostsPerLeaf hosts on each leaf
     */
    ClosHelper(uint32_t leaves, uint32_t spines, uint32_t hostsPerLeaf);

    /**
     * A fabric of three tiers.
     * \param pods pods
     * \param leavesPerPod leaf switches in a pod
     * \param podSpines spine switches in a pod
     * \param superSpines super-spines in all, a multiple of podSpines
     * \param hostsPerLeaf hosts on each leaf
     */
    ClosHelper(uint32_t pods,
               uint32_t leavesPerPod,
               uint32_t podSpines,
               uint32_t superSpines,
               uint32_t hostsPerLeaf);

    /**
     * All setters throw std::invalid_argument that names the text and what was expected.
     * \param rate of host links, such as "100Gbps"
     * \param delay one way, such as "1us"
     */
    void SetHostLinks(const std::string& rate, const std::string& delay);

    /**
     * \param rate of links from leaf to spine
     * \param delay one way
     * \param parallel links between each pair
     */
    void SetFabricLinks(const std::string& rate, const std::string& delay, uint32_t parallel = 1);

    /**
     * Links from pod spine to super-spine; refused for two tiers.
     * \param rate of these links
     * \param delay one way
     * \param parallel links between each pair
     */
    void SetCoreLinks(const std::string& rate, const std::string& delay, uint32_t parallel = 1);

    /**
     * Have the parallel links follow from a ratio, the rate of all links down over the rate of all
     * links up; MakeGraph refuses one that makes no whole number of links to each switch above.
     * \param leaf of leaves; 0: parallel links as given to SetFabricLinks
     * \param pod of pod spines, refused for two tiers; 0: as given to SetCoreLinks
     */
    void SetOversubscription(double leaf, double pod = 0);

    /** \param leaf ports of a leaf \param spine of a spine \param super of a super-spine, refused
     *  for two tiers; 0: no limit. MakeGraph refuses a plan that needs more */
    void SetRadix(uint32_t leaf, uint32_t spine, uint32_t super = 0);

    /** \return the plan as a graph; std::invalid_argument if it makes none */
    FabricGraph MakeGraph() const;

    /** \return number of hosts */
    uint32_t GetNHosts() const;

    /** \return the fabric. \param roce makes its parts */
    Ptr<Fabric> Install(const RoceHelper& roce) const;

  private:
    std::variant<LeafSpinePlan, ThreeTierPlan> m_plan;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CLOS_HELPER_H
