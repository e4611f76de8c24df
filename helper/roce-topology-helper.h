/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TOPOLOGY_HELPER_H
#define ROCE_TOPOLOGY_HELPER_H

#include "roce-helper.h"

#include "ns3/roce-fabric-document.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Builds a fabric from a file or a preset.
 *
 * Models: ns-3's helper pattern over TopologyLoader: a name in the constructor, then Install.
 *
 * Invariants: what Install builds has passed FabricCheck, radix included.
 *
 * Leaves out: rates and cables other than those of the file; change the graph for that.
 */
class TopologyHelper
{
  public:
    /** \param name a topology file (HPCC family, htsim, JSON) or a preset such as "homelab";
     *  std::invalid_argument says what is wrong with it, or lists the presets */
    explicit TopologyHelper(const std::string& name);

    /** \return name, graph and radix */
    const FabricDocument& GetDocument() const;

    /** \return number of hosts */
    uint32_t GetNHosts() const;

    /**
     * \param roce makes the parts
     * \param partition whether hosts without a path between them are a fault
     * \return the fabric; std::invalid_argument lists the faults of the topology
     */
    Ptr<Fabric> Install(const RoceHelper& roce,
                        PartitionPolicy partition = PartitionPolicy::Refuse) const;

  private:
    FabricDocument m_document;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TOPOLOGY_HELPER_H
