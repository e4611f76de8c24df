/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_SETTINGS_H
#define ROCE_TRAINING_SETTINGS_H

#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-gpu-network.h"
#include "ns3/roce-job-helper.h"
#include "ns3/roce-training-step.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * What roce-training is asked for.
 *
 * Models: the flags of the program, and what is made of them. 0 of a size of the model: as the
 * model has it.
 *
 * Invariants: what does not fit is refused before anything runs.
 *
 * Leaves out: flags that all programs have.
 */
class TrainingSettings
{
  public:
    /** \param experiment gets the flags */
    void AddFlags(ExperimentHelper& experiment);

    /** \return the step that each job does */
    TrainingPlan MakePlan() const;

    /** \return the fabric. \param ranks of all jobs */
    FabricGraph MakeGraph(uint32_t ranks) const;

    /** \return packet buffer of a switch of this fabric. \param graph it */
    uint64_t GetBufferBytes(const FabricGraph& graph) const;

    /** \return how GPUs reach each other. \param fabric from MakeGraph */
    Ptr<GpuNetwork> MakeNetwork(Ptr<Fabric> fabric) const;

    /** \return how collectives are run */
    JobHelper MakeJobs() const;

    uint32_t jobs{1};                //!< that run at once
    std::string placement{"packed"}; //!< of jobs on GPUs
    std::string gantt;               //!< file of tasks; empty: none

  private:
    void AddStepFlags(ExperimentHelper& experiment);
    void AddFabricFlags(ExperimentHelper& experiment);

    std::string m_model{"demo"};
    uint32_t m_layers{0};
    uint32_t m_hidden{0};
    uint32_t m_sequence{0};
    uint32_t m_microBatch{0};
    double m_efficiency{0.5};
    ParallelDegrees m_degrees{4, 4, 4, 1};
    std::string m_order{"tp-dp-pp"};
    uint32_t m_microBatches{8};
    std::string m_schedule{"1f1b"};
    uint32_t m_interleave{1};
    bool m_overlap{true};
    std::string m_buckets{"4MB"};
    bool m_scatter{false};
    bool m_fold{false};
    std::string m_fabric{"leaf-spine"};
    uint32_t m_gpusPerServer{8};
    uint32_t m_servers{0};
    std::string m_rate{"200Gbps"};
    std::string m_nvlink{"3600Gbps"};
    std::string m_buffer;
    std::string m_allReduce{"auto"};
    uint32_t m_channels{1};
    uint32_t m_queuePairs{1};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_SETTINGS_H
