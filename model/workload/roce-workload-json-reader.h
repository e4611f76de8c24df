/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORKLOAD_JSON_READER_H
#define ROCE_WORKLOAD_JSON_READER_H

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Reads workloads in the module's own JSON, schema "roce-workload/1".
 *
 * Models: the file that WorkloadJsonWriter writes and people edit: ranks, groups of ranks, tasks;
 * doc/workloads.rst has the schema.
 *
 * Source: JSON is RFC 8259; paths in messages are JSON pointers, RFC 6901.
 *
 * Invariants: reading and writing again gives the same graph, and the same text if the writer wrote
 * it. Keys that are not known or not of this kind of task, keys that come twice, values of another
 * type or range are refused with the name of the text and the path of the value; the graph has
 * passed TaskGraph::Validate.
 *
 * Leaves out: whether an operation or algorithm exists, which the job that runs it says.
 */
class WorkloadJsonReader
{
  public:
    /// The schema it reads.
    static constexpr const char* SCHEMA = "roce-workload/1";

    /**
     * \param name what messages call the text
     * \param text the bytes
     * \return the workload; std::invalid_argument "NAME: /tasks/3/peer: ..." for anything else
     */
    static Ptr<TaskGraph> Read(const std::string& name, const std::string& text);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORKLOAD_JSON_READER_H
