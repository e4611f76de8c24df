/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-settings.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-quantity.h"

namespace ns3
{
namespace roce
{

void
TrainingSettings::AddFlags(ExperimentHelper& experiment)
{
    AddStepFlags(experiment);
    AddFabricFlags(experiment);
    experiment.AddFlag("jobs", "such jobs at once", jobs);
    experiment.AddFlag("placement", "of jobs on GPUs: packed, fragmented, random", placement);
    experiment.AddFlag("gantt", "write when each task ran to this file (JSON)", gantt);
}

void
TrainingSettings::AddStepFlags(ExperimentHelper& experiment)
{
    experiment.AddFlag("model", "demo, demo-moe, gpt-175b or llama-7b", m_model);
    experiment.AddFlag("layers", "of the model; 0: its own", m_layers);
    experiment.AddFlag("hidden", "hidden size, with the inner one in proportion; 0", m_hidden);
    experiment.AddFlag("sequence", "tokens of a sequence; 0: as the model has", m_sequence);
    experiment.AddFlag("micro-batch", "sequences of a micro batch; 0", m_microBatch);
    experiment.AddFlag("efficiency", "part of 312 Tflop/s that GPUs reach", m_efficiency);
    experiment.AddFlag("tp", "tensor parallel degree", m_degrees.tensor);
    experiment.AddFlag("pp", "pipeline stages", m_degrees.pipeline);
    experiment.AddFlag("dp", "replicas", m_degrees.data);
    experiment.AddFlag("ep", "replicas that share experts", m_degrees.expert);
    experiment.AddFlag("order", "of ranks, fastest first", m_order);
    experiment.AddFlag("micro-batches", "of each replica in a step", m_microBatches);
    experiment.AddFlag("schedule", "1f1b, interleaved or gpipe", m_schedule);
    experiment.AddFlag("interleave", "chunks a stage, with interleaved", m_interleave);
    experiment.AddFlag("overlap", "reduce gradients during the backward pass", m_overlap);
    experiment.AddFlag("buckets", "bytes of gradients reduced together; 0B: all", m_buckets);
    experiment.AddFlag("scatter-gather", "send parts between stages, gather by NVLink", m_scatter);
    experiment.AddFlag("fold-tensor", "tensor all-reduces are time, not messages", m_fold);
}

void
TrainingSettings::AddFabricFlags(ExperimentHelper& experiment)
{
    experiment.AddFlag("fabric", "leaf-spine, rails or pods", m_fabric);
    experiment.AddFlag("gpus-per-server", "each with a NIC", m_gpusPerServer);
    experiment.AddFlag("servers", "in all; 0: what jobs need", m_servers);
    experiment.AddFlag("rate", "of all links; 4 times it between pods", m_rate);
    experiment.AddFlag("nvlink", "of a GPU in each direction", m_nvlink);
    experiment.AddFlag("buffer", "of switches, a port; default 500kB, pods 2MB", m_buffer);
    experiment.AddFlag("all-reduce", "algorithm: auto, ring, tree...", m_allReduce);
    experiment.AddFlag("channels", "rings of a collective", m_channels);
    experiment.AddFlag("queue-pairs", "of a connection", m_queuePairs);
}

TrainingPlan
TrainingSettings::MakePlan() const
{
    TrainingPlan plan;
    plan.model = TrainingModel::Preset(m_model);
    TrainingModel& model = plan.model;
    if (m_hidden > 0)
    {
        model.feedForward =
            static_cast<uint32_t>(uint64_t(model.feedForward) * m_hidden / model.hidden);
    }
    model.layers = m_layers ? m_layers : model.layers;
    model.hidden = m_hidden ? m_hidden : model.hidden;
    model.sequence = m_sequence ? m_sequence : model.sequence;
    model.microBatch = m_microBatch ? m_microBatch : model.microBatch;
    plan.gpu.efficiency = m_efficiency;
    plan.degrees = m_degrees;
    plan.order = m_order;
    plan.microBatches = m_microBatches;
    plan.schedule = m_schedule;
    plan.chunks = m_interleave;
    plan.overlap = m_overlap;
    plan.bucketBytes = ParseBytes(m_buckets);
    plan.scatterGather = m_scatter;
    plan.foldTensor = m_fold;
    plan.foldBytesPerS = static_cast<double>(Quantity::RateBps(m_nvlink)) / 8;
    return plan;
}

} // namespace roce
} // namespace ns3
