/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-step.h"

#include "roce-training-rank.h"

#include <cmath>
#include <stdexcept>
#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double MAX_TASKS = 1e7; //!< of a step; they take some GB

/** Refuse something. */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("training: " + what);
}

/** Add the groups of a dimension. \param graph gets them \param layout who does what \param
 *  dimension which \param name of each \param member which of a rank it is \param ranks by rank */
void
AddGroups(TaskGraph& graph,
          const ParallelLayout& layout,
          ParallelDimension dimension,
          const std::string& name,
          uint32_t TrainingGroups::*member,
          std::vector<TrainingGroups>& ranks)
{
    if (layout.GetSize(dimension) == 1)
    {
        return;
    }
    for (const std::vector<uint32_t>& group : layout.GetGroups(dimension))
    {
        const uint32_t number = graph.AddGroup(name, group);
        for (const uint32_t rank : group)
        {
            ranks[rank].*member = number;
        }
    }
}

} // namespace

TrainingStep::TrainingStep(const TrainingPlan& plan)
    : m_plan(plan),
      m_layout(plan.degrees, ParallelLayout::RanksOf(plan.degrees), plan.order),
      m_cost(plan.model, plan.gpu, plan.degrees),
      m_schedule(plan.schedule, plan.degrees.pipeline, plan.microBatches, plan.chunks)
{
    CheckSizes();
}

void
TrainingStep::CheckSizes() const
{
    const uint64_t chunks = uint64_t(m_plan.degrees.pipeline) * m_plan.chunks;
    if (m_plan.model.layers % chunks)
    {
        Refuse("the " + std::to_string(m_plan.model.layers) + " layers of model " +
               m_plan.model.name + " do not make " + std::to_string(chunks) +
               " equal chunks (pipeline degree x chunks a stage)");
    }
    if (!(m_plan.foldBytesPerS > 0) || m_plan.foldLatencyNs < 0)
    {
        Refuse("folded all-reduces at " + std::to_string(m_plan.foldBytesPerS) + " byte/s and " +
               std::to_string(m_plan.foldLatencyNs) +
               " ns a step; expected more than 0, and 0 or more");
    }
    // a pass has a computation, a message each way and a gather; a layer has at most four
    // collectives with a computation before each; buckets are full, but the last of each pass
    const double passes = 2.0 * m_plan.microBatches * m_plan.chunks;
    const bool folded = m_plan.degrees.tensor == 1 || m_plan.foldTensor;
    const double layer = (folded ? 0 : 4) + (m_plan.degrees.expert == 1 ? 0 : 4);
    const uint64_t parameters = m_cost.GetDenseParameters() + m_cost.GetExpertParameters();
    const double gradients =
        double(GetLayersPerChunk()) * m_plan.chunks * double(m_cost.GetGradientBytes(parameters));
    const double buckets = m_plan.bucketBytes > 0 ? gradients / double(m_plan.bucketBytes) : 0;
    const double tasks =
        m_layout.GetRanks() * (passes * (GetLayersPerChunk() * layer + 4) + buckets);
    if (tasks > MAX_TASKS)
    {
        Refuse("up to " + std::to_string(std::llround(tasks)) + " tasks, expected at most " +
               std::to_string(std::llround(MAX_TASKS)) +
               "; take fewer micro batches, layers or ranks, or larger buckets");
    }
}

uint32_t
TrainingStep::GetLayersPerChunk() const
{
    return m_plan.model.layers / (m_plan.degrees.pipeline * m_plan.chunks);
}

uint64_t
TrainingStep::GetParameters(uint32_t stage) const
{
    const uint64_t layers = uint64_t(GetLayersPerChunk()) * m_plan.chunks;
    const uint64_t ends = (stage == 0) + (stage + 1 == m_plan.degrees.pipeline);
    return layers * (m_cost.GetDenseParameters() + m_cost.GetExpertParameters()) +
           ends * m_cost.GetVocabularyParameters();
}

uint64_t
TrainingStep::GetExpertGradientBytes() const
{
    const uint64_t layers = uint64_t(GetLayersPerChunk()) * m_plan.chunks;
    return m_plan.degrees.expert == 1
               ? 0
               : m_cost.GetGradientBytes(layers * m_cost.GetExpertParameters());
}

uint64_t
TrainingStep::GetDenseGradientBytes(uint32_t stage) const
{
    return m_cost.GetGradientBytes(GetParameters(stage)) - GetExpertGradientBytes();
}

int64_t
TrainingStep::GetFoldNs(uint64_t bytes) const
{
    const double steps = 2 * (double(m_plan.degrees.tensor) - 1);
    return m_plan.foldTensor ? std::llround(steps * (double(bytes) / m_plan.degrees.tensor /
                                                         m_plan.foldBytesPerS * 1e9 +
                                                     double(m_plan.foldLatencyNs)))
                             : 0;
}

int64_t
TrainingStep::GetIdealNs() const
{
    const int64_t fold = 4 * GetFoldNs(m_cost.GetActivationBytes());
    const int64_t layer = m_cost.LayerNs(true) + m_cost.LayerNs(false) + fold;
    const int64_t chunk = layer * GetLayersPerChunk();
    const int64_t chunks =
        int64_t(m_plan.microBatches) * m_plan.chunks + m_plan.degrees.pipeline - 1;
    // the optimizer of a stage in the middle, as the head counts for none
    const uint64_t layers = uint64_t(GetLayersPerChunk()) * m_plan.chunks;
    const uint64_t parameters =
        layers * (m_cost.GetDenseParameters() + m_cost.GetExpertParameters());
    return chunk * chunks + m_cost.OptimizerNs(parameters);
}

Ptr<TaskGraph>
TrainingStep::MakeGraph() const
{
    auto graph = Create<TaskGraph>(m_layout.GetRanks());
    std::vector<TrainingGroups> groups(m_layout.GetRanks());
    if (!m_plan.foldTensor || m_plan.scatterGather)
    {
        AddGroups(*graph,
                  m_layout,
                  ParallelDimension::TENSOR,
                  "tensor",
                  &TrainingGroups::tensor,
                  groups);
    }
    AddGroups(*graph,
              m_layout,
              ParallelDimension::EXPERT,
              "expert",
              &TrainingGroups::expert,
              groups);
    AddGroups(*graph, m_layout, ParallelDimension::DATA, "data", &TrainingGroups::dense, groups);
    if (m_plan.degrees.expert > 1)
    {
        AddGroups(*graph,
                  m_layout,
                  ParallelDimension::EXPERT_DATA,
                  "data",
                  &TrainingGroups::sparse,
                  groups);
    }
    for (uint32_t rank = 0; rank < m_layout.GetRanks(); ++rank)
    {
        TrainingRank(*this, groups[rank], rank, *graph).Write();
    }
    return graph;
}

} // namespace roce
} // namespace ns3
