/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_TOPOLOGY_READER_H
#define ROCE_TOPOLOGY_READER_H

#include "roce-fabric-graph.h"
#include "roce-text-source.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/// The dialect of a topology file, told by its first line.
enum class TopologyFormat : uint8_t
{
    Hpcc,    //!< nodes switches links
    InetTub, //!< nodes switches tors links
    SimAi    //!< nodes gpus-per-server nvswitches switches links GPU-type
};

/// How strict the reader is.
struct TopologyReadOptions
{
    bool allowIdGaps{false}; //!< ids need not be 0..nodes-1; the nodes are the ids in the file
};

/// What a topology file says.
struct Topology
{
    FabricGraph graph;                           //!< nodes in order of id, links in order of file
    TopologyFormat format{TopologyFormat::Hpcc}; //!< its dialect
    uint32_t tors{0};                            //!< inet-tub: number of ToRs; else 0
    uint32_t gpusPerServer{0};                   //!< SimAI; else 0
    std::string gpuType;                         //!< SimAI; else empty
    uint32_t ignoredLinkRows{0};                 //!< rows after the declared ones, see the class
};

/**
 * \brief Reads topology files of the HPCC family.
 *
 * Models the formats of alibaba-edu HPCC (also conweave and astra-network-ns3), inet-tub
 * ns3-datacenter and SimAI: a header, the ids of the switches (SimAI: NVSwitches first), then one
 * row "src dst rate delay error-rate" a link. Rates as "100Gbps" or bits a second, delays as "1us".
 *
 * The switch ids may be spread over lines; with none, that line may be empty or missing.
 *
 * Invariants: the graph has exactly the declared nodes and links; a file that says less is refused
 * with file and line. Text after the declared links is left alone, as the originals keep help
 * there; but a row that would be one more link between declared nodes is refused, for the
 * count is then wrong. Rows like links that name other nodes are counted in ignoredLinkRows (HPCC's
 * own topology.txt has 191 of them).
 *
 * Left out: Validate()'s test for partitions. Rings of hosts are legal files although hosts do not
 * forward; check the pairs that talk with Routing::RequireReachable().
 */
class TopologyReader
{
  public:
    /**
     * Read a topology.
     * \param source the text
     * \param options how strict to be
     * \return the fabric and what the header says
     *
     * std::invalid_argument "FILE:LINE: ..." names what was expected.
     */
    static Topology Read(const TextSource& source, const TopologyReadOptions& options = {});
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_TOPOLOGY_READER_H */
