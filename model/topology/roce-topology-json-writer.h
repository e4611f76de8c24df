/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_JSON_WRITER_H
#define ROCE_TOPOLOGY_JSON_WRITER_H

#include "roce-fabric-document.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Writes fabrics in the module's own JSON, schema "roce-topology/1".
 *
 * Models: the other direction of TopologyJsonReader: one node or link a line, keys in a fixed
 * order, what has its default left out.
 *
 * Source: JSON is RFC 8259.
 *
 * Invariants: the same fabric gives the same bytes; reading them gives the same ids, kinds, names,
 * tiers, ports, rates, delays (to the picosecond), error rates and links that are down.
 *
 * Leaves out: lengths: a delay says more.
 */
class TopologyJsonWriter
{
  public:
    /** \return the file. \param fabric the fabric */
    static std::string Format(const FabricDocument& fabric);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_JSON_WRITER_H */
