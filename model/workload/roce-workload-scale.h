/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORKLOAD_SCALE_H
#define ROCE_WORKLOAD_SCALE_H

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"

namespace ns3
{
namespace roce
{

/**
 * \brief Makes workloads smaller or larger.
 *
 * Models: the same tasks with all sizes multiplied, so that a large model runs in seconds. Times
 * scale with them on an uncongested network, but for latencies.
 *
 * Source: none.
 *
 * Invariants: a size is bytes x factor, rounded down, but 1 at least if it was not 0; tasks, groups
 * and dependencies are the same.
 *
 * Leaves out: computation; readers and generators have factors of their own.
 */
class WorkloadScale
{
  public:
    /** \return the workload with other sizes. \param graph a workload \param factor above 0,
     *  finite; std::invalid_argument if not */
    static Ptr<TaskGraph> Bytes(Ptr<const TaskGraph> graph, double factor);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORKLOAD_SCALE_H
