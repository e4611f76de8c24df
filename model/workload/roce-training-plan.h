/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_PLAN_H
#define ROCE_TRAINING_PLAN_H

#include "roce-training-cost.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/** What a training step is like. */
struct TrainingPlan
{
    TrainingModel model;           //!< what is trained
    TrainingGpu gpu;               //!< by what
    ParallelDegrees degrees;       //!< by how many
    std::string order{"tp-dp-pp"}; //!< of ranks, see ParallelLayout
    uint32_t microBatches{8};      //!< m, of each replica
    std::string schedule{"1f1b"};  //!< see PipelineSchedule
    uint32_t chunks{1};            //!< v, of each stage; more than 1 with interleaved only

    bool overlap{true}; //!< gradients are reduced as soon as they are there; else after all passes
    uint64_t bucketBytes{25 * 1024 * 1024}; //!< of gradients that are reduced together (default of
                                            //!< PyTorch: Li et al., VLDB 2020); 0: no limit
    bool scatterGather{false}; //!< tensor ranks send a part each to the next stage, and gather it
                               //!< there (Narayanan et al., SC 2021, section 4.1)

    bool foldTensor{false};      //!< all-reduces of tensor groups are added to computations by the
                                 //!< formula of a ring in place of being sent
    double foldBytesPerS{450e9}; //!< with foldTensor: of a GPU in each direction (H100 NVLink)
    int64_t foldLatencyNs{500};  //!< with foldTensor: of each of the 2 (t - 1) steps of the ring
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_PLAN_H
