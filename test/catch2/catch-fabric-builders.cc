/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-cable-length.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-dual-plane-builder.h"
#include "ns3/roce-fabric-check.h"
#include "ns3/roce-fabric-graph-storage.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-pod-builder.h"
#include "ns3/roce-rail-builder.h"
#include "ns3/roce-routing.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s

/** \return the number of nodes of each tier, "host" too. */
std::map<std::string, uint32_t>
CountTiers(const FabricGraph& graph)
{
    std::map<std::string, uint32_t> count;
    for (uint32_t i = 0; i < graph.NodeCount(); i++)
    {
        count[graph.GetStorage()[i].tier]++;
    }
    return count;
}

/** \return the most ports of a node of a tier. */
uint32_t
MostPorts(const FabricGraph& graph, const std::string& tier)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph.NodeCount(); i++)
    {
        if (graph.GetStorage()[i].tier == tier)
        {
            most = std::max(most, graph.PortCount(graph.IdOf(i)));
        }
    }
    return most;
}

/** \return the peers of a node, in order of ports. */
std::vector<uint32_t>
Peers(const FabricGraph& graph, uint32_t id)
{
    std::vector<uint32_t> peers;
    for (const FabricNeighbour& n : graph.Neighbours(id))
    {
        peers.push_back(n.peer);
    }
    return peers;
}

} // namespace

TEST_CASE("CableLength: 5 ns a metre", "[fabric-builders]")
{
    CHECK(CableLength::DelayPs(2) == 10000);           // 2 m x 5 ns
    CHECK(CableLength::DelayPs(50) == 250000);         // 50 m x 5 ns
    CHECK(CableLength::DelayPs(0.0001) == 1);          // 0.5 ps, half up
    CHECK(CableLength::DelayPs(1e9) == 5000000000000); // 5 s
    CHECK(CableLength::Metres(1000000) == 200);        // 1 us
}

TEST_CASE("ClosBuilder: parallel links from the oversubscription", "[fabric-builders]")
{
    LeafSpinePlan plan;
    plan.leaves = 4;
    plan.spines = 2;
    plan.hostsPerLeaf = 16;
    plan.fabricRateBps = 400 * G;
    plan.oversubscription = 1; // 16 x 100G down = 4 x 400G up = 2 to each spine
    CHECK(Peers(ClosBuilder::Build(plan), 64).size() == 16 + 4);
    plan.oversubscription = 2; // 2 uplinks, 1 to each
    CHECK(Peers(ClosBuilder::Build(plan), 64).size() == 16 + 2);
    plan.oversubscription = 0.5; // undersubscribed: 8 uplinks, 4 to each
    CHECK(ClosBuilder::Build(plan).LinkCount() == 64 + 4 * 8);
    plan.oversubscription = 4; // 1 uplink for 2 spines
    CHECK_THROWS_WITH(ClosBuilder::Build(plan),
                      Contains("leaf0 (node 64)") && Contains("1600Gbps down at 4:1") &&
                          Contains("0.5 to each of 2"));
    plan.oversubscription = 1.5; // 2.67 uplinks
    CHECK_THROWS_WITH(ClosBuilder::Build(plan), Contains("1.33333 to each of 2"));
    plan.oversubscription = -1;
    CHECK_THROWS_WITH(ClosBuilder::Build(plan), Contains("is -1; expected more than 0"));

    ThreeTierPlan three;
    three.pods = 2;
    three.leavesPerPod = 4;
    three.podSpines = 2;
    three.superSpines = 4;
    three.hostsPerLeaf = 8;
    three.coreRateBps = 400 * G;
    three.leafOversubscription = 2; // 8 x 100G down, 4 x 100G up, 2 to each spine
    three.podOversubscription = 1;  // 4 leaves x 2 x 100G down = 2 x 400G, 1 to each of 2
    const FabricGraph g = ClosBuilder::Build(three);
    CHECK(Peers(g, 64) == std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 72, 72, 73, 73});
    CHECK(Peers(g, 72) == std::vector<uint32_t>{64, 64, 65, 65, 66, 66, 67, 67, 76, 77});
    three.podOversubscription = 3;
    CHECK_THROWS_WITH(ClosBuilder::Build(three), Contains("spine0 (node 72)"));
}

TEST_CASE("ClosBuilder: a radix is kept, and the message has node, need and limit",
          "[fabric-builders]")
{
    LeafSpinePlan plan;
    plan.leaves = 33;
    plan.spines = 4;
    plan.hostsPerLeaf = 8;
    plan.linksPerPair = 2;
    plan.leafRadix = 16; // 8 + 4 x 2 = 16: just fits
    plan.spineRadix = 66;
    CHECK(MostPorts(ClosBuilder::Build(plan), "leaf") == 16);
    plan.leafRadix = 15;
    CHECK_THROWS_WITH(ClosBuilder::Build(plan),
                      Contains("leaf0 (node 264) needs 16 ports (8 hosts + 4 spines x 2 parallel "
                               "links), its limit is 15"));
    plan.leafRadix = 16;
    plan.spineRadix = 65; // 33 x 2 = 66
    CHECK_THROWS_WITH(ClosBuilder::Build(plan),
                      Contains("spine0 (node 297) needs 66 ports (33 leaves x 2 parallel links), "
                               "its limit is 65"));
    ThreeTierPlan three;  // 2 pods of 2 leaves and 2 spines, 2 planes of 2 super-spines
    three.spineRadix = 4; // 2 down + 2 up
    three.superRadix = 2;
    three.leafRadix = 6;
    CHECK(ClosBuilder::Build(three).NodeCount() == 16 + 4 + 4 + 4);
    three.spineRadix = 3;
    CHECK_THROWS_WITH(ClosBuilder::Build(three), Contains("spine0 (node 20) needs 4 ports"));
    three.spineRadix = 0;
    three.superRadix = 1;
    CHECK_THROWS_WITH(ClosBuilder::Build(three), Contains("super-spine0 (node 24) needs 2 ports"));
    three.superRadix = 0;
    three.leafRadix = 5;
    CHECK_THROWS_WITH(ClosBuilder::Build(three), Contains("leaf0 (node 16) needs 6 ports"));
}

TEST_CASE("RailBuilder: NIC r of each server is on leaf r of its unit", "[fabric-builders]")
{
    RailPlan plan;
    plan.groups = 2;
    plan.nodesPerGroup = 3;
    plan.rails = 4;
    plan.spines = 2;
    plan.linksPerPair = 2;
    const FabricGraph g = RailBuilder::Build(plan);
    g.Validate();
    CHECK(g.HostCount() == 6);                                   // 2 x 3 servers
    CHECK(CountTiers(g)["leaf"] == 8);                           // 2 x 4
    CHECK(g.LinkCount() == 6 * 4 + 8 * 2 * 2);                   // NICs, leaf-spine
    CHECK(Peers(g, 1) == std::vector<uint32_t>{6, 7, 8, 9});     // unit 0: leaves 6..9
    CHECK(Peers(g, 3) == std::vector<uint32_t>{10, 11, 12, 13}); // unit 1
    CHECK(Peers(g, 12) == std::vector<uint32_t>{3, 4, 5, 14, 14, 15, 15});
    const Routing routing(g);
    const auto ways = routing.HostPorts(0, 2); // same unit: each rail on its own, two links
    REQUIRE(ways.size() == 4);
    for (uint32_t rail = 0; rail < 4; rail++)
    {
        CHECK(ways[rail].srcPort == rail);
        CHECK(ways[rail].dstPort == rail);
        CHECK(ways[rail].hops == 2);
    }
    CHECK(routing.HostPorts(0, 5).size() == 16); // other unit: any rail to any, four links

    plan.gpusAsHosts = true;
    const FabricGraph h = RailBuilder::Build(plan);
    h.Validate();
    CHECK(h.HostCount() == 24);
    CHECK(RailBuilder::HostOf(plan, 4, 3) == 19);
    CHECK(Peers(h, 19) == std::vector<uint32_t>{24 + 4 + 3}); // unit 1, rail 3
    CHECK_THROWS_WITH(RailBuilder::HostOf(plan, 6, 0), Contains("server 6"));
    CHECK_THROWS_WITH(RailBuilder::HostOf(plan, 0, 4), Contains("rail 4"));

    plan.separateRails = true; // 4 rails, 2 spines
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("spines 2 is no multiple of rails 4"));
    plan.spines = 4;
    const FabricGraph apart = RailBuilder::Build(plan);
    CHECK(apart.LinkCount() == 24 + 8 * 1 * 2);
    CHECK_THROWS_WITH(apart.Validate(), Contains("no path from host 0 to host 1"));
    CHECK(Routing(apart).HostPorts(0, 4 * 5).front().hops == 4); // rail 0 of servers 0 and 5
    plan.gpusAsHosts = false; // servers have all rails, so all meet
    RailBuilder::Build(plan).Validate();
}

TEST_CASE("RailBuilder: what makes no fabric is refused", "[fabric-builders]")
{
    RailPlan plan;
    plan.spines = 0;
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("2 groups and 0 spines"));
    plan = {};
    plan.nodesPerGroup = 61; // 61 + 4 spines
    CHECK_THROWS_WITH(
        RailBuilder::Build(plan),
        Contains("leaf0 (node 122) needs 65 ports (61 servers + 4 spines x 1 parallel "
                 "links), its limit is 64"));
    plan = {};
    plan.groups = 9; // 9 x 8 leaves
    CHECK_THROWS_WITH(
        RailBuilder::Build(plan),
        Contains("spine0 (node 108) needs 72 ports (72 leaves x 1 parallel links), its "
                 "limit is 64"));
    plan = {};
    plan.rails = 0;
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("rails is 0"));
    plan = {};
    plan.hostMetres = -1;
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("hostMetres is -1 m"));
    plan = {};
    plan.fabricRateBps = 0;
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("fabricRateBps is rate 0"));
    plan = {};
    plan.nodesPerGroup = 4000000000;
    CHECK_THROWS_WITH(RailBuilder::Build(plan), Contains("8000000000 nodes"));
    plan = {};
    plan.leafRadix = plan.spineRadix = 0;
    plan.groups = 100000;
    plan.spines = 1000000;
    CHECK_THROWS_WITH(RailBuilder::Build(plan),
                      Contains("800000 nodes with 1000000 links up each"));
}

TEST_CASE("DualPlaneBuilder: dual-ToR shares spines, dual-plane does not", "[fabric-builders]")
{
    DualPlanePlan plan;
    plan.racks = 3;
    plan.hostsPerRack = 2;
    plan.spines = 4;
    for (bool planes : {true, false})
    {
        plan.separatePlanes = planes;
        const FabricGraph g = DualPlaneBuilder::Build(plan);
        g.Validate();
        CHECK(g.HostCount() == 6);
        CHECK(CountTiers(g)["leaf"] == 6); // two a rack: 6..11
        CHECK(g.LinkCount() == 12 + (planes ? 6U * 2 : 6U * 4));
        CHECK(Peers(g, 3) == std::vector<uint32_t>{8, 9}); // rack 1
        const auto peers = Peers(g, 9);                    // the second leaf of rack 1
        CHECK(peers == (planes ? std::vector<uint32_t>{2, 3, 14, 15}
                               : std::vector<uint32_t>{2, 3, 12, 13, 14, 15}));
        const Routing routing(g);
        // in planes port p reaches port p only; with shared spines each port each other
        CHECK(routing.HostPorts(0, 5).size() == (planes ? 2 : 4));
        // rack 0, leaf 6 to rack 2, leaf 11: the other plane
        CHECK(routing.Distance(6, routing.Locate(5, 1).leaf) == (planes ? UINT32_MAX : 2));
    }
    plan.separatePlanes = true;
    plan.spines = 3;
    CHECK_THROWS_WITH(DualPlaneBuilder::Build(plan), Contains("spines 3 is odd"));
    plan.spines = 0;
    CHECK_THROWS_WITH(DualPlaneBuilder::Build(plan), Contains("3 racks and 0 spines"));
    plan.spines = 4;
    plan.leafRadix = 3; // 2 hosts + 2 spines of its plane
    CHECK_THROWS_WITH(DualPlaneBuilder::Build(plan), Contains("leaf0 (node 6) needs 4 ports"));
    plan.leafRadix = 4;
    plan.spineRadix = 2; // 3 leaves of its plane
    CHECK_THROWS_WITH(DualPlaneBuilder::Build(plan), Contains("spine0 (node 12) needs 3 ports"));
}

TEST_CASE("PodBuilder: every super-spine meets every pod spine", "[fabric-builders]")
{
    PodPlan plan;
    plan.pods = 2;
    plan.racksPerPod = 3;
    plan.gpusPerRack = 4;
    plan.podSpines = 2;
    plan.superSpines = 3;
    plan.coreLinks = 2;
    const FabricGraph g = PodBuilder::Build(plan);
    g.Validate();
    CHECK(CountTiers(g) == std::map<std::string, uint32_t>{{"host", 24},
                                                           {"leaf", 6},
                                                           {"spine", 4},
                                                           {"super-spine", 3}});
    CHECK(g.LinkCount() == 24 + 6 * 2 + 4 * 3 * 2);
    // ids: leaves 24.., spines 30.., super-spines 34..
    CHECK(Peers(g, 33) == std::vector<uint32_t>{27, 28, 29, 34, 34, 35, 35, 36, 36});
    CHECK(g.Link(0).delayPs == 10000);                   // 2 m
    CHECK(g.Link(24).delayPs == 250000);                 // 50 m
    CHECK(g.Link(g.LinkCount() - 1).delayPs == 2250000); // 450 m
    CHECK(g.Link(24).rateBps == 100 * G);
    CHECK(g.Link(g.LinkCount() - 1).rateBps == 400 * G);
    plan.superSpines = 0;
    CHECK_THROWS_WITH(PodBuilder::Build(plan), Contains("2 pods and 0 superSpines"));
    plan.superSpines = 63; // 3 racks + 63 x 2
    CHECK_THROWS_WITH(PodBuilder::Build(plan),
                      Contains("spine0 (node 30) needs 129 ports (3 racks x 1 parallel links + 63 "
                               "super-spines x 2 parallel links), its limit is 128"));
    plan.superSpines = 3;
    plan.pods = 33; // 33 x 2 spines x 2 links
    CHECK_THROWS_WITH(PodBuilder::Build(plan), Contains("needs 132 ports (66 pod spines x 2"));
}

TEST_CASE("FabricPresets: the sizes they promise", "[fabric-builders]")
{
    CHECK_THROWS_WITH(FabricPresets::Build("garage"), Contains("'garage'") && Contains("homelab"));
    // hosts, switches, links by arithmetic
    const std::map<std::string, std::vector<uint32_t>> sizes = {
        {"homelab", {24, 3 + 2, 24 + 3 * 2}},
        {"dual-tor-256", {256, 32 + 8, 512 + 32 * 8}},
        {"dual-plane-256", {256, 32 + 8, 512 + 32 * 4 * 2}},
        {"fat-tree-1024", {1024, 5 * 16 * 16 / 4, 3 * 1024}},
        {"rail-1024", {128, 32 + 16, 1024 + 32 * 32}},
        {"meta-ai-zone", {3072, 192 + 16, 3072 + 192 * 32}},
        // 14 pods x 96 racks x 8; 1344 leaves, 112 spines, 24 super-spines
        {"article", {10752, 1344 + 112 + 24, 10752 + 1344 * 8 + 112 * 24}},
        // 8 pods x 192 racks x 16; 1536 leaves, 128 spines, 28 super-spines
        {"meta-24576", {24576, 1536 + 128 + 28, 24576 + 1536 * 16 + 128 * 28}},
    };
    CHECK(FabricPresets::All().size() == sizes.size());
    for (const FabricPreset& preset : FabricPresets::All())
    {
        INFO(preset.name);
        REQUIRE(FabricPresets::Has(preset.name));
        const FabricDocument fabric = FabricPresets::Build(preset.name);
        CHECK(fabric.name == preset.name);
        CHECK(FabricCheck::Faults(fabric).empty());
        const std::vector<uint32_t>& size = sizes.at(preset.name);
        CHECK(fabric.graph.HostCount() == size[0]);
        CHECK(fabric.graph.SwitchCount() == size[1]);
        CHECK(fabric.graph.LinkCount() == size[2]);
    }
    const FabricGraph article = FabricPresets::Build("article").graph;
    CHECK(article.HostCount() >= 10000);
    CHECK(MostPorts(article, "spine") == 96 + 24);
    CHECK(MostPorts(article, "super-spine") == 112);
    CHECK(MostPorts(article, "leaf") == 8 + 8); // 8 GPUs a rack
    std::set<int64_t> lengths;
    const FabricGraph home = FabricPresets::Build("homelab").graph;
    for (uint32_t i = 0; i < home.LinkCount(); i++)
    {
        lengths.insert(home.Link(i).delayPs);
    }
    CHECK(lengths == std::set<int64_t>{10000, 250000}); // 2 m and 50 m
}
