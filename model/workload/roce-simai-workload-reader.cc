/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-simai-workload-reader.h"

#include "roce-simai-workload-rows.h"
#include "roce-workload-text.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t NONE = UINT32_MAX; //!< no task, no group

/// Which of its groups a rank uses.
enum Kind : uint32_t
{
    TENSOR,
    DATA,
    EXPERT,
    DATA_EXPERT,
    KINDS
};

/// Makes groups and tasks of rows.
class Builder
{
  public:
    /** \param source for messages \param rows what it says \param options how to take it */
    Builder(const TextSource& source, const SimaiWorkloadRows& rows, const SimaiOptions& options)
        : m_source(source),
          m_rows(rows),
          m_options(options)
    {
    }

    /** \return the workload */
    Ptr<TaskGraph> Build()
    {
        CheckSizes();
        m_graph = Create<TaskGraph>(m_gpus);
        m_groups.assign(KINDS, std::vector<uint32_t>(m_gpus, NONE));
        const uint32_t tensor = m_rows.GetTensor();
        const uint32_t expert = m_rows.GetExpert();
        // first rank, step and size of each group
        AddGroups(TENSOR, "tensor", tensor, 1);
        AddGroups(DATA, "data", m_gpus / tensor, tensor);
        AddGroups(EXPERT, "expert", expert, tensor);
        AddGroups(DATA_EXPERT, "data-expert", m_gpus / tensor / expert, tensor * expert);
        for (uint32_t rank = 0; rank < m_gpus; ++rank)
        {
            AddRank(rank);
        }
        m_source.Read(m_source.LastLine(), "workload", [this]() { m_graph->Validate(); });
        return m_graph;
    }

  private:
    /** Refuse numbers that do not fit each other. */
    void CheckSizes()
    {
        m_gpus = m_options.gpus != 0 ? m_options.gpus : m_rows.GetGpus();
        if (m_gpus == 0)
        {
            m_source.Fail(1, "the header has no all_gpus; say how many GPUs there are");
        }
        const uint64_t unit = uint64_t{m_rows.GetTensor()} * m_rows.GetExpert();
        if (m_gpus % unit != 0)
        {
            m_source.Fail(1,
                          std::to_string(m_gpus) + " GPUs are no multiple of " +
                              std::to_string(unit) + ", model_parallel_NPU_group x ep");
        }
        if (!(m_options.computeScale >= 0 && m_options.computeScale <= 1000))
        {
            throw std::invalid_argument("a scale of " + std::to_string(m_options.computeScale) +
                                        " for computation, expected 0..1000");
        }
        if (m_options.iterations == 0)
        {
            throw std::invalid_argument("0 iterations, expected at least 1");
        }
        const double tasks =
            7.0 * double(m_rows.GetLayers().size()) * m_options.iterations * m_gpus;
        if (tasks > double(SimaiWorkloadReader::MAX_TASKS))
        {
            m_source.Fail(1,
                          "up to " + std::to_string(std::llround(tasks)) +
                              " tasks, expected at most " +
                              std::to_string(SimaiWorkloadReader::MAX_TASKS) +
                              "; take fewer GPUs or iterations");
        }
    }

    /** Add all groups of a kind. \param kind which \param name of each \param size of each
     *  \param step from rank to rank in a group */
    void AddGroups(Kind kind, const std::string& name, uint32_t size, uint32_t step)
    {
        if (size == 1)
        {
            return;
        }
        for (uint32_t first = 0; first < m_gpus; ++first)
        {
            if (m_groups[kind][first] != NONE)
            {
                continue;
            }
            std::vector<uint32_t> ranks;
            for (uint32_t i = 0; i < size; ++i)
            {
                ranks.push_back(first + i * step);
            }
            const uint32_t group = m_graph->AddGroup(name, ranks);
            for (const uint32_t rank : ranks)
            {
                m_groups[kind][rank] = group;
            }
        }
    }

    /** \return tasks to wait for. \param ids some of them NONE */
    static std::vector<uint32_t> After(std::initializer_list<uint32_t> ids)
    {
        std::vector<uint32_t> after;
        for (const uint32_t id : ids)
        {
            if (id != NONE && (after.empty() || after.back() != id))
            {
                after.push_back(id);
            }
        }
        return after;
    }

    /** \return the last task: a computation, or what was there if it takes no time. \param rank
     * whose \param name of it \param ns its time \param after what it waits for \param stream where
     * it runs */
    uint32_t Compute(uint32_t rank,
                     const std::string& name,
                     int64_t ns,
                     std::initializer_list<uint32_t> after,
                     uint32_t stream)
    {
        const int64_t scaled = std::llround(double(ns) * m_options.computeScale);
        const std::vector<uint32_t> ids = After(after);
        if (scaled == 0 && ids.size() <= 1)
        {
            return ids.empty() ? NONE : ids[0];
        }
        return m_graph->AddCompute(rank, name, scaled, ids, scaled == 0 ? Task::NO_STREAM : stream);
    }

    /** \return the last task: a collective, or what was there if there is nothing to do.
     *  \param rank whose \param name of it \param pass which \param plain group without a suffix
     *  \param after what it waits for */
    uint32_t Collective(uint32_t rank,
                        const std::string& name,
                        const SimaiPass& pass,
                        Kind plain,
                        uint32_t after)
    {
        const Kind kind = pass.scope == SimaiScope::PLAIN    ? plain
                          : pass.scope == SimaiScope::EXPERT ? EXPERT
                                                             : DATA_EXPERT;
        const uint32_t group = m_groups[kind][rank];
        if (pass.operation.empty() || pass.bytes == 0 || group == NONE)
        {
            return after;
        }
        Task task;
        task.kind = TaskKind::COLLECTIVE;
        task.rank = rank;
        task.name = name;
        task.after = After({after});
        task.group = group;
        task.operation = pass.operation;
        task.bytes = pass.bytes;
        return m_graph->Add(task);
    }

    /** Add all tasks of a rank. \param rank which */
    void AddRank(uint32_t rank)
    {
        const std::vector<SimaiLayer>& layers = m_rows.GetLayers();
        std::vector<uint32_t> updated(layers.size(), NONE);
        uint32_t last = NONE;
        for (uint32_t pass = 0; pass < m_options.iterations; ++pass)
        {
            for (std::size_t i = 0; i < layers.size() && !m_rows.IsMicro(); ++i)
            {
                const SimaiLayer& layer = layers[i];
                const std::string name = layer.name + " forward";
                last = Compute(rank, name, layer.forward.computeNs, {last, updated[i]}, 0);
                last = Collective(rank, name, layer.forward, TENSOR, last);
            }
            for (std::size_t k = 0; k < layers.size(); ++k)
            {
                const std::size_t i = m_rows.IsMicro() ? k : layers.size() - 1 - k;
                last = AddBackward(rank, layers[i], last, updated[i]);
            }
        }
    }

    /** \return the last task: the way back of a layer. \param rank whose \param layer which
     *  \param last what it waits for \param updated gets what its weights are ready with */
    uint32_t AddBackward(uint32_t rank, const SimaiLayer& layer, uint32_t last, uint32_t& updated)
    {
        const std::string input = layer.name + " input gradient";
        last = Compute(rank, input, layer.inputGrad.computeNs, {last}, 0);
        last = Collective(rank, input, layer.inputGrad, TENSOR, last);
        const std::string weight = layer.name + " weight gradient";
        last = Compute(rank, weight, layer.weightGrad.computeNs, {last}, 0);
        const uint32_t call = Collective(rank, weight, layer.weightGrad, DATA, last);
        if (layer.weightGrad.operation.empty())
        {
            updated = last; // only a collective has an update behind it
            return last;
        }
        updated = Compute(rank, layer.name + " update", layer.updateNs, {call}, Task::NO_STREAM);
        return m_rows.IsMicro() ? updated : last;
    }

    const TextSource& m_source;
    const SimaiWorkloadRows& m_rows;
    const SimaiOptions& m_options;
    uint32_t m_gpus{0};
    std::vector<std::vector<uint32_t>> m_groups; //!< by kind and rank
    Ptr<TaskGraph> m_graph;
};

} // namespace

Ptr<TaskGraph>
SimaiWorkloadReader::Read(const TextSource& source, const SimaiOptions& options)
{
    const SimaiWorkloadRows rows(source);
    return Builder(source, rows, options).Build();
}

} // namespace roce
} // namespace ns3
