/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-cost.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Bytes that the optimizer keeps for a parameter, and how often it moves each. */
constexpr double OPTIMIZER_BYTES = 16;
constexpr double OPTIMIZER_MOVES = 2;

/** Longest time of a layer. */
constexpr int64_t MAX_NS = 1000000000000;

/** \return a / b, rounded up */
uint64_t
Part(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/** Refuse something. */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("training: " + what);
}

/** Check how fast a GPU is. */
void
Check(const TrainingGpu& gpu)
{
    if (!(gpu.peakFlops > 0) || !(gpu.memoryBps > 0) || !(gpu.efficiency > 0) ||
        gpu.efficiency > 1 || std::isinf(gpu.peakFlops) || std::isinf(gpu.memoryBps))
    {
        Refuse("a GPU of " + std::to_string(gpu.peakFlops) + " operations/s, efficiency " +
               std::to_string(gpu.efficiency) + ", memory of " + std::to_string(gpu.memoryBps) +
               " byte/s; expected more than 0 of each, and an efficiency of 1 at most");
    }
    for (const auto& [what, ns] : {std::make_pair("forwardNs", gpu.forwardNs),
                                   std::make_pair("backwardNs", gpu.backwardNs),
                                   std::make_pair("optimizerNs", gpu.optimizerNs)})
    {
        if (ns < TrainingGpu::FROM_SIZES || ns > MAX_NS)
        {
            Refuse(std::string(what) + " is " + std::to_string(ns) + " ns, expected 0.." +
                   std::to_string(MAX_NS) + ", or -1: from sizes");
        }
    }
}

} // namespace

TrainingCost::TrainingCost(const TrainingModel& model,
                           const TrainingGpu& gpu,
                           const ParallelDegrees& degrees)
    : m_model(model),
      m_gpu(gpu),
      m_degrees(degrees)
{
    model.Check();
    Check(gpu);
    ParallelLayout::RanksOf(degrees);
    if (model.hidden % degrees.tensor || model.feedForward % degrees.tensor)
    {
        Refuse("tensor degree " + std::to_string(degrees.tensor) + " does not divide hidden size " +
               std::to_string(model.hidden) + " and inner size " +
               std::to_string(model.feedForward));
    }
    if (degrees.expert > 1 && (model.experts == 0 || model.experts % degrees.expert))
    {
        Refuse("expert degree " + std::to_string(degrees.expert) + " does not divide the " +
               std::to_string(model.experts) + " experts of model " + model.name +
               (model.experts ? "" : "; choose a model with experts, such as demo-moe"));
    }
    const double layer = model.GetAttentionFlops() + model.GetFeedForwardFlops();
    const bool given = gpu.forwardNs != TrainingGpu::FROM_SIZES;
    m_layerNs[true] = given ? gpu.forwardNs : FlopsNs(layer);
    m_layerNs[false] =
        gpu.backwardNs != TrainingGpu::FROM_SIZES ? gpu.backwardNs : 2 * m_layerNs[true];
}

int64_t
TrainingCost::FlopsNs(double flops) const
{
    const double ns = 1e9 * flops / m_degrees.tensor / (m_gpu.peakFlops * m_gpu.efficiency);
    if (ns > double(MAX_NS))
    {
        Refuse("a layer takes " + std::to_string(ns) + " ns, more than " + std::to_string(MAX_NS));
    }
    return std::llround(ns);
}

int64_t
TrainingCost::AttentionNs(bool forward) const
{
    const double part = m_model.GetAttentionFlops();
    return std::llround(double(LayerNs(forward)) * part / (part + m_model.GetFeedForwardFlops()));
}

int64_t
TrainingCost::HeadNs(bool forward) const
{
    const double layer = m_model.GetAttentionFlops() + m_model.GetFeedForwardFlops();
    return std::llround(double(LayerNs(forward)) * m_model.GetHeadFlops() / layer);
}

int64_t
TrainingCost::OptimizerNs(uint64_t parameters) const
{
    if (m_gpu.optimizerNs != TrainingGpu::FROM_SIZES)
    {
        return m_gpu.optimizerNs;
    }
    return std::llround(1e9 * OPTIMIZER_MOVES * OPTIMIZER_BYTES * double(parameters) /
                        m_gpu.memoryBps);
}

uint64_t
TrainingCost::GetDenseParameters() const
{
    const uint64_t feedForward = m_model.experts ? 0 : m_model.GetFeedForwardParameters();
    return Part(m_model.GetAttentionParameters() + feedForward, m_degrees.tensor);
}

uint64_t
TrainingCost::GetExpertParameters() const
{
    return m_model.experts / m_degrees.expert *
           Part(m_model.GetFeedForwardParameters(), m_degrees.tensor);
}

uint64_t
TrainingCost::GetVocabularyParameters() const
{
    return Part(m_model.GetVocabularyParameters(), m_degrees.tensor);
}

uint64_t
TrainingCost::GetActivationBytes() const
{
    return uint64_t(m_model.microBatch) * m_model.sequence * m_model.hidden * m_model.valueBytes;
}

uint64_t
TrainingCost::GetScatteredBytes() const
{
    return Part(GetActivationBytes(), m_degrees.tensor);
}

uint64_t
TrainingCost::GetDispatchBytes() const
{
    return Part(GetActivationBytes() * m_model.expertsPerToken, m_degrees.tensor);
}

} // namespace roce
} // namespace ns3
