/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-stack.h"

#include "roce-hcc-helper.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/roce-cnp-generator.h"
#include "ns3/roce-dcqcn.h"
#include "ns3/roce-dctcp-rate.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-hcc.h"
#include "ns3/roce-hpcc-int.h"
#include "ns3/roce-int-stamper.h"
#include "ns3/roce-path-bound-dcqcn.h"
#include "ns3/roce-swift.h"
#include "ns3/roce-theta-power-tcp.h"
#include "ns3/roce-timely.h"
#include "ns3/roce-window-control.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Add a value. */
template <typename V>
void
Put(CongestionStack::Values& values, const std::string& name, const V& value)
{
    values.emplace_back(name, value.Copy());
}

/** The notification point of DCQCN belongs to its preset. */
void
AddDcqcn(CongestionStack& stack, const ObjectFactory& control)
{
    const Time interval = control.Create<Dcqcn>()->GetParameters().cnpInterval;
    if (interval.IsStrictlyPositive())
    {
        Put(stack.cnp, "Interval", TimeValue(interval));
    }
}

/** DCTCP: a step at 30 KB at 10 Gb/s (HPCC artifact), and CE echoed in ACKs. */
void
AddDctcp(CongestionStack& stack)
{
    Put(stack.ecn, "ReferenceRate", StringValue("10Gbps"));
    Put(stack.ecn, "KminBytes", UintegerValue(30000));
    Put(stack.ecn, "KmaxBytes", UintegerValue(30000));
    Put(stack.ecn, "Pmax", DoubleValue(1));
    Put(stack.ecn, "Mode", StringValue("step"));
    Put(stack.cnp, "EchoInAck", BooleanValue(true));
}

/** \return whether the layout of the HPCC artifact has a code for a rate. \param rate bit/s */
bool
HasCode(uint64_t rate)
{
    try
    {
        HpccInt::RateOf(rate, HpccIntLayout::ARTIFACT);
        return true;
    }
    catch (const std::invalid_argument&)
    {
        return false;
    }
}

/** Makes the telemetry of a fabric: in the layout of HPCC, or in its extended one if a link has
 *  another rate. */
class StamperMaker
{
  public:
    void operator()(Ptr<Switch> device, const FabricGraph& graph, uint32_t)
    {
        if (!m_factory->IsTypeIdSet())
        {
            Choose(graph);
        }
        device->AddStage(m_factory->Create<IntStamper>());
    }

  private:
    void Choose(const FabricGraph& graph)
    {
        std::set<uint64_t> rates;
        for (uint32_t i = 0; i < graph.LinkCount(); ++i)
        {
            rates.insert(graph.Link(i).rateBps);
        }
        const bool coded = std::all_of(rates.begin(), rates.end(), HasCode);
        m_factory->SetTypeId(IntStamper::GetTypeId());
        m_factory->Set("Layout", StringValue(coded ? "hpcc" : "hpcc-extended"));
        m_factory->Set("Multi", UintegerValue(HpccInt::MultiFor(*rates.rbegin())));
    }

    std::shared_ptr<ObjectFactory> m_factory{std::make_shared<ObjectFactory>()};
};

/** Telemetry that names ports. \param device a switch */
void
NamePorts(Ptr<Switch> device, const FabricGraph&, uint32_t)
{
    device->AddStage(CreateObjectWithAttributes<IntStamper>("Layout", StringValue("int-md")));
}

/** \return what the law itself needs. \param control makes it */
CongestionStack
OfLaw(const ObjectFactory& control)
{
    CongestionStack stack;
    const TypeId type = control.GetTypeId();
    if (type == Hcc::GetTypeId())
    {
        return HccHelper().MakeStack(control);
    }
    if (type == Dcqcn::GetTypeId() || type.IsChildOf(Dcqcn::GetTypeId()))
    {
        AddDcqcn(stack, control);
        if (type == PathBoundDcqcn::GetTypeId())
        {
            stack.stages = NamePorts;
        }
    }
    else if (type == DctcpRate::GetTypeId())
    {
        AddDctcp(stack);
    }
    else if (type.IsChildOf(WindowControl::GetTypeId()) || type == Swift::GetTypeId() ||
             type == Timely::GetTypeId() || type.IsChildOf(Timely::GetTypeId()))
    {
        // they make nothing of CNPs
        Put(stack.cnp, "Enabled", BooleanValue(false));
        if (type != ThetaPowerTcp::GetTypeId() && type.IsChildOf(WindowControl::GetTypeId()))
        {
            stack.stages = StamperMaker();
        }
    }
    return stack;
}

} // namespace

bool
CongestionStack::IsDefaultChanged(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    return type.LookupAttributeByName(name, &info) &&
           info.initialValue->SerializeToString(info.checker) !=
               info.originalInitialValue->SerializeToString(info.checker);
}

void
CongestionStack::Apply(const Values& values, Object& object)
{
    for (const auto& value : values)
    {
        if (!IsDefaultChanged(object.GetInstanceTypeId(), value.first))
        {
            object.SetAttribute(value.first, *value.second);
        }
    }
}

CongestionStack
CongestionStack::Of(const ObjectFactory& control, bool namedPorts)
{
    CongestionStack stack = OfLaw(control);
    if (namedPorts)
    {
        const TypeId type = control.GetTypeId();
        const bool own = type.IsChildOf(WindowControl::GetTypeId()) ||
                         type == PathBoundDcqcn::GetTypeId(); // telemetry of its own
        stack.stages = [others = own ? nullptr : stack.stages](Ptr<Switch> device,
                                                               const FabricGraph& graph,
                                                               uint32_t id) {
            if (others)
            {
                others(device, graph, id);
            }
            NamePorts(device, graph, id);
        };
    }
    return stack;
}

} // namespace roce
} // namespace ns3
