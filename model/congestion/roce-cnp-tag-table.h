/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_TAG_TABLE_H
#define ROCE_CNP_TAG_TABLE_H

#include "roce-cnp-body.h"

#include "ns3/simple-ref-count.h"

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
 * Leaves out: how receivers count by tag.
 */
class CnpTagTable : public SimpleRefCount<CnpTagTable>
{
  public:
    static constexpr unsigned MAX_TAGS = 63; //!< 6 bits, and 0 means none

    /** \param byDomain whether all congestion points of a domain share one tag */
    explicit CnpTagTable(bool byDomain)
        : m_byDomain(byDomain)
    {
    }

    /**
     * \param place domain, point, tier, stage and rate of a congestion point
     * \return its tag, 1..63; throws std::invalid_argument if there are no more
     */
    uint8_t Assign(const CnpBody& place);

    /** \return what was assigned first to it, or nullptr. \param tag a tag */
    const CnpBody* Find(uint8_t tag) const
    {
        return tag == 0 || tag > m_places.size() ? nullptr : &m_places[tag - 1];
    }

  private:
    bool m_byDomain;
    std::vector<CnpBody> m_places; //!< by tag, from 1
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_TAG_TABLE_H
