/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-tag-table.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CnpTagTable);

TypeId
CnpTagTable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::CnpTagTable").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

CnpTagTable::CnpTagTable(bool byDomain)
    : m_byDomain(byDomain)
{
}

CnpTagTable::~CnpTagTable() = default;

uint8_t
CnpTagTable::Assign(const CnpBody& place, bool last)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        Entry& entry = m_entries[i];
        if (m_byDomain ? entry.place.domain == place.domain : entry.place.point == place.point)
        {
            entry.last = entry.last && last;
            return static_cast<uint8_t>(i + 1);
        }
    }
    if (m_entries.size() == MAX_TAGS)
    {
        const std::string what = m_byDomain ? "domain " + std::to_string(place.domain)
                                            : "point " + std::to_string(place.point);
        throw std::invalid_argument(
            "congestion " + what +
            " is number 64 of the fabric, but tags "
            "have 6 bits, 63 values; " +
            (m_byDomain ? "use larger domains" : "give tags to domains, not to points"));
    }
    m_entries.push_back(Entry{place, last});
    return static_cast<uint8_t>(m_entries.size());
}

} // namespace roce
} // namespace ns3
