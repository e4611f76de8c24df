/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_JSON_READER_H
#define ROCE_TOPOLOGY_JSON_READER_H

#include "roce-fabric-document.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Reads fabrics in the module's own JSON, schema "roce-topology/1".
 *
 * Models: the file that TopologyJsonWriter writes and people edit; doc/topology.rst has the schema.
 *
 * Source: JSON is RFC 8259; paths in messages are JSON pointers, RFC 6901.
 *
 * Invariants: what the reader accepts it keeps: reading and writing again gives the same nodes,
 * ports and links, and the same text if the writer wrote it. Keys it does not know, keys that come
 * twice, values of another type or range and units that are not there are refused with the name of
 * the text and the path of the value; the whole is checked by FabricCheck with PartitionPolicy
 * Allow.
 *
 * Leaves out: comments; other schemas.
 */
class TopologyJsonReader
{
  public:
    /// The schema it reads.
    static constexpr const char* SCHEMA = "roce-topology/1";

    /**
     * \param name what messages call the text
     * \param text the bytes
     * \return the fabric; std::invalid_argument "NAME: /links/3/rate: ..." for anything else
     */
    static FabricDocument Read(const std::string& name, const std::string& text);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_JSON_READER_H */
