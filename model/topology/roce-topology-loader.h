/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_LOADER_H
#define ROCE_TOPOLOGY_LOADER_H

#include "roce-fabric-document.h"
#include "roce-topology-reader.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Reads a topology of any kind the module knows, or makes a preset.
 *
 * Models: one door for all readers. A text whose first word begins with { is JSON, with a digit a
 * file of the HPCC family, and with a letter or # one of htsim.
 *
 * Source: the readers name theirs.
 *
 * Invariants: a file that is there goes before a preset of the same name.
 *
 * Leaves out: writing; what a file says besides the fabric (TopologyReader gives that).
 */
class TopologyLoader
{
  public:
    /**
     * \param name path of a file, or name of a preset
     * \param options how strict to be with files of the HPCC family
     * \return the fabric
     *
     * std::invalid_argument says what is wrong in the file, or lists the presets if there is
     * neither; std::runtime_error if the file cannot be read.
     */
    static FabricDocument Load(const std::string& name, const TopologyReadOptions& options = {});

    /** \return the fabric in a text. \param name in messages \param text the bytes
     *  \param options how strict to be with files of the HPCC family */
    static FabricDocument Parse(const std::string& name,
                                const std::string& text,
                                const TopologyReadOptions& options = {});
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_LOADER_H */
