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

uint8_t
CnpTagTable::Assign(const CnpBody& place)
{
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        if (m_byDomain ? m_places[i].domain == place.domain : m_places[i].point == place.point)
        {
            return static_cast<uint8_t>(i + 1);
        }
    }
    if (m_places.size() == MAX_TAGS)
    {
        const std::string what = m_byDomain ? "domain " + std::to_string(place.domain)
                                            : "point " + std::to_string(place.point);
        throw std::invalid_argument(
            "congestion " + what +
            " is number 64 of the fabric, but tags "
            "have 6 bits, 63 values; " +
            (m_byDomain ? "use larger domains" : "give tags to domains, not to points"));
    }
    m_places.push_back(place);
    return static_cast<uint8_t>(m_places.size());
}

} // namespace roce
} // namespace ns3
