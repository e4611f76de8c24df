/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-topology.h"

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-dual-plane-builder.h"
#include "ns3/roce-fabric-check.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-json-source.h"
#include "ns3/roce-pod-builder.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-rail-builder.h"
#include "ns3/roce-topology-loader.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

using Json = ExperimentDocument::Json;

/** \return a number. \param json object \param key of it */
uint32_t
Count(const Json& json, const char* key)
{
    return json.at(key).get<uint32_t>();
}

/** \return bit/s. \param json object \param key of it */
uint64_t
Rate(const Json& json, const char* key)
{
    return Quantity::RateBps(json.at(key).get<std::string>());
}

/** \return ps. \param json object \param key of it */
int64_t
Delay(const Json& json, const char* key)
{
    return Quantity::DelayPs(json.at(key).get<std::string>());
}

/** \return a real number. \param json object \param key of it */
double
Real(const Json& json, const char* key)
{
    return json.at(key).get<double>();
}

FabricGraph
Star(const Json& json)
{
    LeafSpinePlan plan;
    plan.leaves = 1;
    plan.spines = 0;
    plan.hostsPerLeaf = Count(json, "hosts");
    plan.hostRateBps = Rate(json, "rate");
    plan.hostDelayPs = Delay(json, "delay");
    return ClosBuilder::Build(plan);
}

FabricGraph
Clos(const Json& json)
{
    LeafSpinePlan plan;
    plan.leaves = Count(json, "leaves");
    plan.spines = Count(json, "spines");
    plan.hostsPerLeaf = Count(json, "hosts_per_leaf");
    plan.hostRateBps = Rate(json, "host_rate");
    plan.fabricRateBps = Rate(json, "fabric_rate");
    plan.hostDelayPs = Delay(json, "host_delay");
    plan.fabricDelayPs = Delay(json, "fabric_delay");
    plan.linksPerPair = Count(json, "links_per_pair");
    plan.oversubscription = Real(json, "oversubscription");
    plan.leafRadix = Count(json, "leaf_radix");
    plan.spineRadix = Count(json, "spine_radix");
    return ClosBuilder::Build(plan);
}

FabricGraph
ThreeTier(const Json& json)
{
    ThreeTierPlan plan;
    plan.pods = Count(json, "pods");
    plan.leavesPerPod = Count(json, "leaves_per_pod");
    plan.podSpines = Count(json, "pod_spines");
    plan.superSpines = Count(json, "super_spines");
    plan.hostsPerLeaf = Count(json, "hosts_per_leaf");
    plan.hostRateBps = Rate(json, "host_rate");
    plan.fabricRateBps = Rate(json, "fabric_rate");
    plan.coreRateBps = Rate(json, "core_rate");
    plan.hostDelayPs = Delay(json, "host_delay");
    plan.fabricDelayPs = Delay(json, "fabric_delay");
    plan.coreDelayPs = Delay(json, "core_delay");
    plan.linksPerPair = Count(json, "links_per_pair");
    plan.coreLinksPerPair = Count(json, "core_links_per_pair");
    plan.leafOversubscription = Real(json, "leaf_oversubscription");
    plan.podOversubscription = Real(json, "pod_oversubscription");
    plan.leafRadix = Count(json, "leaf_radix");
    plan.spineRadix = Count(json, "spine_radix");
    plan.superRadix = Count(json, "super_radix");
    return ClosBuilder::Build(plan);
}

FabricGraph
FatTree(const Json& json)
{
    FatTreePlan plan;
    plan.k = Count(json, "k");
    plan.oversubscription = Count(json, "oversubscription");
    plan.hostRateBps = Rate(json, "host_rate");
    plan.fabricRateBps = Rate(json, "fabric_rate");
    plan.hostDelayPs = Delay(json, "host_delay");
    plan.fabricDelayPs = Delay(json, "fabric_delay");
    return FatTreeBuilder::Build(plan);
}

FabricGraph
Pods(const Json& json)
{
    PodPlan plan;
    plan.pods = Count(json, "pods");
    plan.racksPerPod = Count(json, "racks_per_pod");
    plan.gpusPerRack = Count(json, "gpus_per_rack");
    plan.podSpines = Count(json, "pod_spines");
    plan.superSpines = Count(json, "super_spines");
    plan.podLinks = Count(json, "pod_links");
    plan.coreLinks = Count(json, "core_links");
    plan.hostRateBps = Rate(json, "host_rate");
    plan.podRateBps = Rate(json, "pod_rate");
    plan.coreRateBps = Rate(json, "core_rate");
    plan.hostMetres = Real(json, "host_metres");
    plan.podMetres = Real(json, "pod_metres");
    plan.coreMetres = Real(json, "core_metres");
    plan.leafRadix = Count(json, "leaf_radix");
    plan.spineRadix = Count(json, "spine_radix");
    plan.superRadix = Count(json, "super_radix");
    return PodBuilder::Build(plan);
}

FabricGraph
Rails(const Json& json)
{
    RailPlan plan;
    plan.groups = Count(json, "groups");
    plan.nodesPerGroup = Count(json, "nodes_per_group");
    plan.rails = Count(json, "rails");
    plan.spines = Count(json, "spines");
    plan.linksPerPair = Count(json, "links_per_pair");
    plan.gpusAsHosts = json.at("gpus_as_hosts").get<bool>();
    plan.separateRails = json.at("separate_rails").get<bool>();
    plan.hostRateBps = Rate(json, "host_rate");
    plan.fabricRateBps = Rate(json, "fabric_rate");
    plan.hostMetres = Real(json, "host_metres");
    plan.fabricMetres = Real(json, "fabric_metres");
    plan.leafRadix = Count(json, "leaf_radix");
    plan.spineRadix = Count(json, "spine_radix");
    return RailBuilder::Build(plan);
}

FabricGraph
DualPlane(const Json& json)
{
    DualPlanePlan plan;
    plan.racks = Count(json, "racks");
    plan.hostsPerRack = Count(json, "hosts_per_rack");
    plan.spines = Count(json, "spines");
    plan.separatePlanes = json.at("separate_planes").get<bool>();
    plan.linksPerPair = Count(json, "links_per_pair");
    plan.hostRateBps = Rate(json, "host_rate");
    plan.fabricRateBps = Rate(json, "fabric_rate");
    plan.hostMetres = Real(json, "host_metres");
    plan.fabricMetres = Real(json, "fabric_metres");
    plan.leafRadix = Count(json, "leaf_radix");
    plan.spineRadix = Count(json, "spine_radix");
    return DualPlaneBuilder::Build(plan);
}

/** \return the fabric that a key asks for. \param document the experiment \param key of topology
 *  \param value of it */
FabricDocument
Make(const ExperimentDocument& document, const std::string& key, const Json& value)
{
    using Builder = FabricGraph (*)(const Json&);
    static const std::map<std::string, Builder> builders = {{"star", Star},
                                                            {"clos", Clos},
                                                            {"three_tier", ThreeTier},
                                                            {"fat_tree", FatTree},
                                                            {"pods", Pods},
                                                            {"rails", Rails},
                                                            {"dual_plane", DualPlane}};
    if (key == "preset")
    {
        return FabricPresets::Build(value.get<std::string>());
    }
    if (key == "file")
    {
        return TopologyLoader::Load(document.Resolve(value.get<std::string>()));
    }
    if (key == "fabric")
    {
        return TopologyLoader::Parse("fabric", value.dump());
    }
    FabricDocument made;
    made.name = key;
    made.graph = builders.at(key)(value);
    return made;
}

} // namespace

FabricDocument
ExperimentTopology::Build(const ExperimentDocument& document)
{
    const JsonSource source(document.GetName());
    const bool isText = document.GetGiven().at("topology").is_string();
    for (const auto& item : document.GetJson().at("topology").items())
    {
        const std::string path = isText ? "/topology" : "/topology/" + item.key();
        try
        {
            FabricDocument made = Make(document, item.key(), item.value());
            FabricCheck::Require(made, PartitionPolicy::Refuse);
            return made;
        }
        catch (const std::invalid_argument& error)
        {
            source.Rethrow(path, error.what());
        }
        catch (const std::runtime_error& error)
        {
            throw std::runtime_error(document.GetName() + ": " + path + ": " + error.what());
        }
    }
    source.Fail("/topology", "expected one key"); // not reached: the schema wants one
}

} // namespace roce
} // namespace ns3
