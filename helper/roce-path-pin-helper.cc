/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-path-pin-helper.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

PathPinHelper::PathPinHelper(Ptr<Fabric> fabric)
    : m_fabric(fabric)
{
    for (uint32_t i = 0; i < fabric->GetSwitches().GetN(); ++i)
    {
        Ptr<LoadBalancer> balancer =
            fabric->GetSwitches().Get(i)->GetObject<Switch>()->GetLoadBalancer();
        if (!DynamicCast<PinnedLoadBalancer>(balancer))
        {
            throw std::invalid_argument("paths cannot be pinned with load balancer " +
                                        balancer->GetInstanceTypeId().GetName() +
                                        "; build the fabric with SetLoadBalancer(\"pinned\")");
        }
    }
}

Ptr<PinnedLoadBalancer>
PathPinHelper::GetBalancer(uint32_t id) const
{
    return DynamicCast<PinnedLoadBalancer>(m_fabric->GetSwitch(id)->GetLoadBalancer());
}

void
PathPinHelper::CheckMember(uint32_t id, uint32_t destination, uint32_t port) const
{
    uint32_t count;
    const uint16_t* members = m_fabric->GetSwitch(id)->GetForwarding().Lookup(destination, count);
    if (count && std::find(members, members + count, port) != members + count)
    {
        return;
    }
    std::ostringstream message;
    message << "switch " << id << ": port " << port << " does not lead to "
            << Ipv4Address(destination) << (count ? "; choose" : ", nor does any other");
    for (uint32_t i = 0; i < count; ++i)
    {
        message << " " << members[i];
    }
    throw std::invalid_argument(message.str());
}

void
PathPinHelper::Pin(uint32_t id, const FlowKey& flow, uint32_t port)
{
    CheckMember(id, flow.destination, port);
    GetBalancer(id)->Pin(flow, port);
}

void
PathPinHelper::PinQueuePair(uint32_t id, uint32_t destination, uint32_t qpn, uint32_t port)
{
    CheckMember(id, destination, port);
    GetBalancer(id)->PinQueuePair(destination, qpn, port);
}

bool
PathPinHelper::UnpinQueuePair(uint32_t id, uint32_t destination, uint32_t qpn)
{
    return GetBalancer(id)->UnpinQueuePair(destination, qpn);
}

uint32_t
PathPinHelper::FindPort(uint32_t from, uint32_t to, uint32_t destination) const
{
    const auto& neighbours = m_fabric->GetGraph().Neighbours(from);
    for (uint32_t port = 0; port < neighbours.size(); ++port)
    {
        if (neighbours[port].peer == to)
        {
            CheckMember(from, destination, port);
            return port;
        }
    }
    throw std::invalid_argument("no link from switch " + std::to_string(from) + " to node " +
                                std::to_string(to));
}

void
PathPinHelper::PinPath(const Connection& connection, const std::vector<uint32_t>& nodes)
{
    const FlowKey flow = GetFlow(connection);
    std::vector<uint32_t> ports;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    {
        m_fabric->GetSwitch(nodes[i]); // refuses what is no switch
        ports.push_back(FindPort(nodes[i], nodes[i + 1], flow.destination));
    }
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        GetBalancer(nodes[i])->Pin(flow, ports[i]);
    }
}

FlowKey
PathPinHelper::GetFlow(const Connection& connection)
{
    const QueuePairConfig& config = connection.qp->GetConfig();
    FlowKey flow;
    flow.source = config.localAddress;
    flow.destination = config.remoteAddress;
    flow.sourcePort = config.sourcePort;
    flow.destinationPort = config.destinationPort;
    return flow;
}

} // namespace roce
} // namespace ns3
