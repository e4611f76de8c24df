/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CHAKRA_READER_H
#define ROCE_CHAKRA_READER_H

#include "roce-chakra-trace.h"

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Makes a workload of Chakra execution traces, one of each rank.
 *
 * Models: trace number r is rank r. Nodes become tasks:
 * - compute: COMPUTE of its duration on stream 0; refused if it has operations (num_ops above 0)
 *   and no duration, as their rate is not known;
 * - memory load and store, metadata: COMPUTE of its duration, 0 or not, beside everything: memory
 *   is not modeled;
 * - collective: COLLECTIVE of a group of all ranks. comm_type 0 all-reduce, 1 reduce, 2 all-gather,
 *   5 broadcast, 6 all-to-all, 7 and 8 reduce-scatter, 9 barrier; comm_size is the size, of an
 *   all-gather the part of a rank, so its size here is that times the ranks. Reduce and broadcast
 *   have root 0. Recorded durations of communication have no effect;
 * - send, receive: comm_dst or comm_src, comm_tag (0 if not given), comm_size.
 *
 * A task waits for those that its node depends on, by control or data.
 *
 * Source: attributes as ASTRA-sim's Workload.cc reads them; sizes as its Ring.cc takes them.
 *
 * Invariants: nodes may stand in any order; tasks come rank by rank, each after those that it waits
 * for, else by id; that is also the order of collectives and of messages with the same ends and
 * tag. The graph has passed TaskGraph::Validate. Errors are "NAME: node 5 'name': ...".
 *
 * Leaves out, refused by name: gather and scatter, dimensions that are not all involved, other
 * attributes of communication (groups, priorities). Other attributes of other nodes have no effect.
 */
class ChakraReader
{
  public:
    static constexpr std::size_t MAX_RANKS = 100000; //!< files that ReadFiles looks for

    /** \return the workload; std::invalid_argument names trace, node and fault. \param traces by
     *  rank, at least one */
    static Ptr<TaskGraph> Read(const std::vector<ChakraTrace>& traces);

    /**
     * \param prefix path before ".0.et", ".1.et" and so on, which are read until one is missing
     * \return the workload; std::runtime_error if the first is missing, one cannot be read or the
     *         build cannot (ChakraDecoder::IsAvailable)
     */
    static Ptr<TaskGraph> ReadFiles(const std::string& prefix);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CHAKRA_READER_H
