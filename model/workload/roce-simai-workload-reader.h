/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SIMAI_WORKLOAD_READER_H
#define ROCE_SIMAI_WORKLOAD_READER_H

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"
#include "ns3/roce-text-source.h"

namespace ns3
{
namespace roce
{

/** How a workload of SimAI is taken. */
struct SimaiOptions
{
    uint32_t gpus{0};       //!< in place of the header's all_gpus; needed if it has none
    double computeScale{1}; //!< times of computation are multiplied by it, 0 or more
    uint32_t iterations{1}; //!< passes over all layers, forward and back
};

/**
 * Reads workloads of SimAI and AICB (SimaiWorkloadRows) as tasks of each rank.
 *
 * Models: with N GPUs, TP = model_parallel_NPU_group and EP = ep, and no pipeline, DP = N / TP.
 * Groups:
 * - tensor: TP ranks that follow each other;
 * - data: ranks k, k + TP, k + 2 TP, ... for each k below TP;
 * - expert: the ranks with the same place in EP tensor groups that follow each other;
 * - data-expert: the ranks with the same place in every EP-th tensor group.
 *
 * A collective without suffix is of the tensor group in forward pass and input gradient, and of the
 * data group in the weight gradient; _EP is of the expert group, _DP_EP of the data-expert group,
 * in each pass. A group of one rank and a collective of 0 bytes do nothing.
 *
 * A rank does, in this order: all layers forward, in the order of the file: computation, then the
 * collective, and waits for it; then all layers in reverse: computation of the input gradient, its
 * collective, waits for it, computation of the weight gradient, and begins its collective without
 * waiting, so that it overlaps the rest of the backward pass. After that collective the update of
 * the layer takes its time beside all else; a layer whose weight gradient has no collective has no
 * update. The forward pass of a layer in the next iteration waits
 * for its update. Computations are on stream 0, updates on none.
 *
 * A MICRO benchmark is all ranks in one data group: its collectives one after the other.
 *
 * Source: groups as MockNcclGroup.cc of SimAI forms them, order as Workload.cc of its astra-sim
 * fork runs HYBRID_TRANSFORMER_FWD_IN_BCKWD. Sizes are those of the whole buffer, as nccl-tests
 * counts them. "ga" is no number of repetitions: AICB writes the rows of each accumulation step (a
 * file with ga 24 has 24 times the 74 rows of its transformer part).
 *
 * Invariants: each rank has the same tasks; the graph has passed TaskGraph::Validate.
 *
 * Leaves out: pipelines and recomputation, which are refused. BROADCAST, which SimAI does not know
 * and takes for NONE, is one from the first rank of the group.
 */
class SimaiWorkloadReader
{
  public:
    /** Most tasks: layers x passes x ranks; more are refused. */
    static constexpr uint64_t MAX_TASKS = 5000000;

    /**
     * \param source the text
     * \param options how to take it
     * \return the workload; std::invalid_argument names line and fault
     */
    static Ptr<TaskGraph> Read(const TextSource& source, const SimaiOptions& options = {});
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SIMAI_WORKLOAD_READER_H
