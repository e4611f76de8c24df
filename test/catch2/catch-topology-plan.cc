/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-bisection.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-dual-plane-builder.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-path-list.h"
#include "ns3/roce-rail-builder.h"
#include "ns3/roce-topology-plan.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s
constexpr int64_t US = 1000000;    // ps

/// Wire bytes of a base RTT: 4096 + 62 + 16 + 20 and 66 + 20, 4280 in all.
constexpr int64_t RTT_BITS = 4280 * 8;

/** \return share of a link in a base RTT, ps. */
int64_t
LinkCost(int64_t delayPs, uint64_t gbps)
{
    return 2 * delayPs +
           (RTT_BITS * 1000 + static_cast<int64_t>(gbps) / 2) / static_cast<int64_t>(gbps);
}

/** \return hosts by id, each with a cable to another. */
FabricGraph
Ring(uint32_t hosts)
{
    FabricGraph g;
    for (uint32_t i = 0; i < hosts; i++)
    {
        g.AddHost(i);
    }
    for (uint32_t i = 0; i < hosts; i++)
    {
        g.AddLink(i, (i + 1) % hosts, 25 * G, US);
    }
    return g;
}

} // namespace

TEST_CASE("Bisection: k^3 / 8 hosts x rate for a k-ary fat tree", "[topology-plan]")
{
    for (uint32_t k : {4U, 8U, 16U})
    {
        FatTreePlan plan;
        plan.k = k;
        const Bisection middle(FatTreeBuilder::Build(plan));
        CHECK(middle.Bps() == uint64_t{k} * k * k / 8 * 100 * G);
        CHECK(middle.Share() == 1);
    }
    FatTreePlan plan; // twice the hosts on the same switches: the same flow, half of the hosts'
    plan.k = 4;
    plan.oversubscription = 2;
    const Bisection half(FatTreeBuilder::Build(plan));
    CHECK(half.Bps() == 8 * 100 * G);
    CHECK(half.Share() == 0.5);
}

TEST_CASE("Bisection: cuts by hand", "[topology-plan]")
{
    FabricGraph g; // 3 hosts | 3 hosts over two parallel links and one of another rate
    for (uint32_t i = 0; i < 6; i++)
    {
        g.AddHost(i);
    }
    g.AddSwitch(10);
    g.AddSwitch(11);
    for (uint32_t i = 0; i < 6; i++)
    {
        g.AddLink(i, i < 3 ? 10 : 11, 100 * G, 0);
    }
    const uint32_t one = g.AddLink(10, 11, 25 * G, 0);
    g.AddLink(11, 10, 25 * G, 0);
    g.AddLink(10, 11, 40 * G, 0);
    CHECK(Bisection(g).Bps() == 90 * G); // 25 + 25 + 40
    CHECK(Bisection(g).HostBps() == 300 * G);
    CHECK(Bisection(g).Share() == Approx(0.3));
    g.SetLinkUp(one, false);
    CHECK(Bisection(g).Bps() == 65 * G);
    // halves 0, 1, 3 and 2, 4, 5: 0 and 1 to 2 (100) and over the links (65), 3 to 4, 5 (100)
    CHECK(Bisection(g, {0, 1, 3, 2, 4, 5}).Bps() == (100 + 65 + 100) * G);
    CHECK_THROWS_WITH(Bisection(g, {0, 1, 2, 3, 4, 4}), Contains("not each of the 6"));
    CHECK_THROWS_WITH(Bisection(g, {0, 1, 2, 3, 4, 10}), Contains("not each of the 6"));

    // a ring of 8 hosts: two cables cross, hosts do not forward but send to their neighbor
    CHECK(Bisection(Ring(8)).Bps() == 50 * G);
    FabricGraph alone;
    alone.AddHost(0);
    CHECK(Bisection(alone).Bps() == 0);
    CHECK(Bisection(alone).Share() == 0);
}

TEST_CASE("Bisection: hosts with several ports", "[topology-plan]")
{
    RailPlan plan; // 2 units of 4 servers of 8 x 400G; each leaf 4 x 400G down and 4 x 400G up
    CHECK(Bisection(RailBuilder::Build(plan)).Bps() == 4 * 8 * 400 * G);
    plan.spines = 2; // half of that
    CHECK(Bisection(RailBuilder::Build(plan)).Bps() == 4 * 8 * 200 * G);
    DualPlanePlan dual; // 4 racks of 8 hosts of 2 x 200G; a leaf has 8 x 200G down, 2 x 400G up
    CHECK(Bisection(DualPlaneBuilder::Build(dual)).Bps() == 4 * 2 * 400 * G);
    dual.separatePlanes = false; // 4 spines a leaf: 1600G, as much as the hosts
    CHECK(Bisection(DualPlaneBuilder::Build(dual)).Share() == 1);
}

TEST_CASE("StageCensus: pairs, RTT and ECMP width of a fat tree", "[topology-plan]")
{
    for (uint32_t k : {4U, 8U})
    {
        FatTreePlan plan;
        plan.k = k;
        plan.hostRateBps = 100 * G;
        plan.fabricRateBps = 200 * G;
        plan.hostDelayPs = US;
        plan.fabricDelayPs = 3 * US;
        const StageCensus census(FatTreeBuilder::Build(plan));
        const uint64_t half = k / 2;
        const uint64_t hosts = k * half * half;
        REQUIRE(census.Rows().size() == 3);
        const auto& rows = census.Rows();
        CHECK(census.Diameter() == 6);
        CHECK(census.Unreachable() == 0);
        // each host: half - 1 on its leaf, the rest of its half^2 in its pod, the rest of all
        CHECK(rows[0].pairs == hosts * (half - 1) / 2);
        CHECK(rows[1].pairs == hosts * (half * half - half) / 2);
        CHECK(rows[2].pairs == hosts * (hosts - half * half) / 2);
        CHECK(rows[0].links == 2);
        CHECK(rows[1].links == 4);
        CHECK(rows[2].links == 6);
        CHECK(rows[0].maxPaths == 1);
        CHECK(rows[1].minPaths == half);
        CHECK(rows[2].minPaths == half * half); // (k/2)^2, Al-Fares et al.
        CHECK(rows[2].maxPaths == half * half);
        CHECK(rows[0].maxNextHops == 1);
        CHECK(rows[1].minNextHops == half);
        CHECK(rows[2].maxNextHops == half);
        const int64_t host = LinkCost(US, 100);
        const int64_t fabric = LinkCost(3 * US, 200);
        CHECK(rows[0].maxRttPs == 2 * host);
        CHECK(rows[1].maxRttPs == 2 * host + 2 * fabric);
        CHECK(rows[2].maxRttPs == 2 * host + 4 * fabric);
    }
}

TEST_CASE("TopologyPlan: rates and delays whose sums do not fit are refused", "[topology-plan]")
{
    FabricDocument f;
    f.graph.AddHost(0);
    f.graph.AddHost(1);
    f.graph.AddSwitch(2);
    f.graph.AddLink(0, 2, 1ULL << 62, 60000000000000);
    f.graph.AddLink(1, 2, (1ULL << 62) - 1, 60000000000000); // 2^63 - 1 in all
    CHECK(Bisection(f.graph).Bps() == (1ULL << 62) - 1);
    CHECK(StageCensus(f.graph).Rows().at(0).maxRttPs >= 4 * 60000000000000);
    f.graph.AddLink(1, 2, 1000000, 60000000000001);
    CHECK_THROWS_WITH(Bisection(f.graph), Contains("1-2 with 1Mbps") && Contains("2^63"));
    CHECK_THROWS_WITH(StageCensus(f.graph),
                      Contains("1-2 has a delay of 60000000000001ps") && Contains("at most 60s"));
    CHECK_THROWS_AS(TopologyPlan(f), std::invalid_argument);
}

TEST_CASE("StageCensus: the longest cable decides, parallel links count", "[topology-plan]")
{
    // homelab: racks 0 and 1 at 2 m, rack 2 at 50 m; hosts at 2 m and 100G, uplinks 400G
    const StageCensus home(FabricPresets::Build("homelab").graph);
    REQUIRE(home.Rows().size() == 2);
    CHECK(home.Rows()[0].pairs == 3 * 28); // 8 x 7 / 2 in each rack
    CHECK(home.Rows()[1].pairs == 3 * 64); // 8 x 8 between each two
    CHECK(home.Rows()[1].maxRttPs ==
          2 * LinkCost(10000, 100) + LinkCost(10000, 400) + LinkCost(250000, 400));
    CHECK(home.Rows()[1].to / 8 == 2); // one end is in the far rack

    LeafSpinePlan plan; // 3 links to each of 2 spines: 6 ports, and 2 x 3 x 3 paths
    plan.linksPerPair = 3;
    const StageCensus bundles(ClosBuilder::Build(plan));
    CHECK(bundles.Rows()[1].minNextHops == 6);
    CHECK(bundles.Rows()[1].maxPaths == 18);
}

TEST_CASE("StageCensus: hosts with several ports, hosts on a cable, partitions", "[topology-plan]")
{
    RailPlan rail; // 2 units of 4 servers, 8 rails, 4 spines
    const StageCensus rails(RailBuilder::Build(rail));
    REQUIRE(rails.Rows().size() == 2);
    CHECK(rails.Rows()[0].pairs == 2 * 6); // 4 x 3 / 2 in each unit
    CHECK(rails.Rows()[0].maxPaths == 8);  // a way a rail
    CHECK(rails.Rows()[1].pairs == 16);
    CHECK(rails.Rows()[1].maxPaths == 8 * 8 * 4); // any rail, any rail, any spine
    CHECK(rails.Rows()[1].maxNextHops == 4);
    DualPlanePlan dual; // 2 spines a plane, and 2 planes
    CHECK(StageCensus(DualPlaneBuilder::Build(dual)).Rows()[1].maxPaths == 2 * 2);
    dual.separatePlanes = false; // 2 x 2 ports, 4 spines
    CHECK(StageCensus(DualPlaneBuilder::Build(dual)).Rows()[1].maxPaths == 2 * 2 * 4);

    const StageCensus ring(Ring(8));
    REQUIRE(ring.Rows().size() == 1);
    CHECK(ring.Rows()[0].links == 1);
    CHECK(ring.Rows()[0].pairs == 8);
    CHECK(ring.Rows()[0].maxRttPs == LinkCost(US, 25));
    CHECK(ring.Unreachable() == 28 - 8); // hosts do not forward

    FabricGraph g; // two hosts on a switch and on a cable of their own; a third by itself
    g.AddHost(0);
    g.AddHost(1);
    g.AddHost(2);
    g.AddSwitch(3);
    g.AddSwitch(4);
    g.AddLink(0, 3, G, 0);
    g.AddLink(1, 3, G, 0);
    g.AddLink(2, 4, G, 0);
    g.AddLink(1, 0, 10 * G, 0);
    const StageCensus mixed(g);
    REQUIRE(mixed.Rows().size() == 1);
    CHECK(mixed.Rows()[0].links == 1);
    CHECK(mixed.Unreachable() == 2);
}

TEST_CASE("StageCensus: path counts are those of Routing and PathList", "[topology-plan]")
{
    // a lopsided fabric: leaf 20 has three spines, leaf 21 two of them, leaf 22 one, twice
    FabricGraph g;
    for (uint32_t i = 0; i < 3; i++)
    {
        g.AddHost(i);
        g.AddSwitch(20 + i, "leaf");
        g.AddSwitch(30 + i, "spine");
    }
    for (uint32_t i = 0; i < 3; i++)
    {
        g.AddLink(i, 20 + i, 100 * G, 0);
        g.AddLink(20, 30 + i, 100 * G, 0);
    }
    g.AddLink(21, 30, 100 * G, 0);
    g.AddLink(21, 31, 100 * G, 5 * US);
    g.AddLink(22, 32, 100 * G, 0);
    g.AddLink(22, 32, 100 * G, 0);
    const StageCensus census(g);
    REQUIRE(census.Rows().size() == 2);
    // 0-1: over 30 and 31, 0-2: over 32 twice; 1-2: 21-30/31-20-32-22, 2 x 2
    CHECK(census.Rows()[0].pairs == 2);
    CHECK(census.Rows()[0].minPaths == 2);
    CHECK(census.Rows()[0].maxPaths == 2);
    CHECK(census.Rows()[0].minNextHops == 1); // of leaf 20 to leaf 22
    CHECK(census.Rows()[0].maxNextHops == 2);
    CHECK(census.Rows()[0].maxRttPs == 3 * LinkCost(0, 100) + LinkCost(5 * US, 100));
    CHECK(census.Rows()[1].links == 6);
    CHECK(census.Rows()[1].maxPaths == 4);
    const Routing routing(g);
    for (const auto& [a, b, paths] : {std::make_tuple(0, 1, 2), {0, 2, 2}, {1, 2, 4}, {2, 1, 4}})
    {
        const PathList list(g, routing, a, b);
        CHECK(list.Paths().size() == static_cast<size_t>(paths));
        CHECK(list.Complete());
        std::set<std::vector<uint32_t>> links;
        for (const TracedPath& path : list.Paths())
        {
            links.insert(path.links);
        }
        CHECK(links.size() == list.Paths().size()); // none twice
    }
    const PathList some(g, routing, 1, 2, 3);
    CHECK(some.Paths().size() == 3);
    CHECK_FALSE(some.Complete());
    CHECK_THROWS_WITH(PathList(g, routing, 1, 1), Contains("host 1 to host 1"));
    CHECK_THROWS_WITH(PathList(g, routing, 1, 2, 0), Contains("at most 0"));
    const FabricGraph ring = Ring(4);
    const Routing ringRoutes(ring);
    CHECK_THROWS_WITH(PathList(ring, ringRoutes, 0, 2), Contains("no path from host 0"));
}

TEST_CASE("FabricTiers: heights, radix, oversubscription, cables", "[topology-plan]")
{
    const FabricDocument fabric = FabricPresets::Build("article");
    const FabricTiers tiers(fabric);
    REQUIRE(tiers.Tiers().size() == 4);
    const auto& rows = tiers.Tiers();
    CHECK(rows[0].name == "host");
    CHECK(rows[1].name == "leaf");
    CHECK(rows[1].nodes == 1344);
    CHECK(rows[1].maxOversubscription == 1); // 8 x 100G down, 8 x 100G up
    CHECK(rows[2].minPorts == 120);
    CHECK(rows[2].radix == 128);
    CHECK(rows[2].maxOversubscription == 1); // 96 x 100G down, 24 x 400G up
    CHECK(rows[2].downBps == 9600 * G);
    CHECK(rows[3].maxOversubscription == 0); // nothing above
    CHECK(rows[3].maxPorts == 112);
    // 10752 x 2 m + 10752 x 50 m + 2688 x 450 m
    CHECK(tiers.TotalMetres() == 10752 * 52 + 2688 * 450);
    REQUIRE(tiers.Cables().size() == 3);
    CHECK(tiers.Cables()[2].from == "spine");
    CHECK(tiers.Cables()[2].to == "super-spine");
    CHECK(tiers.Cables()[2].count == 2688);
    const FabricTiers meta(FabricPresets::Build("meta-24576"));
    CHECK(meta.Tiers()[2].maxOversubscription == Approx(192.0 / 28));

    FabricDocument uneven; // two leaves of 2 and 4 hosts below a spine, labels as files have them
    for (uint32_t i = 0; i < 6; i++)
    {
        uneven.graph.AddHost(i);
    }
    for (uint32_t i = 6; i < 9; i++)
    {
        uneven.graph.AddSwitch(i, "switch");
    }
    for (uint32_t i = 0; i < 6; i++)
    {
        uneven.graph.AddLink(i, i < 2 ? 6 : 7, 100 * G, 0);
    }
    uneven.graph.AddLink(6, 8, 100 * G, 0);
    uneven.graph.AddLink(7, 8, 100 * G, 0);
    const FabricTiers plain(uneven);
    REQUIRE(plain.Tiers().size() == 3);
    CHECK(plain.Tiers()[1].name == "tier-1");
    CHECK(plain.Tiers()[1].minOversubscription == 2);
    CHECK(plain.Tiers()[1].maxOversubscription == 4);
    CHECK(plain.LevelOf(8) == 2);
}

TEST_CASE("TopologyPlan: 24,576 hosts within seconds", "[topology-plan]")
{
    const auto begin = std::chrono::steady_clock::now();
    const FabricDocument fabric = FabricPresets::Build("meta-24576");
    const TopologyPlan plan(fabric);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    REQUIRE(plan.Stages().Rows().size() == 3);
    CHECK(plan.StageName(4) == "within a pod");
    CHECK(plan.StageName(6) == "between pods");
    // pairs: 1536 racks of 16; 8 pods of 3072
    CHECK(plan.Stages().Rows()[0].pairs == 1536ULL * 120);
    CHECK(plan.Stages().Rows()[2].pairs == 28ULL * 3072 * 3072);
    CHECK(plan.Stages().Rows()[2].maxPaths == 16 * 28 * 16);
    CHECK(plan.Stages().Rows()[2].maxNextHops == 16);
    // 4 pods send over 4 x 16 spines x 28 links of 400G
    CHECK(plan.Middle().Bps() == 4ULL * 16 * 28 * 400 * G);
    CHECK(took.count() < 30); // 3 s here, loaded; far from what a pass over host pairs takes
    CHECK_THROWS_WITH(TopologyPlan(FabricDocument{}), Contains("no host"));
}
