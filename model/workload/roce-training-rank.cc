/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-rank.h"

namespace ns3
{
namespace roce
{

TrainingRank::TrainingRank(const TrainingStep& step,
                           const TrainingGroups& groups,
                           uint32_t rank,
                           TaskGraph& graph)
    : m_step(step),
      m_plan(step.GetPlan()),
      m_groups(groups),
      m_rank(rank),
      m_place(step.GetLayout().At(rank)),
      m_graph(graph),
      m_dense(step.GetPlan().bucketBytes),
      m_sparse(step.GetPlan().bucketBytes)
{
}

void
TrainingRank::Write()
{
    for (const PipelinePass& pass : m_step.GetSchedule().GetPasses(m_place.pipeline))
    {
        DoPass(pass);
    }
    m_label = "gradients";
    for (const auto& [group, bytes] : m_held)
    {
        m_reductions.push_back(Call(group, "all-reduce", bytes));
    }
    const int64_t ns = m_step.GetCost().OptimizerNs(m_step.GetParameters(m_place.pipeline));
    if (ns > 0)
    {
        std::vector<uint32_t> after = After();
        after.insert(after.end(), m_reductions.begin(), m_reductions.end());
        m_graph.AddCompute(m_rank, "optimizer", ns, after, 0);
    }
}

void
TrainingRank::DoPass(const PipelinePass& pass)
{
    const std::string chunk = m_plan.chunks > 1 ? "." + std::to_string(pass.chunk) : "";
    m_label = (pass.forward ? "F" : "B") + std::to_string(pass.microBatch) + chunk;
    // chunks of all stages, in the order in which data goes through them
    const uint32_t stages = m_step.GetSchedule().GetStages();
    const uint32_t number = pass.chunk * stages + m_place.pipeline;
    const uint32_t last = m_plan.chunks * stages - 1;
    const uint32_t begin = pass.forward ? 0 : last;
    const uint32_t end = pass.forward ? last : 0;
    if (number != begin)
    {
        Receive(number, pass);
    }
    if (pass.forward)
    {
        DoForward(pass);
    }
    else
    {
        DoBackward(pass);
    }
    Flush();
    if (number != end)
    {
        Send(number, pass);
    }
}

void
TrainingRank::DoForward(const PipelinePass& pass)
{
    const TrainingCost& cost = m_step.GetCost();
    for (uint32_t layer = 0; layer < m_step.GetLayersPerChunk(); ++layer)
    {
        Compute(cost.AttentionNs(true));
        ReduceTensor();
        DoFeedForward(true);
        ReduceTensor();
    }
    if (m_place.pipeline + 1 == m_step.GetSchedule().GetStages() && pass.chunk + 1 == m_plan.chunks)
    {
        Compute(cost.HeadNs(true));
    }
}

void
TrainingRank::DoBackward(const PipelinePass& pass)
{
    const TrainingCost& cost = m_step.GetCost();
    const uint32_t stages = m_step.GetSchedule().GetStages();
    // passes of a chunk go in the order of micro batches
    const bool last = pass.microBatch + 1 == m_plan.microBatches;
    if (m_place.pipeline + 1 == stages && pass.chunk + 1 == m_plan.chunks)
    {
        Compute(cost.HeadNs(false));
        if (last)
        {
            AddGradients(cost.GetVocabularyParameters(), 0);
        }
    }
    for (uint32_t layer = 0; layer < m_step.GetLayersPerChunk(); ++layer)
    {
        DoFeedForward(false);
        ReduceTensor();
        Compute(cost.AttentionNs(false));
        if (last)
        {
            AddGradients(cost.GetDenseParameters(), cost.GetExpertParameters());
        }
        ReduceTensor();
    }
    if (last && m_place.pipeline == 0 && pass.chunk == 0)
    {
        AddGradients(cost.GetVocabularyParameters(), 0);
    }
    if (last)
    {
        FinishGradients();
    }
}

void
TrainingRank::DoFeedForward(bool forward)
{
    Exchange();
    Compute(m_step.GetCost().FeedForwardNs(forward));
    Exchange();
}

void
TrainingRank::ReduceTensor()
{
    const uint64_t bytes = m_step.GetCost().GetActivationBytes();
    if (m_plan.foldTensor)
    {
        Compute(m_step.GetFoldNs(bytes));
    }
    else
    {
        CallAndWait(m_groups.tensor, "all-reduce", bytes);
    }
}

void
TrainingRank::Exchange()
{
    CallAndWait(m_groups.expert, "all-to-all", m_step.GetCost().GetDispatchBytes());
}

void
TrainingRank::Compute(int64_t ns)
{
    m_pendingNs += ns;
}

void
TrainingRank::Flush()
{
    if (m_pendingNs > 0)
    {
        m_last = m_graph.AddCompute(m_rank, m_label, m_pendingNs, After(), 0);
        m_begun = true;
        m_pendingNs = 0;
    }
}

std::vector<uint32_t>
TrainingRank::After() const
{
    return m_begun ? std::vector<uint32_t>{m_last} : std::vector<uint32_t>{};
}

uint32_t
TrainingRank::Call(uint32_t group, const std::string& operation, uint64_t bytes)
{
    Flush();
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.rank = m_rank;
    task.name = m_label + " " + m_graph.GetGroup(group).name;
    task.after = After();
    task.group = group;
    task.operation = operation;
    task.bytes = bytes;
    return m_graph.Add(task);
}

void
TrainingRank::CallAndWait(uint32_t group, const std::string& operation, uint64_t bytes)
{
    if (group != TrainingGroups::NONE)
    {
        m_last = Call(group, operation, bytes);
        m_begun = true;
    }
}

Task
TrainingRank::MakeMessage(uint32_t number, uint32_t sender, const PipelinePass& pass) const
{
    const uint32_t stages = m_step.GetSchedule().GetStages();
    ParallelPlace place = m_place;
    place.pipeline = number % stages;
    Task task;
    task.rank = m_rank;
    task.peer = m_step.GetLayout().RankOf(place);
    task.tag = (pass.microBatch * stages * m_plan.chunks + sender) * 2 + (pass.forward ? 0 : 1);
    task.after = After();
    task.bytes = m_plan.scatterGather ? m_step.GetCost().GetScatteredBytes()
                                      : m_step.GetCost().GetActivationBytes();
    return task;
}

void
TrainingRank::Receive(uint32_t number, const PipelinePass& pass)
{
    const uint32_t from = pass.forward ? number - 1 : number + 1;
    Task task = MakeMessage(from, from, pass);
    task.kind = TaskKind::RECEIVE;
    task.name = m_label + " receive";
    m_last = m_graph.Add(task);
    m_begun = true;
    if (m_plan.scatterGather)
    {
        CallAndWait(m_groups.tensor, "all-gather", m_step.GetCost().GetActivationBytes());
    }
}

void
TrainingRank::Send(uint32_t number, const PipelinePass& pass)
{
    Task task = MakeMessage(pass.forward ? number + 1 : number - 1, number, pass);
    task.kind = TaskKind::SEND;
    task.name = m_label + " send";
    m_graph.Add(task);
}

void
TrainingRank::AddGradients(uint64_t dense, uint64_t sparse)
{
    const TrainingCost& cost = m_step.GetCost();
    const bool together = m_plan.degrees.expert == 1;
    for (const uint64_t bytes :
         m_dense.Add(cost.GetGradientBytes(together ? dense + sparse : dense)))
    {
        Reduce(m_groups.dense, bytes);
    }
    for (const uint64_t bytes : m_sparse.Add(cost.GetGradientBytes(together ? 0 : sparse)))
    {
        Reduce(m_groups.sparse, bytes);
    }
}

void
TrainingRank::FinishGradients()
{
    Reduce(m_groups.dense, m_dense.Finish());
    Reduce(m_groups.sparse, m_sparse.Finish());
}

void
TrainingRank::Reduce(uint32_t group, uint64_t bytes)
{
    if (group == TrainingGroups::NONE || bytes == 0)
    {
        return;
    }
    if (m_plan.overlap)
    {
        m_reductions.push_back(Call(group, "all-reduce", bytes));
    }
    else
    {
        m_held.emplace_back(group, bytes);
    }
}

} // namespace roce
} // namespace ns3
