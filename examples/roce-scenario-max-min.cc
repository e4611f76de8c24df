/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-max-min.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** A link and who uses it. */
struct Link
{
    double capacity{0};
    double room{0};                 //!< what is not given away
    uint32_t open{0};               //!< users without a rate
    std::vector<std::size_t> users; //!< all
};

} // namespace

MaxMinRates::MaxMinRates(const std::map<uint64_t, double>& capacity,
                         const std::vector<std::vector<uint64_t>>& routes)
    : m_rates(routes.size(), -1)
{
    std::map<uint64_t, Link> links;
    for (std::size_t flow = 0; flow < routes.size(); ++flow)
    {
        for (uint64_t number : routes[flow])
        {
            Link& link = links[number];
            link.capacity = link.room = capacity.at(number);
            link.users.push_back(flow);
            ++link.open;
        }
    }
    for (;;)
    {
        const Link* least = nullptr;
        for (const auto& [number, link] : links)
        {
            if (link.open && (!least || link.room / link.open < least->room / least->open))
            {
                least = &link;
            }
        }
        if (!least)
        {
            break;
        }
        const double rate = std::max(0.0, least->room / least->open);
        for (std::size_t flow : least->users)
        {
            if (m_rates[flow] >= 0)
            {
                continue;
            }
            m_rates[flow] = rate;
            for (uint64_t number : routes[flow])
            {
                links[number].room -= rate;
                --links[number].open;
            }
        }
    }
    for (const auto& [number, link] : links)
    {
        if (link.room < 1e-6 * link.capacity)
        {
            m_full.push_back(number);
        }
    }
}

const std::vector<double>&
MaxMinRates::GetRates() const
{
    return m_rates;
}

const std::vector<uint64_t>&
MaxMinRates::GetFull() const
{
    return m_full;
}

} // namespace roce
} // namespace ns3
