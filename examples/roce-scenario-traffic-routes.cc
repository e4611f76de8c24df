/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-traffic.h"

#include "ns3/roce-path-pin-helper.h"
#include "ns3/roce-path-tracer.h"

#include <random>

// the paths of ScenarioTraffic; the rest is in roce-scenario-traffic.cc

namespace ns3
{
namespace roce
{

void
ScenarioTraffic::AddLink(std::size_t flow, uint32_t link, uint32_t from)
{
    const bool forth = m_fabric->GetGraph().Link(link).a == from;
    m_routes[flow].push_back(2 * uint64_t(link) + (forth ? 0 : 1));
}

void
ScenarioTraffic::Route(std::size_t flow, uint32_t draw)
{
    const FabricGraph& graph = m_fabric->GetGraph();
    const uint32_t source = m_plan.flows[flow].source;
    const uint32_t destination = m_plan.flows[flow].destination;
    if (!m_plan.pinned)
    {
        const FabricNeighbour last = graph.Neighbours(destination)[0];
        AddLink(flow, graph.Neighbours(source)[0].link, source);
        AddLink(flow, last.link, last.peer);
        return;
    }
    std::mt19937 engine(draw);
    const TracedPath path =
        PathTracer(graph, m_fabric->GetRouting())
            .Trace(source, 0, destination, 0, [&engine](uint32_t, uint32_t count) {
                return static_cast<uint32_t>(engine() % count);
            });
    for (std::size_t i = 0; i < path.links.size(); ++i)
    {
        AddLink(flow, path.links[i], path.nodes[i]);
    }
    PathPinHelper(m_fabric).PinPath(m_connections[flow],
                                    {path.nodes.begin() + 1, path.nodes.end() - 1});
}

const std::vector<std::vector<uint64_t>>&
ScenarioTraffic::GetRoutes() const
{
    return m_routes;
}

std::map<uint64_t, double>
ScenarioTraffic::GetCapacity() const
{
    std::map<uint64_t, double> capacity;
    for (uint32_t link = 0; link < m_fabric->GetGraph().LinkCount(); ++link)
    {
        const auto rate = static_cast<double>(m_fabric->GetGraph().Link(link).rateBps);
        capacity[2 * uint64_t(link)] = rate;
        capacity[2 * uint64_t(link) + 1] = rate;
    }
    return capacity;
}

} // namespace roce
} // namespace ns3
