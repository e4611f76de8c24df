/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-path-tracer.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

PathTracer::PathTracer(const FabricGraph& graph, const Routing& routing)
    : m_graph(&graph),
      m_routing(&routing)
{
}

TracedPath
PathTracer::Trace(uint32_t src,
                  uint32_t srcPort,
                  uint32_t dst,
                  uint32_t dstPort,
                  const Chooser& choose) const
{
    const std::string pair = std::to_string(src) + " to host " + std::to_string(dst);
    m_routing->Locate(src, srcPort); // both throw if there is no such port
    const HostLocator goal = m_routing->Locate(dst, dstPort);
    TracedPath path;
    path.nodes.push_back(src);
    uint32_t port = srcPort;
    // a shortest path visits no switch twice
    for (uint32_t hop = 0; hop <= m_graph->SwitchCount(); hop++)
    {
        const FabricNeighbour out = m_graph->Neighbours(path.nodes.back())[port];
        if (!m_graph->Link(out.link).up)
        {
            break;
        }
        path.nodes.push_back(out.peer);
        path.links.push_back(out.link);
        if (out.peer == dst && out.peerPort == dstPort)
        {
            return path;
        }
        if (m_graph->IsHost(out.peer) || goal.leaf == Routing::NO_LEAF)
        {
            break;
        }
        const SwitchRoutes& routes = m_routing->At(out.peer);
        const bool last = routes.leaf == goal.leaf;
        const RouteGroup group = last ? RouteGroup{0, 1} : routes.groups[goal.leaf];
        if (group.count == 0)
        {
            break;
        }
        const uint32_t choice = choose(out.peer, group.count);
        if (choice >= group.count)
        {
            throw std::out_of_range("switch " + std::to_string(out.peer) + ": the chooser said " +
                                    std::to_string(choice) + " of " + std::to_string(group.count) +
                                    " members");
        }
        port = last ? goal.leafPort : routes.members[group.offset + choice];
    }
    throw std::runtime_error("no path from host " + pair + " by port " + std::to_string(srcPort) +
                             " to port " + std::to_string(dstPort) + ", stopped after node " +
                             std::to_string(path.nodes.back()));
}

} // namespace roce
} // namespace ns3
