/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-helper.h"

#include "roce-attribute-text.h"
#include "roce-name-table.h"

#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-buffer-options.h"
#include "ns3/roce-cnp-generator.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-dcqcn.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-ecn-marker.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-pfc-controller.h"
#include "ns3/roce-transport-options.h"
#include "ns3/string.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Set an attribute of what a factory makes, if it takes the value. */
void
Set(ObjectFactory& factory, const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(factory.GetTypeId(), name, value);
    factory.Set(name, value);
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
    Set(m_port, name, value);
}

void
RoceHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    Set(m_switch, name, value);
}

void
RoceHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    Set(m_nic, name, value);
}

void
RoceHelper::SetCnpAttribute(const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(CnpGenerator::GetTypeId(), name, value);
    m_cnp.emplace_back(name, value.Copy());
}

void
RoceHelper::SetPfcAttribute(const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(PfcController::GetTypeId(), name, value);
    m_pfc.emplace_back(name, value.Copy());
}

void
RoceHelper::SetBufferAttribute(const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(BufferOptions::GetTypeId(), name, value);
    m_buffer.emplace_back(name, value.Copy());
}

void
RoceHelper::SetEcnAttribute(const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(EcnMarker::GetTypeId(), name, value);
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
    Set(m_control, name, value);
}

void
RoceHelper::SetLossRecovery(const std::string& type)
{
    m_recovery = NameTable::LossRecovery(type);
}

void
RoceHelper::SetLossRecoveryAttribute(const std::string& name, const AttributeValue& value)
{
    Set(m_recovery, name, value);
}

void
RoceHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    AttributeText::Check(TransportOptions::GetTypeId(), name, value);
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
    Set(m_balancer, name, value);
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
    Set(m_scheduler, name, value);
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
