/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_ADDRESS_PLAN_H
#define ROCE_ADDRESS_PLAN_H

#include "roce-fabric-graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace roce
{

/// A port of a host.
struct HostPort
{
    uint32_t host{0}; //!< id of the host
    uint32_t port{0}; //!< port, from 0
};

/**
 * \brief IPv4 addresses of host ports: 11.x.y.1, as the HPCC artifact and its relatives give them.
 *
 * Models the addressing of a fabric. Each host port has an index i and the address
 * 0x0b000001 + i * 256 (11.(i / 256).(i mod 256).1 for i below 65536).
 *
 * Port 0 of a host has its id as index; further ports get the indices after the largest node id,
 * host by host in the order of the graph. If the largest id is 65536 or more, dense vertex indices
 * take the place of ids, so that sparse large ids still have addresses.
 *
 * Invariants: no two ports share an address; Find(Address(h, p)) is (h, p); Index(Address(h, 0))
 * is h as long as all ids are below 65536.
 *
 * Left out: subnets, IPv6, addresses of switches.
 */
class AddressPlan
{
  public:
    /// The address of index 0: 11.0.0.1 in host order.
    static constexpr uint32_t BASE = 0x0b000001;
    /// The largest index with a 32-bit address.
    static constexpr uint32_t MAX_INDEX = (UINT32_MAX - BASE) >> 8;

    /**
     * Number the ports of a fabric.
     * \param graph the fabric; std::invalid_argument if it needs more than MAX_INDEX addresses
     */
    explicit AddressPlan(const FabricGraph& graph);

    /**
     * \param host id of a host; std::invalid_argument if it is none
     * \param port its port, below the number of its links (port 0 always exists)
     * \return the address in host order
     */
    uint32_t Address(uint32_t host, uint32_t port = 0) const;

    /** \return the port with an address, or nothing. \param address host order */
    std::optional<HostPort> Find(uint32_t address) const;

    /** \return the index of an address. \param address host order, not below BASE */
    static constexpr uint32_t Index(uint32_t address)
    {
        return (address - BASE) >> 8;
    }

  private:
    const FabricGraph* m_graph;                     //!< not used after construction but for ids
    std::vector<uint32_t> m_first;                  //!< by vertex: index of port 0
    std::vector<uint32_t> m_further;                //!< by vertex: index of port 1
    std::vector<uint32_t> m_ports;                  //!< by vertex: number of ports with an address
    std::vector<std::optional<HostPort>> m_byIndex; //!< reverse
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_ADDRESS_PLAN_H */
