/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-helper.h"

#include "ns3/node.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

CollectiveHelper::CollectiveHelper()
{
    m_application.SetTypeId(CollectiveApplication::GetTypeId());
    SetOperation("all-reduce");
}

void
CollectiveHelper::SetOperation(const std::string& operation, const std::string& algorithm)
{
    const std::vector<std::string> known = CollectiveCatalog::GetAlgorithms(operation);
    if (!algorithm.empty() && std::find(known.begin(), known.end(), algorithm) == known.end())
    {
        std::string names;
        for (const std::string& name : known)
        {
            names += (names.empty() ? "" : ", ") + name;
        }
        throw std::invalid_argument("algorithm \"" + algorithm + "\" of " + operation +
                                    " is not known; choose " + names);
    }
    m_plan.operation = operation;
    m_plan.algorithm = algorithm.empty() ? known.front() : algorithm;
}

void
CollectiveHelper::SetBytes(uint64_t bytes)
{
    m_plan.bytes = bytes;
}

void
CollectiveHelper::SetChunks(uint32_t chunks)
{
    m_plan.chunks = chunks;
}

void
CollectiveHelper::SetChannels(uint32_t channels)
{
    if (channels == 0 || channels > MAX_CHANNELS)
    {
        throw std::invalid_argument("collective: " + std::to_string(channels) +
                                    " channels, expected 1 to " + std::to_string(MAX_CHANNELS));
    }
    m_plan.channels = channels;
}

void
CollectiveHelper::SetRoot(uint32_t root)
{
    m_plan.root = root;
}

void
CollectiveHelper::SetLevels(const std::vector<uint32_t>& levels, const std::string& mapping)
{
    m_plan.levels = levels;
    m_plan.mapping = mapping;
}

void
CollectiveHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_application.Set(name, value);
}

void
CollectiveHelper::SetConnectionOptions(const ConnectionOptions& options)
{
    m_options = options;
}

Ptr<CollectiveSchedule>
CollectiveHelper::MakeSchedule(Ptr<GpuNetwork> network, uint32_t ranks) const
{
    CollectivePlan plan = m_plan;
    plan.ranks = ranks;
    const uint32_t perServer = network->GetGpus().GetGpusPerServer();
    if (plan.algorithm == "hierarchical" && plan.levels.empty() && ranks % perServer == 0)
    {
        plan.levels = {perServer, ranks / perServer};
    }
    return CollectiveCatalog::Make(plan);
}

Ptr<CollectiveRun>
CollectiveHelper::Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const
{
    const auto network = Create<GpuNetwork>(fabric, GpuMap::OnePerHost(fabric->GetGraph()));
    network->SetConnectionOptions(m_options);
    std::vector<uint32_t> gpus;
    for (const uint32_t host : hosts)
    {
        gpus.push_back(network->GetGpus().GpuOf(host));
    }
    return Install(network, gpus);
}

Ptr<CollectiveRun>
CollectiveHelper::Install(Ptr<GpuNetwork> network, const std::vector<uint32_t>& gpus) const
{
    const auto ranks = static_cast<uint32_t>(gpus.size());
    return Install(network,
                   gpus,
                   MakeSchedule(network, ranks),
                   CollectiveCatalog::BusFactor(m_plan.operation, ranks));
}

Ptr<CollectiveRun>
CollectiveHelper::Install(Ptr<GpuNetwork> network,
                          const std::vector<uint32_t>& gpus,
                          Ptr<const CollectiveSchedule> schedule,
                          double busFactor) const
{
    if (gpus.size() != schedule->GetRanks())
    {
        throw std::invalid_argument("collective: " + std::to_string(gpus.size()) + " GPUs for " +
                                    std::to_string(schedule->GetRanks()) + " ranks");
    }
    uint64_t steps = 0;
    for (uint32_t rank = 0; rank < schedule->GetRanks(); ++rank)
    {
        steps += schedule->GetSteps(rank);
    }
    if (steps > MAX_STEPS)
    {
        throw std::invalid_argument("collective: " + std::to_string(steps) +
                                    " steps of all ranks, expected at most " +
                                    std::to_string(MAX_STEPS) + "; take fewer chunks or channels");
    }
    schedule->Validate();
    const Ptr<Communicator> communicator = network->MakeCommunicator(gpus);
    auto run = Create<CollectiveRun>(schedule, busFactor);
    for (uint32_t rank = 0; rank < gpus.size(); ++rank)
    {
        auto application = m_application.Create<CollectiveApplication>();
        application->SetSchedule(communicator, schedule, rank);
        network->GetNode(gpus[rank])->AddApplication(application);
        run->Add(application);
    }
    communicator->Prepare(*schedule);
    return run;
}

} // namespace roce
} // namespace ns3
