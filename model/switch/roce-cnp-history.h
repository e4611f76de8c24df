/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CNP_HISTORY_H
#define ROCE_CNP_HISTORY_H

#include "ns3/roce-tick.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Which flows had CNPs of which congestion domains lately, and which domains they have left.
 *
 * Models: the memory of a load balancer that tells senders of moves. A flow has a few domains; what
 * is older than the span is forgotten when the flow is touched, or when the table has doubled.
 *
 * Source: hierarchical congestion control, flag leave; ours.
 *
 * Invariants: Leave is true at most once for each Note; a domain that a flow has left and not come
 * back to is reported by each Note in the span after the move.
 *
 * Leaves out: what a chip can hold.
 */
class CnpHistory
{
  public:
    /** \param span ticks for which a CNP or a move counts */
    explicit CnpHistory(Tick span)
        : m_span(span)
    {
    }

    /**
     * A CNP goes to a flow.
     * \param flow its name
     * \param domain congestion domain of the CNP
     * \param now present tick
     * \return whether the flow has left that domain: the CNP is late
     */
    bool Note(uint64_t flow, uint16_t domain, Tick now)
    {
        std::vector<Item>& items = Touch(flow, now);
        for (Item& item : items)
        {
            if (item.domain == domain)
            {
                item.cnp = item.left ? item.cnp : now;
                return item.left;
            }
        }
        items.push_back(Item{now, domain, false});
        return false;
    }

    /**
     * A flow is moved.
     * \param flow its name
     * \param from congestion domain that it leaves
     * \param to congestion domain that it goes to
     * \param now present tick
     * \return whether it had a CNP of the domain that it leaves, and is to be told
     */
    bool Leave(uint64_t flow, uint16_t from, uint16_t to, Tick now)
    {
        const auto found = m_flows.find(flow);
        if (found == m_flows.end() || from == to)
        {
            return false;
        }
        std::vector<Item>& items = found->second;
        Expire(items, now);
        const auto back = [to](const Item& item) { return item.left && item.domain == to; };
        items.erase(std::remove_if(items.begin(), items.end(), back), items.end());
        for (Item& item : items)
        {
            if (item.domain == from && !item.left)
            {
                item.left = true;
                item.cnp = now;
                return true;
            }
        }
        return false;
    }

    /** \return flows in memory */
    std::size_t GetSize() const
    {
        return m_flows.size();
    }

  private:
    /** A domain of a flow. */
    struct Item
    {
        Tick cnp;        //!< last CNP; of the move if it has left
        uint16_t domain; //!< its id
        bool left;       //!< the flow has been moved away
    };

    void Expire(std::vector<Item>& items, Tick now) const
    {
        const auto old = [this, now](const Item& item) { return now - item.cnp > m_span; };
        items.erase(std::remove_if(items.begin(), items.end(), old), items.end());
    }

    std::vector<Item>& Touch(uint64_t flow, Tick now)
    {
        if (m_flows.size() >= m_limit)
        {
            for (auto place = m_flows.begin(); place != m_flows.end();)
            {
                Expire(place->second, now);
                place = place->second.empty() ? m_flows.erase(place) : std::next(place);
            }
            m_limit = std::max(LEAST, 2 * m_flows.size());
        }
        std::vector<Item>& items = m_flows[flow];
        Expire(items, now);
        return items;
    }

    static constexpr std::size_t LEAST = 64;

    Tick m_span;
    std::size_t m_limit{LEAST}; //!< flows at which the old ones are looked for
    std::unordered_map<uint64_t, std::vector<Item>> m_flows;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CNP_HISTORY_H
