/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_TAG_TABLE_H
#define ROCE_CNP_TAG_TABLE_H

#include "roce-cnp-body.h"

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What the 6-bit tags of marked packets mean in one fabric.
 *
 * Models: the table that switches and receivers of a fabric share when receivers make the CNPs. A
 * tag stands for one congestion point, or for all of one congestion domain.
 *
 * Clause: the 6 reserved bits beside FECN and BECN of the BTH (IBTA 9.2), which the ICRC masks.
 *
 * Invariants: tag 0 means none; a place has one tag; tags are given in the order of asking.
 *
 * Leaves out: how receivers count by tag (TagEcho).
 */
class CnpTagTable : public Object
{
  public:
    static constexpr unsigned MAX_TAGS = 63; //!< 6 bits, and 0 means none

    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    /** \param byDomain whether all congestion points of a domain share one tag */
    explicit CnpTagTable(bool byDomain);

    ~CnpTagTable() override;

    /**
     * \param place domain, point, tier, stage and rate of a congestion point
     * \param last whether its port leads to a host
     * \return its tag, 1..63; throws std::invalid_argument if there are no more
     */
    uint8_t Assign(const CnpBody& place, bool last = false);

    /** \return what was assigned first to it, or nullptr. \param tag a tag */
    const CnpBody* Find(uint8_t tag) const
    {
        return tag == 0 || tag > m_entries.size() ? nullptr : &m_entries[tag - 1].place;
    }

    /** \return whether the ports of all that was assigned to it lead to hosts. \param tag a tag */
    bool IsLast(uint8_t tag) const
    {
        return Find(tag) && m_entries[tag - 1].last;
    }

    /** \return tags in use */
    std::size_t GetSize() const
    {
        return m_entries.size();
    }

  private:
    /** A tag. */
    struct Entry
    {
        CnpBody place; //!< what it stands for
        bool last;     //!< only ports that lead to hosts
    };

    bool m_byDomain;
    std::vector<Entry> m_entries; //!< by tag, from 1
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_TAG_TABLE_H
