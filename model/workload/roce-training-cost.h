/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_COST_H
#define ROCE_TRAINING_COST_H

#include "roce-parallel-layout.h"
#include "roce-training-model.h"

#include <cstdint>

namespace ns3
{
namespace roce
{

/** How fast a GPU is; times that are given count in place of those from operations. */
struct TrainingGpu
{
    static constexpr int64_t FROM_SIZES = -1; //!< not given

    double peakFlops{312e12};   //!< operations a second; A100, BF16 without sparsity (data sheet)
    double efficiency{0.5};     //!< part of the peak; 44-52 % in Narayanan et al., table 1
    double memoryBps{2.039e12}; //!< byte/s of its memory; A100 80 GB SXM (data sheet)
    int64_t forwardNs{FROM_SIZES};   //!< of a layer of a rank
    int64_t backwardNs{FROM_SIZES};  //!< of a layer of a rank; from sizes: twice forward
    int64_t optimizerNs{FROM_SIZES}; //!< of all parameters of a rank
};

/**
 * What a rank of a training job computes and sends, by arithmetic.
 *
 * Models: blocks divided by the tensor degree, experts by the expert degree, with all experts used
 * alike. A backward pass takes twice a forward one. The optimizer is bound by memory: it reads and
 * writes once the 16 bytes of a parameter that mixed-precision Adam keeps.
 *
 * Source: D. Narayanan et al., SC 2021, for operations and bytes; S. Rajbhandari et al., ZeRO,
 * SC 2020, section 3.1, for the 16 bytes.
 *
 * Invariants: AttentionNs + FeedForwardNs are exactly the time of a layer; parameters and bytes of
 * a rank are rounded up.
 *
 * Leaves out: kernels that are slower for small matrices, memory that is too small.
 */
class TrainingCost
{
  public:
    /**
     * Throws std::invalid_argument naming a size that makes no sense, or that degrees do not
     * divide. \param model what is trained \param gpu by what \param degrees by how many
     */
    TrainingCost(const TrainingModel& model,
                 const TrainingGpu& gpu,
                 const ParallelDegrees& degrees);

    /** \return ns of a layer. \param forward else backward */
    int64_t LayerNs(bool forward) const
    {
        return m_layerNs[forward];
    }

    /** \return ns of the attention block of a layer. \param forward else backward */
    int64_t AttentionNs(bool forward) const;

    /** \return ns of the feed-forward block or experts. \param forward else backward */
    int64_t FeedForwardNs(bool forward) const
    {
        return LayerNs(forward) - AttentionNs(forward);
    }

    /** \return ns of the head; 0 without a vocabulary. \param forward else backward */
    int64_t HeadNs(bool forward) const;

    /** \return ns of the optimizer. \param parameters of the rank */
    int64_t OptimizerNs(uint64_t parameters) const;

    /** \return parameters of a layer of a rank, without experts */
    uint64_t GetDenseParameters() const;

    /** \return parameters of the experts of a layer that a rank has; 0 without experts */
    uint64_t GetExpertParameters() const;

    /** \return parameters of the embedding, or of the head, of a rank */
    uint64_t GetVocabularyParameters() const;

    /** \return bytes B s h of the activations of a micro batch: of an all-reduce of a tensor group,
     *  and of a message to the next stage */
    uint64_t GetActivationBytes() const;

    /** \return bytes of a message to the next stage if each tensor rank sends its part only */
    uint64_t GetScatteredBytes() const;

    /** \return bytes that a rank has for all ranks of its expert group, its own included */
    uint64_t GetDispatchBytes() const;

    /** \return bytes of gradients. \param parameters how many */
    uint64_t GetGradientBytes(uint64_t parameters) const
    {
        return parameters * m_model.gradientBytes;
    }

    /** \return the model */
    const TrainingModel& GetModel() const
    {
        return m_model;
    }

  private:
    int64_t FlopsNs(double flops) const;

    TrainingModel m_model;
    TrainingGpu m_gpu;
    ParallelDegrees m_degrees;
    int64_t m_layerNs[2]; //!< backward, forward
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_COST_H
