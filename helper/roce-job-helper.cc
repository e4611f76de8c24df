/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-job-helper.h"

#include "roce-collective-helper.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return ranks of each server if all servers have as many, one after the other; else 1 */
uint32_t
RanksPerServer(const std::vector<uint32_t>& servers)
{
    const auto end = std::find_if(servers.begin(), servers.end(), [&servers](uint32_t s) {
        return s != servers.front();
    });
    const auto size = static_cast<std::size_t>(end - servers.begin());
    std::vector<uint32_t> seen;
    for (std::size_t i = 0; i < servers.size(); ++i)
    {
        if (servers[i] != servers[i - i % size])
        {
            return 1;
        }
        if (i % size == 0)
        {
            seen.push_back(servers[i]);
        }
    }
    std::sort(seen.begin(), seen.end());
    const bool twice = std::adjacent_find(seen.begin(), seen.end()) != seen.end();
    return twice || servers.size() % size ? 1 : static_cast<uint32_t>(size);
}

} // namespace

JobHelper::JobHelper() = default;

void
JobHelper::SetChannels(uint32_t channels)
{
    if (channels == 0 || channels > CollectiveHelper::MAX_CHANNELS)
    {
        throw std::invalid_argument("job: " + std::to_string(channels) +
                                    " channels, expected 1 to " +
                                    std::to_string(CollectiveHelper::MAX_CHANNELS));
    }
    m_channels = channels;
}

void
JobHelper::SetChunks(uint64_t bytes, uint32_t maxChunks)
{
    if (bytes == 0 || maxChunks == 0)
    {
        throw std::invalid_argument("job: chunks of " + std::to_string(bytes) + " bytes, " +
                                    std::to_string(maxChunks) +
                                    " at most; expected 1 or more of each");
    }
    m_chunkBytes = bytes;
    m_maxChunks = maxChunks;
}

void
JobHelper::SetAllReduce(const std::string& algorithm)
{
    const std::vector<std::string> known = CollectiveCatalog::GetAlgorithms("all-reduce");
    if (algorithm != "auto" && std::find(known.begin(), known.end(), algorithm) == known.end())
    {
        std::string names;
        for (const std::string& name : known)
        {
            names += ", " + name;
        }
        throw std::invalid_argument("algorithm \"" + algorithm +
                                    "\" of all-reduce is not known; choose auto" + names);
    }
    m_allReduce = algorithm;
}

void
JobHelper::SetMapping(const std::string& mapping)
{
    if (mapping != "rail" && mapping != "leader")
    {
        throw std::invalid_argument("mapping \"" + mapping +
                                    "\" is not known; choose rail, leader");
    }
    m_mapping = mapping;
}

CollectivePlan
JobHelper::MakePlan(const Task& task, const std::vector<uint32_t>& servers) const
{
    CollectivePlan plan;
    plan.operation = task.operation;
    plan.algorithm = task.algorithm;
    plan.ranks = static_cast<uint32_t>(servers.size());
    plan.bytes = task.bytes;
    plan.channels = m_channels;
    plan.root = task.root;
    const uint32_t perServer = RanksPerServer(servers);
    if (plan.operation == "all-reduce" && plan.algorithm.empty())
    {
        const bool levels = perServer > 1 && perServer < plan.ranks;
        plan.algorithm = m_allReduce == "auto" ? (levels ? "hierarchical" : "ring") : m_allReduce;
    }
    if (plan.algorithm == "hierarchical")
    {
        plan.levels = {perServer, plan.ranks / perServer};
        plan.mapping = m_mapping;
    }
    const double piece = static_cast<double>(m_chunkBytes) * m_channels * plan.ranks;
    const double chunks = static_cast<double>(task.bytes) / piece;
    plan.chunks = static_cast<uint32_t>(std::clamp(chunks + 1, 1.0, double(m_maxChunks)));
    return plan;
}

Ptr<Job>
JobHelper::Install(Ptr<GpuNetwork> network,
                   const std::vector<uint32_t>& gpus,
                   Ptr<const TaskGraph> graph,
                   Time start) const
{
    if (gpus.size() != graph->GetRanks())
    {
        throw std::invalid_argument("job: " + std::to_string(gpus.size()) + " GPUs for " +
                                    std::to_string(graph->GetRanks()) + " ranks");
    }
    network->MakeCommunicator(gpus); // refuses a GPU that is not there, or is there twice
    const auto of = [gpus](const std::vector<uint32_t>& ranks) {
        std::vector<uint32_t> chosen;
        std::transform(ranks.begin(), ranks.end(), std::back_inserter(chosen), [&gpus](uint32_t r) {
            return gpus[r];
        });
        return chosen;
    };
    const JobHelper self = *this;
    Job::Services services;
    services.communicators = [network, of](const std::vector<uint32_t>& ranks) {
        return network->MakeCommunicator(of(ranks));
    };
    services.channels = [network, gpus](uint32_t from, uint32_t to) {
        return network->MakeChannel(gpus[from], gpus[to]);
    };
    services.contexts = [network, gpus](uint32_t rank) {
        return network->GetNode(gpus[rank])->GetId();
    };
    services.schedules = [self, network, of](const Task& task, const TaskGroup& group) {
        std::vector<uint32_t> servers;
        for (const uint32_t gpu : of(group.ranks))
        {
            servers.push_back(network->GetGpus().At(gpu).server);
        }
        return CollectiveCatalog::Make(self.MakePlan(task, servers));
    };
    auto job = CreateObject<Job>();
    job->Setup(graph, services);
    Simulator::Schedule(start, &Job::Start, job);
    return job;
}

} // namespace roce
} // namespace ns3
