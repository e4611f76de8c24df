/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-wait-for-graph.h"

#include "ns3/roce-cycle-finder.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

WaitForGraph::WaitForGraph(std::vector<Ptr<Switch>> switches)
    : m_switches(std::move(switches))
{
    for (uint32_t i = 0; i < m_switches.size(); ++i)
    {
        for (uint32_t p = 0; p < m_switches[i]->GetNumPorts(); ++p)
        {
            m_places[PeekPointer(m_switches[i]->GetPort(p))] = Place(i, p);
        }
    }
}

bool
WaitForGraph::IsAnyPaused() const
{
    for (const auto& device : m_switches)
    {
        for (uint32_t p = 0; p < device->GetNumPorts(); ++p)
        {
            if (device->GetPfcController()->GetMask(p))
            {
                return true;
            }
        }
    }
    return false;
}

std::vector<WaitForGraph::Vertex>
WaitForGraph::ListStopped(Tick now, Tick hold) const
{
    std::vector<Vertex> stopped;
    for (uint32_t i = 0; i < m_switches.size(); ++i)
    {
        for (uint32_t out = 0; out < m_switches[i]->GetNumPorts(); ++out)
        {
            const Ptr<Port> port = m_switches[i]->GetPort(out);
            const PauseState& pause = port->GetPauseState();
            const Transmitter& tx = port->GetTransmitter();
            const auto peer = m_places.find(port->GetPeer());
            if (pause.GetMask() == 0 || peer == m_places.end())
            {
                continue;
            }
            const Place at = peer->second;
            const uint8_t mask = m_switches[at.first]->GetPfcController()->GetMask(at.second);
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                const Tick since = pause.GetSince(p);
                if (((tx.GetPaused() & mask & pause.GetMask()) >> p & 1) && tx.GetQueueBytes(p) &&
                    now - since >= hold)
                {
                    stopped.push_back({i,
                                       {m_switches[i]->GetId(),
                                        out,
                                        p,
                                        tx.GetQueueBytes(p),
                                        since,
                                        m_switches[at.first]->GetId(),
                                        at.second}});
                }
            }
        }
    }
    return stopped;
}

bool
WaitForGraph::Holds(const Vertex& vertex, uint32_t inPort) const
{
    const WaitingQueue& queue = vertex.queue;
    const Ptr<Port> port = m_switches[vertex.device]->GetPort(queue.port);
    const Frame* frame = port->GetTransmitter().Peek(queue.priority);
    while (frame && frame->inPort != inPort)
    {
        frame = frame->next;
    }
    return frame != nullptr;
}

std::vector<DeadlockReport>
WaitForGraph::FindCycles(Tick now, Tick hold) const
{
    const std::vector<Vertex> stopped = ListStopped(now, hold);
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (uint32_t a = 0; a < stopped.size(); ++a)
    {
        const WaitingQueue& from = stopped[a].queue;
        const Ptr<Port> port = m_switches[stopped[a].device]->GetPort(from.port);
        const uint32_t device = m_places.at(port->GetPeer()).first;
        // the list is by switch
        auto b = std::lower_bound(stopped.begin(),
                                  stopped.end(),
                                  device,
                                  [](const Vertex& v, uint32_t d) { return v.device < d; });
        for (; b != stopped.end() && b->device == device; ++b)
        {
            if (b->queue.priority == from.priority && Holds(*b, from.peerPort))
            {
                edges.emplace_back(a, static_cast<uint32_t>(b - stopped.begin()));
            }
        }
    }
    std::vector<DeadlockReport> reports;
    for (const GraphCycle& found :
         CycleFinder::Find(static_cast<uint32_t>(stopped.size()), std::move(edges)))
    {
        DeadlockReport report;
        report.at = now;
        for (uint32_t vertex : found.cycle)
        {
            report.cycle.push_back(stopped[vertex].queue);
            report.frozen = std::max(report.frozen, stopped[vertex].queue.since);
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

} // namespace roce
} // namespace ns3
