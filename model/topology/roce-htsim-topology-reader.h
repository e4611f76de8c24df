/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_HTSIM_TOPOLOGY_READER_H
#define ROCE_HTSIM_TOPOLOGY_READER_H

#include "roce-fabric-document.h"
#include "roce-text-source.h"

namespace ns3
{
namespace roce
{

/**
 * \brief Reads the `.topo` files of htsim (csg-htsim, uet-htsim).
 *
 * Models: a header "Nodes", "Tiers" (2 or 3), "Podsize", then a part "Tier k" for ToRs (0),
 * aggregation (1) and cores (2) with "Downlink_speed_Gbps", "Radix_Down", "Radix_Up",
 * "Downlink_Latency_ns", "Switch_Latency_ns", "Oversubscribed", "Bundle". Words are taken in any
 * case; lines that begin with # are comments.
 *
 * Source: csg-htsim, the loader of its fat tree: Podsize / Radix_Down[0] ToRs a pod,
 * Radix_Up[0] / Bundle[1] aggregation switches a pod, uplink bundle l of the aggregation switch at
 * place j of its pod goes to core j + l x (aggregation switches a pod).
 *
 * Invariants: all numbers of the file are used or checked: Nodes is a multiple of Podsize, the
 * radix of each tier is what the tiers around it need, Oversubscribed (default 1) is the rate down
 * over the rate up. Each error is "FILE:LINE: ..." and names both numbers.
 *
 * Switch latency: half of it is added to the delay of each link of the switch, so that a transit
 * costs all of it. A host does not forward, so a path has exactly its switches' latency.
 *
 * Leaves out: bundles to hosts, queue sizes, failed links.
 */
class HtsimTopologyReader
{
  public:
    /** \return the fabric; std::invalid_argument names line and fault. \param source the text */
    static FabricDocument Read(const TextSource& source);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_HTSIM_TOPOLOGY_READER_H */
