/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-load-balance-reference.h"

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
    double room{1};              //!< what is not given away
    uint32_t open{0};            //!< users without a rate
    std::vector<uint32_t> users; //!< all

    double PerUser() const
    {
        return open ? room / open : 2; // more than any link has
    }
};

} // namespace

MaxMinReference::MaxMinReference(uint32_t leaves, uint32_t spines, uint32_t hosts)
    : m_leaves(leaves),
      m_spines(spines),
      m_hosts(hosts)
{
}

double
MaxMinReference::Draw(uint32_t paths)
{
    // leaves do not share links, as one leaf writes to one other: links of one leaf are host
    // links, then uplinks; the downlinks and host links of the other leaf carry the same flows
    const uint32_t flows = m_hosts * paths;
    std::vector<Link> links(m_hosts + m_spines);
    std::vector<uint32_t> spine(flows);
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        spine[flow] = static_cast<uint32_t>(m_engine() % m_spines);
        for (uint32_t link : {flow / paths, m_hosts + spine[flow]})
        {
            links[link].users.push_back(flow);
            ++links[link].open;
        }
    }
    std::vector<double> rates(flows, -1);
    for (uint32_t left = flows; left > 0;)
    {
        const auto least =
            std::min_element(links.begin(), links.end(), [](const Link& a, const Link& b) {
                return a.PerUser() < b.PerUser();
            });
        const double rate = least->PerUser();
        for (uint32_t flow : least->users)
        {
            if (rates[flow] >= 0)
            {
                continue;
            }
            rates[flow] = rate;
            --left;
            for (uint32_t link : {flow / paths, m_hosts + spine[flow]})
            {
                links[link].room -= rate;
                --links[link].open;
            }
        }
    }
    std::vector<double> hosts(m_hosts);
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        hosts[flow / paths] += rates[flow];
    }
    return *std::min_element(hosts.begin(), hosts.end());
}

double
MaxMinReference::GetSlowest(uint32_t paths, uint32_t draws)
{
    double sum = 0;
    for (uint32_t draw = 0; draw < draws; ++draw)
    {
        double least = 1;
        for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
        {
            least = std::min(least, Draw(paths));
        }
        sum += least;
    }
    return sum / draws;
}

} // namespace roce
} // namespace ns3
