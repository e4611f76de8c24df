/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-hpcc-hash.h"
#include "ns3/roce-path-tracer.h"
#include "ns3/roce-routing.h"

#include <catch2/catch.hpp>
#include <ctime>
#include <map>
#include <random>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s

/** \return the output ports of a switch to a leaf. */
std::vector<uint32_t>
Members(const Routing& routing, uint32_t id, uint32_t leaf)
{
    const SwitchRoutes& routes = routing.At(id);
    const RouteGroup group = routes.groups.at(leaf);
    return {routes.members.begin() + group.offset,
            routes.members.begin() + group.offset + group.count};
}

/** \return the ids behind the output ports of a switch to a leaf. */
std::vector<uint32_t>
NextHops(const FabricGraph& g, const Routing& routing, uint32_t id, uint32_t leaf)
{
    std::vector<uint32_t> hops;
    for (uint32_t port : Members(routing, id, leaf))
    {
        hops.push_back(g.Neighbours(id)[port].peer);
    }
    return hops;
}

/** \return distances in links over switches alone, by relaxing all links until nothing changes. */
std::map<uint32_t, uint32_t>
SlowDistances(const FabricGraph& g, uint32_t root)
{
    std::map<uint32_t, uint32_t> d{{root, 0}};
    for (bool changed = true; changed;)
    {
        changed = false;
        for (uint32_t i = 0; i < g.LinkCount(); i++)
        {
            const FabricLink& l = g.Link(i);
            if (!l.up || g.IsHost(l.a) || g.IsHost(l.b))
            {
                continue;
            }
            for (const auto& [from, to] : {std::make_pair(l.a, l.b), std::make_pair(l.b, l.a)})
            {
                if (d.count(from) != 0 && (d.count(to) == 0 || d[to] > d[from] + 1))
                {
                    d[to] = d[from] + 1;
                    changed = true;
                }
            }
        }
    }
    return d;
}

/** Check each group against distances found otherwise. */
void
CheckAgainstSlow(const FabricGraph& g, const Routing& routing)
{
    for (uint32_t leaf = 0; leaf < routing.Table().leaves.size(); leaf++)
    {
        const auto d = SlowDistances(g, routing.Table().leaves[leaf]);
        for (uint32_t id : g.Switches())
        {
            std::set<uint32_t> expected;
            for (const FabricNeighbour& n : g.Neighbours(id))
            {
                if (g.Link(n.link).up && d.count(id) != 0 && d.count(n.peer) != 0 &&
                    !g.IsHost(n.peer) && d.at(n.peer) + 1 == d.at(id))
                {
                    expected.insert(n.port);
                }
            }
            const auto members = Members(routing, id, leaf);
            CHECK(std::set<uint32_t>(members.begin(), members.end()) == expected);
            CHECK(members.size() == expected.size()); // none twice
            CHECK(routing.Distance(id, leaf) == (d.count(id) != 0 ? d.at(id) : UINT32_MAX));
        }
    }
}

} // namespace

TEST_CASE("Routing: two tiers, orders of members", "[routing]")
{
    LeafSpinePlan plan; // hosts 0..3, leaves 4 and 5, spines 6, 7, 8
    plan.hostsPerLeaf = 2;
    plan.spines = 3;
    const FabricGraph g = ClosBuilder::Build(plan);
    const Routing byPort(g);
    CHECK(byPort.Table().leaves == std::vector<uint32_t>{4, 5});
    CHECK(byPort.At(4).leaf == 0);
    CHECK(byPort.At(6).leaf == Routing::NO_LEAF);
    CHECK(Members(byPort, 4, 0).empty());                           // own leaf
    CHECK(Members(byPort, 4, 1) == std::vector<uint32_t>{2, 3, 4}); // ports 0 and 1 are hosts
    CHECK(Members(byPort, 7, 0) == std::vector<uint32_t>{0});
    CHECK(NextHops(g, Routing(g, MemberOrder::DescendingPeerId), 4, 1) ==
          std::vector<uint32_t>{8, 7, 6});
    CHECK(NextHops(g, Routing(g, MemberOrder::AscendingPeerId), 4, 1) ==
          std::vector<uint32_t>{6, 7, 8});
    CHECK(byPort.Locate(3, 0).leaf == 1);
    CHECK(byPort.Locate(3, 0).leafPort == 1);
    CHECK(byPort.Distance(4, 1) == 2);
    CHECK_THROWS_WITH(byPort.Locate(3, 1), Contains("host 3 has no port 1"));
    CHECK_THROWS_WITH(byPort.Locate(4, 0), Contains("node 4 is a switch"));
    CHECK_THROWS_WITH(byPort.At(3), Contains("node 3 is a host"));
    CHECK_THROWS_WITH(byPort.At(33), Contains("no node 33"));
    CHECK_THROWS_AS(byPort.Distance(4, 2), std::invalid_argument);
}

TEST_CASE("Routing: id orders are those of the search queue, not of the ids", "[routing]")
{
    // 40 - {30, 31, 32}; 30, 32 - 11; 31 - 12; 11, 12 - 20; host 0 on 20, host 1 on 40.
    FabricGraph g;
    g.AddHost(0);
    g.AddHost(1);
    for (uint32_t id : {40U, 30U, 31U, 32U, 11U, 12U, 20U})
    {
        g.AddSwitch(id);
    }
    const uint32_t cables[][2] = {{0, 20},
                                  {1, 40},
                                  {40, 30},
                                  {40, 31},
                                  {40, 32},
                                  {30, 11},
                                  {32, 11},
                                  {31, 12},
                                  {11, 20},
                                  {12, 20}};
    for (const auto& c : cables)
    {
        g.AddLink(c[0], c[1], G, 0);
    }
    // Descending, from 20: queue 20, 12, 11; 12 brings 31, then 11 brings 32 and 30.
    const Routing down(g, MemberOrder::DescendingPeerId);
    const uint32_t leaf = down.At(20).leaf;
    CHECK(NextHops(g, down, 40, leaf) == std::vector<uint32_t>{31, 32, 30});
    // Ascending: queue 20, 11, 12; 11 brings 30 and 32, then 12 brings 31.
    const Routing up(g, MemberOrder::AscendingPeerId);
    CHECK(NextHops(g, up, 40, leaf) == std::vector<uint32_t>{30, 32, 31});
    // by port of 40: 30, 31, 32
    CHECK(NextHops(g, Routing(g), 40, leaf) == std::vector<uint32_t>{30, 31, 32});
    CHECK(down.HostPorts(0, 1).at(0).hops == 5);
}

TEST_CASE("Routing: parallel links are members of their own (case A10)", "[routing]")
{
    FabricGraph g; // host 0 - switch 2 ==4== switch 3 - host 1
    g.AddHost(0);
    g.AddHost(1);
    g.AddSwitch(2);
    g.AddSwitch(3);
    g.AddLink(0, 2, G, 0);
    g.AddLink(1, 3, G, 0);
    for (int i = 0; i < 4; i++)
    {
        g.AddLink(2, 3, G, 0);
    }
    for (MemberOrder order :
         {MemberOrder::PortOrder, MemberOrder::DescendingPeerId, MemberOrder::AscendingPeerId})
    {
        Routing routing(g, order);
        CHECK(Members(routing, 2, 1) == std::vector<uint32_t>{1, 2, 3, 4});
        CHECK(Members(routing, 3, 0) == std::vector<uint32_t>{1, 2, 3, 4});
    }
    Routing routing(g);
    g.SetLinkUp(3, false);                     // the second of the four
    CHECK(Members(routing, 2, 1).size() == 4); // nothing before Recompute()
    routing.Recompute();
    CHECK(Members(routing, 2, 1) == std::vector<uint32_t>{1, 3, 4});
    for (uint32_t link : {2U, 4U, 5U})
    {
        g.SetLinkUp(link, false);
    }
    routing.Recompute();
    CHECK(Members(routing, 2, 1).empty());
    CHECK_FALSE(routing.IsReachable(0, 1));
    CHECK_THROWS_AS(routing.RequireReachable(0, 1), std::runtime_error);
    CHECK_THROWS_WITH(routing.RequireReachable(1, 0), Contains("from host 1 to host 0"));
    CHECK(routing.Table().leaves == std::vector<uint32_t>{2, 3}); // indices stay
    g.SetLinkUp(2, true);
    routing.Recompute();
    CHECK(Members(routing, 2, 1) == std::vector<uint32_t>{1});
    CHECK_NOTHROW(routing.RequireReachable(0, 1));
}

TEST_CASE("Routing: hosts on cables and with two links (case A13)", "[routing]")
{
    FabricGraph g; // two hosts on one cable
    g.AddHost(5);
    g.AddHost(9);
    g.AddLink(9, 5, G, 0);
    const Routing cable(g);
    REQUIRE(cable.HostPorts(5, 9).size() == 1);
    CHECK(cable.HostPorts(5, 9)[0].hops == 1);
    CHECK(cable.Locate(5, 0).leaf == Routing::NO_LEAF);
    CHECK(cable.HostPorts(5, 5).empty());

    g.AddHost(1000); // a triangle
    g.AddLink(9, 1000, G, 0);
    const Routing path(g); // 5 - 9 - 1000: hosts do not forward
    CHECK_THROWS_WITH(path.RequireReachable(5, 1000), Contains("from host 5 to host 1000"));
    g.AddLink(1000, 5, G, 0);
    const Routing triangle(g);
    for (uint32_t a : g.Hosts())
    {
        for (uint32_t b : g.Hosts())
        {
            REQUIRE(triangle.HostPorts(a, b).size() == (a == b ? 0 : 1));
        }
    }
    CHECK(triangle.HostPorts(5, 1000)[0].srcPort == 1); // the second cable of 5
    CHECK(triangle.HostPorts(5, 1000)[0].dstPort == 1); // the second cable of 1000

    FabricGraph h; // hosts 0 and 1 on leaves 10 and 11, host 2 on 11 alone; spine 12
    for (uint32_t id : {0U, 1U, 2U})
    {
        h.AddHost(id);
    }
    for (uint32_t id : {10U, 11U, 12U})
    {
        h.AddSwitch(id);
    }
    const uint32_t cables[][2] = {{0, 10}, {0, 11}, {1, 10}, {1, 11}, {2, 11}, {10, 12}, {11, 12}};
    for (const auto& c : cables)
    {
        h.AddLink(c[0], c[1], G, 0);
    }
    Routing dual(h);
    auto ways = dual.HostPorts(0, 1); // both leaves, 2 links each
    REQUIRE(ways.size() == 2);
    CHECK((ways[0].srcPort == 0 && ways[0].dstPort == 0 && ways[0].hops == 2));
    CHECK((ways[1].srcPort == 1 && ways[1].dstPort == 1 && ways[1].hops == 2));
    ways = dual.HostPorts(0, 2);
    REQUIRE(ways.size() == 1);
    CHECK((ways[0].srcPort == 1 && ways[0].dstPort == 0));
    h.SetLinkUp(1, false); // 0 - 11 down: over the spine, 4 links
    dual.Recompute();
    ways = dual.HostPorts(0, 2);
    REQUIRE(ways.size() == 1);
    CHECK((ways[0].srcPort == 0 && ways[0].dstPort == 0 && ways[0].hops == 4));
}

TEST_CASE("Routing: equal to slow distances on random fabrics with faults", "[routing]")
{
    std::mt19937 random(7); // fixed seed
    for (int round = 0; round < 20; round++)
    {
        FabricGraph g;
        const uint32_t switches = 3 + random() % 10;
        for (uint32_t i = 0; i < switches; i++)
        {
            g.AddSwitch(100 + (i * 37) % switches); // ids not in order of vertices
        }
        for (uint32_t i = 0; i < 3 * switches; i++)
        {
            const uint32_t a = 100 + random() % switches;
            const uint32_t b = 100 + random() % switches;
            if (a != b)
            {
                g.AddLink(a, b, G, 0);
            }
        }
        for (uint32_t i = 0; i < 4; i++)
        {
            g.AddHost(i);
            g.AddLink(i, 100 + random() % switches, G, 0);
        }
        for (uint32_t i = 0; i < g.LinkCount(); i++)
        {
            g.SetLinkUp(i, random() % 5 != 0);
        }
        CheckAgainstSlow(g, Routing(g));
        CheckAgainstSlow(g, Routing(g, MemberOrder::DescendingPeerId));
    }
    CheckAgainstSlow(FatTreeBuilder::Build({}), Routing(FatTreeBuilder::Build({})));
}

TEST_CASE("PathTracer: every path of a fat tree, and loops of choices", "[routing]")
{
    const FabricGraph g = FatTreeBuilder::Build({}); // k = 4, hosts 0..15
    const Routing routing(g);
    const PathTracer tracer(g, routing);
    std::set<std::vector<uint32_t>> paths;
    for (uint32_t first = 0; first < 2; first++)
    {
        for (uint32_t second = 0; second < 2; second++)
        {
            std::vector<uint32_t> asked;
            const TracedPath path = tracer.Trace(0, 0, 15, 0, [&](uint32_t, uint32_t count) {
                asked.push_back(count);
                return asked.size() == 1 ? first : asked.size() == 2 ? second : 0;
            });
            CHECK(path.nodes.size() == 7); // host, edge, agg, core, agg, edge, host
            REQUIRE(path.links.size() == 6);
            CHECK(asked == std::vector<uint32_t>{2, 2, 1, 1, 1});
            for (size_t i = 0; i < path.links.size(); i++)
            {
                const FabricLink& l = g.Link(path.links[i]);
                CHECK(((l.a == path.nodes[i] && l.b == path.nodes[i + 1]) ||
                       (l.b == path.nodes[i] && l.a == path.nodes[i + 1])));
            }
            paths.insert(path.nodes);
        }
    }
    CHECK(paths.size() == 4); // (k/2)^2 shortest paths between pods
    const auto zero = [](uint32_t, uint32_t) { return 0U; };
    CHECK(tracer.Trace(0, 0, 1, 0, zero).nodes == std::vector<uint32_t>{0, 16, 1});
    CHECK_THROWS_AS(tracer.Trace(0, 0, 15, 0, [](uint32_t, uint32_t n) { return n; }),
                    std::out_of_range);
    CHECK_THROWS_AS(tracer.Trace(0, 0, 15, 1, zero), std::invalid_argument);

    FabricGraph cable;
    cable.AddHost(0);
    cable.AddHost(1);
    cable.AddHost(2);
    cable.AddLink(0, 1, G, 0);
    cable.AddLink(1, 2, G, 0);
    const Routing direct(cable);
    const PathTracer walker(cable, direct);
    CHECK(walker.Trace(0, 0, 1, 0, zero).nodes == std::vector<uint32_t>{0, 1});
    CHECK_THROWS_AS(walker.Trace(0, 0, 2, 0, zero), std::runtime_error);
}

TEST_CASE("Routing: large fabrics in time and in little memory", "[routing]")
{
#if defined(__SANITIZE_ADDRESS__)
    WARN("not timed under AddressSanitizer");
#else
    FatTreePlan plan;
    plan.k = 16; // 1,024 hosts
    std::clock_t begin = std::clock();
    const FabricGraph k16 = FatTreeBuilder::Build(plan);
    const Routing r16(k16);
    const double small = double(std::clock() - begin) / CLOCKS_PER_SEC;
    CHECK(k16.HostCount() == 1024);
    CHECK(small < 1.0); // seconds of CPU
    plan.k = 48;        // 27,648 hosts, 1,152 leaves
    begin = std::clock();
    const FabricGraph k48 = FatTreeBuilder::Build(plan);
    const Routing r48(k48);
    const double large = double(std::clock() - begin) / CLOCKS_PER_SEC;
    CHECK(k48.HostCount() == 27648);
    CHECK(large < 20.0);
    INFO("k=16 " << small << " s, k=48 " << large << " s");
    // groups are shared: an edge switch has one list, its 24 uplinks; an aggregation switch has
    // its 24 uplinks and one list for each of 24 edges; a core one list for each of 48 pods
    for (uint32_t id : k48.Switches())
    {
        const SwitchRoutes& routes = r48.At(id);
        const std::string& tier = k48.Node(id).tier;
        const size_t expected = tier == "leaf" ? 24 : 48;
        REQUIRE(routes.members.size() == expected);
    }
    r48.RequireReachable(0, 27647);
#endif
}

TEST_CASE("HpccHash: published check and the artifact's log", "[routing]")
{
    const uint8_t test[] = {'t', 'e', 's', 't'};
    CHECK(HpccHash::Bytes(test, 4, 0) == 0xba6bd213);
    // MurmurHash3 x86 32: the empty input with seed 1 is fmix32(1)
    CHECK(HpccHash::Bytes(test, 0, 1) == 0x514e28b7);
    const uint8_t words[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    CHECK(HpccHash::Words(0x04030201, 0x08070605, 0x0c0b0a09, 99) ==
          HpccHash::Bytes(words, 12, 99));

    // printed by the artifact (comparison kit, workloads a and d): w0 w1 w2, switch, hash
    const uint32_t vectors[][5] = {
        {0x0b000001, 0x0b002201, 0x00642710, 128, 0x1a5714ec},
        {0x0b000001, 0x0b002201, 0x00642710, 163, 0x56bce667},
        {0x0b000001, 0x0b002201, 0x00642710, 204, 0xc53fd540},
        {0x0b000001, 0x0b002201, 0x00642710, 171, 0xb66df115},
        {0x0b000001, 0x0b002201, 0x00642710, 136, 0x1adfcc37},
        {0x0b002201, 0x0b000001, 0x27100064, 136, 0x749e9ddb},
        {0x0b002201, 0x0b000001, 0x27100064, 168, 0x611c2937},
        {0x0b002201, 0x0b000001, 0x27100064, 192, 0x9d65e700},
        {0x0b002201, 0x0b000001, 0x27100064, 160, 0x33fa01d2},
        {0x0b002201, 0x0b000001, 0x27100064, 128, 0x2b6a9449},
        {0x0b000101, 0x0b002b01, 0x00642710, 128, 0x9c66d9bc},
        {0x0b000201, 0x0b002a01, 0x00642710, 128, 0xd03aec29},
        {0x0b000301, 0x0b003601, 0x00642710, 128, 0x534233ea},
        {0x0b000001, 0x0b030101, 0x00642710, 1024, 0x74450220},
        {0x0b000001, 0x0b030101, 0x00642710, 1159, 0x11615e09},
        {0x0b000001, 0x0b030101, 0x00642710, 1342, 0x4d0e5be0},
        {0x0b000001, 0x0b030101, 0x00642710, 1255, 0xed4df0cb},
        {0x0b000001, 0x0b030101, 0x00642710, 1120, 0x10aef47d},
        {0x0b030101, 0x0b000001, 0x27100064, 1120, 0x3bd0839a},
        {0x0b030101, 0x0b000001, 0x27100064, 1253, 0xfb052855},
        {0x0b000001, 0x0b002201, 0x00642711, 128, 0xed91c318},
    };
    for (const auto& v : vectors)
    {
        CHECK(HpccHash::Words(v[0], v[1], v[2], v[3]) == v[4]);
    }
    CHECK(HpccHash::Choose(0x0b000001, 0x0b002201, 10000, 100, 163, 4) == 3);
    CHECK(HpccHash::Choose(0x0b030101, 0x0b000001, 100, 10000, 1253, 8) == 5);
}

TEST_CASE("HPCC order and hash choose the artifact's path on a fat tree", "[routing]")
{
    // k = 8 tree of our builder = numbering of the comparison kit: 0 -> 34 as its table prints
    FatTreePlan plan;
    plan.k = 8;
    const FabricGraph g = FatTreeBuilder::Build(plan);
    const Routing routing(g, MemberOrder::DescendingPeerId);
    const PathTracer tracer(g, routing);
    const auto data = tracer.Trace(0, 0, 34, 0, [](uint32_t id, uint32_t n) {
        return HpccHash::Choose(0x0b000001, 0x0b002201, 10000, 100, id, n);
    });
    CHECK(data.nodes == std::vector<uint32_t>{0, 128, 163, 204, 171, 136, 34});
    const auto ack = tracer.Trace(34, 0, 0, 0, [](uint32_t id, uint32_t n) {
        return HpccHash::Choose(0x0b002201, 0x0b000001, 100, 10000, id, n);
    });
    CHECK(ack.nodes == std::vector<uint32_t>{34, 136, 168, 192, 160, 128, 0});
}
