/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORKLOAD_JSON_WRITER_H
#define ROCE_WORKLOAD_JSON_WRITER_H

#include "ns3/roce-task-graph.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Writes workloads in the module's own JSON, schema "roce-workload/1".
 *
 * Models: the other direction of WorkloadJsonReader: a group or task a line, keys in a fixed order,
 * those left out that say what their absence says.
 *
 * Source: JSON is RFC 8259.
 *
 * Invariants: what is written reads back as the same graph; the same graph gives the same bytes.
 *
 * Leaves out: nothing of a graph.
 */
class WorkloadJsonWriter
{
  public:
    /** \return the text. \param graph the workload; std::invalid_argument if it does not validate,
     *  or has a name or time that the reader refuses (WorkloadText) */
    static std::string Format(const TaskGraph& graph);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORKLOAD_JSON_WRITER_H
