/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-bisection.h"

#include "roce-quantity.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Residual = boost::property<boost::edge_residual_capacity_t,
                                 int64_t,
                                 boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>;
using EdgeData = boost::property<boost::edge_capacity_t, int64_t, Residual>;
using Network =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, EdgeData>;

/** Add an edge and its reverse. \param network the network \param from tail \param to head
 *  \param forward capacity \param back capacity of the reverse */
void
AddEdges(Network& network, size_t from, size_t to, int64_t forward, int64_t back)
{
    const auto there = boost::add_edge(from, to, network).first;
    const auto home = boost::add_edge(to, from, network).first;
    boost::put(boost::edge_capacity, network, there, forward);
    boost::put(boost::edge_capacity, network, home, back);
    boost::put(boost::edge_reverse, network, there, home);
    boost::put(boost::edge_reverse, network, home, there);
}

/** Refuse rates whose sum is no int64_t. \param graph the fabric */
void
CheckSum(const FabricGraph& graph)
{
    uint64_t left = std::numeric_limits<int64_t>::max();
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        if (link.rateBps > left)
        {
            throw std::invalid_argument(
                "the rates of all links up to " + std::to_string(link.a) + "-" +
                std::to_string(link.b) + " with " + Quantity::RateText(link.rateBps) +
                " add up to more than 2^63 bit/s, which cannot be planned; check their units");
        }
        left -= link.rateBps;
    }
}

} // namespace

Bisection::Bisection(const FabricGraph& graph)
    : Bisection(graph, graph.Hosts())
{
}

Bisection::Bisection(const FabricGraph& graph, const std::vector<uint32_t>& hosts)
{
    std::vector<uint32_t> given = hosts;
    std::vector<uint32_t> all = graph.Hosts();
    std::sort(given.begin(), given.end());
    std::sort(all.begin(), all.end());
    if (given != all)
    {
        throw std::invalid_argument("bisection: the list of " + std::to_string(given.size()) +
                                    " hosts is not each of the " + std::to_string(all.size()) +
                                    " hosts of the fabric once");
    }
    std::vector<bool> sends(graph.NodeCount());
    for (size_t i = 0; i < hosts.size() / 2; i++)
    {
        sends[graph.IndexOf(hosts[i])] = true;
    }
    CheckSum(graph);
    if (hosts.size() >= 2)
    {
        Solve(graph, sends);
    }
}

void
Bisection::Solve(const FabricGraph& graph, const std::vector<bool>& sends)
{
    // a vertex a switch, and two more
    std::vector<size_t> place(graph.NodeCount());
    size_t source = 0;
    for (uint32_t id : graph.Switches())
    {
        place[graph.IndexOf(id)] = source++;
    }
    const size_t sink = source + 1;
    std::map<std::pair<size_t, size_t>, int64_t> rates; // parallel links and hosts added up
    std::vector<uint64_t> half(2);
    uint64_t direct = 0;
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        const FabricLink& link = graph.Link(i);
        if (!link.up)
        {
            continue;
        }
        const size_t a = graph.IndexOf(link.a);
        const size_t b = graph.IndexOf(link.b);
        const bool hostA = graph.IsHost(link.a);
        const bool hostB = graph.IsHost(link.b);
        const auto rate = static_cast<int64_t>(link.rateBps);
        half[sends[a]] += hostA ? link.rateBps : 0;
        half[sends[b]] += hostB ? link.rateBps : 0;
        if (hostA && hostB)
        {
            direct += sends[a] != sends[b] ? link.rateBps : 0;
        }
        else if (hostA || hostB)
        {
            const size_t host = hostA ? a : b;
            const size_t leaf = place[hostA ? b : a];
            rates[sends[host] ? std::make_pair(source, leaf) : std::make_pair(leaf, sink)] += rate;
        }
        else
        {
            rates[std::minmax(place[a], place[b])] += rate;
        }
    }
    Network network(sink + 1);
    for (const auto& [ends, rate] : rates)
    {
        const bool oneWay = ends.first == source || ends.second == sink;
        AddEdges(network, ends.first, ends.second, rate, oneWay ? 0 : rate);
    }
    const int64_t flow = boost::push_relabel_max_flow(network, source, sink);
    m_bps = static_cast<uint64_t>(flow) + direct;
    m_hostBps = std::min(half[0], half[1]);
}

uint64_t
Bisection::Bps() const
{
    return m_bps;
}

uint64_t
Bisection::HostBps() const
{
    return m_hostBps;
}

double
Bisection::Share() const
{
    return m_hostBps == 0 ? 0 : static_cast<double>(m_bps) / static_cast<double>(m_hostBps);
}

} // namespace roce
} // namespace ns3
