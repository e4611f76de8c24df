/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-fabric-presets.h"

#include "roce-cable-length.h"
#include "roce-clos-builder.h"
#include "roce-dual-plane-builder.h"
#include "roce-fabric-draft.h"
#include "roce-fat-tree-builder.h"
#include "roce-pod-builder.h"
#include "roce-rail-builder.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t G = 1000000000; //!< 1 Gbit/s

/**
 * 3 racks of 8 GPUs and two spines. The article: 24 GPUs at home, racks with cables of 2 m and 50
 * m. Racks 0 and 1 stand beside the spines (2 m), rack 2 in another room (50 m). A leaf has 8 x
 * 100G down and 2 x 400G up. Leaves and spines are switches of 32 ports, a common small size.
 * \return the fabric
 */
FabricDocument
Homelab()
{
    FabricDraft draft;
    const uint32_t host = draft.Hosts(24);
    const uint32_t leaf = draft.Tier(3, "leaf");
    const uint32_t spine = draft.Tier(2, "spine");
    for (uint32_t i = 0; i < 24; i++)
    {
        draft.Link(host + i, leaf + i / 8, 1, 100 * G, 2);
    }
    for (uint32_t i = 0; i < 3; i++)
    {
        for (uint32_t s = 0; s < 2; s++)
        {
            draft.Link(leaf + i, spine + s, 1, 400 * G, i == 2 ? 50 : 2);
        }
    }
    return {"homelab", draft.Take(), {{"leaf", 32}, {"spine", 32}}};
}

/**
 * 256 hosts with a 200G port on both leaves of their rack, leaves of 128 ports of 200G or 64 of
 * 400G (51.2 Tbit/s chips count 25.6 Tbit/s here): 16 x 200G down, 8 x 400G up.
 * \param planes separate planes \return the fabric
 */
FabricDocument
Dual(bool planes)
{
    DualPlanePlan plan;
    plan.separatePlanes = planes;
    plan.racks = 16;
    plan.hostsPerRack = 16;
    plan.spines = 8;
    plan.linksPerPair = planes ? 2 : 1; // 8 uplinks either way
    plan.leafRadix = 64;
    plan.spineRadix = 64;
    return {planes ? "dual-plane-256" : "dual-tor-256",
            DualPlaneBuilder::Build(plan),
            {{"leaf", 64}, {"spine", 64}}};
}

/** \return dual-ToR. */
FabricDocument
DualTor()
{
    return Dual(false);
}

/** \return dual-plane. */
FabricDocument
DualPlane()
{
    return Dual(true);
}

/**
 * 128 servers of 8 NICs of 400G in 4 units of 32. Switches of 64 ports: a leaf has 32 servers down
 * and 16 spines x 2 links up; a spine has 4 x 8 leaves x 2 links: both use all 64.
 * \return the fabric
 */
FabricDocument
Rail()
{
    RailPlan plan;
    plan.groups = 4;
    plan.nodesPerGroup = 32;
    plan.rails = 8;
    plan.spines = 16;
    plan.linksPerPair = 2;
    return {"rail-1024",
            RailBuilder::Build(plan),
            {{"leaf", plan.leafRadix}, {"spine", plan.spineRadix}, {"host", 8}}};
}

/** The k = 16 tree of Al-Fares et al.: 16^3 / 4 = 1024 hosts. \return the fabric */
FabricDocument
FatTree()
{
    FatTreePlan plan;
    plan.k = 16;
    plan.hostDelayPs = CableLength::DelayPs(2);
    plan.fabricDelayPs = CableLength::DelayPs(50);
    return {"fat-tree-1024",
            FatTreeBuilder::Build(plan),
            {{"leaf", 16}, {"spine", 16}, {"super-spine", 16}}};
}

/**
 * One AI zone of Meta: 192 racks of 16 GPUs at 400G (The Llama 3 Herd of Models, 2024, section on
 * network). Leaves have twice the uplinks that they need, which Meta did against ECMP collisions
 * (Gangidi et al., SIGCOMM 2024): 16 spines x 2 links, 1:2. Cables are our guess.
 * \return the fabric
 */
FabricDocument
MetaZone()
{
    LeafSpinePlan plan;
    plan.leaves = 192;
    plan.spines = 16;
    plan.hostsPerLeaf = 16;
    plan.hostRateBps = 400 * G;
    plan.fabricRateBps = 400 * G;
    plan.oversubscription = 0.5;
    plan.hostDelayPs = CableLength::DelayPs(2);
    plan.fabricDelayPs = CableLength::DelayPs(50);
    plan.leafRadix = 64;
    return {"meta-ai-zone", ClosBuilder::Build(plan), {{"leaf", plan.leafRadix}}};
}

/**
 * The article: 8 GPUs a rack, 128-port spines, 10,000 GPUs and more. A ToR has 8 x 100G down and 1
 * link to each of 8 pod spines. A pod spine with r racks below and u uplinks of 400G is
 * non-blocking at 100 r = 400 u and r + u <= 128: u = 24, r = 96 (120 ports; u = 25 would take
 * 125). A super-spine meets the 8 spines of each pod: 14 pods are 112 ports, and
 * 14 x 96 x 8 = 10,752 GPUs (13 pods are 9,984, too few).
 * \return the fabric
 */
FabricDocument
Article()
{
    PodPlan plan;
    plan.pods = 14;
    plan.racksPerPod = 96;
    plan.superSpines = 24;
    return {"article",
            PodBuilder::Build(plan),
            {{"spine", plan.spineRadix}, {"super-spine", plan.superRadix}}};
}

/**
 * Meta's cluster of 24,576 GPUs: 16 GPUs a rack at 400G, 192 racks a pod without oversubscription,
 * eight pods, 1:7 between them (The Llama 3 Herd of Models, 2024, section on network). 16 pod
 * spines take 192 racks each; 192 / 28 uplinks = 6.86:1, the nearest below 7. Cables are our guess.
 * Spines are modular, so no radix is set.
 * \return the fabric
 */
FabricDocument
MetaCluster()
{
    PodPlan plan;
    plan.pods = 8;
    plan.racksPerPod = 192;
    plan.gpusPerRack = 16;
    plan.podSpines = 16;
    plan.superSpines = 28;
    plan.hostRateBps = 400 * G;
    plan.podRateBps = 400 * G;
    plan.coreMetres = 150;
    plan.leafRadix = 64;
    plan.spineRadix = 0;
    plan.superRadix = 0;
    return {"meta-24576", PodBuilder::Build(plan), {{"leaf", plan.leafRadix}}};
}

} // namespace

const std::vector<FabricPreset>&
FabricPresets::All()
{
    static const std::vector<FabricPreset> presets = {
        {"homelab", "24 GPUs in 3 racks, two spines, cables of 2 m and 50 m", Homelab},
        {"dual-tor-256", "256 hosts on two leaves each, which share the spines", DualTor},
        {"dual-plane-256", "256 hosts on two leaves each, in two planes", DualPlane},
        {"fat-tree-1024", "k = 16 fat tree, 100G", FatTree},
        {"rail-1024", "128 servers with 8 NICs of 400G, one leaf a rail", Rail},
        {"meta-ai-zone", "192 racks of 16 GPUs, 400G, leaves 1:2 undersubscribed", MetaZone},
        {"article", "10,752 GPUs, 8 a rack, 128-port spines, 100G in pods, 400G between", Article},
        {"meta-24576", "8 pods of 192 racks of 16 GPUs, 400G, about 7:1 between pods", MetaCluster},
    };
    return presets;
}

bool
FabricPresets::Has(const std::string& name)
{
    for (const FabricPreset& preset : All())
    {
        if (name == preset.name)
        {
            return true;
        }
    }
    return false;
}

FabricDocument
FabricPresets::Build(const std::string& name)
{
    std::string known;
    for (const FabricPreset& preset : All())
    {
        if (name == preset.name)
        {
            return preset.build();
        }
        known += (known.empty() ? "" : ", ") + std::string(preset.name);
    }
    throw std::invalid_argument("no fabric is called '" + name + "'; known: " + known);
}

} // namespace roce
} // namespace ns3
