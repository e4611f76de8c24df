/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-example-stage-tuning.h"
#include "roce-stages-trial.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdio>

// how StagesTrial sets up a fabric, and what it prints

namespace ns3
{
namespace roce
{

std::string
StagesWay::GetName() const
{
    return law + " " + profile + (rule || law == "Article" ? "" : ", no rule") +
           (stage ? ", all as stage " + std::to_string(stage) : "");
}

void
StagesTrial::Configure(RoceHelper& roce, const StagesWay& way) const
{
    m_experiment.Configure(roce, "hcc");
    roce.SetCongestionControlAttribute("Law", StringValue(way.law));
    roce.SetCongestionControlAttribute("Profile", StringValue(way.profile));
    roce.SetCongestionControlAttribute("Tuning",
                                       PointerValue(MakeStageTuning(way.profile, way.stage)));
    if (!way.rule)
    {
        roce.SetCongestionControlAttribute("CableFactor", DoubleValue(0));
    }
    roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(m_options.buffer)));
}

Ptr<Fabric>
StagesTrial::Install(const StagesWay& way) const
{
    RoceHelper roce;
    Configure(roce, way);
    ClosHelper clos(2, m_options.leaves, m_options.spines, m_options.spines, m_options.hosts);
    clos.SetHostLinks("100Gbps", "100ns"); // one way 1 us in a pod, 5 us between pods
    clos.SetFabricLinks("100Gbps", "400ns");
    clos.SetCoreLinks("400Gbps", "2us");
    return clos.Install(roce);
}

void
StagesTrial::Print() const
{
    std::printf(
        "\nmeans over seeds; shares of what links between pods, and the host's link, carry; "
        "worst flow as part of a fair share\n%-36s | %7s %6s %7s %9s %9s | %9s %7s %9s\n",
        "law, profile, numbers",
        "between",
        "worst",
        "XOFF",
        "queue, KB",
        "CNP k/s",
        "reclaimed",
        "XOFF",
        "queue, KB");
    for (const std::string& name : m_names)
    {
        const Row& row = m_rows.at(name);
        std::printf("%-36s | %7.4f %6.3f %7.0f %9.0f %9.0f | %9.4f %7.0f %9.0f\n",
                    name.c_str(),
                    row.share.GetMean(),
                    row.least.GetMean(),
                    row.xoff.GetMean(),
                    row.peakKb.GetMean(),
                    row.cnps.GetMean() / 1e3,
                    row.reclaim.GetMean(),
                    row.localXoff.GetMean(),
                    row.localKb.GetMean());
    }
}

} // namespace roce
} // namespace ns3
