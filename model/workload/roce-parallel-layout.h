/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PARALLEL_LAYOUT_H
#define ROCE_PARALLEL_LAYOUT_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Degrees of parallelism of a training job. */
struct ParallelDegrees
{
    uint32_t tensor{1};   //!< ranks that share each layer
    uint32_t pipeline{1}; //!< stages that have layers of their own
    uint32_t data{1};     //!< replicas with batches of their own
    uint32_t expert{1};   //!< of the replicas: those that share experts; divides data
};

/** Which way ranks of a group differ. */
enum class ParallelDimension : uint8_t
{
    TENSOR,      //!< same stage and replica
    PIPELINE,    //!< same part of the layers, same replica
    DATA,        //!< same stage, same part of the layers
    EXPERT,      //!< neighbors in DATA that share the experts
    EXPERT_DATA, //!< those in DATA that have the same experts
};

/** Where a rank is. */
struct ParallelPlace
{
    uint32_t tensor{0};   //!< part of each layer
    uint32_t pipeline{0}; //!< stage
    uint32_t data{0};     //!< replica
};

/**
 * Which rank of a training job does what.
 *
 * Models: tensor x pipeline x data parallel training, with expert parallelism inside of data
 * parallelism. An order such as tp-dp-pp says which number of a place changes fastest from rank to
 * rank: tensor here, then data, then pipeline. "ep" in the order says where the number of an expert
 * rank goes; without it, it is the fastest part of data.
 *
 * Source: D. Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using
 * Megatron-LM, SC 2021: tensor parallel ranks within a server, and the default order of
 * Megatron-LM, tp-cp-ep-dp-pp.
 *
 * Invariants: RankOf(At(r)) = r; the groups of a dimension have each rank once; replica d has
 * expert rank d mod expert.
 *
 * Leaves out: context parallelism, and other degrees for experts than for the rest.
 */
class ParallelLayout
{
  public:
    /**
     * Throws std::invalid_argument naming the degree that is 0, experts that do not divide data,
     * degrees whose product is not the number of ranks, and an order that lacks one or has it
     * twice. \param degrees of parallelism \param ranks of the job \param order fastest first: tp,
     * pp, dp, with ep or without, and dashes
     */
    ParallelLayout(const ParallelDegrees& degrees,
                   uint32_t ranks,
                   const std::string& order = "tp-dp-pp");

    /** \return number of ranks that degrees make; std::invalid_argument if one is 0, or if they are
     *  more than 2^31. \param degrees of parallelism */
    static uint32_t RanksOf(const ParallelDegrees& degrees);

    /** \return the degrees */
    const ParallelDegrees& GetDegrees() const
    {
        return m_degrees;
    }

    /** \return number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /** \return where a rank is; std::invalid_argument if there is none. \param rank its number */
    ParallelPlace At(uint32_t rank) const;

    /** \return the rank; std::invalid_argument if there is none. \param place where */
    uint32_t RankOf(const ParallelPlace& place) const;

    /** \return number of ranks in each group. \param dimension which */
    uint32_t GetSize(ParallelDimension dimension) const;

    /** \return ranks of the group that a rank is in, in the order of the number that differs.
     *  \param dimension which \param rank its number; std::invalid_argument if there is none */
    std::vector<uint32_t> GroupOf(ParallelDimension dimension, uint32_t rank) const;

    /** \return all groups, by their lowest rank. \param dimension which */
    std::vector<std::vector<uint32_t>> GetGroups(ParallelDimension dimension) const;

  private:
    /** Parts of a place, as they make a rank. */
    enum Digit : uint8_t
    {
        TP,
        EP,
        DP, //!< replica / expert
        PP,
        DIGITS
    };

    void ReadOrder(const std::string& order);

    ParallelDegrees m_degrees;
    uint32_t m_ranks;
    std::array<uint32_t, DIGITS> m_sizes{};
    std::array<uint32_t, DIGITS> m_strides{}; //!< what a step of it adds to the rank
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PARALLEL_LAYOUT_H
