/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pipeline-schedule.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse something. */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("pipeline: " + what);
}

/** Check what a schedule is made of. */
void
Check(const std::string& name, uint32_t stages, uint32_t microBatches, uint32_t chunks)
{
    const std::vector<std::string> names = PipelineSchedule::GetNames();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        Refuse("schedule \"" + name + "\" is not known; choose gpipe, 1f1b, interleaved");
    }
    if (stages == 0 || microBatches == 0 || chunks == 0)
    {
        Refuse(std::to_string(stages) + " stages, " + std::to_string(microBatches) +
               " micro batches, " + std::to_string(chunks) + " chunks; expected 1 or more of each");
    }
    if (name != "interleaved" && chunks != 1)
    {
        Refuse(std::to_string(chunks) + " chunks a stage, but schedule " + name +
               " has 1; choose interleaved");
    }
    if (name == "interleaved" && (chunks == 1 || stages == 1))
    {
        Refuse("interleaved with " + std::to_string(stages) + " stages of " +
               std::to_string(chunks) + " chunks, expected 2 or more of each; choose 1f1b");
    }
    if (name == "interleaved" && microBatches % stages)
    {
        Refuse("interleaved with " + std::to_string(microBatches) +
               " micro batches, expected a multiple of the " + std::to_string(stages) + " stages");
    }
    if (uint64_t(stages) * microBatches * chunks > (1ULL << 24))
    {
        Refuse(std::to_string(stages) + " stages x " + std::to_string(microBatches) +
               " micro batches x " + std::to_string(chunks) + " chunks are more than 2^24 passes");
    }
}

} // namespace

std::vector<std::string>
PipelineSchedule::GetNames()
{
    return {"gpipe", "1f1b", "interleaved"};
}

PipelineSchedule::PipelineSchedule(const std::string& name,
                                   uint32_t stages,
                                   uint32_t microBatches,
                                   uint32_t chunks)
    : m_microBatches(microBatches),
      m_chunks(chunks)
{
    Check(name, stages, microBatches, chunks);
    m_passes.resize(stages);
    const uint32_t total = microBatches * chunks;
    for (uint32_t stage = 0; stage < stages; ++stage)
    {
        const uint32_t behind = stages - 1 - stage; // stages that come after it
        uint32_t first = total;                     // forward passes before the first backward one
        if (name == "1f1b")
        {
            first = std::min(behind, total);
        }
        else if (name == "interleaved")
        {
            first = std::min(2 * behind + (chunks - 1) * stages, total);
        }
        std::vector<PipelinePass>& passes = m_passes[stage];
        for (uint32_t k = 0; k < total + first; ++k)
        {
            if (k < total)
            {
                passes.push_back(Nth(k, true));
            }
            if (k >= first)
            {
                passes.push_back(Nth(k - first, false));
            }
        }
    }
}

PipelinePass
PipelineSchedule::Nth(uint32_t number, bool forward) const
{
    const uint32_t group = GetStages() * m_chunks; // passes of as many micro batches as stages
    const uint32_t within = number % group;
    const uint32_t chunk = m_chunks == 1 ? 0 : within / GetStages();
    PipelinePass pass;
    pass.forward = forward;
    pass.chunk = forward ? chunk : m_chunks - 1 - chunk;
    pass.microBatch = m_chunks == 1 ? number : number / group * GetStages() + within % GetStages();
    return pass;
}

uint32_t
PipelineSchedule::GetInFlight(uint32_t stage) const
{
    uint32_t most = 0;
    uint32_t now = 0;
    for (const PipelinePass& pass : GetPasses(stage))
    {
        now = pass.forward ? now + 1 : now - 1;
        most = std::max(most, now);
    }
    return most;
}

double
PipelineSchedule::GetBubble() const
{
    return double(GetStages() - 1) / (double(m_chunks) * m_microBatches);
}

} // namespace roce
} // namespace ns3
