/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fabric-graph.h"

#include "roce-fabric-graph-storage.h"

#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/// Keeps edges between two switches that are up.
struct SwitchEdges
{
    const FabricGraph* graph{nullptr}; //!< the fabric

    /** \return true for an edge that forwards. \param edge an edge descriptor */
    template <typename E>
    bool operator()(const E& edge) const
    {
        const FabricGraphStorage& storage = graph->GetStorage();
        const FabricLink& link = graph->Link(storage[edge].link);
        return link.up && !graph->IsHost(link.a) && !graph->IsHost(link.b);
    }
};

/// Which hosts a host reaches: the parts of the switch network it is on, and hosts beside it.
class HostReach
{
  public:
    /** \param graph the fabric */
    explicit HostReach(const FabricGraph& graph)
        : m_graph(graph),
          m_hosts(graph.Hosts()),
          m_parts(graph.NodeCount())
    {
        std::vector<uint32_t> partOf(graph.NodeCount());
        const boost::filtered_graph<FabricAdjacencyList, SwitchEdges> switches(graph.GetStorage(),
                                                                               SwitchEdges{&graph});
        boost::connected_components(switches, partOf.data());
        for (uint32_t host : m_hosts)
        {
            for (const FabricNeighbour& n : graph.Neighbours(host))
            {
                if (graph.Link(n.link).up && !graph.IsHost(n.peer))
                {
                    m_parts[graph.IndexOf(host)].insert(partOf[graph.IndexOf(n.peer)]);
                }
            }
        }
    }

    /**
     * Find two hosts without a path.
     * \param a set to one
     * \param b set to the other
     * \return true if there are such hosts
     */
    bool FindUnreachable(uint32_t& a, uint32_t& b) const
    {
        std::set<std::set<uint32_t>> done; // sets of parts that reach every host
        for (uint32_t host : m_hosts)
        {
            const std::set<uint32_t>& mine = m_parts[m_graph.IndexOf(host)];
            if (done.count(mine) != 0)
            {
                continue;
            }
            const std::set<uint32_t> beside = Beside(host);
            bool byParts = true;
            for (uint32_t other : m_hosts)
            {
                if (other == host || Share(mine, m_parts[m_graph.IndexOf(other)]))
                {
                    continue;
                }
                byParts = false;
                if (beside.count(other) == 0)
                {
                    a = host;
                    b = other;
                    return true;
                }
            }
            if (byParts)
            {
                done.insert(mine);
            }
        }
        return false;
    }

  private:
    /** \return hosts at the other end of a cable. \param host id of a host */
    std::set<uint32_t> Beside(uint32_t host) const
    {
        std::set<uint32_t> beside;
        for (const FabricNeighbour& n : m_graph.Neighbours(host))
        {
            if (m_graph.Link(n.link).up && m_graph.IsHost(n.peer))
            {
                beside.insert(n.peer);
            }
        }
        return beside;
    }

    /** \return true if two sets meet. \param x a set \param y a set */
    static bool Share(const std::set<uint32_t>& x, const std::set<uint32_t>& y)
    {
        for (uint32_t part : x)
        {
            if (y.count(part) != 0)
            {
                return true;
            }
        }
        return false;
    }

    const FabricGraph& m_graph;              //!< the fabric
    std::vector<uint32_t> m_hosts;           //!< ids
    std::vector<std::set<uint32_t>> m_parts; //!< by vertex; only of hosts
};

} // namespace

FabricGraph::FabricGraph()
    : m_storage(std::make_unique<FabricGraphStorage>())
{
}

FabricGraph::~FabricGraph() = default;

FabricGraph::FabricGraph(const FabricGraph& other)
    : m_storage(std::make_unique<FabricGraphStorage>(*other.m_storage)),
      m_links(other.m_links),
      m_byId(other.m_byId),
      m_hosts(other.m_hosts),
      m_maxId(other.m_maxId)
{
}

FabricGraph::FabricGraph(FabricGraph&& other)
    : FabricGraph()
{
    Swap(other);
}

FabricGraph&
FabricGraph::operator=(FabricGraph other)
{
    Swap(other);
    return *this;
}

void
FabricGraph::Swap(FabricGraph& other)
{
    std::swap(m_storage, other.m_storage);
    std::swap(m_links, other.m_links);
    std::swap(m_byId, other.m_byId);
    std::swap(m_hosts, other.m_hosts);
    std::swap(m_maxId, other.m_maxId);
}

uint32_t
FabricGraph::AddNode(FabricNode node)
{
    const auto index = static_cast<uint32_t>(boost::num_vertices(*m_storage));
    if (!m_byId.emplace(node.id, index).second)
    {
        throw std::invalid_argument("node id " + std::to_string(node.id) +
                                    " is taken; give each node its own id");
    }
    m_maxId = std::max(m_maxId, node.id);
    m_hosts += node.kind == NodeKind::Host ? 1 : 0;
    (*m_storage)[boost::add_vertex(*m_storage)] = std::move(node);
    return index;
}

uint32_t
FabricGraph::AddHost(uint32_t id, const std::string& name)
{
    return AddNode({id, NodeKind::Host, name, "host"});
}

uint32_t
FabricGraph::AddSwitch(uint32_t id, const std::string& tier, const std::string& name, NodeKind kind)
{
    if (kind == NodeKind::Host)
    {
        throw std::invalid_argument("node " + std::to_string(id) +
                                    ": AddSwitch takes kind Switch or NvSwitch; use AddHost");
    }
    return AddNode({id, kind, name, tier});
}

uint32_t
FabricGraph::AddLink(uint32_t a, uint32_t b, uint64_t rateBps, int64_t delayPs, double errorRate)
{
    const std::string name = "link " + std::to_string(a) + "-" + std::to_string(b);
    for (uint32_t end : {a, b})
    {
        if (!Has(end))
        {
            throw std::invalid_argument(name + ": there is no node " + std::to_string(end) +
                                        "; add the node first");
        }
    }
    if (a == b)
    {
        throw std::invalid_argument(name + " joins a node to itself; expected two nodes");
    }
    if (rateBps == 0)
    {
        throw std::invalid_argument(name + " has rate 0; expected at least 1 bit/s");
    }
    if (rateBps < MIN_RATE_BPS)
    {
        throw std::invalid_argument(name + " has a rate of " + std::to_string(rateBps) +
                                    " bit/s, expected at least " + std::to_string(MIN_RATE_BPS) +
                                    "; is a unit such as Gbps missing?");
    }
    if (delayPs < 0)
    {
        throw std::invalid_argument(name + " has a delay of " + std::to_string(delayPs) +
                                    " ps; expected 0 or more");
    }
    if (!(errorRate >= 0 && errorRate <= 1))
    {
        throw std::invalid_argument(name + " has an error rate of " + std::to_string(errorRate) +
                                    "; expected 0 to 1");
    }
    const uint32_t va = IndexOf(a);
    const uint32_t vb = IndexOf(b);
    FabricLink link;
    link.a = a;
    link.b = b;
    link.portA = static_cast<uint32_t>(boost::out_degree(va, *m_storage));
    link.portB = static_cast<uint32_t>(boost::out_degree(vb, *m_storage));
    link.rateBps = rateBps;
    link.delayPs = delayPs;
    link.errorRate = errorRate;
    const auto index = static_cast<uint32_t>(m_links.size());
    m_links.push_back(link);
    boost::add_edge(va, vb, FabricGraphEdge{index}, *m_storage);
    return index;
}

void
FabricGraph::SetLinkUp(uint32_t link, bool up)
{
    Link(link); // throws if there is none
    m_links[link].up = up;
}

uint32_t
FabricGraph::NodeCount() const
{
    return static_cast<uint32_t>(boost::num_vertices(*m_storage));
}

uint32_t
FabricGraph::HostCount() const
{
    return m_hosts;
}

uint32_t
FabricGraph::SwitchCount() const
{
    return NodeCount() - m_hosts;
}

uint32_t
FabricGraph::LinkCount() const
{
    return static_cast<uint32_t>(m_links.size());
}

uint32_t
FabricGraph::MaxId() const
{
    return m_maxId;
}

bool
FabricGraph::Has(uint32_t id) const
{
    return m_byId.count(id) != 0;
}

bool
FabricGraph::IsHost(uint32_t id) const
{
    const auto it = m_byId.find(id);
    return it != m_byId.end() && (*m_storage)[it->second].kind == NodeKind::Host;
}

uint32_t
FabricGraph::IndexOf(uint32_t id) const
{
    const auto it = m_byId.find(id);
    if (it == m_byId.end())
    {
        throw std::invalid_argument("there is no node " + std::to_string(id) + " among the " +
                                    std::to_string(NodeCount()) + " nodes of the fabric");
    }
    return it->second;
}

uint32_t
FabricGraph::IdOf(uint32_t index) const
{
    if (index >= NodeCount())
    {
        throw std::invalid_argument("there is no vertex " + std::to_string(index) +
                                    "; the fabric has " + std::to_string(NodeCount()) + " nodes");
    }
    return (*m_storage)[index].id;
}

const FabricNode&
FabricGraph::Node(uint32_t id) const
{
    return (*m_storage)[IndexOf(id)];
}

const FabricLink&
FabricGraph::Link(uint32_t link) const
{
    if (link >= m_links.size())
    {
        throw std::invalid_argument("there is no link " + std::to_string(link) +
                                    "; the fabric has " + std::to_string(m_links.size()) +
                                    " links");
    }
    return m_links[link];
}

uint32_t
FabricGraph::PortCount(uint32_t id) const
{
    return static_cast<uint32_t>(boost::out_degree(IndexOf(id), *m_storage));
}

std::vector<FabricNeighbour>
FabricGraph::Neighbours(uint32_t id) const
{
    std::vector<FabricNeighbour> neighbours;
    const uint32_t vertex = IndexOf(id);
    neighbours.reserve(boost::out_degree(vertex, *m_storage));
    const auto edges = boost::out_edges(vertex, *m_storage);
    for (auto it = edges.first; it != edges.second; ++it)
    {
        const uint32_t index = (*m_storage)[*it].link;
        const FabricLink& link = m_links[index];
        const bool isA = link.a == id;
        neighbours.push_back({isA ? link.portA : link.portB,
                              isA ? link.b : link.a,
                              isA ? link.portB : link.portA,
                              index});
    }
    return neighbours;
}

std::vector<uint32_t>
FabricGraph::Hosts() const
{
    std::vector<uint32_t> ids;
    for (uint32_t i = 0; i < NodeCount(); i++)
    {
        if ((*m_storage)[i].kind == NodeKind::Host)
        {
            ids.push_back((*m_storage)[i].id);
        }
    }
    return ids;
}

std::vector<uint32_t>
FabricGraph::Switches() const
{
    std::vector<uint32_t> ids;
    for (uint32_t i = 0; i < NodeCount(); i++)
    {
        if ((*m_storage)[i].kind != NodeKind::Host)
        {
            ids.push_back((*m_storage)[i].id);
        }
    }
    return ids;
}

const FabricGraphStorage&
FabricGraph::GetStorage() const
{
    return *m_storage;
}

void
FabricGraph::Validate(PartitionPolicy partition) const
{
    if (m_hosts == 0)
    {
        throw std::invalid_argument("the fabric has no host among its " +
                                    std::to_string(NodeCount()) + " nodes; expected at least one");
    }
    for (uint32_t host : Hosts())
    {
        if (PortCount(host) == 0)
        {
            throw std::invalid_argument("host " + std::to_string(host) +
                                        " has no link; expected at least one");
        }
    }
    for (uint32_t id : Switches())
    {
        if (PortCount(id) == 0)
        {
            throw std::invalid_argument("switch " + std::to_string(id) +
                                        " has no link; cable it or remove it");
        }
    }
    uint32_t a = 0;
    uint32_t b = 0;
    if (partition == PartitionPolicy::Refuse && HostReach(*this).FindUnreachable(a, b))
    {
        throw std::invalid_argument("no path from host " + std::to_string(a) + " to host " +
                                    std::to_string(b) +
                                    " over links that are up (hosts do not forward); join them or "
                                    "allow partitions");
    }
}

} // namespace roce
} // namespace ns3
