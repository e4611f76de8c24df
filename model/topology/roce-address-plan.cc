/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-address-plan.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

constexpr uint32_t AddressPlan::BASE;
constexpr uint32_t AddressPlan::MAX_INDEX;

AddressPlan::AddressPlan(const FabricGraph& graph)
    : m_graph(&graph),
      m_first(graph.NodeCount(), 0),
      m_further(graph.NodeCount(), 0),
      m_ports(graph.NodeCount(), 0)
{
    const bool byId = graph.MaxId() < 65536;
    uint64_t next = byId ? uint64_t{graph.MaxId()} + 1 : graph.NodeCount();
    for (uint32_t host : graph.Hosts())
    {
        const uint32_t vertex = graph.IndexOf(host);
        const uint32_t ports = std::max(graph.PortCount(host), 1U);
        m_first[vertex] = byId ? host : vertex;
        m_further[vertex] = static_cast<uint32_t>(next);
        m_ports[vertex] = ports;
        next += ports - 1;
        if (next > uint64_t{MAX_INDEX} + 1)
        {
            throw std::invalid_argument("the fabric needs more than " + std::to_string(MAX_INDEX) +
                                        " host addresses, which the plan 11.x.y.1 cannot give");
        }
    }
    m_byIndex.resize(next);
    for (uint32_t host : graph.Hosts())
    {
        const uint32_t vertex = graph.IndexOf(host);
        for (uint32_t port = 0; port < m_ports[vertex]; port++)
        {
            m_byIndex[Index(Address(host, port))] = HostPort{host, port};
        }
    }
}

uint32_t
AddressPlan::Address(uint32_t host, uint32_t port) const
{
    const uint32_t vertex = m_graph->IndexOf(host);
    if (vertex >= m_ports.size() || port >= m_ports[vertex])
    {
        throw std::invalid_argument(
            "node " + std::to_string(host) + " port " + std::to_string(port) +
            " has no address; expected a host and one of its ports at the time of planning");
    }
    const uint32_t index = port == 0 ? m_first[vertex] : m_further[vertex] + port - 1;
    return BASE + (index << 8);
}

std::optional<HostPort>
AddressPlan::Find(uint32_t address) const
{
    if (address < BASE || ((address - BASE) & 0xff) != 0 || Index(address) >= m_byIndex.size())
    {
        return std::nullopt;
    }
    return m_byIndex[Index(address)];
}

} // namespace roce
} // namespace ns3
