/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-routing.h"

#include "roce-fabric-graph-storage.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint16_t UNREACHED = UINT16_MAX; ///< "no path" in the table of distances

/// Stores equal lists of ports once, for one switch.
class GroupStore
{
  public:
    /** \param routes where lists go */
    explicit GroupStore(SwitchRoutes& routes)
        : m_routes(routes)
    {
    }

    /** \return the group of a list. \param ports the list */
    RouteGroup Intern(const std::vector<uint32_t>& ports)
    {
        if (ports.empty())
        {
            return {};
        }
        const auto added = m_known.emplace(ports, static_cast<uint32_t>(m_routes.members.size()));
        if (added.second)
        {
            m_routes.members.insert(m_routes.members.end(), ports.begin(), ports.end());
        }
        return {added.first->second, static_cast<uint32_t>(ports.size())};
    }

  private:
    SwitchRoutes& m_routes;                            //!< where lists go
    std::map<std::vector<uint32_t>, uint32_t> m_known; //!< list to offset
};

} // namespace

constexpr uint32_t Routing::NO_LEAF;

Routing::Routing(const FabricGraph& graph, MemberOrder order)
    : m_graph(&graph),
      m_order(order)
{
    Recompute();
}

void
Routing::Recompute()
{
    FindLeaves();
    SortArcs();
    const size_t count = m_table.switches.size();
    std::vector<GroupStore> stores;
    stores.reserve(count);
    for (SwitchRoutes& routes : m_table.switches)
    {
        routes.groups.reserve(m_table.leaves.size());
        stores.emplace_back(routes);
    }
    std::vector<std::vector<uint32_t>> lists(count);
    m_distance.assign(m_table.leaves.size() * count, UNREACHED);
    for (uint32_t leaf = 0; leaf < m_table.leaves.size(); leaf++)
    {
        Search(leaf, lists);
        ApplyOverrides(leaf, lists);
        for (size_t i = 0; i < count; i++)
        {
            if (m_order == MemberOrder::PortOrder)
            {
                std::sort(lists[i].begin(), lists[i].end());
            }
            m_table.switches[i].groups.push_back(stores[i].Intern(lists[i]));
            lists[i].clear();
        }
    }
}

void
Routing::Override(uint32_t id, uint32_t leaf, uint32_t port)
{
    const SwitchRoutes& routes = At(id);
    const std::string what = "route of switch " + std::to_string(id) + " by port " +
                             std::to_string(port) + " to leaf " + std::to_string(leaf);
    if (leaf >= m_table.leaves.size() || routes.leaf == leaf)
    {
        throw std::invalid_argument(what + ": expected one of " +
                                    std::to_string(m_table.leaves.size()) +
                                    " leaves, not the switch itself");
    }
    const std::vector<FabricNeighbour> ports = m_graph->Neighbours(id);
    if (port >= ports.size() || m_graph->IsHost(ports[port].peer))
    {
        throw std::invalid_argument(what + ": expected a port that leads to a switch, it has " +
                                    std::to_string(ports.size()) + " ports");
    }
    m_overrides[leaf][m_switchOfVertex[m_graph->IndexOf(id)]] = port;
}

void
Routing::ApplyOverrides(uint32_t leaf, std::vector<std::vector<uint32_t>>& lists) const
{
    const auto found = m_overrides.find(leaf);
    if (found == m_overrides.end())
    {
        return;
    }
    for (const auto& [index, port] : found->second)
    {
        const uint32_t link = m_graph->Neighbours(m_table.switches[index].id)[port].link;
        if (m_graph->Link(link).up)
        {
            lists[index].assign(1, port);
        }
    }
}

void
Routing::FindLeaves()
{
    const FabricGraphStorage& storage = m_graph->GetStorage();
    m_table.leaves.clear();
    m_table.switches.clear();
    m_switchOfVertex.assign(m_graph->NodeCount(), NO_LEAF);
    for (uint32_t vertex = 0; vertex < m_graph->NodeCount(); vertex++)
    {
        if (storage[vertex].kind == NodeKind::Host)
        {
            continue;
        }
        SwitchRoutes routes;
        routes.id = storage[vertex].id;
        routes.leaf = NO_LEAF;
        const auto edges = boost::out_edges(vertex, storage);
        for (auto it = edges.first; it != edges.second; ++it)
        {
            if (storage[boost::target(*it, storage)].kind == NodeKind::Host)
            {
                routes.leaf = static_cast<uint32_t>(m_table.leaves.size());
                m_table.leaves.push_back(routes.id);
                break;
            }
        }
        m_switchOfVertex[vertex] = static_cast<uint32_t>(m_table.switches.size());
        m_table.switches.push_back(std::move(routes));
    }
}

void
Routing::SortArcs()
{
    m_firstArc.assign(1, 0);
    m_arcs.clear();
    for (const SwitchRoutes& routes : m_table.switches)
    {
        std::vector<FabricNeighbour> peers;
        for (const FabricNeighbour& n : m_graph->Neighbours(routes.id))
        {
            if (m_graph->Link(n.link).up && !m_graph->IsHost(n.peer))
            {
                peers.push_back(n);
            }
        }
        const MemberOrder order = m_order;
        // stable: parallel links stay in order of this switch's ports
        std::stable_sort(peers.begin(),
                         peers.end(),
                         [order](const FabricNeighbour& x, const FabricNeighbour& y) {
                             return order == MemberOrder::DescendingPeerId  ? x.peer > y.peer
                                    : order == MemberOrder::AscendingPeerId ? x.peer < y.peer
                                                                            : x.port < y.port;
                         });
        for (const FabricNeighbour& n : peers)
        {
            m_arcs.push_back({m_switchOfVertex[m_graph->IndexOf(n.peer)], n.peerPort, n.link});
        }
        m_firstArc.push_back(static_cast<uint32_t>(m_arcs.size()));
    }
}

void
Routing::Search(uint32_t leaf, std::vector<std::vector<uint32_t>>& lists)
{
    const size_t count = m_table.switches.size();
    uint16_t* distance = m_distance.data() + static_cast<size_t>(leaf) * count;
    const uint32_t root = m_switchOfVertex[m_graph->IndexOf(m_table.leaves[leaf])];
    std::vector<uint32_t> queue{root};
    queue.reserve(count);
    distance[root] = 0;
    for (size_t head = 0; head < queue.size(); head++)
    {
        const uint32_t now = queue[head];
        const uint32_t further = distance[now] + 1U;
        if (further >= UNREACHED)
        {
            throw std::invalid_argument("the fabric has a path of more than " +
                                        std::to_string(UNREACHED - 1) + " switches");
        }
        for (uint32_t i = m_firstArc[now]; i < m_firstArc[now + 1]; i++)
        {
            const Arc& arc = m_arcs[i];
            if (distance[arc.peer] == UNREACHED)
            {
                distance[arc.peer] = static_cast<uint16_t>(further);
                queue.push_back(arc.peer);
            }
            if (distance[arc.peer] == further)
            {
                lists[arc.peer].push_back(arc.peerPort);
            }
        }
    }
}

const RouteTable&
Routing::Table() const
{
    return m_table;
}

const SwitchRoutes&
Routing::At(uint32_t id) const
{
    const uint32_t index = m_switchOfVertex[m_graph->IndexOf(id)];
    if (index == NO_LEAF)
    {
        throw std::invalid_argument("node " + std::to_string(id) +
                                    " is a host; expected the id of a switch");
    }
    return m_table.switches[index];
}

uint32_t
Routing::HostIndex(uint32_t host) const
{
    const uint32_t vertex = m_graph->IndexOf(host);
    if (m_switchOfVertex[vertex] != NO_LEAF)
    {
        throw std::invalid_argument("node " + std::to_string(host) +
                                    " is a switch; expected the id of a host");
    }
    return vertex;
}

HostLocator
Routing::Locate(uint32_t host, uint32_t port) const
{
    HostIndex(host);
    const std::vector<FabricNeighbour> ports = m_graph->Neighbours(host);
    if (port >= ports.size())
    {
        throw std::invalid_argument("host " + std::to_string(host) + " has no port " +
                                    std::to_string(port) + "; it has " +
                                    std::to_string(ports.size()) + " links");
    }
    const FabricNeighbour& n = ports[port];
    const bool direct = m_graph->IsHost(n.peer);
    return {direct ? NO_LEAF : At(n.peer).leaf, n.peerPort};
}

std::vector<HostRoute>
Routing::HostPorts(uint32_t src, uint32_t dst) const
{
    HostIndex(src);
    HostIndex(dst);
    std::vector<HostRoute> best;
    if (src == dst)
    {
        return best;
    }
    uint32_t least = UINT32_MAX;
    const std::vector<FabricNeighbour> srcPorts = m_graph->Neighbours(src);
    const std::vector<FabricNeighbour> dstPorts = m_graph->Neighbours(dst);
    for (const FabricNeighbour& s : srcPorts)
    {
        for (const FabricNeighbour& d : dstPorts)
        {
            if (!m_graph->Link(s.link).up || !m_graph->Link(d.link).up)
            {
                continue;
            }
            uint32_t hops = UINT32_MAX;
            if (s.link == d.link)
            {
                hops = 1; // the two ends of one cable
            }
            else if (!m_graph->IsHost(s.peer) && !m_graph->IsHost(d.peer))
            {
                const uint32_t between = Distance(s.peer, At(d.peer).leaf);
                hops = between == UINT32_MAX ? between : between + 2;
            }
            if (hops < least)
            {
                best.clear();
                least = hops;
            }
            if (hops == least && hops != UINT32_MAX)
            {
                best.push_back({s.port, d.port, hops});
            }
        }
    }
    return best;
}

bool
Routing::IsReachable(uint32_t src, uint32_t dst) const
{
    return !HostPorts(src, dst).empty();
}

void
Routing::RequireReachable(uint32_t src, uint32_t dst) const
{
    if (!IsReachable(src, dst))
    {
        throw std::runtime_error("no path from host " + std::to_string(src) + " to host " +
                                 std::to_string(dst) +
                                 " over links that are up (hosts do not forward); check the "
                                 "topology or the pair");
    }
}

uint32_t
Routing::Distance(uint32_t id, uint32_t leaf) const
{
    const uint32_t index = m_switchOfVertex[m_graph->IndexOf(id)];
    if (index == NO_LEAF || leaf >= m_table.leaves.size())
    {
        throw std::invalid_argument("no distance from node " + std::to_string(id) + " to leaf " +
                                    std::to_string(leaf) + "; expected a switch and one of " +
                                    std::to_string(m_table.leaves.size()) + " leaves");
    }
    const uint16_t d = m_distance[static_cast<size_t>(leaf) * m_table.switches.size() + index];
    return d == UNREACHED ? UINT32_MAX : d;
}

} // namespace roce
} // namespace ns3
