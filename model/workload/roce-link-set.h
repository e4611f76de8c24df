/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LINK_SET_H
#define ROCE_LINK_SET_H

#include "ns3/roce-fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Links of a fabric that a load is said of.
 *
 * Models: the links between two tiers, and how often a flow between two hosts passes one of them.
 * In a Clos a flow that passes such a set does so twice, up and down.
 *
 * Source: none.
 *
 * Invariants: capacity is the sum of the rates, of one direction; crossings are those of any
 * shortest path, and std::invalid_argument names the hosts if shortest paths differ in them.
 *
 * Leaves out: links that are down, which are not in the set; paths that are not shortest.
 */
class LinkSet
{
  public:
    /**
     * \param graph the fabric, must outlive this
     * \param name "host" for the links of hosts, or the labels of two tiers with a dash, in any
     *        order, as "leaf-spine"; std::invalid_argument lists what the fabric has
     */
    LinkSet(const FabricGraph& graph, const std::string& name);

    /** \return its name */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** \return indices of its links */
    const std::vector<uint32_t>& GetLinks() const
    {
        return m_links;
    }

    /** \return sum of the rates in one direction, bit/s */
    double GetCapacityBps() const;

    /**
     * \param source id of a host
     * \return by place in FabricGraph::Hosts(): links of the set on a shortest path from source to
     *         there, 0 for source itself; std::invalid_argument if there is no path to one
     */
    std::vector<uint32_t> CrossingsFrom(uint32_t source) const;

    /** \return names that a fabric has sets for. \param graph the fabric */
    static std::vector<std::string> Names(const FabricGraph& graph);

  private:
    const FabricGraph* m_graph;
    std::string m_name;
    std::vector<uint32_t> m_links;
    std::vector<bool> m_inSet; //!< by link
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LINK_SET_H
