/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fabric.h"

#include "roce-ideal-completion.h"

#include "ns3/node.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace ns3
{
namespace roce
{

Fabric::Fabric(const FabricGraph& graph, MemberOrder order)
    : m_graph(graph),
      m_known(graph),
      m_routing(m_known, order),
      m_addresses(m_graph),
      m_locators(std::make_shared<LocatorTable>())
{
}

const FabricGraph&
Fabric::GetGraph() const
{
    return m_graph;
}

const Routing&
Fabric::GetRouting() const
{
    return m_routing;
}

const AddressPlan&
Fabric::GetAddresses() const
{
    return m_addresses;
}

const NodeContainer&
Fabric::GetHosts() const
{
    return m_hosts;
}

const NodeContainer&
Fabric::GetSwitches() const
{
    return m_switches;
}

Ptr<Node>
Fabric::GetNode(uint32_t id) const
{
    return m_nodes[m_graph.IndexOf(id)];
}

Ptr<Nic>
Fabric::GetNic(uint32_t id) const
{
    Ptr<Nic> nic = GetNode(id)->GetObject<Nic>();
    if (!nic)
    {
        throw std::invalid_argument("node " + std::to_string(id) + " is a switch, not a host");
    }
    return nic;
}

Ptr<Switch>
Fabric::GetSwitch(uint32_t id) const
{
    Ptr<Switch> device = GetNode(id)->GetObject<Switch>();
    if (!device)
    {
        throw std::invalid_argument("node " + std::to_string(id) + " is a host, not a switch");
    }
    return device;
}

Ptr<Port>
Fabric::GetPort(uint32_t id, uint32_t port) const
{
    const auto& ports = m_ports[m_graph.IndexOf(id)];
    if (port >= ports.size())
    {
        throw std::invalid_argument("node " + std::to_string(id) + " has " +
                                    std::to_string(ports.size()) + " ports, not port " +
                                    std::to_string(port));
    }
    return ports[port];
}

Ptr<Cable>
Fabric::GetCable(uint32_t link) const
{
    m_graph.Link(link); // refuses an unknown one
    return m_cables[link];
}

std::vector<HostRoute>
Fabric::PreferRails(const std::vector<HostRoute>& routes)
{
    std::vector<HostRoute> same;
    std::copy_if(routes.begin(), routes.end(), std::back_inserter(same), [](const HostRoute& r) {
        return r.srcPort == r.dstPort;
    });
    return same.empty() ? routes : same;
}

HostRoute
Fabric::ChooseRoute(uint32_t source, uint32_t destination) const
{
    const auto routes = PreferRails(m_routing.HostPorts(source, destination));
    if (routes.empty())
    {
        m_routing.RequireReachable(source, destination);
    }
    // several equally short ways: spread the connections of a host over them
    const uint64_t turn = GetNic(source)->GetQueuePairs().size();
    return routes[routes.size() == 1 ? 0 : turn % routes.size()];
}

std::vector<uint32_t>
Fabric::PathOf(uint32_t source, uint32_t destination, const HostRoute& route) const
{
    std::vector<uint32_t> path;
    FabricNeighbour hop = m_graph.Neighbours(source)[route.srcPort];
    path.push_back(hop.link);
    const HostLocator goal = m_routing.Locate(destination, route.dstPort);
    while (hop.peer != destination)
    {
        const SwitchRoutes& table = m_routing.At(hop.peer);
        const RouteGroup group =
            table.leaf == goal.leaf ? RouteGroup{0, 0} : table.groups[goal.leaf];
        const uint32_t port = table.leaf == goal.leaf ? goal.leafPort : table.members[group.offset];
        hop = m_graph.Neighbours(hop.peer)[port];
        path.push_back(hop.link);
        if (path.size() > m_graph.SwitchCount() + 1)
        {
            throw std::runtime_error("the routes from host " + std::to_string(source) +
                                     " to host " + std::to_string(destination) +
                                     " loop; connect them before OverrideRoute");
        }
    }
    return path;
}

std::vector<uint32_t>
Fabric::GetPath(uint32_t source, uint32_t destination) const
{
    m_routing.RequireReachable(source, destination);
    return PathOf(source, destination, m_routing.HostPorts(source, destination).front());
}

double
Fabric::GetIdealCompletionNs(uint32_t source,
                             uint32_t destination,
                             uint64_t bytes,
                             Operation operation,
                             TransportService service) const
{
    std::vector<IdealLink> links;
    for (uint32_t index : GetPath(source, destination))
    {
        const FabricLink& link = m_graph.Link(index);
        const Ptr<Port> port = GetPort(link.a, link.portA);
        const LinkTiming* timing = port->GetTransmitter().GetTiming();
        IdealLink ideal;
        ideal.bytesPerNs = static_cast<double>(timing->GetRate()) / 8e9;
        ideal.delayNs = FromTick(port->GetDelay()).ToDouble(Time::NS);
        ideal.overhead = timing->GetOverhead();
        ideal.truncate = timing->IsTruncated();
        links.push_back(ideal);
    }
    const uint32_t mtu = GetNic(source)->GetDefaults().mtu;
    return IdealCompletion(links, m_sizes, mtu).CompletionNs(bytes, operation, service);
}

Time
Fabric::GetBaseRtt(uint32_t source, uint32_t destination) const
{
    const uint32_t mtu = GetNic(source)->GetDefaults().mtu;
    return NanoSeconds(static_cast<uint64_t>(GetIdealCompletionNs(source, destination, mtu)));
}

Connection
Fabric::Connect(uint32_t source, uint32_t destination, const ConnectionOptions& options)
{
    Connection made;
    made.nic = GetNic(source);
    made.peerNic = GetNic(destination);
    if (source == destination)
    {
        throw std::invalid_argument("host " + std::to_string(source) +
                                    " cannot connect to itself over the fabric");
    }
    if (options.mirrorPorts && options.sourcePort == 0)
    {
        throw std::invalid_argument("mirrored UDP ports need a source port other than 0");
    }
    const HostRoute route = ChooseRoute(source, destination);
    QueuePairConfig config = made.nic->GetDefaults();
    config.localAddress = m_addresses.Address(source, route.srcPort);
    config.remoteAddress = m_addresses.Address(destination, route.dstPort);
    config.localPort = route.srcPort;
    config.sourcePort = options.sourcePort;
    config.destinationPort = options.destinationPort;
    config.sendPsn = options.sendPsn;
    config.receivePsn = options.receivePsn;
    config.windowBytes = options.windowBytes;
    config.windowFollowsRate = options.windowFollowsRate;
    config.baseRtt = ToTick(GetBaseRtt(source, destination));
    config.hops = static_cast<uint32_t>(GetPath(source, destination).size());
    config.service = options.service;
    config.queueKey = options.queueKey;
    config.domain = options.domain;
    config.receiveQueue = options.receiveQueue;
    if (options.priority >= 0)
    {
        config.priority = static_cast<uint8_t>(std::min(options.priority, 255));
    }
    QueuePairConfig peer = made.peerNic->GetDefaults();
    peer.localAddress = config.remoteAddress;
    peer.remoteAddress = config.localAddress;
    peer.localPort = route.dstPort;
    peer.sourcePort = options.mirrorPorts ? options.destinationPort : 0;
    peer.destinationPort = options.mirrorPorts ? options.sourcePort : options.destinationPort;
    peer.sendPsn = options.receivePsn;
    peer.receivePsn = options.sendPsn;
    peer.windowBytes = options.windowBytes;
    peer.priority = config.priority;
    peer.baseRtt = config.baseRtt;
    peer.hops = config.hops;
    peer.service = options.service;
    peer.queueKey = options.queueKey;
    peer.domain = options.peerDomain;
    peer.receiveQueue = options.peerReceiveQueue;
    made.qp = made.nic->CreateQueuePair(config);
    made.peerQp = made.peerNic->CreateQueuePair(peer);
    made.nic->Connect(made.qp, made.peerQp->GetQpn());
    made.peerNic->Connect(made.peerQp, made.qp->GetQpn());
    return made;
}

void
Fabric::FillTables()
{
    for (uint32_t i = 0; i < m_switches.GetN(); ++i)
    {
        const SwitchRoutes& routes = m_routing.Table().switches[i];
        Ptr<Switch> device = m_switches.Get(i)->GetObject<Switch>();
        std::vector<ForwardingGroup> groups;
        groups.reserve(routes.groups.size());
        for (const RouteGroup& group : routes.groups)
        {
            groups.push_back(ForwardingGroup{group.offset, group.count});
        }
        device->GetForwarding().SetGroups(groups, routes.members, device->GetNumPorts());
    }
}

Mac48Address
Fabric::GetMac(uint32_t vertex, uint32_t port) const
{
    const uint32_t id = m_graph.IdOf(vertex);
    MacBytes bytes = FrameCodec::MacOf(vertex << 16 | (port & 0xffff));
    bytes[1] = 1;
    if (m_graph.IsHost(id))
    {
        bytes = FrameCodec::MacOf(m_addresses.Address(id, port));
    }
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

void
Fabric::SetRouteDelay(Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        throw std::invalid_argument("a route delay of " + std::to_string(delay.GetNanoSeconds()) +
                                    " ns: it cannot be negative");
    }
    m_routeDelay = delay;
}

void
Fabric::Follow(std::function<void()> action)
{
    if (m_routeDelay.IsZero())
    {
        action();
        return;
    }
    Simulator::Schedule(m_routeDelay, [self = Ptr<Fabric>(this), action] { action(); });
}

void
Fabric::AddLinkListener(const std::string& role, std::function<void()> listener)
{
    if (!m_listeners.emplace(role, std::move(listener)).second)
    {
        throw std::invalid_argument("the links of a fabric have a listener already for " + role +
                                    "; end that first, as by destroying its owner");
    }
}

void
Fabric::RemoveLinkListener(const std::string& role)
{
    m_listeners.erase(role);
}

void
Fabric::TellListeners()
{
    const auto told = m_listeners; // one that is told may add or remove some
    for (const auto& [role, listener] : told)
    {
        if (m_listeners.count(role))
        {
            listener();
        }
    }
}

void
Fabric::TellRoutes(uint32_t link, bool up)
{
    m_known.SetLinkUp(link, up);
    m_routing.Recompute();
    FillTables();
    TellListeners();
}

void
Fabric::SetLinkUp(uint32_t link, bool up)
{
    m_graph.SetLinkUp(link, up);
    Follow([this, link, up] { TellRoutes(link, up); });
    m_cables[link]->SetUp(up);
    TellListeners();
}

void
Fabric::SetLinkRate(uint32_t link, uint64_t rateBps)
{
    if (rateBps < FabricGraph::MIN_RATE_BPS)
    {
        throw std::invalid_argument("link " + std::to_string(link) + ": a rate of " +
                                    std::to_string(rateBps) + " bit/s, the least is " +
                                    std::to_string(FabricGraph::MIN_RATE_BPS));
    }
    const FabricLink& ends = m_graph.Link(link);
    m_cables[link]->SetRate(rateBps);
    TellListeners();
    Follow([this, a = ends.a, b = ends.b] {
        for (uint32_t id : {a, b})
        {
            if (!m_graph.IsHost(id))
            {
                GetSwitch(id)->GetLoadBalancer()->RatesChanged();
            }
        }
    });
}

void
Fabric::OverrideRoute(uint32_t id, uint32_t destination, uint32_t port)
{
    if (m_graph.PortCount(destination) != 1)
    {
        throw std::invalid_argument("host " + std::to_string(destination) + " has " +
                                    std::to_string(m_graph.PortCount(destination)) +
                                    " ports; a route can be overridden for a host with one");
    }
    m_routing.Override(id, m_routing.Locate(destination, 0).leaf, port);
    m_routing.Recompute();
    FillTables();
}

uint64_t
Fabric::GetOpenRequests() const
{
    uint64_t open = 0;
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        open += m_hosts.Get(i)->GetObject<Nic>()->GetOpenRequests();
    }
    return open;
}

} // namespace roce
} // namespace ns3
