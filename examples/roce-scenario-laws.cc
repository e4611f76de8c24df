/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// the laws of ScenarioRivals
#include "roce-scenario-rivals.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

namespace ns3
{
namespace roce
{

namespace
{

/** DCQCN with a preset, and its marking. \param roce gets it \param type short name \param preset
 * of Dcqcn \param factor of the thresholds of ConWeave, 100 KB and 400 KB at 100 Gb/s */
void
SetDcqcn(RoceHelper& roce, const std::string& type, const std::string& preset, uint64_t factor)
{
    roce.SetCongestionControl(type);
    roce.SetCongestionControlAttribute("Preset", StringValue(preset));
    roce.SetEcnThresholds(100000000000, factor * 100000, factor * 400000, 0.2);
    roce.SetEcnThresholds(400000000000, factor * 400000, factor * 1600000, 0.2);
}

/** HCC and its refinements, one after the other. \param roce gets it \param label hcc, or what is
 *  without some \param profile parameters */
void
SetHcc(RoceHelper& roce, const std::string& label, const std::string& profile)
{
    roce.SetCongestionControl("hcc");
    roce.SetCongestionControlAttribute("Profile", StringValue(profile));
    roce.SetCongestionControlAttribute("Law",
                                       StringValue(label == "hcc-article" ? "Article" : "Domain"));
    const bool path = label == "hcc" || label == "hcc-article";
    const bool clear = path || label == "hcc-clear";
    roce.SetCongestionControlAttribute("PathBinding", BooleanValue(path));
    roce.SetCongestionControlAttribute("AllClear", BooleanValue(clear));
    if (label == "hcc-pacing")
    {
        roce.SetCongestionControlAttribute("Enforce", StringValue("Pacing"));
    }
}

} // namespace

void
ScenarioRivals::SetLaw(RoceHelper& roce, const std::string& label, const ScenarioPlan& plan)
{
    if (label == "pfc" || label == "pfc-cap" || label == "admission")
    {
        roce.SetCongestionControl("none");
    }
    else if (label == "dcqcn-paper" || label == "dcqcn-cap" || label == "dcqcn-cap-path")
    {
        SetDcqcn(roce, label == "dcqcn-cap-path" ? "dcqcn-path" : "dcqcn", "paper", 1);
    }
    else if (label == "dcqcn-vendor")
    {
        SetDcqcn(roce, "dcqcn", "connectx", 4);
    }
    else if (label == "dcqcn-artifact")
    {
        SetDcqcn(roce, "dcqcn", "hpcc-artifact", 4);
        roce.SetCnpAttribute("EchoInAck", BooleanValue(true));
    }
    else if (label.compare(0, 3, "hcc") == 0)
    {
        SetHcc(roce, label, plan.profile);
    }
    else
    {
        roce.SetCongestionControl(label);
    }
    if (label == "hpcc" && !plan.pinned)
    {
        // where flows move, telemetry must name the ports, or the law takes one for another
        ObjectFactory control("ns3::roce::Hpcc");
        roce.SetCongestionStack(CongestionStack::Of(control, true));
    }
}

} // namespace roce
} // namespace ns3
