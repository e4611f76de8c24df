/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-rivals.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/roce-int-stamper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t REORDER = 4096; //!< packets; flowlets may overtake, nothing is lost
constexpr uint32_t DATA_PRIORITY = 3;

} // namespace

std::vector<std::string>
ScenarioRivals::Split(const std::string& list)
{
    const ScenarioPlan plan{"check", ClosHelper(2, 1, 1), 1, Time(1), Time(1)};
    std::vector<std::string> labels;
    std::istringstream in(list);
    for (std::string label; std::getline(in, label, ',');)
    {
        RoceHelper roce;
        try
        {
            SetLaw(roce, label, plan);
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(
                "--runs: \"" + label + "\" is not known; choose pfc pfc-cap dcqcn-paper " +
                "dcqcn-vendor dcqcn-artifact dcqcn-cap hpcc hcc-article hcc, or: " + error.what());
        }
        labels.push_back(label);
    }
    if (labels.empty())
    {
        throw std::invalid_argument("--runs is empty; give pfc,hcc or others");
    }
    return labels;
}

bool
ScenarioRivals::IsCapped(const std::string& label)
{
    return label == "pfc-cap" || label == "dcqcn-cap";
}

void
ScenarioRivals::SetLaw(RoceHelper& roce, const std::string& label, const ScenarioPlan& plan)
{
    if (label == "pfc" || label == "pfc-cap")
    {
        roce.SetCongestionControl("none");
    }
    else if (label == "dcqcn-paper" || label == "dcqcn-cap")
    {
        roce.SetCongestionControl("dcqcn");
        roce.SetCongestionControlAttribute("Preset", StringValue("paper"));
        roce.SetEcnThresholds(100000000000, 100000, 400000, 0.2);
        roce.SetEcnThresholds(400000000000, 400000, 1600000, 0.2);
    }
    else if (label == "dcqcn-vendor" || label == "dcqcn-artifact")
    {
        const bool vendor = label == "dcqcn-vendor";
        roce.SetCongestionControl("dcqcn");
        roce.SetCongestionControlAttribute("Preset",
                                           StringValue(vendor ? "connectx" : "hpcc-artifact"));
        if (!vendor)
        {
            roce.SetCnpAttribute("EchoInAck", BooleanValue(true));
        }
        roce.SetEcnThresholds(100000000000, 400000, 1600000, 0.2);
        roce.SetEcnThresholds(400000000000, 1600000, 6400000, 0.2);
    }
    else if (label == "hcc" || label == "hcc-article")
    {
        roce.SetCongestionControl("hcc");
        roce.SetCongestionControlAttribute("Profile", StringValue(plan.profile));
        roce.SetCongestionControlAttribute("Law",
                                           StringValue(label == "hcc" ? "Domain" : "Article"));
    }
    else
    {
        roce.SetCongestionControl(label);
    }
    if (label == "hpcc" && !plan.pinned)
    {
        // where flows move, telemetry must name the ports, or a law takes one for another
        CongestionStack stack;
        stack.stages = [](Ptr<Switch> device, const FabricGraph&, uint32_t) {
            device->AddStage(
                CreateObjectWithAttributes<IntStamper>("Layout", StringValue("int-md")));
        };
        roce.SetCongestionStack(stack);
    }
}

void
ScenarioRivals::SetFabric(RoceHelper& roce, const ScenarioPlan& plan)
{
    roce.SetSwitchAttribute("BufferSize", UintegerValue(plan.bufferBytes * plan.switchPorts100));
    roce.SetSwitchAttribute("LosslessMask", UintegerValue(1 << DATA_PRIORITY));
    roce.SetSwitchAttribute("LossyPoolFraction", DoubleValue(0));
    if (plan.pinned)
    {
        roce.SetLoadBalancer("pinned");
        return;
    }
    roce.SetLoadBalancer("flowlet");
    roce.SetLoadBalancerAttribute("Gap", TimeValue(plan.gap));
    roce.SetLossRecovery("irn");
    roce.SetLossRecoveryAttribute("BdpCap", BooleanValue(false));
    roce.SetLossRecoveryAttribute("ReorderThreshold", UintegerValue(REORDER));
    roce.SetLossRecoveryAttribute("RtoLow", TimeValue(MilliSeconds(200)));
    roce.SetLossRecoveryAttribute("RtoHigh", TimeValue(MilliSeconds(200)));
}

void
ScenarioRivals::Configure(RoceHelper& roce, const std::string& label, const ScenarioPlan& plan)
{
    SetLaw(roce, label, plan);
    SetFabric(roce, plan);
    if (label == "pfc" || label == "pfc-cap" || label == "none" || label == "hpcc")
    {
        roce.SetNicAttribute("EcnCapable", BooleanValue(false)); // they do not listen to marks
    }
}

} // namespace roce
} // namespace ns3
