/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PIPELINE_SCHEDULE_H
#define ROCE_PIPELINE_SCHEDULE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** One pass of a micro batch over the layers of a chunk. */
struct PipelinePass
{
    bool forward{true};     //!< else backward
    uint32_t microBatch{0}; //!< which
    uint32_t chunk{0};      //!< of the stage; chunk c of stage s comes before that of stage s + 1
};

/**
 * In which order the stages of a pipeline do their passes.
 *
 * Models: three schedules. "gpipe" does all forward passes, then all backward ones. "1f1b" begins
 * with min(p - 1 - stage, m) forward passes, then does one forward and one backward in turn, then
 * what is left. "interleaved" does the same with v chunks a stage: micro batches go in groups of p
 * through chunk after chunk, and it begins with min(2 (p - 1 - stage) + (v - 1) p, m v) passes.
 *
 * Source: GPipe: Y. Huang et al., NeurIPS 2019. The others: D. Narayanan et al., SC 2021, section
 * 2.2, with the number of passes at the begin as in Megatron-LM. Backward passes of GPipe go in the
 * order of the forward ones.
 *
 * Invariants: each stage does each pass once, forward before backward; with passes of equal length
 * and no time for messages a step takes m (tf + tb) + (p - 1) (tf + tb) / v, where tf and tb are
 * those of all chunks of a stage; a stage of 1f1b holds min(p - stage, m) micro batches at most.
 *
 * Leaves out: schedules that split the backward pass (zero bubble).
 */
class PipelineSchedule
{
  public:
    /**
     * Throws std::invalid_argument for a name that is not known, for 0 of anything, for several
     * chunks without "interleaved", and there for 1 stage, 1 chunk, or micro batches that are no
     * multiple of the stages.
     * \param name gpipe, 1f1b or interleaved
     * \param stages p
     * \param microBatches m
     * \param chunks v, of each stage
     */
    PipelineSchedule(const std::string& name,
                     uint32_t stages,
                     uint32_t microBatches,
                     uint32_t chunks = 1);

    /** \return number of stages */
    uint32_t GetStages() const
    {
        return static_cast<uint32_t>(m_passes.size());
    }

    /** \return passes of a stage, in order. \param stage 0..p-1; std::out_of_range if not */
    const std::vector<PipelinePass>& GetPasses(uint32_t stage) const
    {
        return m_passes.at(stage);
    }

    /** \return the most passes of a stage at a time that are forward but not yet backward.
     *  \param stage 0..p-1 */
    uint32_t GetInFlight(uint32_t stage) const;

    /** \return time idle / time busy of a stage: (p - 1) / (v m) */
    double GetBubble() const;

    /** \return names of schedules */
    static std::vector<std::string> GetNames();

  private:
    PipelinePass Nth(uint32_t number, bool forward) const;

    uint32_t m_microBatches;
    uint32_t m_chunks;
    std::vector<std::vector<PipelinePass>> m_passes; //!< by stage
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PIPELINE_SCHEDULE_H
