/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-training-settings.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-pod-builder.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-rail-builder.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

FabricGraph
TrainingSettings::MakeGraph(uint32_t ranks) const
{
    if (m_gpusPerServer == 0)
    {
        throw std::invalid_argument("--gpus-per-server=0: expected 1 or more");
    }
    const uint32_t needed = (ranks + m_gpusPerServer - 1) / m_gpusPerServer;
    const uint32_t servers = m_servers ? m_servers : std::max(needed, 2U);
    const uint32_t half = std::max(m_gpusPerServer / 2, 1U); // 2:1 at a leaf
    const uint64_t rate = Quantity::RateBps(m_rate);
    if (m_fabric == "leaf-spine")
    {
        ClosHelper clos(servers, half, m_gpusPerServer);
        clos.SetHostLinks(m_rate, "50ns");
        clos.SetFabricLinks(m_rate, "250ns");
        return clos.MakeGraph();
    }
    if (m_fabric == "rails")
    {
        RailPlan plan;
        plan.nodesPerGroup = std::min(servers, 4U);
        plan.groups = (servers + plan.nodesPerGroup - 1) / plan.nodesPerGroup;
        plan.rails = m_gpusPerServer;
        plan.spines = 2;
        plan.gpusAsHosts = true;
        plan.hostRateBps = plan.fabricRateBps = rate;
        return RailBuilder::Build(plan);
    }
    if (m_fabric == "pods")
    {
        PodPlan plan;
        plan.racksPerPod = std::min(servers, 4U);
        plan.pods = (servers + plan.racksPerPod - 1) / plan.racksPerPod;
        plan.gpusPerRack = m_gpusPerServer;
        plan.podSpines = half;
        plan.superSpines = plan.pods > 1 ? 2 : 0;
        plan.hostRateBps = plan.podRateBps = rate;
        plan.coreRateBps = 4 * rate;
        return PodBuilder::Build(plan);
    }
    throw std::invalid_argument("--fabric=" + m_fabric + ": expected leaf-spine, rails or pods");
}

uint64_t
TrainingSettings::GetBufferBytes(const FabricGraph& graph) const
{
    uint32_t ports = 0;
    for (const uint32_t id : graph.Switches())
    {
        ports = std::max<uint32_t>(ports, graph.PortCount(id));
    }
    // pause headroom of links to super-spines is that of 450 m
    const std::string usual = m_fabric == "pods" ? "2MB" : "500kB";
    return ParseBytes(m_buffer.empty() ? usual : m_buffer) * ports;
}

Ptr<GpuNetwork>
TrainingSettings::MakeNetwork(Ptr<Fabric> fabric) const
{
    auto network =
        Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(fabric->GetGraph(), m_gpusPerServer));
    network->SetQueuePairs(m_queuePairs);
    network->SetNvlinkAttribute("Bandwidth", DataRateValue(DataRate(Quantity::RateBps(m_nvlink))));
    return network;
}

JobHelper
TrainingSettings::MakeJobs() const
{
    JobHelper helper;
    helper.SetAllReduce(m_allReduce);
    helper.SetChannels(m_channels);
    return helper;
}

} // namespace roce
} // namespace ns3
