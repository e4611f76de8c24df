/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_GPU_MAP_H
#define ROCE_GPU_MAP_H

#include "ns3/roce-fabric-graph.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/** Where a GPU is. */
struct GpuPlace
{
    uint32_t host{0};   //!< id of the host in the graph whose NIC it uses
    uint32_t server{0}; //!< number of the server it is in
    uint32_t slot{0};   //!< number of the GPU within the server
};

/**
 * The GPUs of a fabric: which NIC and which server each has.
 *
 * Models: GPUs have numbers 0..n-1 over the whole fabric, server by server in the order of hosts in
 * the graph. A server is several hosts with a GPU and a NIC each (as the builders make of servers
 * with a NIC a GPU), or one host whose NIC its GPUs share.
 *
 * Source: the two kinds of GPU servers in use, a NIC a GPU (DGX) and shared NICs (PCIe servers).
 *
 * Invariants: GpuAt(ServerOf(g), SlotOf(g)) = g; each server has the same number of GPUs.
 *
 * Leaves out: servers of different sizes.
 */
class GpuMap
{
  public:
    /** One GPU a host, each a server. \param graph of the fabric \return the GPUs */
    static GpuMap OnePerHost(const FabricGraph& graph);

    /**
     * A NIC a GPU: consecutive hosts of the graph make a server. Throws std::invalid_argument if
     * hosts are left over.
     * \param graph of the fabric
     * \param gpusPerServer hosts of a server, at least 1
     * \return the GPUs
     */
    static GpuMap NicPerGpu(const FabricGraph& graph, uint32_t gpusPerServer);

    /** A NIC a server. \param graph of the fabric \param gpusPerServer GPUs of each host, at least
     *  1; std::invalid_argument if 0 \return the GPUs */
    static GpuMap SharedNic(const FabricGraph& graph, uint32_t gpusPerServer);

    /** \return number of GPUs */
    uint32_t GetGpus() const
    {
        return static_cast<uint32_t>(m_places.size());
    }

    /** \return GPUs of a server */
    uint32_t GetGpusPerServer() const
    {
        return m_perServer;
    }

    /** \return number of servers */
    uint32_t GetServers() const
    {
        return GetGpus() / m_perServer;
    }

    /** \return where it is; std::invalid_argument if it is not there. \param gpu its number */
    const GpuPlace& At(uint32_t gpu) const;

    /** \return number of a GPU. \param server its server \param slot its number there */
    uint32_t GpuAt(uint32_t server, uint32_t slot) const
    {
        return server * m_perServer + slot;
    }

    /** \return the first GPU of a host; std::invalid_argument if it has none. \param host its id */
    uint32_t GpuOf(uint32_t host) const;

  private:
    GpuMap(const FabricGraph& graph, uint32_t hostsPerServer, uint32_t gpusPerHost);

    uint32_t m_perServer;
    std::vector<GpuPlace> m_places;                //!< by GPU
    std::unordered_map<uint32_t, uint32_t> m_gpus; //!< host to its first GPU
};

} // namespace roce
} // namespace ns3

#endif // ROCE_GPU_MAP_H
