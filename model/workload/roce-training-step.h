/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_STEP_H
#define ROCE_TRAINING_STEP_H

#include "roce-parallel-layout.h"
#include "roce-pipeline-schedule.h"
#include "roce-training-cost.h"
#include "roce-training-plan.h"

#include "ns3/ptr.h"
#include "ns3/roce-task-graph.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * One step of a training job as a task graph.
 *
 * Models: each rank does the passes of its stage in the order of the schedule, on one stream. A
 * forward pass waits for the activations of the layer before, does attention and feed-forward block
 * of each layer with an all-reduce of the tensor group after each, and with experts an all-to-all
 * of the expert group before and after these; then it sends what the next stage needs, and does not
 * wait. A backward pass is the same from the last layer to the first. In the last backward pass of
 * a chunk the gradients of a layer are there after its attention block; full buckets are reduced
 * over the replicas while the pass goes on, and the optimizer waits for all of them. Groups are
 * named "tensor", "expert" and "data" (gradients of experts too), in this order; messages are those
 * of the pipeline.
 *
 * Source: D. Narayanan et al., SC 2021; M. Shoeybi et al., Megatron-LM, 2019, for the two
 * all-reduces a layer and direction; D. Lepikhin et al., GShard, ICLR 2021, for the all-to-alls.
 *
 * Invariants: MakeGraph().Validate() passes; computations of a rank never overlap; each rank of a
 * group calls the same collectives.
 *
 * Leaves out: sharded optimizers (ZeRO, FSDP), small messages (loss, norms), collectives of the
 * embedding, loading of data, checkpoints, context parallelism.
 */
class TrainingStep
{
  public:
    /** \param plan what it is like; std::invalid_argument naming what does not fit */
    explicit TrainingStep(const TrainingPlan& plan);

    /** \return its tasks; rank by rank, those of a rank in the order in which it does them */
    Ptr<TaskGraph> MakeGraph() const;

    /** \return what it is like */
    const TrainingPlan& GetPlan() const
    {
        return m_plan;
    }

    /** \return who does what */
    const ParallelLayout& GetLayout() const
    {
        return m_layout;
    }

    /** \return what a rank computes and sends */
    const TrainingCost& GetCost() const
    {
        return m_cost;
    }

    /** \return the order of passes */
    const PipelineSchedule& GetSchedule() const
    {
        return m_schedule;
    }

    /** \return layers of a chunk */
    uint32_t GetLayersPerChunk() const;

    /** \return gradients that a rank reduces over all replicas, in bytes. \param stage its stage */
    uint64_t GetDenseGradientBytes(uint32_t stage) const;

    /** \return gradients of experts that a rank reduces over replicas with the same experts, in
     *  bytes; with an expert degree of 1 they are among the dense ones */
    uint64_t GetExpertGradientBytes() const;

    /** \return parameters of a rank. \param stage its stage */
    uint64_t GetParameters(uint32_t stage) const;

    /** \return ns that a folded all-reduce of a tensor group takes, 2 (t - 1) / t S / B +
     *  2 (t - 1) lat; 0 without folding. \param bytes S */
    int64_t GetFoldNs(uint64_t bytes) const;

    /**
     * \return ns of a step in which all communication takes no time and stages are equal, that is
     * m (tf + tb) + (p - 1) (tf + tb) / v and the optimizer; the head counts for no stage
     */
    int64_t GetIdealNs() const;

  private:
    void CheckSizes() const;

    TrainingPlan m_plan;
    ParallelLayout m_layout;
    TrainingCost m_cost;
    PipelineSchedule m_schedule;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_STEP_H
