/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-parts.h"

#include "ns3/simulator.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return round trip of a WRITE of one full packet, ns; -1 if it failed. \param fabric the fabric
 * \param from a host \param to another */
int64_t
Probe(Ptr<Fabric> fabric, uint32_t from, uint32_t to)
{
    const Connection connection = fabric->Connect(from, to);
    auto queue = CreateObject<CompletionQueue>();
    connection.qp->SetSendQueue(queue);
    WorkRequest request;
    request.bytes = 4096; // what RttFrames plans for
    connection.nic->Post(connection.qp, request);
    Simulator::Run();
    Completion done;
    const bool arrived = queue->Poll(done) && done.status == CompletionStatus::SUCCESS;
    return arrived ? FromTick(done.completed - done.posted).GetNanoSeconds() : -1;
}

/** \return "1.416 us" or why not. \param rttNs of a probe \param links of its path */
std::string
Seen(int64_t rttNs, uint32_t links)
{
    constexpr uint32_t SWITCHES = 63; // a TTL of 64
    if (rttNs < 0)
    {
        return links - 1 > SWITCHES ? "no ACK, packets live for 63 switches" : "no ACK";
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << static_cast<double>(rttNs) / 1000 << " us";
    return text.str();
}

} // namespace

BuildCost
BuildFabric(const FabricDocument& fabric, const TopologyPlan& plan, const RoceHelper& roce)
{
    const auto begin = std::chrono::steady_clock::now();
    BuildCost cost;
    {
        // a plan may have hosts without a path between them; they are planned so
        const Ptr<Fabric> built = roce.Install(fabric.graph, PartitionPolicy::Allow);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        cost.seconds = took.count();
        for (const StageRow& row : plan.Stages().Rows())
        {
            cost.rttsNs.push_back(Probe(built, row.from, row.to));
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    cost.mib = static_cast<double>(usage.ru_maxrss) / 1024; // Linux counts KiB
    Simulator::Destroy();
    return cost;
}

void
PrintCost(const BuildCost& cost, const TopologyPlan& plan)
{
    std::cout << "\nbuilt in " << std::setprecision(3) << cost.seconds << " s, peak memory "
              << std::llround(cost.mib) << " MiB\n";
    for (size_t i = 0; i < cost.rttsNs.size(); i++)
    {
        const StageRow& row = plan.Stages().Rows()[i];
        std::cout << "host " << row.from << " to host " << row.to << ", " << row.links
                  << " links: " << Seen(cost.rttsNs[i], row.links) << ", planned at most "
                  << std::fixed << static_cast<double>(row.maxRttPs) / 1e6 << " us\n"
                  << std::defaultfloat;
    }
}

void
WriteText(const std::string& path,
          const FabricDocument& fabric,
          std::string (*format)(const FabricDocument&))
{
    if (path.empty())
    {
        return;
    }
    const std::string text = format(fabric); // may refuse, so before the file is there
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (!folder.empty())
    {
        std::filesystem::create_directories(folder, error);
    }
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out)
    {
        throw std::runtime_error("file " + path + " cannot be written: " +
                                 (error ? error.message() : std::strerror(errno)));
    }
}

void
RequireOwnFiles(const std::vector<std::pair<std::string, std::string>>& files)
{
    std::map<std::string, std::string> seen;
    for (const auto& [flag, path] : files)
    {
        const auto [place, first] = seen.emplace(path, flag);
        if (!path.empty() && !first)
        {
            throw std::invalid_argument(place->second + " and " + flag + " both name " + path +
                                        "; give each a file of its own");
        }
    }
}
