/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_DOCUMENT_H
#define ROCE_FABRIC_DOCUMENT_H

#include "roce-fabric-graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A fabric with what belongs on its file: a name, and how many ports a node of each tier has.
 *
 * Models: the plan of a fabric as it is read, written, checked and drawn.
 *
 * Source: none.
 *
 * Invariants: none; FabricCheck looks at it as a whole.
 *
 * Leaves out: settings of NICs and switches.
 */
struct FabricDocument
{
    std::string name;                      //!< for people
    FabricGraph graph;                     //!< nodes and links
    std::map<std::string, uint32_t> radix; //!< ports by tier label ("host" too); none: no limit
    std::vector<std::string> notes{};      //!< what a reader left out; on no file
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_DOCUMENT_H */
