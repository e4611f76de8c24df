/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_TOPOLOGY_H
#define ROCE_EXPERIMENT_TOPOLOGY_H

#include "roce-experiment-document.h"

#include "ns3/roce-fabric-document.h"

namespace ns3
{
namespace roce
{

/**
 * The fabric of an experiment.
 *
 * Models: the key "topology": a preset, a file, or what one of the builders makes.
 *
 * Source: the builders name theirs.
 *
 * Invariants: a graph that is returned has passed FabricCheck; a document is refused with the path
 * of the key. A document gives the same graph as the C++ helper with the same sizes.
 *
 * Leaves out: settings of NICs and switches.
 */
class ExperimentTopology
{
  public:
    /** \return the fabric; std::invalid_argument or std::runtime_error say what is wrong.
     *  \param document the experiment */
    static FabricDocument Build(const ExperimentDocument& document);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_TOPOLOGY_H
