/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FLOW_READER_H
#define ROCE_FLOW_READER_H

#include "roce-fabric-graph.h"
#include "roce-text-source.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/// One flow of a flow file.
struct FlowSpec
{
    uint32_t src{0};       //!< id of the source host
    uint32_t dst{0};       //!< id of the destination host
    uint32_t pg{3};        //!< priority group, 0 to 7
    uint32_t dport{100};   //!< destination port as fct.txt shows it, 0 to 65535
    uint64_t sizeBytes{0}; //!< message size, bytes, up to 2^62
    int64_t startPs{0};    //!< start time, picoseconds
    uint32_t line{0};      //!< line in the file, 0 if not from a file
};

/// What a flow file says.
struct FlowList
{
    std::vector<FlowSpec> flows; //!< in order of the file
    uint32_t ignoredRows{0};     //!< rows like flows after the declared number
    bool sorted{true};           //!< start times never fall
};

/**
 * \brief Reads flow files of the HPCC family.
 *
 * Models "count", then rows "src dst pg dport size start": size in bytes, start in seconds.
 *
 * Format of alibaba-edu HPCC; also conweave, inet-tub and astra-network-ns3.
 *
 * Invariants: as many flows as declared, or an error with file and line; sizes are 64 bit; start
 * times are exact to the picosecond. Rows beyond the count are ignored, as HPCC does (its own
 * flow.txt declares 2 and lists 256), and counted.
 *
 * Left out: ns3-rdma's rows with packets and end times.
 */
class FlowReader
{
  public:
    /// The largest size accepted, bytes.
    static constexpr uint64_t MAX_SIZE_BYTES = 1ULL << 62;

    /**
     * Read flows.
     * \param source the text
     * \param graph if given, source and destination must be different hosts of it
     * \return the flows
     *
     * std::invalid_argument "FILE:LINE: ..." names what was expected.
     */
    static FlowList Read(const TextSource& source, const FabricGraph* graph = nullptr);
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FLOW_READER_H */
