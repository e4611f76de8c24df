/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-forwarding-table.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

const LocatorTable ForwardingTable::EMPTY;

void
ForwardingTable::SetLocators(std::shared_ptr<const LocatorTable> locators)
{
    m_locators = std::move(locators);
    m_table = m_locators ? m_locators.get() : &EMPTY;
}

void
ForwardingTable::SetOwnLeaf(uint32_t leaf)
{
    m_ownLeaf = leaf;
}

void
ForwardingTable::SetGroups(const std::vector<ForwardingGroup>& groups,
                           const std::vector<uint32_t>& members,
                           uint32_t numPorts)
{
    std::ostringstream message;
    if (members.size() > MAX_MEMBERS)
    {
        message << "routing table has " << members.size() << " members, at most " << MAX_MEMBERS;
        throw std::invalid_argument(message.str());
    }
    const auto bad = std::find_if(members.begin(), members.end(), [numPorts](uint32_t port) {
        return port >= numPorts || port > UINT16_MAX;
    });
    if (bad != members.end())
    {
        message << "routing table names output port " << *bad << ", the switch has " << numPorts;
        throw std::invalid_argument(message.str());
    }
    std::vector<Group> table;
    table.reserve(groups.size());
    for (const auto& group : groups)
    {
        if (group.count > MAX_GROUP || uint64_t{group.offset} + group.count > members.size())
        {
            message << "routing group of leaf " << table.size() << " has members " << group.offset
                    << " to " << uint64_t{group.offset} + group.count << " (at most " << MAX_GROUP
                    << "), the list has " << members.size();
            throw std::invalid_argument(message.str());
        }
        Group entry;
        entry.offset = group.count ? group.offset & (MAX_MEMBERS - 1) : 0;
        entry.count = group.count & MAX_GROUP;
        table.push_back(entry);
    }
    m_groups = std::move(table);
    m_members.assign(members.begin(), members.end());
}

} // namespace roce
} // namespace ns3
