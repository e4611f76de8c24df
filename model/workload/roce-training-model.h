/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_MODEL_H
#define ROCE_TRAINING_MODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The sizes of a transformer that is trained.
 *
 * Models: layers of an attention block (four matrices of hidden x hidden) and a feed-forward block
 * (two or three matrices of hidden x feedForward, for all tokens or, with experts, one set an
 * expert), and an embedding and a head of vocabulary x hidden.
 *
 * Source: D. Narayanan et al., SC 2021, section 5.1 and appendix. Presets: gpt-175b: T. Brown et
 * al., Language Models are Few-Shot Learners, NeurIPS 2020, table 2.1, sequences of 2048 and the
 * 50257 tokens of GPT-2. llama-7b: H. Touvron et al., LLaMA, 2023, table 2, sequences of 2048,
 * 32000 tokens, and three matrices of 4096 x 11008 as in its published weights. demo and
 * demo-moe are of our own: small, for programs that are to end soon.
 *
 * Invariants: with feedForward = 4 hidden, two matrices and no experts a layer has 12 hidden^2
 * parameters, and a forward pass over it takes 24 B s h^2 (1 + s / (6 h)) floating point operations
 * with micro batch B, sequence s and hidden size h.
 *
 * Leaves out: biases, norms, positions, fewer heads of keys than of queries; what is computed again
 * in the backward pass.
 */
class TrainingModel
{
  public:
    std::string name{"own"};         //!< for results
    uint32_t layers{16};             //!< transformer layers
    uint32_t hidden{1024};           //!< h
    uint32_t feedForward{4096};      //!< inner size of the feed-forward block
    uint32_t feedForwardMatrices{2}; //!< 2, or 3 with a gate (SwiGLU)
    uint32_t sequence{1024};         //!< s, tokens
    uint32_t microBatch{1};          //!< B, sequences
    uint32_t vocabulary{0};          //!< tokens there are; 0: without embedding and head
    uint32_t valueBytes{2};          //!< of an activation
    uint32_t gradientBytes{2};       //!< of the gradient of a parameter
    uint32_t experts{0};             //!< feed-forward blocks of a layer; 0: one for all tokens
    uint32_t expertsPerToken{1};     //!< with experts: how many each token uses

    /** \return a model by name; std::invalid_argument if it is not known. \param name which */
    static TrainingModel Preset(const std::string& name);

    /** \return names of models */
    static std::vector<std::string> GetPresets();

    /** Throws std::invalid_argument naming a size that is 0 or does not fit the others. */
    void Check() const;

    /** \return parameters of the attention block of a layer */
    uint64_t GetAttentionParameters() const;

    /** \return parameters of a feed-forward block; with experts, of one of them */
    uint64_t GetFeedForwardParameters() const;

    /** \return parameters of the embedding, and of the head */
    uint64_t GetVocabularyParameters() const;

    /** \return parameters of all layers, and of one matrix of the vocabulary, which embedding and
     *  head of GPT share. \param tied whether they share it */
    uint64_t GetParameters(bool tied = true) const;

    /** \return floating point operations of an attention block, a micro batch forward */
    double GetAttentionFlops() const;

    /** \return the same of the feed-forward block, or of the experts a token uses */
    double GetFeedForwardFlops() const;

    /** \return the same of the head */
    double GetHeadFlops() const;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_MODEL_H
