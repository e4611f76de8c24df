/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-helper.h"

#include "roce-name-table.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-conga-stage.h"
#include "ns3/roce-dcqcn.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-go-back-n.h"
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

} // namespace

RoceHelper::RoceHelper()
{
    m_port.SetTypeId(Port::GetTypeId());
    m_switch.SetTypeId(Switch::GetTypeId());
    m_nic.SetTypeId(Nic::GetTypeId());
    m_control.SetTypeId(Dcqcn::GetTypeId());
    m_recovery.SetTypeId(GoBackN::GetTypeId());
    m_balancer.SetTypeId(EcmpLoadBalancer::GetTypeId());
}

void
RoceHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    if (name == "Scheduler")
    {
        throw std::invalid_argument("port attribute Scheduler: one object would serve all ports, "
                                    "but it keeps state of one; use SetScheduler");
    }
    m_port.Set(name, value);
}

void
RoceHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
RoceHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    m_nic.Set(name, value);
}

void
RoceHelper::SetCnpAttribute(const std::string& name, const AttributeValue& value)
{
    m_cnp.emplace_back(name, value.Copy());
}

void
RoceHelper::SetPfcAttribute(const std::string& name, const AttributeValue& value)
{
    m_pfc.emplace_back(name, value.Copy());
}

void
RoceHelper::SetBufferAttribute(const std::string& name, const AttributeValue& value)
{
    m_buffer.emplace_back(name, value.Copy());
}

void
RoceHelper::SetEcnAttribute(const std::string& name, const AttributeValue& value)
{
    m_ecn.emplace_back(name, value.Copy());
}

void
RoceHelper::SetEcnThresholds(uint64_t rate, uint64_t kmin, uint64_t kmax, double pmax)
{
    m_thresholds.push_back(RateThresholds{rate, kmin, kmax, pmax});
}

void
RoceHelper::SetCongestionControl(const std::string& type)
{
    m_control = NameTable::CongestionControl(type);
    m_stack.reset();
}

void
RoceHelper::SetCongestionStack(const CongestionStack& stack)
{
    m_stack = stack;
}

void
RoceHelper::SetCongestionControlAttribute(const std::string& name, const AttributeValue& value)
{
    m_control.Set(name, value);
}

void
RoceHelper::SetLossRecovery(const std::string& type)
{
    m_recovery = NameTable::LossRecovery(type);
}

void
RoceHelper::SetLossRecoveryAttribute(const std::string& name, const AttributeValue& value)
{
    m_recovery.Set(name, value);
}

void
RoceHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    m_transport.emplace_back(name, value.Copy());
}

void
RoceHelper::SetLoadBalancer(const std::string& type)
{
    m_balancer = NameTable::LoadBalancer(type);
}

void
RoceHelper::SetLoadBalancerAttribute(const std::string& name, const AttributeValue& value)
{
    m_balancer.Set(name, value);
}

void
RoceHelper::SetPathChooser(const std::string& type, const CongestionStack::Values& attributes)
{
    m_paths = NameTable::PathChooser(type);
    if (!m_paths.IsTypeIdSet() && !attributes.empty())
    {
        throw std::invalid_argument("path chooser attribute " + attributes.front().first +
                                    ": ecmp has none; give another type to SetPathChooser");
    }
    for (const auto& value : attributes)
    {
        m_paths.Set(value.first, *value.second);
    }
}

void
RoceHelper::SetScheduler(const std::string& type)
{
    m_scheduler = NameTable::Scheduler(type);
}

void
RoceHelper::SetSchedulerAttribute(const std::string& name, const AttributeValue& value)
{
    if (!m_scheduler.IsTypeIdSet())
    {
        throw std::invalid_argument("scheduler attribute " + name +
                                    ": strict priority has none; call SetScheduler first");
    }
    m_scheduler.Set(name, value);
}

void
RoceHelper::SetMemberOrder(MemberOrder order)
{
    m_order = order;
}

void
RoceHelper::SetFrameSizes(const FrameSizes& sizes)
{
    m_sizes = sizes;
}

void
RoceHelper::SetPortRules(std::function<uint32_t(uint64_t, Tick)> headroom,
                         std::function<double(uint64_t)> alpha)
{
    m_headroom = std::move(headroom);
    m_alpha = std::move(alpha);
}

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

void
RoceHelper::MakeNic(Ptr<Node> node,
                    const std::vector<Ptr<Port>>& ports,
                    const CongestionStack& stack) const
{
    Ptr<Nic> nic = m_nic.Create<Nic>();
    node->AggregateObject(nic);
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
}

void
RoceHelper::MakeSwitch(Ptr<Node> node,
                       const FabricGraph& graph,
                       uint32_t id,
                       const std::vector<Ptr<Port>>& ports,
                       const CongestionStack& stack) const
{
    Ptr<Switch> device = m_switch.Create<Switch>();
    node->AggregateObject(device);
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
}

void
RoceHelper::MakeNode(Ptr<Fabric> fabric, uint32_t index, const CongestionStack& stack) const
{
    const FabricGraph& graph = fabric->m_graph;
    const uint32_t id = graph.IdOf(index);
    const bool host = graph.IsHost(id);
    Ptr<Node> node = CreateObject<Node>();
    fabric->m_nodes.push_back(node);
    (host ? fabric->m_hosts : fabric->m_switches).Add(node);

    std::vector<Ptr<Port>> ports;
    for (const FabricNeighbour& neighbour : graph.Neighbours(id))
    {
        Ptr<Port> port = MakePort(graph.Link(neighbour.link));
        node->AddDevice(port);
        port->SetAddress(fabric->GetMac(index, static_cast<uint32_t>(ports.size())));
        ports.push_back(port);
    }
    if (host)
    {
        MakeNic(node, ports, stack);
    }
    else
    {
        MakeSwitch(node, graph, id, ports, stack);
    }
    fabric->m_ports.push_back(std::move(ports));
}

void
RoceHelper::MakeCables(Ptr<Fabric> fabric) const
{
    const int64_t psPerSecond = 1000000000000;
    for (uint32_t i = 0; i < fabric->m_graph.LinkCount(); ++i)
    {
        const FabricLink& link = fabric->m_graph.Link(i);
        const __int128 scaled = static_cast<__int128>(link.delayPs) * TicksPerSecond();
        const auto ticks = static_cast<Tick>((scaled + psPerSecond / 2) / psPerSecond);
        Ptr<Cable> cable = CreateObject<Cable>();
        cable->SetAttribute("Delay", TimeValue(FromTick(ticks)));
        cable->Connect(fabric->GetPort(link.a, link.portA), fabric->GetPort(link.b, link.portB));
        fabric->m_cables.push_back(cable);
        if (!link.up)
        {
            cable->SetUp(false);
        }
    }
}

void
RoceHelper::MakeRoutes(Ptr<Fabric> fabric) const
{
    const FabricGraph& graph = fabric->m_graph;
    uint32_t largest = 0;
    for (uint32_t host : graph.Hosts())
    {
        largest =
            std::max(largest, m_sizes.DataBytes(fabric->GetNic(host)->GetDefaults().mtu, true));
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
    for (uint32_t i = 0; i < fabric->m_switches.GetN(); ++i)
    {
        Ptr<Switch> device = fabric->m_switches.Get(i)->GetObject<Switch>();
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
    fabric->FillTables();
}

Ptr<Fabric>
RoceHelper::Install(const FabricGraph& graph, PartitionPolicy partition) const
{
    graph.Validate(partition);
    Ptr<Fabric> fabric = Create<Fabric>(graph, m_order);
    fabric->m_sizes = m_sizes;
    const CongestionStack stack =
        m_stack ? *m_stack : CongestionStack::Of(m_control, m_paths.IsTypeIdSet());
    for (uint32_t i = 0; i < graph.NodeCount(); ++i)
    {
        MakeNode(fabric, i, stack);
    }
    MakeCables(fabric);
    MakeRoutes(fabric);
    return fabric;
}

void
RoceHelper::InstallInternet(Ptr<Fabric> fabric) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(fabric->m_hosts);
    const FabricGraph& graph = fabric->m_graph;
    for (uint32_t host : graph.Hosts())
    {
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

int64_t
RoceHelper::AssignStreams(Ptr<Fabric> fabric, int64_t stream) const
{
    const int64_t first = stream;
    for (uint32_t i = 0; i < fabric->m_switches.GetN(); ++i)
    {
        stream += fabric->m_switches.Get(i)->GetObject<Switch>()->AssignStreams(stream);
    }
    for (uint32_t i = 0; i < fabric->m_hosts.GetN(); ++i)
    {
        Ptr<PathChooser> paths = fabric->m_hosts.Get(i)->GetObject<Nic>()->GetDefaults().paths;
        stream += paths ? paths->AssignStreams(stream) : 0;
    }
    for (const auto& ports : fabric->m_ports)
    {
        for (const auto& port : ports)
        {
            PointerValue errors;
            port->GetAttribute("ReceiveErrorModel", errors);
            if (Ptr<ErrorModel> model = errors.Get<ErrorModel>())
            {
                stream += DynamicCast<RateErrorModel>(model)
                              ? DynamicCast<RateErrorModel>(model)->AssignStreams(stream)
                              : 0;
            }
        }
    }
    return stream - first;
}

void
RoceHelper::EnablePcapInternal(std::string prefix,
                               Ptr<NetDevice> device,
                               bool,
                               bool explicitFilename)
{
    Ptr<Port> port = DynamicCast<Port>(device);
    if (!port)
    {
        return; // not ours: helpers of other devices look after it
    }
    PcapHelper files;
    const std::string name =
        explicitFilename ? prefix : files.GetFilenameFromDevice(prefix, device);
    // the maximum snap length, local time zone 0, nanosecond time stamps
    Ptr<PcapFileWrapper> file = CreateObject<PcapFileWrapper>();
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out | std::ios::binary);
    if (file->Fail())
    {
        throw std::runtime_error("pcap file " + name + " cannot be written");
    }
    file->Init(COMPAT_DLT_ETHERNET);
    files.HookDefaultSink<Port>(port, "PromiscSniffer", file);
}

} // namespace roce
} // namespace ns3
