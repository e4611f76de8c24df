/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-rivals.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
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
                "--runs: \"" + label +
                "\" is not known; choose pfc pfc-cap admission dcqcn-paper " +
                "dcqcn-vendor dcqcn-artifact dcqcn-cap dcqcn-cap-path hpcc hcc-article " +
                "hcc-pacing hcc-window hcc-clear hcc, or: " + error.what());
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
    return label == "pfc-cap" || label == "dcqcn-cap" || label == "dcqcn-cap-path";
}

bool
ScenarioRivals::IsAdmitted(const std::string& label)
{
    return label == "admission";
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
    if (label == "pfc" || label == "pfc-cap" || label == "none" || label == "hpcc" ||
        IsAdmitted(label))
    {
        roce.SetNicAttribute("EcnCapable", BooleanValue(false)); // they do not listen to marks
    }
}

} // namespace roce
} // namespace ns3
