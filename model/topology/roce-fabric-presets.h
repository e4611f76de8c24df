/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_PRESETS_H
#define ROCE_FABRIC_PRESETS_H

#include "roce-fabric-document.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/// A fabric known by name.
struct FabricPreset
{
    const char* name;          //!< what the user writes
    const char* text;          //!< what it is, in a line
    FabricDocument (*build)(); //!< makes it
};

/**
 * \brief Fabrics by name, from 24 GPUs to 24,576.
 *
 * Models: fabrics that people talk about. article: 8 GPUs a rack, 128-port spines, 100G in pods and
 * 400G between them, at least 10,000 GPUs. meta-ai-zone, meta-24576: racks of 16 GPUs at 400G, 192
 * racks a pod, eight pods. homelab: 24 GPUs, cables of 2 m and 50 m. rail-1024, dual-tor-256,
 * dual-plane-256, fat-tree-1024: one of each shape.
 *
 * Source: beside each number in the source file.
 *
 * Invariants: each passes FabricCheck; no node has more ports than its radix.
 *
 * Leaves out: NVLink; what is not public about these clusters.
 */
class FabricPresets
{
  public:
    /** \return all presets, the smallest first. */
    static const std::vector<FabricPreset>& All();

    /** \return true if a preset has this name. \param name the name */
    static bool Has(const std::string& name);

    /** \return the fabric; std::invalid_argument names the known ones. \param name the name */
    static FabricDocument Build(const std::string& name);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_PRESETS_H */
