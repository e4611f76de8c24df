/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-tree-monitor.h"

#include "ns3/boolean.h"
#include "ns3/node.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

PauseTreeMonitor::PauseTreeMonitor(const NodeContainer& hosts,
                                   const NodeContainer& switches,
                                   const std::vector<uint32_t>& ids)
    : m_core(EventCore::Get()),
      m_hosts(hosts, ids)
{
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        Nic& nic = m_hosts.GetNic(i);
        for (uint32_t p = 0; p < nic.GetNPorts(); ++p)
        {
            m_places[PeekPointer(nic.GetPort(p))] = {m_hosts.GetId(i), p, true};
        }
    }
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        Ptr<Switch> device = switches.Get(i)->GetObject<Switch>();
        if (!device)
        {
            throw std::invalid_argument("node " + std::to_string(switches.Get(i)->GetId()) +
                                        " has no Switch");
        }
        m_switches.push_back(device);
        m_onPfc.push_back(MakeBoundCallback(&PauseTreeMonitor::OnPfc, this, i));
        device->TraceConnectWithoutContext("PfcState", m_onPfc.back());
        for (uint32_t p = 0; p < device->GetNumPorts(); ++p)
        {
            Ptr<Port> port = device->GetPort(p);
            m_places[PeekPointer(port)] = {device->GetId(), p, false};
            const auto peer = m_places.find(port->GetPeer());
            if (peer != m_places.end() && peer->second.host)
            {
                const Port* key = PeekPointer(port);
                m_watched.push_back(port);
                m_onPause.push_back(MakeBoundCallback(&PauseTreeMonitor::OnHostPause, this, key));
                port->TraceConnectWithoutContext("PauseReceived", m_onPause.back());
            }
        }
    }
}

PauseTreeMonitor::~PauseTreeMonitor()
{
    for (std::size_t i = 0; i < m_switches.size(); ++i)
    {
        m_switches[i]->TraceDisconnectWithoutContext("PfcState", m_onPfc[i]);
    }
    for (std::size_t i = 0; i < m_watched.size(); ++i)
    {
        m_watched[i]->TraceDisconnectWithoutContext("PauseReceived", m_onPause[i]);
    }
}

const PauseTree&
PauseTreeMonitor::GetTree() const
{
    return m_tree;
}

uint32_t
PauseTreeMonitor::FindLongest(const Switch& device, uint32_t priority)
{
    uint32_t longest = PauseEpisode::NONE;
    uint64_t most = 0;
    for (uint32_t p = 0; p < device.GetNumPorts(); ++p)
    {
        const uint64_t bytes = device.GetPort(p)->GetTransmitter().GetQueueBytes(priority);
        if (bytes > most)
        {
            most = bytes;
            longest = p;
        }
    }
    return longest;
}

void
PauseTreeMonitor::OnPfc(PauseTreeMonitor* self,
                        uint32_t index,
                        uint32_t port,
                        uint32_t priority,
                        bool xoff)
{
    const Switch& device = *self->m_switches[index];
    const auto peer = self->m_places.find(device.GetPort(port)->GetPeer());
    if (peer == self->m_places.end())
    {
        return; // a neighbour that is not watched
    }
    const Tick now = self->m_core->Now();
    if (!xoff)
    {
        self->m_tree.End(peer->second.node, peer->second.port, priority, now);
        return;
    }
    PauseEpisode episode;
    episode.pauser = device.GetId();
    episode.fullPort = FindLongest(device, priority);
    episode.paused = peer->second.node;
    episode.stopsHost = peer->second.host;
    episode.port = peer->second.port;
    episode.priority = priority;
    episode.begin = now;
    self->m_tree.Begin(episode);
}

void
PauseTreeMonitor::OnHostPause(PauseTreeMonitor* self, const Port* port, const Frame& frame)
{
    const Place& place = self->m_places.at(port);
    BooleanValue expires;
    port->GetAttribute("PauseExpires", expires);
    const Tick now = self->m_core->Now();
    for (uint32_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (!((frame.pauseEnable >> p) & 1))
        {
            continue;
        }
        const uint16_t quanta = frame.pauseQuanta[p];
        if (quanta == 0)
        {
            self->m_tree.End(place.node, place.port, p, now);
            continue;
        }
        PauseEpisode episode;
        episode.until = expires.Get() ? now + port->GetPauseState().QuantaToTicks(quanta) : NEVER;
        if (self->m_tree.Extend(place.node, place.port, p, now, episode.until))
        {
            continue;
        }
        episode.pauser = self->m_places.at(port->GetPeer()).node;
        episode.byHost = true;
        episode.paused = place.node;
        episode.port = place.port;
        episode.priority = p;
        episode.begin = now;
        self->m_tree.Begin(episode);
    }
}

} // namespace roce
} // namespace ns3
