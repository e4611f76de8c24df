/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-host-directory.h"

#include "ns3/node.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

HostDirectory::HostDirectory(const NodeContainer& hosts, const std::vector<uint32_t>& ids)
    : m_ids(ids)
{
    if (!ids.empty() && ids.size() != hosts.GetN())
    {
        throw std::invalid_argument(std::to_string(hosts.GetN()) + " hosts, but " +
                                    std::to_string(ids.size()) + " ids for them");
    }
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        Ptr<Nic> nic = hosts.Get(i)->GetObject<Nic>();
        if (!nic)
        {
            throw std::invalid_argument("node " + std::to_string(hosts.Get(i)->GetId()) +
                                        " has no Nic; monitors take hosts with one");
        }
        m_nics.push_back(nic);
        if (ids.empty())
        {
            m_ids.push_back(hosts.Get(i)->GetId());
        }
    }
}

uint32_t
HostDirectory::GetN() const
{
    return static_cast<uint32_t>(m_nics.size());
}

Nic&
HostDirectory::GetNic(uint32_t host) const
{
    return *m_nics[host];
}

uint32_t
HostDirectory::GetId(uint32_t host) const
{
    return host == NOBODY ? NOBODY : m_ids[host];
}

uint32_t
HostDirectory::Find(uint32_t address) const
{
    auto found = m_byAddress.find(address);
    if (found != m_byAddress.end())
    {
        return found->second;
    }
    for (uint32_t host = 0; host < GetN(); ++host)
    {
        for (const auto& qp : m_nics[host]->GetQueuePairs())
        {
            m_byAddress[qp->GetConfig().localAddress] = host;
        }
    }
    found = m_byAddress.find(address);
    return found == m_byAddress.end() ? NOBODY : found->second;
}

uint64_t
HostDirectory::GetOpenRequests() const
{
    uint64_t open = 0;
    for (const auto& nic : m_nics)
    {
        open += nic->GetOpenRequests();
    }
    return open;
}

} // namespace roce
} // namespace ns3
