/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// how RoceHelper builds a fabric
#include "roce-helper.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-conga-stage.h"
#include "ns3/roce-quantity.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Give an object its attributes. */
void
SetAll(ObjectBase& object, const CongestionStack::Values& values)
{
    for (const auto& value : values)
    {
        object.SetAttribute(value.first, *value.second);
    }
}

/** \return a delay in ticks, to the nearest. \param ps in picoseconds */
__int128
TicksOf(int64_t ps)
{
    const int64_t psPerSecond = 1000000000000;
    return (static_cast<__int128>(ps) * TicksPerSecond() + psPerSecond / 2) / psPerSecond;
}

/** Refuse what Switch and Cable cannot hold, before there are nodes. \param graph the fabric */
void
CheckLimits(const FabricGraph& graph)
{
    constexpr uint32_t MAX_PORTS = 65536;
    for (uint32_t id : graph.Switches())
    {
        if (graph.PortCount(id) > MAX_PORTS)
        {
            throw std::invalid_argument("switch " + std::to_string(id) + " has " +
                                        std::to_string(graph.PortCount(id)) +
                                        " ports, its limit is " + std::to_string(MAX_PORTS) +
                                        "; use fewer links or more switches");
        }
    }
    for (uint32_t i = 0; i < graph.LinkCount(); ++i)
    {
        const FabricLink& link = graph.Link(i);
        if (TicksOf(link.delayPs) > UINT32_MAX)
        {
            throw std::invalid_argument("link " + std::to_string(link.a) + "-" +
                                        std::to_string(link.b) + " has a delay of " +
                                        Quantity::DelayText(link.delayPs) +
                                        ", at most 2^32 - 1 ticks (4.29 s unless ns-3's "
                                        "resolution was changed) can be simulated");
        }
    }
}

} // namespace

Ptr<Port>
RoceHelper::MakePort(const FabricLink& link) const
{
    ObjectFactory factory = m_port;
    factory.Set("DataRate", DataRateValue(DataRate(link.rateBps)));
    factory.Set("PauseFrameBytes", UintegerValue(m_sizes.pfcBytes));
    if (link.errorRate > 0)
    {
        Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(link.errorRate);
        factory.Set("ReceiveErrorModel", PointerValue(errors));
    }
    if (m_scheduler.IsTypeIdSet())
    {
        factory.Set("Scheduler", PointerValue(m_scheduler.Create<PortScheduler>()));
    }
    return factory.Create<Port>();
}

Ptr<Nic>
RoceHelper::MakeNic(const std::vector<Ptr<Port>>& ports, const CongestionStack& stack) const
{
    Ptr<Nic> nic = m_nic.Create<Nic>();
    nic->SetFrameSizes(m_sizes);
    nic->SetCongestionControl(m_control);
    nic->SetLossRecovery(m_recovery);
    PointerValue options;
    nic->GetAttribute("Transport", options);
    CongestionStack::Apply(stack.transport, *options.Get<TransportOptions>());
    if (m_paths.IsTypeIdSet())
    {
        options.Get<TransportOptions>()->SetAttribute("PathChooser",
                                                      PointerValue(m_paths.Create<PathChooser>()));
    }
    SetAll(*options.Get<TransportOptions>(), m_transport);
    CongestionStack::Apply(stack.cnp, *nic->GetCnpGenerator());
    SetAll(*nic->GetCnpGenerator(), m_cnp);
    for (const auto& port : ports)
    {
        nic->AddPort(port);
    }
    return nic;
}

Ptr<Switch>
RoceHelper::MakeSwitch(const FabricGraph& graph,
                       uint32_t id,
                       const std::vector<Ptr<Port>>& ports,
                       const CongestionStack& stack) const
{
    Ptr<Switch> device = m_switch.Create<Switch>();
    device->SetId(id);
    device->SetLoadBalancer(m_balancer.Create<LoadBalancer>());
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    CongestionStack::Apply(stack.ecn, *marker);
    SetAll(*marker, m_ecn);
    for (const RateThresholds& t : m_thresholds)
    {
        marker->SetThresholds(t.rate, t.kmin, t.kmax, t.pmax);
    }
    device->SetEcnMarker(marker);
    SetAll(*device->GetPfcController(), m_pfc);
    SetAll(*device->GetBufferOptions(), m_buffer);
    for (const auto& port : ports)
    {
        device->AddPort(port);
    }
    if (stack.stages)
    {
        stack.stages(device, graph, id);
    }
    return device;
}

void
RoceHelper::MakeDevices(Ptr<Fabric> fabric, const CongestionStack& stack, Devices& devices) const
{
    const FabricGraph& graph = fabric->m_graph;
    for (uint32_t index = 0; index < graph.NodeCount(); ++index)
    {
        const uint32_t id = graph.IdOf(index);
        fabric->m_ports.emplace_back();
        std::vector<Ptr<Port>>& ports = fabric->m_ports.back();
        for (const FabricNeighbour& neighbour : graph.Neighbours(id))
        {
            ports.push_back(MakePort(graph.Link(neighbour.link)));
            ports.back()->SetAddress(
                fabric->GetMac(index, static_cast<uint32_t>(ports.size() - 1)));
        }
        if (graph.IsHost(id))
        {
            devices.nics.push_back(MakeNic(ports, stack));
        }
        else
        {
            devices.switches.push_back(MakeSwitch(graph, id, ports, stack));
        }
    }
}

void
RoceHelper::MakeNodes(Ptr<Fabric> fabric, const Devices& devices)
{
    const FabricGraph& graph = fabric->m_graph;
    for (uint32_t index = 0; index < graph.NodeCount(); ++index)
    {
        Ptr<Node> node = CreateObject<Node>();
        fabric->m_nodes.push_back(node);
        for (const Ptr<Port>& port : fabric->m_ports[index])
        {
            node->AddDevice(port);
        }
        if (graph.IsHost(graph.IdOf(index)))
        {
            node->AggregateObject(devices.nics[fabric->m_hosts.GetN()]);
            fabric->m_hosts.Add(node);
        }
        else
        {
            node->AggregateObject(devices.switches[fabric->m_switches.GetN()]);
            fabric->m_switches.Add(node);
        }
    }
}

void
RoceHelper::Drop(Ptr<Fabric> fabric, const Devices& devices)
{
    for (const auto& ports : fabric->m_ports)
    {
        for (const Ptr<Port>& port : ports)
        {
            port->Dispose();
        }
    }
    for (const Ptr<Nic>& nic : devices.nics)
    {
        nic->Dispose();
    }
    for (const Ptr<Switch>& device : devices.switches)
    {
        device->Dispose();
    }
}

void
RoceHelper::MakeCables(Ptr<Fabric> fabric) const
{
    for (uint32_t i = 0; i < fabric->m_graph.LinkCount(); ++i)
    {
        const FabricLink& link = fabric->m_graph.Link(i);
        Ptr<Cable> cable = CreateObject<Cable>();
        cable->SetAttribute("Delay", TimeValue(FromTick(static_cast<Tick>(TicksOf(link.delayPs)))));
        cable->Connect(fabric->GetPort(link.a, link.portA), fabric->GetPort(link.b, link.portB));
        fabric->m_cables.push_back(cable);
        if (!link.up)
        {
            cable->SetUp(false);
        }
    }
}

void
RoceHelper::MakeRoutes(Ptr<Fabric> fabric, const Devices& devices) const
{
    const FabricGraph& graph = fabric->m_graph;
    uint32_t largest = 0;
    for (const Ptr<Nic>& nic : devices.nics)
    {
        largest = std::max(largest, m_sizes.DataBytes(nic->GetDefaults().mtu, true));
    }
    for (uint32_t host : graph.Hosts())
    {
        for (uint32_t port = 0; port < graph.PortCount(host); ++port)
        {
            const HostLocator locator = fabric->m_routing.Locate(host, port);
            if (locator.leaf != Routing::NO_LEAF)
            {
                fabric->m_locators->Set(fabric->m_addresses.Address(host, port),
                                        locator.leaf,
                                        locator.leafPort);
            }
        }
    }
    for (std::size_t i = 0; i < devices.switches.size(); ++i)
    {
        const Ptr<Switch>& device = devices.switches[i];
        device->GetForwarding().SetLocators(fabric->m_locators);
        device->GetForwarding().SetOwnLeaf(fabric->m_routing.Table().switches[i].leaf);
        for (uint32_t p = 0; p < device->GetNumPorts(); ++p)
        {
            const Ptr<Port> port = device->GetPort(p);
            device->SetPortBuffer(p,
                                  m_headroom ? m_headroom(port->GetRate(), port->GetDelay()) : 0,
                                  m_alpha ? m_alpha(port->GetRate()) : 0);
        }
        UintegerValue frame;
        device->GetAttribute("MaxFrameBytes", frame);
        uint64_t growth = 0;
        for (const auto& stage : device->GetStages())
        {
            growth += stage->GetGrowth();
        }
        device->SetAttribute("MaxFrameBytes",
                             UintegerValue(std::max<uint64_t>(frame.Get(), largest + growth)));
        CongaStage::Install(*device, fabric->m_locators);
        device->Freeze();
    }
}

Ptr<Fabric>
RoceHelper::Install(const FabricGraph& graph, PartitionPolicy partition) const
{
    graph.Validate(partition);
    CheckLimits(graph);
    Ptr<Fabric> fabric = Create<Fabric>(graph, m_order);
    fabric->m_sizes = m_sizes;
    const CongestionStack stack =
        m_stack ? *m_stack : CongestionStack::Of(m_control, m_paths.IsTypeIdSet());
    Devices devices;
    try
    {
        MakeDevices(fabric, stack, devices);
        MakeCables(fabric);
        MakeRoutes(fabric, devices);
    }
    catch (...)
    {
        Drop(fabric, devices);
        throw;
    }
    MakeNodes(fabric, devices);
    fabric->FillTables();
    return fabric;
}

void
RoceHelper::InstallInternet(Ptr<Fabric> fabric) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    const FabricGraph& graph = fabric->m_graph;
    for (uint32_t host : graph.Hosts())
    {
        if (!fabric->GetNode(host)->GetObject<Ipv4>())
        {
            stack.Install(fabric->GetNode(host)); // else a front end has brought it
        }
        Ptr<Ipv4> ipv4 = fabric->GetNode(host)->GetObject<Ipv4>();
        for (uint32_t port = 0; port < graph.PortCount(host); ++port)
        {
            const uint32_t interface = ipv4->AddInterface(fabric->GetPort(host, port));
            const Ipv4Address address(fabric->m_addresses.Address(host, port));
            ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.0.0.0")));
            ipv4->SetUp(interface);
        }
    }
}

} // namespace roce
} // namespace ns3
