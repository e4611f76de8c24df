/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-parts.h"

#include "ns3/roce-cable-length.h"
#include "ns3/roce-quantity.h"

#include <iomanip>
#include <iostream>

using namespace ns3::roce;

namespace
{

/** \return "3" or "3-5". \param least a number \param most a number */
std::string
Range(uint64_t least, uint64_t most)
{
    return std::to_string(least) + (least == most ? "" : "-" + std::to_string(most));
}

/** \return "1.5:1", or "-" for none. \param ratio down over up */
std::string
Ratio(double ratio)
{
    std::ostringstream text;
    text << std::setprecision(4) << ratio << ":1";
    return ratio == 0 ? "-" : text.str();
}

/** \return "1:1", "1:1 to 2:1", or "-". \param tier a row */
std::string
Oversubscription(const FabricTier& tier)
{
    const std::string least = Ratio(tier.minOversubscription);
    const std::string most = Ratio(tier.maxOversubscription);
    return least == most ? least : least + " to " + most;
}

void
PrintTiers(const FabricTiers& tiers)
{
    std::cout
        << "\ntier             nodes     ports    radix   oversubscription (rate down : up)\n";
    for (const FabricTier& tier : tiers.Tiers())
    {
        std::cout << std::left << std::setw(13) << tier.name << std::right << std::setw(9)
                  << tier.nodes << std::setw(10) << Range(tier.minPorts, tier.maxPorts)
                  << std::setw(9) << (tier.radix ? std::to_string(tier.radix) : "-") << "   "
                  << (tier.level == 0 ? "" : Oversubscription(tier)) << "\n";
    }
}

void
PrintCables(const FabricTiers& tiers)
{
    std::cout << "\ncables                          count       rate     length      delay   "
                 "total length (m)\n";
    for (const FabricCables& row : tiers.Cables())
    {
        const double metres = CableLength::Metres(row.delayPs);
        std::ostringstream length;
        length << metres << " m";
        std::cout << std::left << std::setw(28) << row.from + " - " + row.to << std::right
                  << std::setw(9) << row.count << std::setw(11) << Quantity::RateText(row.rateBps)
                  << std::setw(11) << length.str() << std::setw(11)
                  << Quantity::DelayText(row.delayPs) << std::setw(19) << metres * row.count
                  << "\n";
    }
    std::cout << "all cables" << std::setw(79) << tiers.TotalMetres() << "\n";
}

void
PrintStages(const TopologyPlan& plan)
{
    std::cout
        << "\nhosts apart          links    host pairs   base RTT (us)   ECMP ports   paths\n";
    for (const StageRow& row : plan.Stages().Rows())
    {
        std::cout << std::left << std::setw(20) << plan.StageName(row.links) << std::right
                  << std::setw(6) << row.links << std::setw(14) << row.pairs << std::setw(16)
                  << std::fixed << std::setprecision(3) << static_cast<double>(row.maxRttPs) / 1e6
                  << std::defaultfloat << std::setprecision(6) << std::setw(13)
                  << Range(row.minNextHops, row.maxNextHops) << "   "
                  << Range(row.minPaths, row.maxPaths)
                  << (row.maxPaths >= UINT32_MAX ? " or more" : "") << "\n"; // counted no further
    }
    if (plan.Stages().Unreachable() != 0)
    {
        std::cout << "no path" << std::setw(33) << plan.Stages().Unreachable() << "\n";
    }
}

} // namespace

void
PrintPlan(const FabricDocument& fabric, const TopologyPlan& plan)
{
    const FabricGraph& graph = fabric.graph;
    std::cout << std::setprecision(9) << (fabric.name.empty() ? "fabric" : fabric.name) << ": "
              << graph.HostCount() << " hosts, " << graph.SwitchCount() << " switches, "
              << graph.LinkCount() << " links\n";
    for (const std::string& note : fabric.notes)
    {
        std::cout << "note: " << note << "\n";
    }
    PrintTiers(plan.Tiers());
    PrintCables(plan.Tiers());
    PrintStages(plan);
    std::cout << "\ndiameter: " << plan.Stages().Diameter() << " links\n"
              << "bisection: " << static_cast<double>(plan.Middle().Bps()) / 1e9
              << " Gb/s from the first half of the hosts to the second, "
              << 100 * plan.Middle().Share() << " % of what the links of these hosts carry\n";
}
