/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-collective.h"

#include "ns3/roce-byte-size.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

ExperimentCollective::ExperimentCollective(ExperimentPlan& plan,
                                           const Json& entry,
                                           const std::string& path)
    : m_operation(entry.at("op").get<std::string>()),
      m_repeat(entry.at("repeat").get<uint32_t>()),
      m_at(TimeOf(entry.at("at").get<std::string>())),
      m_placement(plan, entry, path, entry.value("ranks", 0U))
{
    if (!entry.contains("size") && m_operation != "barrier")
    {
        throw std::invalid_argument(plan.document.GetName() + ": " + path +
                                    "/size: expected this key, such as \"64MB\", found none");
    }
    Refusing(plan, path, [&]() {
        Configure(entry);
        CheckSchedule(plan, entry);
    });
}

void
ExperimentCollective::Configure(const Json& entry)
{
    m_algorithm = entry.contains("algorithm") ? entry.at("algorithm").get<std::string>()
                                              : CollectiveCatalog::GetDefaultAlgorithm(m_operation);
    m_bytes = entry.contains("size") ? ParseBytes(entry.at("size").get<std::string>()) : 0;
    m_helper.SetOperation(m_operation, m_algorithm);
    m_helper.SetBytes(m_bytes);
    m_helper.SetChannels(entry.at("channels").get<uint32_t>());
    m_helper.SetChunks(entry.at("chunks").get<uint32_t>());
    m_helper.SetRoot(entry.at("root").get<uint32_t>());
    m_helper.SetLevels(entry.value("levels", std::vector<uint32_t>()),
                       entry.value("mapping", std::string()));
}

void
ExperimentCollective::CheckSchedule(const ExperimentPlan& plan, const Json& entry) const
{
    CollectivePlan what;
    what.operation = m_operation;
    what.algorithm = m_algorithm;
    what.ranks = m_placement.GetRanks();
    what.bytes = m_bytes;
    what.channels = entry.at("channels").get<uint32_t>();
    what.chunks = entry.at("chunks").get<uint32_t>();
    what.root = entry.at("root").get<uint32_t>();
    what.levels = entry.value("levels", std::vector<uint32_t>());
    what.mapping = entry.value("mapping", std::string());
    const uint32_t perServer =
        plan.document.GetJson().value("gpus", Json::object()).value("per_server", 1U);
    if (m_algorithm == "hierarchical" && what.levels.empty() && what.ranks % perServer == 0)
    {
        what.levels = {perServer, what.ranks / perServer}; // as CollectiveHelper
    }
    CollectiveCatalog::Make(what);
}

void
ExperimentCollective::Install(const ExperimentSite& site)
{
    m_network = site.network;
    m_gpus = m_placement.Place(site);
    if (m_at.IsZero())
    {
        Start();
    }
    else
    {
        Simulator::Schedule(m_at, &ExperimentCollective::Start, this);
    }
}

void
ExperimentCollective::Start()
{
    Ptr<CollectiveRun> run = m_helper.Install(m_network, m_gpus);
    m_begun.push_back(run);
    if (m_begun.size() < m_repeat)
    {
        run->SetDoneCallback(CollectiveRun::DoneCallback(
            [this]() { Simulator::ScheduleNow(&ExperimentCollective::Start, this); }));
    }
}

uint64_t
ExperimentCollective::GetBytes() const
{
    if (m_begun.empty())
    {
        return 0;
    }
    uint64_t bytes = 0;
    for (uint32_t rank = 0; rank < m_placement.GetRanks(); ++rank)
    {
        bytes += m_begun.front()->GetSchedule()->GetBytesSent(rank);
    }
    return bytes * m_repeat;
}

ResultWriter::Json
ExperimentCollective::Report() const
{
    using Json = ResultWriter::Json;
    Json report = {{"type", "collective"},
                   {"op", m_operation},
                   {"algorithm", m_algorithm},
                   {"ranks", m_placement.GetRanks()},
                   {"bytes", m_bytes},
                   {"repeat", m_repeat},
                   {"finished", 0},
                   {"bytes_sent", 0},
                   {"collective_s", Json::array()},
                   {"algbw_Bps", Json::array()},
                   {"busbw_Bps", Json::array()}};
    uint32_t finished = 0;
    uint64_t sent = 0;
    for (const auto& run : m_begun)
    {
        sent += run->GetBytesSent();
        if (run->IsFinished())
        {
            ++finished;
            report["collective_s"].push_back(run->GetDuration().GetSeconds());
            report["algbw_Bps"].push_back(run->GetAlgorithmBandwidth());
            report["busbw_Bps"].push_back(run->GetBusBandwidth());
        }
        else
        {
            report["waits"] = run->Describe();
        }
    }
    report["finished"] = finished;
    report["bytes_sent"] = sent;
    return report;
}

void
ExperimentCollective::Clear()
{
    m_begun.clear();
    m_network = nullptr;
}

} // namespace roce
} // namespace ns3
