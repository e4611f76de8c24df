/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_HOST_DIRECTORY_H
#define ROCE_HOST_DIRECTORY_H

#include "ns3/node-container.h"
#include "ns3/roce-nic.h"

#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The NICs of a fabric, and which of them has an address.
 *
 * Models: what an operator's inventory says. Addresses are learned from queue pairs when asked.
 *
 * Invariants: host k is node k of the container; an address belongs to one host.
 *
 * Leaves out: hosts without queue pairs, whose addresses nobody asks for.
 */
class HostDirectory
{
  public:
    /** Index of nobody. */
    static constexpr uint32_t NOBODY = UINT32_MAX;

    HostDirectory() = default;

    /**
     * \param hosts nodes with a Nic each; std::invalid_argument if one has none
     * \param ids what reports call them; empty: the ids of the nodes
     */
    explicit HostDirectory(const NodeContainer& hosts, const std::vector<uint32_t>& ids = {});

    /** \return number of hosts */
    uint32_t GetN() const;

    /** \return its NIC. \param host index of a host */
    Nic& GetNic(uint32_t host) const;

    /** \return its name in reports. \param host index of a host, or NOBODY (gives NOBODY) */
    uint32_t GetId(uint32_t host) const;

    /** \return index of the host that sends from an address, or NOBODY. \param address IPv4 */
    uint32_t Find(uint32_t address) const;

    /** \return work requests of all NICs that are neither completed nor failed */
    uint64_t GetOpenRequests() const;

  private:
    std::vector<Ptr<Nic>> m_nics;
    std::vector<uint32_t> m_ids;
    mutable std::unordered_map<uint32_t, uint32_t> m_byAddress;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_HOST_DIRECTORY_H
