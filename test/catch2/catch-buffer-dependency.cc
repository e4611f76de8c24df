/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-buffer-dependency.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-cycle-finder.h"
#include "ns3/roce-fat-tree-builder.h"

#include <catch2/catch.hpp>
#include <ctime>
#include <random>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;
using Edges = std::vector<CycleFinder::Edge>;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s

/** Ring of n switches n..2n-1, called s1.., host i on switch n+i. Port 0 of a switch is its host,
 *  link n+i goes from switch n+i to the next one. */
FabricGraph
RingGraph(uint32_t n)
{
    FabricGraph g;
    for (uint32_t i = 0; i < n; i++)
    {
        g.AddHost(i);
    }
    for (uint32_t i = 0; i < n; i++)
    {
        g.AddSwitch(n + i, "", "s" + std::to_string(i + 1));
        g.AddLink(i, n + i, 40 * G, 1000000);
    }
    for (uint32_t i = 0; i < n; i++)
    {
        g.AddLink(n + i, n + (i + 1) % n, 40 * G, 1000000);
    }
    return g;
}

/** \return the port of a node that leads to a neighbor. */
uint32_t
PortTo(const FabricGraph& g, uint32_t node, uint32_t peer)
{
    for (const FabricNeighbour& n : g.Neighbours(node))
    {
        if (n.peer == peer)
        {
            return n.port;
        }
    }
    FAIL("no link from " << node << " to " << peer);
    return 0;
}

/** Send all that crosses a ring clockwise. */
void
RouteClockwise(const FabricGraph& g, Routing& routing, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
    {
        for (uint32_t to = 0; to < n; to++)
        {
            if (to != i)
            {
                routing.Override(n + i,
                                 routing.Locate(to, 0).leaf,
                                 PortTo(g, n + i, n + (i + 1) % n));
            }
        }
    }
    routing.Recompute();
}

/** \return the ids of the nodes that the hops of a cycle leave. */
std::vector<uint32_t>
NodesOf(const BufferCycle& cycle)
{
    std::vector<uint32_t> nodes;
    for (const BufferHop& hop : cycle.hops)
    {
        nodes.push_back(hop.node);
    }
    return nodes;
}

} // namespace

TEST_CASE("Cycles of small graphs", "[buffer-dependency]")
{
    CHECK(CycleFinder::Find(0, {}).empty());
    CHECK(CycleFinder::Find(3, {{0, 1}, {1, 2}, {0, 2}}).empty());
    CHECK_THROWS_WITH(CycleFinder::Find(2, {{0, 2}}), Contains("below 2"));

    const auto self = CycleFinder::Find(2, {{1, 1}});
    REQUIRE(self.size() == 1);
    CHECK(self[0].cycle == std::vector<uint32_t>{1});

    // 0 1 2 3 in a ring with a short cut from 2 to 1; 4 and 5 apart; 6 leads into the ring only
    const auto two =
        CycleFinder::Find(7,
                          {{5, 4}, {4, 5}, {3, 0}, {0, 1}, {1, 2}, {2, 3}, {2, 1}, {6, 0}, {0, 1}});
    REQUIRE(two.size() == 2);
    CHECK(two[0].component == std::vector<uint32_t>{0, 1, 2, 3});
    CHECK(two[0].cycle == std::vector<uint32_t>{1, 2});
    CHECK(two[1].component == std::vector<uint32_t>{4, 5});
    CHECK(two[1].cycle == std::vector<uint32_t>{4, 5});
}

TEST_CASE("Cycles of random graphs are cycles, and none is missed", "[buffer-dependency]")
{
    std::mt19937 random(7);
    for (int round = 0; round < 300; round++)
    {
        const uint32_t n = 1 + random() % 12;
        Edges edges;
        for (uint32_t i = random() % 20; i > 0; i--)
        {
            edges.emplace_back(random() % n, random() % n);
        }
        const std::set<CycleFinder::Edge> known(edges.begin(), edges.end());
        // r[i][j]: a way of at least one edge from i to j (Warshall)
        std::vector<std::vector<bool>> r(n, std::vector<bool>(n, false));
        for (const auto& e : edges)
        {
            r[e.first][e.second] = true;
        }
        for (uint32_t k = 0; k < n; k++)
        {
            for (uint32_t i = 0; i < n; i++)
            {
                for (uint32_t j = 0; j < n; j++)
                {
                    r[i][j] = r[i][j] || (r[i][k] && r[k][j]);
                }
            }
        }
        std::set<uint32_t> expected;
        for (uint32_t i = 0; i < n; i++)
        {
            if (r[i][i])
            {
                expected.insert(i);
            }
        }
        std::set<uint32_t> found;
        for (const GraphCycle& c : CycleFinder::Find(n, edges))
        {
            found.insert(c.component.begin(), c.component.end());
            REQUIRE(!c.cycle.empty());
            for (std::size_t i = 0; i < c.cycle.size(); i++)
            {
                CHECK(known.count({c.cycle[i], c.cycle[(i + 1) % c.cycle.size()]}) == 1);
            }
            CHECK(std::set<uint32_t>(c.cycle.begin(), c.cycle.end()).size() == c.cycle.size());
        }
        CHECK(found == expected);
    }
}

TEST_CASE("Up-down routing has no cyclic buffer dependency", "[buffer-dependency]")
{
    LeafSpinePlan plan;
    plan.leaves = 4;
    plan.spines = 2;
    const FabricGraph clos = ClosBuilder::Build(plan);
    const Routing closRoutes(clos);
    BufferDependency two(clos);
    two.AddRoutes(closRoutes);
    // each of 4 * 2 ways up leads to the 3 other leaves
    CHECK(two.CountDependencies() == 4 * 2 * 3);
    CHECK(two.FindCycles().empty());

    const FabricGraph three = ClosBuilder::Build(ThreeTierPlan());
    const Routing threeRoutes(three);
    BufferDependency deep(three);
    deep.AddRoutes(threeRoutes);
    CHECK(deep.FindCycles().empty());

    const FabricGraph tree = FatTreeBuilder::Build(FatTreePlan()); // k = 4
    const Routing treeRoutes(tree);
    BufferDependency fat(tree);
    fat.AddRoutes(treeRoutes);
    // edge to aggregation, 8 * 2, each to 2 cores and the 1 other edge of the pod; aggregation to
    // core, 8 * 2, each to the 3 other pods; core to aggregation, 4 * 4, each to 2 edges
    CHECK(fat.CountDependencies() == 16 * 3 + 16 * 3 + 16 * 2);
    CHECK(fat.FindCycles().empty());
}

TEST_CASE("Clockwise routes in a ring make a cycle, named", "[buffer-dependency]")
{
    const FabricGraph three = RingGraph(3);
    Routing routes(three);
    BufferDependency shortest(three);
    shortest.AddRoutes(routes);
    CHECK(shortest.CountDependencies() == 0); // neighbors only: no frame crosses two ring links
    CHECK(shortest.FindCycles().empty());

    RouteClockwise(three, routes, 3);
    BufferDependency ring(three);
    ring.AddRoutes(routes);
    const auto cycles = ring.FindCycles();
    REQUIRE(cycles.size() == 1);
    CHECK(cycles[0].links == 3);
    // port 0 is the host; s1 has its next one on port 1, the others their previous one there
    CHECK(cycles[0].GetText() == "s1 port 1 -> s2 port 2 -> s3 port 2 -> s1");

    const FabricGraph four = RingGraph(4);
    BufferDependency paths(four);
    // two flows of three ring links each close the ring of four (Hu et al., figure 2)
    paths.AddPath({0, 4, 5, 6, 7, 3});
    CHECK(paths.FindCycles().empty());
    paths.AddPath({2, 6, 7, 4, 5, 1});
    const auto both = paths.FindCycles();
    REQUIRE(both.size() == 1);
    CHECK(NodesOf(both[0]) == std::vector<uint32_t>{4, 5, 6, 7});
    CHECK(both[0].hops[3].peer == 4);
    CHECK_THROWS_WITH(paths.AddPath({4, 6}), Contains("no link from node 4 to node 6"));
}

TEST_CASE("A routing loop is a cycle of two", "[buffer-dependency]")
{
    FabricGraph g; // host 0 - 10 - 11 - 12 - host 1
    g.AddHost(0);
    g.AddHost(1);
    g.AddSwitch(10);
    g.AddSwitch(11);
    g.AddSwitch(12);
    g.AddLink(0, 10, G, 0);
    g.AddLink(10, 11, G, 0);
    g.AddLink(11, 12, G, 0);
    g.AddLink(12, 1, G, 0);
    Routing routes(g);
    const uint32_t leaf = routes.Locate(1, 0).leaf;
    routes.Override(11, leaf, 0); // back to 10
    routes.Recompute();
    BufferDependency loop(g);
    loop.AddRoutes(routes);
    const auto cycles = loop.FindCycles();
    REQUIRE(cycles.size() == 1);
    CHECK(cycles[0].GetText() == "switch 10 port 1 -> switch 11 port 0 -> switch 10");

    CHECK_THROWS_WITH(routes.Override(12, leaf, 0), Contains("not the switch itself"));
    CHECK_THROWS_WITH(routes.Override(11, 2, 0), Contains("expected one of 2 leaves"));
    CHECK_THROWS_WITH(routes.Override(10, leaf, 0), Contains("leads to a switch"));
    CHECK_THROWS_WITH(routes.Override(10, leaf, 2), Contains("it has 2 ports"));
    CHECK_THROWS_WITH(routes.Override(0, leaf, 0), Contains("expected the id of a switch"));
}

TEST_CASE("Paths that bounce round failed links make a cycle in a Clos", "[buffer-dependency]")
{
    LeafSpinePlan plan;
    plan.leaves = 4;
    plan.spines = 2;
    plan.hostsPerLeaf = 1;
    FabricGraph g = ClosBuilder::Build(plan); // hosts 0-3, leaves 4-7, spines 8 and 9
    auto down = [&g](uint32_t a, uint32_t b) {
        g.SetLinkUp(g.Neighbours(a)[PortTo(g, a, b)].link, false);
    };
    down(4, 8);
    {
        // leaf 4 is reached over spine 9 only: still up and down
        const Routing routes(g);
        BufferDependency one(g);
        one.AddRoutes(routes);
        CHECK(one.FindCycles().empty());
    }
    down(5, 9);
    const Routing routes(g);
    BufferDependency two(g);
    two.AddRoutes(routes);
    // 4 to 5 goes 4 9 x 8 5 with x = 6 or 7, and back: a leaf bounces it up again. With 6 to 7 over
    // either spine these close 9 6 8 7 9 and, the other way round, 9 7 8 6 9.
    const auto cycles = two.FindCycles();
    REQUIRE(cycles.size() == 2);
    for (const BufferCycle& c : cycles)
    {
        CHECK(c.links == 4);
        const auto nodes = NodesOf(c);
        CHECK(std::set<uint32_t>(nodes.begin(), nodes.end()) == std::set<uint32_t>{6, 7, 8, 9});
    }
}

TEST_CASE("Ten thousand links are checked in seconds", "[buffer-dependency]")
{
    const std::clock_t begin = std::clock();
    LeafSpinePlan plan;
    plan.leaves = 100;
    plan.spines = 50;
    plan.hostsPerLeaf = 50;
    const FabricGraph g = ClosBuilder::Build(plan); // 5000 + 5000 links
    REQUIRE(g.LinkCount() == 10000);
    const Routing routes(g);
    BufferDependency clos(g);
    clos.AddRoutes(routes);
    CHECK(clos.CountDependencies() == 100 * 50 * 99);
    CHECK(clos.FindCycles().empty());

    const uint32_t n = 5000; // a single cycle of 5000 of 10^4 links
    const FabricGraph ring = RingGraph(n);
    BufferDependency big(ring);
    for (uint32_t i = 0; i < n; i++)
    {
        big.AddPath({n + i, n + (i + 1) % n, n + (i + 2) % n});
    }
    const auto cycles = big.FindCycles();
    REQUIRE(cycles.size() == 1);
    CHECK(cycles[0].hops.size() == n);
    CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < 20);
}
