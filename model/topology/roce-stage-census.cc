/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-stage-census.h"

#include "roce-quantity.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace ns3
{
namespace roce
{

namespace
{

/// Longest delay of a link: 65535 of them there and back, with packets, fit 63 bits.
constexpr int64_t MAX_DELAY_PS = 60000000000000;

/** \return a sum that stops at the largest number. \param a a number \param b another */
uint32_t
Saturated(uint64_t a, uint64_t b)
{
    return static_cast<uint32_t>(std::min<uint64_t>(a + b, UINT32_MAX));
}

} // namespace

StageCensus::StageCensus(const FabricGraph& graph, const RttFrames& frames)
    : m_graph(&graph),
      m_frames(frames)
{
    FindArcs();
    FindClasses();
    m_ways.assign(m_leaves.size() * m_leaves.size(), Way{0, 0, UINT16_MAX, 0});
    for (uint32_t leaf = 0; leaf < m_leaves.size(); leaf++)
    {
        Search(leaf);
    }
    for (size_t a = 0; a < m_classes.size(); a++)
    {
        for (size_t b = a; b < m_classes.size(); b++)
        {
            CountPairs(m_classes[a], m_classes[b]);
        }
    }
    for (const auto& [links, row] : m_byLinks)
    {
        m_rows.push_back(row);
    }
    m_ways.clear();
    m_graph = nullptr;
}

int64_t
StageCensus::Cost(const FabricLink& link) const
{
    if (link.delayPs > MAX_DELAY_PS)
    {
        throw std::invalid_argument("link " + std::to_string(link.a) + "-" +
                                    std::to_string(link.b) + " has a delay of " +
                                    Quantity::DelayText(link.delayPs) + ", at most " +
                                    Quantity::DelayText(MAX_DELAY_PS) + " can be planned");
    }
    const uint64_t bits = (uint64_t{m_frames.dataBytes} + m_frames.ackBytes) * 8;
    // bits x 10^12 is below 2^64 for all frames up to 1 MB
    const uint64_t time = (bits * 1000000000000ULL + link.rateBps / 2) / link.rateBps;
    return 2 * link.delayPs + static_cast<int64_t>(time);
}

void
StageCensus::FindArcs()
{
    const FabricGraph& graph = *m_graph;
    m_switchOf.assign(graph.NodeCount(), UINT32_MAX);
    uint32_t count = 0;
    for (uint32_t id : graph.Switches())
    {
        m_switchOf[graph.IndexOf(id)] = count++;
    }
    m_arcs.resize(count);
    m_leafOf.assign(count, UINT32_MAX);
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        if (!link.up)
        {
            continue;
        }
        const uint32_t a = m_switchOf[graph.IndexOf(link.a)];
        const uint32_t b = m_switchOf[graph.IndexOf(link.b)];
        if (a != UINT32_MAX && b != UINT32_MAX)
        {
            m_arcs[a].push_back({b, Cost(link)});
            m_arcs[b].push_back({a, Cost(link)});
        }
        else if (a != UINT32_MAX || b != UINT32_MAX)
        {
            const uint32_t leaf = a != UINT32_MAX ? a : b;
            if (m_leafOf[leaf] == UINT32_MAX)
            {
                m_leafOf[leaf] = static_cast<uint32_t>(m_leaves.size());
                m_leaves.push_back(leaf);
            }
        }
        else
        {
            StageRow& row = m_direct[std::minmax(link.a, link.b)];
            row = {1,
                   1,
                   std::max(row.maxRttPs, Cost(link)),
                   std::min(link.a, link.b),
                   std::max(link.a, link.b),
                   row.minNextHops + 1,
                   row.maxNextHops + 1,
                   row.minPaths + 1,
                   row.maxPaths + 1};
        }
    }
}

void
StageCensus::FindClasses()
{
    std::map<std::tuple<std::vector<Uplink>, uint32_t>, size_t> known;
    for (uint32_t host : m_graph->Hosts())
    {
        std::vector<Uplink> uplinks;
        bool direct = false;
        for (const FabricNeighbour& n : m_graph->Neighbours(host))
        {
            const FabricLink& link = m_graph->Link(n.link);
            const uint32_t peer = m_switchOf[m_graph->IndexOf(n.peer)];
            if (link.up && peer != UINT32_MAX)
            {
                uplinks.emplace_back(m_leafOf[peer], Cost(link));
            }
            direct = direct || (link.up && peer == UINT32_MAX);
        }
        std::sort(uplinks.begin(), uplinks.end());
        const auto key = std::make_tuple(uplinks, direct ? host : UINT32_MAX);
        const auto added = known.emplace(key, m_classes.size());
        if (added.second)
        {
            m_classes.push_back({uplinks, host, host, 0, direct});
        }
        HostClass& found = m_classes[added.first->second];
        found.second = host;
        found.count++;
    }
}

void
StageCensus::Search(uint32_t leaf)
{
    std::vector<Way> ways(m_arcs.size(), Way{0, 0, UINT16_MAX, 0});
    std::vector<uint32_t> queue{m_leaves[leaf]};
    queue.reserve(m_arcs.size());
    ways[m_leaves[leaf]] = {0, 1, 0, 0};
    for (size_t head = 0; head < queue.size(); head++)
    {
        const Way now = ways[queue[head]];
        const auto further = static_cast<uint16_t>(now.links + 1);
        if (further == UINT16_MAX)
        {
            throw std::invalid_argument("the fabric has a path of more than " +
                                        std::to_string(UINT16_MAX - 1) + " switches");
        }
        for (const Arc& arc : m_arcs[queue[head]])
        {
            Way& peer = ways[arc.peer];
            if (peer.links == UINT16_MAX)
            {
                peer.links = further;
                queue.push_back(arc.peer);
            }
            if (peer.links == further)
            {
                peer.costPs = std::max(peer.costPs, now.costPs + arc.costPs);
                peer.paths = Saturated(peer.paths, now.paths);
                peer.nextHops = static_cast<uint16_t>(std::min(peer.nextHops + 1, UINT16_MAX));
            }
        }
    }
    for (size_t from = 0; from < m_leaves.size(); from++)
    {
        m_ways[leaf * m_leaves.size() + from] = ways[m_leaves[from]];
    }
}

StageRow
StageCensus::Between(const HostClass& a, const HostClass& b) const
{
    StageRow best;
    for (const Uplink& from : a.uplinks)
    {
        for (const Uplink& to : b.uplinks)
        {
            const Way& way = m_ways[to.first * m_leaves.size() + from.first];
            if (way.links == UINT16_MAX || (best.links != 0 && way.links + 2U > best.links))
            {
                continue;
            }
            if (way.links + 2U < best.links || best.links == 0)
            {
                best = {};
                best.links = way.links + 2U;
                best.minNextHops = UINT32_MAX;
            }
            const int64_t cost = from.second + way.costPs + to.second;
            const uint32_t hops = from.first == to.first ? 1 : way.nextHops;
            best.maxRttPs = std::max(best.maxRttPs, cost);
            best.minNextHops = std::min(best.minNextHops, hops);
            best.maxNextHops = std::max(best.maxNextHops, hops);
            best.maxPaths += way.paths;
        }
    }
    best.minPaths = best.maxPaths;
    return best;
}

void
StageCensus::CountPairs(const HostClass& a, const HostClass& b)
{
    const bool same = &a == &b;
    const uint64_t pairs = same ? a.count * (a.count - 1) / 2 : a.count * b.count;
    if (pairs == 0)
    {
        return;
    }
    if (a.direct && b.direct)
    {
        const auto found = m_direct.find(std::minmax(a.first, b.first));
        if (found != m_direct.end())
        {
            Add(found->second);
            return;
        }
    }
    StageRow row = Between(a, b);
    row.pairs = pairs;
    row.from = a.first;
    row.to = same ? a.second : b.second;
    if (row.links == 0)
    {
        m_unreachable += pairs;
        return;
    }
    Add(row);
    // the way back may have more or fewer ports to begin with
    const StageRow back = same ? row : Between(b, a);
    StageRow& sum = m_byLinks[row.links];
    sum.minNextHops = std::min(sum.minNextHops, back.minNextHops);
    sum.maxNextHops = std::max(sum.maxNextHops, back.maxNextHops);
}

void
StageCensus::Add(const StageRow& found)
{
    const auto added = m_byLinks.emplace(found.links, found);
    if (added.second)
    {
        return;
    }
    StageRow& row = added.first->second;
    row.pairs += found.pairs;
    if (found.maxRttPs > row.maxRttPs)
    {
        row.maxRttPs = found.maxRttPs;
        row.from = found.from;
        row.to = found.to;
    }
    row.minNextHops = std::min(row.minNextHops, found.minNextHops);
    row.maxNextHops = std::max(row.maxNextHops, found.maxNextHops);
    row.minPaths = std::min(row.minPaths, found.minPaths);
    row.maxPaths = std::max(row.maxPaths, found.maxPaths);
}

const std::vector<StageRow>&
StageCensus::Rows() const
{
    return m_rows;
}

uint64_t
StageCensus::Unreachable() const
{
    return m_unreachable;
}

uint32_t
StageCensus::Diameter() const
{
    return m_rows.empty() ? 0 : m_rows.back().links;
}

} // namespace roce
} // namespace ns3
