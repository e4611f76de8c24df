/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-responder-resources.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
ResponderResources::Add(const ResponderResource& resource)
{
    if (m_items.full() && m_items.capacity() < m_depth)
    {
        m_items.set_capacity(
            std::min<std::size_t>(m_depth, std::max<std::size_t>(4, 2 * m_items.capacity())));
    }
    m_items.push_back(resource); // a full ring forgets its oldest
}

const ResponderResource*
ResponderResources::Find(uint64_t number) const
{
    auto item = std::find_if(m_items.begin(), m_items.end(), [number](const auto& resource) {
        return resource.first <= number && number < resource.end;
    });
    return item == m_items.end() ? nullptr : &*item;
}

uint64_t
ResponderResources::FirstBehind(uint64_t number) const
{
    auto item = std::find_if(m_items.begin(), m_items.end(), [number](const auto& resource) {
        return resource.first > number;
    });
    return item == m_items.end() ? ~uint64_t(0) : item->first;
}

} // namespace roce
} // namespace ns3
