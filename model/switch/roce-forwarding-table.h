/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FORWARDING_TABLE_H
#define ROCE_FORWARDING_TABLE_H

#include "roce-locator-table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/** A group of equal-cost output ports: a range of a member list. */
struct ForwardingGroup
{
    uint32_t offset; //!< first member
    uint32_t count;  //!< members; 0: no route
};

/**
 * The next hops of one switch.
 *
 * Models: routing per destination leaf: the shared LocatorTable gives the leaf of an address, the
 * table of the switch a group of output ports for each leaf. At its own leaf a frame goes out of
 * the port of the host.
 *
 * Equal-cost multipath, RFC 2992.
 *
 * Invariants: each port that Lookup gives is below the number of ports; count 0 if and only if
 * there is no route; parallel links and weights are repeated members.
 *
 * Leaves out: computing routes (topology); longest-prefix match.
 */
class ForwardingTable
{
  public:
    /** Largest number of members of one group. */
    static constexpr uint32_t MAX_GROUP = (1u << 12) - 1;
    /** Largest number of members of all groups. */
    static constexpr uint32_t MAX_MEMBERS = 1u << 20;

    /** \param locators where hosts hang; shared by all switches, may grow later */
    void SetLocators(std::shared_ptr<const LocatorTable> locators);

    /** \param leaf leaf index of this switch, or LocatorTable::NO_LEAF */
    void SetOwnLeaf(uint32_t leaf);

    /**
     * Put new groups in place of all old ones. Throws std::invalid_argument, and keeps the old
     * ones, if a group or port lies outside of its range.
     * \param groups by leaf index
     * \param members output ports
     * \param numPorts ports of the switch
     */
    void SetGroups(const std::vector<ForwardingGroup>& groups,
                   const std::vector<uint32_t>& members,
                   uint32_t numPorts);

    /**
     * \param destination IPv4, host order
     * \param count number of output ports to choose from; 0: no route
     * \return these ports
     */
    const uint16_t* Lookup(uint32_t destination, uint32_t& count) const
    {
        const Locator* locator = m_table->Find(destination);
        if (__builtin_expect(locator == nullptr, 0))
        {
            count = 0;
            return nullptr;
        }
        const uint32_t leaf = locator->leaf;
        if (leaf == m_ownLeaf && leaf != LocatorTable::NO_LEAF)
        {
            count = 1;
            return &locator->port;
        }
        if (__builtin_expect(leaf >= m_groups.size(), 0))
        {
            count = 0;
            return nullptr;
        }
        const Group group = m_groups[leaf];
        count = group.count;
        return m_members.data() + group.offset;
    }

    /** \return leaf index of this switch, or LocatorTable::NO_LEAF */
    uint32_t GetOwnLeaf() const
    {
        return m_ownLeaf;
    }

  private:
    /** 4 bytes a leaf. */
    struct Group
    {
        uint32_t offset : 20;
        uint32_t count : 12;
    };

    static const LocatorTable EMPTY;

    const LocatorTable* m_table{&EMPTY};
    uint32_t m_ownLeaf{LocatorTable::NO_LEAF};
    std::vector<Group> m_groups;     //!< by leaf
    std::vector<uint16_t> m_members; //!< output ports
    std::shared_ptr<const LocatorTable> m_locators;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FORWARDING_TABLE_H
