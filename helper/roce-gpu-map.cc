/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-gpu-map.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

GpuMap::GpuMap(const FabricGraph& graph, uint32_t hostsPerServer, uint32_t gpusPerHost)
    : m_perServer(hostsPerServer * gpusPerHost)
{
    if (hostsPerServer == 0 || gpusPerHost == 0)
    {
        throw std::invalid_argument("GPUs: 0 GPUs a server, expected 1 or more");
    }
    if (graph.HostCount() == 0 || graph.HostCount() % hostsPerServer)
    {
        throw std::invalid_argument(
            "GPUs: " + std::to_string(graph.HostCount()) + " hosts do not make servers of " +
            std::to_string(hostsPerServer) + "; choose a divisor of the number of hosts");
    }
    for (const uint32_t host : graph.Hosts())
    {
        m_gpus.emplace(host, GetGpus());
        for (uint32_t i = 0; i < gpusPerHost; ++i)
        {
            const uint32_t gpu = GetGpus();
            m_places.push_back(GpuPlace{host, gpu / m_perServer, gpu % m_perServer});
        }
    }
}

GpuMap
GpuMap::OnePerHost(const FabricGraph& graph)
{
    return GpuMap(graph, 1, 1);
}

GpuMap
GpuMap::NicPerGpu(const FabricGraph& graph, uint32_t gpusPerServer)
{
    return GpuMap(graph, gpusPerServer, 1);
}

GpuMap
GpuMap::SharedNic(const FabricGraph& graph, uint32_t gpusPerServer)
{
    return GpuMap(graph, 1, gpusPerServer);
}

const GpuPlace&
GpuMap::At(uint32_t gpu) const
{
    if (gpu >= GetGpus())
    {
        throw std::invalid_argument("GPU " + std::to_string(gpu) + " is not there, expected 0.." +
                                    std::to_string(GetGpus() - 1));
    }
    return m_places[gpu];
}

uint32_t
GpuMap::GpuOf(uint32_t host) const
{
    const auto found = m_gpus.find(host);
    if (found == m_gpus.end())
    {
        throw std::invalid_argument("node " + std::to_string(host) +
                                    " has no GPU; it is not a host of the fabric");
    }
    return found->second;
}

} // namespace roce
} // namespace ns3
