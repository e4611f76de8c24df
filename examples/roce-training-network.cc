/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-network.h"

#include "ns3/roce-fabric.h"
#include "ns3/roce-link-set.h"
#include "ns3/roce-link-use.h"
#include "ns3/roce-nvlink-domain.h"

#include <iomanip>
#include <iostream>
#include <vector>

namespace ns3
{
namespace roce
{

std::map<std::string, uint64_t>
BytesByLinks(const ExperimentRun& run, const GpuNetwork& network)
{
    std::map<std::string, uint64_t> bytes{{"nvlink", 0}};
    const GpuMap& gpus = network.GetGpus();
    for (uint32_t gpu = 0; gpu < gpus.GetGpus(); ++gpu)
    {
        const GpuPlace& place = gpus.At(gpu);
        const Ptr<NvlinkDomain> links = network.GetNvlink(place.server);
        bytes["nvlink"] += links ? links->GetBytesSent(place.slot) : 0;
    }
    const FabricGraph& graph = run.GetFabric()->GetGraph();
    const std::vector<LinkUse> uses = LinkUse::Read(*run.GetFabric(), *run.GetMonitor());
    for (const std::string& name : LinkSet::Names(graph))
    {
        const LinkSet set(graph, name);
        for (const uint32_t link : set.GetLinks())
        {
            bytes[name] += uses[link].bytesToA + uses[link].bytesToB;
        }
    }
    return bytes;
}

void
PrintLinks(const std::string& label, const std::map<std::string, uint64_t>& bytes)
{
    std::cout << "over links, MB, " << label << ":" << std::fixed << std::setprecision(0);
    for (const auto& [name, sum] : bytes)
    {
        std::cout << "  " << name << " " << double(sum) / 1e6;
    }
    std::cout << "\n";
}

} // namespace roce
} // namespace ns3
