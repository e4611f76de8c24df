/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_CHECK_H
#define ROCE_FABRIC_CHECK_H

#include "roce-fabric-document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief What is wrong with a fabric as a whole, before anything is built of it.
 *
 * Models: the checks that need all nodes and links: hosts and switches without a link, switches
 * that no host can use, more ports than the radix of the tier, a radix for a tier that is not
 * there, hosts without a path between them. What a single node or link can do wrong (an id that is
 * taken, a loop, an unknown end, a rate, a delay) FabricGraph refuses when it is added.
 *
 * Source: none.
 *
 * Invariants: no fault means that FabricGraph::Validate() passes; faults come in order of ids;
 * parallel links and gaps between ids are no fault.
 *
 * Leaves out: oversubscription and uneven tiers, which are choices; TopologyPlan shows them.
 */
class FabricCheck
{
  public:
    /// How many faults are listed before the rest is only counted.
    static constexpr size_t MAX_FAULTS = 10;

    /**
     * \param fabric the fabric
     * \param partition whether hosts without a path between them are a fault
     * \return a sentence a fault: what, how many, the limit, a way out; empty if all is well
     */
    static std::vector<std::string> Faults(const FabricDocument& fabric,
                                           PartitionPolicy partition = PartitionPolicy::Refuse);

    /**
     * Throw std::invalid_argument with the first faults and the number of the rest, if any.
     * \param fabric the fabric
     * \param partition whether hosts without a path between them are a fault
     */
    static void Require(const FabricDocument& fabric,
                        PartitionPolicy partition = PartitionPolicy::Refuse);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_CHECK_H */
