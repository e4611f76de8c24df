/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_GRAPH_STORAGE_H
#define ROCE_FABRIC_GRAPH_STORAGE_H

#include "roce-fabric-graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>

namespace ns3
{
namespace roce
{

/// Data on an edge of the Boost graph of a FabricGraph.
struct FabricGraphEdge
{
    uint32_t link{0}; //!< index of the link, see FabricGraph::Link()
};

/// What FabricGraphStorage is for the algorithms of Boost.Graph.
using FabricAdjacencyList = boost::
    adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, FabricNode, FabricGraphEdge>;

/**
 * \brief The Boost graph in a FabricGraph: vertex = dense index with its FabricNode, edges in order
 * of ports.
 */
struct FabricGraphStorage : FabricAdjacencyList
{
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_GRAPH_STORAGE_H */
