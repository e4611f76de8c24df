/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-parts.h"

#include "ns3/roce-cable-length.h"

using namespace ns3::roce;
using Json = ResultWriter::Json;

namespace
{

Json
TiersToJson(const FabricTiers& tiers)
{
    Json rows = Json::array();
    for (const FabricTier& tier : tiers.Tiers())
    {
        Json row;
        row["tier"] = tier.name;
        row["nodes"] = tier.nodes;
        row["min_ports"] = tier.minPorts;
        row["max_ports"] = tier.maxPorts;
        row["radix"] = tier.radix ? Json(tier.radix) : Json();
        const bool above = tier.maxOversubscription != 0;
        row["min_oversubscription"] = above ? Json(tier.minOversubscription) : Json();
        row["max_oversubscription"] = above ? Json(tier.maxOversubscription) : Json();
        rows.push_back(row);
    }
    return rows;
}

Json
CablesToJson(const FabricTiers& tiers)
{
    Json rows = Json::array();
    for (const FabricCables& cables : tiers.Cables())
    {
        Json row;
        row["from"] = cables.from;
        row["to"] = cables.to;
        row["count"] = cables.count;
        row["rate_bps"] = cables.rateBps;
        row["delay_ns"] = static_cast<double>(cables.delayPs) / 1000;
        row["length_m"] = CableLength::Metres(cables.delayPs);
        rows.push_back(row);
    }
    return rows;
}

Json
StagesToJson(const TopologyPlan& plan)
{
    Json rows = Json::array();
    for (const StageRow& stage : plan.Stages().Rows())
    {
        Json row;
        row["stage"] = plan.StageName(stage.links);
        row["links"] = stage.links;
        row["host_pairs"] = stage.pairs;
        row["max_base_rtt_ns"] = static_cast<double>(stage.maxRttPs) / 1000;
        row["farthest"] = {stage.from, stage.to};
        row["min_ecmp_ports"] = stage.minNextHops;
        row["max_ecmp_ports"] = stage.maxNextHops;
        row["min_paths"] = stage.minPaths;
        row["max_paths"] = stage.maxPaths;
        rows.push_back(row);
    }
    return rows;
}

} // namespace

Json
PlanToJson(const FabricDocument& fabric, const TopologyPlan& plan)
{
    Json json;
    json["name"] = fabric.name;
    json["hosts"] = fabric.graph.HostCount();
    json["switches"] = fabric.graph.SwitchCount();
    json["links"] = fabric.graph.LinkCount();
    json["tiers"] = TiersToJson(plan.Tiers());
    json["cables"] = CablesToJson(plan.Tiers());
    json["total_length_m"] = plan.Tiers().TotalMetres();
    json["stages"] = StagesToJson(plan);
    json["unreachable_pairs"] = plan.Stages().Unreachable();
    json["diameter_links"] = plan.Stages().Diameter();
    json["bisection_bps"] = plan.Middle().Bps();
    json["bisection_share"] = plan.Middle().Share();
    return json;
}
