/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_RANK_H
#define ROCE_TRAINING_RANK_H

#include "roce-gradient-buckets.h"
#include "roce-training-step.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/** Groups of the graph that a rank is in. */
struct TrainingGroups
{
    static constexpr uint32_t NONE = 0xffffffff; //!< it is alone, or has no use for it

    uint32_t tensor{NONE}; //!< shares its layers
    uint32_t expert{NONE}; //!< shares experts
    uint32_t dense{NONE};  //!< replicas
    uint32_t sparse{NONE}; //!< replicas with the same experts
};

/**
 * Writes the tasks of one rank of a training step.
 *
 * Models: the program of a rank: see TrainingStep.
 *
 * Source: as TrainingStep.
 *
 * Invariants: computations that follow each other without communication are one task; a task waits
 * for the one before it in the program, but sends and gradients for nothing later.
 *
 * Leaves out: the other ranks.
 */
class TrainingRank
{
  public:
    /**
     * \param step of which
     * \param groups that the rank is in
     * \param rank its number
     * \param graph gets the tasks
     */
    TrainingRank(const TrainingStep& step,
                 const TrainingGroups& groups,
                 uint32_t rank,
                 TaskGraph& graph);

    /** Write all tasks, once. */
    void Write();

  private:
    void DoPass(const PipelinePass& pass);
    void DoForward(const PipelinePass& pass);
    void DoBackward(const PipelinePass& pass);
    void DoFeedForward(bool forward);
    void ReduceTensor();
    void Exchange();
    void Compute(int64_t ns);
    void Flush();
    uint32_t Call(uint32_t group, const std::string& operation, uint64_t bytes);
    void CallAndWait(uint32_t group, const std::string& operation, uint64_t bytes);
    void Receive(uint32_t number, const PipelinePass& pass);
    void Send(uint32_t number, const PipelinePass& pass);
    Task MakeMessage(uint32_t number, uint32_t sender, const PipelinePass& pass) const;
    void AddGradients(uint64_t dense, uint64_t sparse);
    void FinishGradients();
    void Reduce(uint32_t group, uint64_t bytes);
    std::vector<uint32_t> After() const;

    const TrainingStep& m_step;
    const TrainingPlan& m_plan;
    TrainingGroups m_groups;
    uint32_t m_rank;
    ParallelPlace m_place;
    TaskGraph& m_graph;
    GradientBuckets m_dense;
    GradientBuckets m_sparse;
    std::string m_label;                               //!< of the pass
    int64_t m_pendingNs{0};                            //!< computed since the last task
    bool m_begun{false};                               //!< there is a last task
    uint32_t m_last{0};                                //!< that the program has to wait for
    std::vector<uint32_t> m_reductions;                //!< of gradients
    std::vector<std::pair<uint32_t, uint64_t>> m_held; //!< without overlap: group and bytes
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_RANK_H
