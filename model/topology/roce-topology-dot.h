/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_DOT_H
#define ROCE_TOPOLOGY_DOT_H

#include "roce-fabric-document.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Writes fabrics for Graphviz.
 *
 * Models: an undirected graph in the DOT language: a rank a tier, an edge a bundle of parallel
 * links, with their number, rate and length on it. Links that are down are dashed.
 *
 * Source: the DOT language of Graphviz.
 *
 * Invariants: a node statement a node, named n and its id; an edge statement for each pair of
 * nodes, rate, delay and state, in order of the first link, from the lower tier to the upper.
 *
 * Leaves out: a layout; `dot -Tsvg` makes one. TopologySvg draws without Graphviz.
 */
class TopologyDot
{
  public:
    /** \return the file. \param fabric the fabric */
    static std::string Format(const FabricDocument& fabric);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_DOT_H */
