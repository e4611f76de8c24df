/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_WRITER_H
#define ROCE_TOPOLOGY_WRITER_H

#include "roce-flow-reader.h"
#include "roce-topology-reader.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief Writes topology and flow files that the HPCC family reads.
 *
 * Models the other direction of TopologyReader and FlowReader, so that a built fabric can be given
 * to another simulator.
 *
 * Formats as in those classes.
 *
 * Invariants: reading what was written gives the same nodes, links and flows, each number exact.
 *
 * Left out: names and tiers; links that are down are written like others; ids with gaps need
 * TopologyReadOptions::allowIdGaps to be read again.
 */
class TopologyWriter
{
  public:
    /** \return the file, in the dialect of the topology. \param topology graph and header */
    static std::string Format(const Topology& topology);

    /** \return the file in HPCC's dialect. \param graph the fabric */
    static std::string Format(const FabricGraph& graph);

    /** \return the flow file. \param flows the flows */
    static std::string Format(const std::vector<FlowSpec>& flows);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_WRITER_H */
