/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-helper.h"

#include "ns3/node.h"
#include "ns3/roce-ring-all-reduce-schedule.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

CollectiveHelper::CollectiveHelper()
{
    m_application.SetTypeId(CollectiveApplication::GetTypeId());
}

void
CollectiveHelper::SetOperation(const std::string& operation, const std::string& algorithm)
{
    if (operation != "all-reduce")
    {
        throw std::invalid_argument("collective \"" + operation +
                                    "\" is not known; choose "
                                    "all-reduce");
    }
    if (algorithm != "ring")
    {
        throw std::invalid_argument("algorithm \"" + algorithm +
                                    "\" of all-reduce is not known; "
                                    "choose ring");
    }
}

void
CollectiveHelper::SetBytes(uint64_t bytes)
{
    m_bytes = bytes;
}

void
CollectiveHelper::SetChunks(uint32_t chunks)
{
    m_chunks = chunks;
}

void
CollectiveHelper::SetChannels(uint32_t channels)
{
    m_channels = channels;
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

void
CollectiveHelper::CheckHosts(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const
{
    std::map<uint32_t, std::size_t> rankOf;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    {
        fabric->GetNic(hosts[rank]); // refuses what is not a host
        const auto found = rankOf.emplace(hosts[rank], rank);
        if (!found.second)
        {
            throw std::invalid_argument("collective: host " + std::to_string(hosts[rank]) +
                                        " is rank " + std::to_string(found.first->second) +
                                        " and rank " + std::to_string(rank) +
                                        "; give each rank a host of its own");
        }
    }
}

Ptr<CollectiveRun>
CollectiveHelper::Install(Ptr<Fabric> fabric, const std::vector<uint32_t>& hosts) const
{
    const auto ranks = static_cast<uint32_t>(hosts.size());
    auto schedule = Create<RingAllReduceSchedule>(ranks, m_bytes, m_channels, m_chunks);
    return Install(fabric, hosts, schedule, 2.0 * (ranks - 1) / ranks);
}

Ptr<CollectiveRun>
CollectiveHelper::Install(Ptr<Fabric> fabric,
                          const std::vector<uint32_t>& hosts,
                          Ptr<const CollectiveSchedule> schedule,
                          double busFactor) const
{
    if (hosts.size() != schedule->GetRanks())
    {
        throw std::invalid_argument("collective: " + std::to_string(hosts.size()) + " hosts for " +
                                    std::to_string(schedule->GetRanks()) + " ranks");
    }
    CheckHosts(fabric, hosts);
    schedule->Validate();
    auto run = Create<CollectiveRun>(schedule, busFactor);
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        auto application = m_application.Create<CollectiveApplication>();
        application->SetSchedule(schedule, rank);
        fabric->GetNode(hosts[rank])->AddApplication(application);
        run->Add(application);
    }
    for (uint32_t rank = 0; rank < hosts.size(); ++rank)
    {
        const CollectiveProgress links(*schedule, rank);
        for (const CollectiveLink& link : links.GetSendLinks())
        {
            const Connection made = fabric->Connect(hosts[rank], hosts[link.peer], m_options);
            run->GetRank(rank)->AddSender(link, made.nic, made.qp);
            run->GetRank(link.peer)->AddReceiver(CollectiveLink{rank, link.channel}, made.peerQp);
        }
    }
    return run;
}

} // namespace roce
} // namespace ns3
