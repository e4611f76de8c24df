/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-path-assigner-test.h"

#include <stdexcept>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/**
 * \return hosts 0 and 1 on leaf 4, hosts 2 and 3 on leaf 5, spines 6 and 7. Ports of a leaf: two
 * hosts, then the spines. Links 0 to 3 are the hosts', 4: 4-6, 5: 4-7, 6: 5-6, 7: 5-7.
 */
FabricGraph
LeafSpine(uint64_t rate = 100 * G, uint64_t hostRate = 100 * G)
{
    FabricGraph graph;
    for (uint32_t id = 0; id < 4; id++)
    {
        graph.AddHost(id);
    }
    for (uint32_t id = 4; id < 8; id++)
    {
        graph.AddSwitch(id);
    }
    for (const auto& [a, b] : {std::pair(0, 4), {1, 4}, {2, 5}, {3, 5}})
    {
        graph.AddLink(a, b, hostRate, 0);
    }
    for (const auto& [a, b] : {std::pair(4, 6), {4, 7}, {5, 6}, {5, 7}})
    {
        graph.AddLink(a, b, rate, 0);
    }
    return graph;
}

/** \return the port each path leaves its first switch by. \param paths the paths */
std::vector<uint32_t>
FirstPorts(const std::vector<AssignedPath>& paths)
{
    std::vector<uint32_t> ports;
    for (const AssignedPath& path : paths)
    {
        ports.push_back(path.steps.at(0).port);
    }
    return ports;
}

} // namespace

TEST_CASE("Two flows of a leaf take two spines", "[path-assigner]")
{
    const FabricGraph graph = LeafSpine();
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    const auto paths = assigner.Assign({{0, 0, 2, 0, 100 * G}, {1, 0, 3, 0, 100 * G}});
    // equal demands in their order, equal members in theirs: port 2 to spine 6, port 3 to spine 7;
    // a spine has leaf 4 at port 0 and leaf 5 at port 1; hosts 2 and 3 are ports 0 and 1 of leaf 5
    CHECK(paths[0].steps == std::vector<PathStep>{{4, 2}, {6, 1}, {5, 0}});
    CHECK(paths[1].steps == std::vector<PathStep>{{4, 3}, {7, 1}, {5, 1}});
    CHECK(Fits(paths) == std::vector<bool>{true, true});
    CHECK(assigner.GetLoad(4, 2) == 100 * G);
    CHECK(assigner.GetLoad(6, 0) == 0); // nothing goes back
    CHECK(assigner.GetFullest() == 1);
}

TEST_CASE("The largest demand goes first", "[path-assigner]")
{
    const FabricGraph graph = Parallel({10 * G, 6 * G});
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    // in their order 4 would take the link of 10, and 8 fit nowhere
    const auto paths = assigner.Assign(Pair({4, 8}));
    CHECK(FirstPorts(paths) == std::vector<uint32_t>{2, 1});
    CHECK(Fits(paths) == std::vector<bool>{true, true});
}

TEST_CASE("The most room at the tightest link, the first of equals", "[path-assigner]")
{
    const FabricGraph graph = Parallel({6 * G, 10 * G, 6 * G});
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    // room before each: 6 10 6 -> port 2; 6 6 6 -> port 1; 2 6 6 -> port 2; 2 2 6 -> port 3
    CHECK(FirstPorts(assigner.Assign(Pair({4, 4, 4, 4}))) == std::vector<uint32_t>{2, 1, 2, 3});
    // demands of next to nothing are spread as well
    std::vector<PathDemand> idle(3, {0, 0, 1, 0, 1});
    const FabricGraph even = Parallel({6 * G, 6 * G, 6 * G});
    const Routing evenRouting(even);
    CHECK(FirstPorts(PathAssigner(even, evenRouting).Assign(idle)) ==
          std::vector<uint32_t>{1, 2, 3});
}

TEST_CASE("A link further on counts", "[path-assigner]")
{
    FabricGraph graph = LeafSpine();
    SECTION("down")
    {
        graph.SetLinkUp(6, false); // spine 6 to leaf 5; the routes are told
        const Routing routing(graph);
        PathAssigner assigner(graph, routing);
        CHECK(FirstPorts(assigner.Assign({{0, 0, 2, 0, G}})) == std::vector<uint32_t>{3});
    }
    SECTION("down, and the routes do not know")
    {
        const FabricGraph before = graph;
        const Routing routing(before);
        graph.SetLinkUp(6, false);
        PathAssigner assigner(graph, routing);
        CHECK(FirstPorts(assigner.Assign({{0, 0, 2, 0, G}})) == std::vector<uint32_t>{3});
        graph.SetLinkUp(5, false);
        const auto none = PathAssigner(graph, routing).Assign({{0, 0, 2, 0, G}});
        CHECK_FALSE(none[0].found);
        CHECK_FALSE(none[0].fits);
        CHECK(none[0].steps.empty());
        // nor for a demand of nothing
        CHECK_FALSE(PathAssigner(graph, routing).Assign({{0, 0, 2, 0, 0}})[0].found);
    }
    SECTION("slow")
    {
        const Routing routing(graph);
        PathAssigner assigner(graph, routing);
        assigner.SetCapacity(6, 25 * G); // three of four lanes
        // three of 25: room 25 100 -> spine 7, 25 75 -> 7, 25 50 -> 7, 25 25 -> the first
        const std::vector<PathDemand> demands(4, {0, 0, 2, 0, 25 * G});
        const auto paths = assigner.Assign(demands);
        CHECK(FirstPorts(paths) == std::vector<uint32_t>{3, 3, 3, 2});
        CHECK(Fits(paths) == std::vector<bool>(4, true));
    }
}

TEST_CASE("What does not fit overloads the least", "[path-assigner]")
{
    const FabricGraph graph = Parallel({10 * G, 40 * G});
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    // 45 fits nowhere: 45 / 10 or 45 / 40, so port 2; 10 then fits port 1; 10 more: 20 / 10 or
    // 55 / 40, so port 2 again
    const auto paths = assigner.Assign(Pair({10, 45, 10}));
    CHECK(FirstPorts(paths) == std::vector<uint32_t>{1, 2, 2});
    CHECK(Fits(paths) == std::vector<bool>{true, false, false});
    CHECK(assigner.GetFullest() == Approx(55.0 / 40));
}

TEST_CASE("Links of hosts decide what fits, not the way", "[path-assigner]")
{
    const FabricGraph graph = LeafSpine(100 * G, 50 * G);
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    // 40 + 40 > 50: the second does not fit, and still takes the other spine
    const auto paths = assigner.Assign({{0, 0, 2, 0, 40 * G}, {0, 0, 3, 0, 40 * G}});
    CHECK(FirstPorts(paths) == std::vector<uint32_t>{2, 3});
    CHECK(Fits(paths) == std::vector<bool>{true, false});
}

TEST_CASE("Hosts of one leaf", "[path-assigner]")
{
    FabricGraph graph = LeafSpine();
    const Routing routing(graph);
    const auto paths = PathAssigner(graph, routing).Assign({{0, 0, 1, 0, G}});
    CHECK(paths[0].steps == std::vector<PathStep>{{4, 1}});
    CHECK(paths[0].fits);
    graph.SetLinkUp(1, false); // of host 1
    CHECK_FALSE(PathAssigner(graph, routing).Assign({{0, 0, 1, 0, G}})[0].found);
}

TEST_CASE("Paths that are kept", "[path-assigner]")
{
    FabricGraph graph = Parallel({10 * G, 10 * G, 10 * G});
    const Routing routing(graph);
    const std::vector<PathDemand> demands = Pair({8, 7});
    const auto before = PathAssigner(graph, routing).Assign(demands);
    REQUIRE(FirstPorts(before) == std::vector<uint32_t>{1, 2});
    SECTION("those that are whole, before all others")
    {
        graph.SetLinkUp(2, false); // port 1
        PathAssigner assigner(graph, routing);
        CHECK(FirstPorts(assigner.Assign(demands)) == std::vector<uint32_t>{2, 3});
        const auto after = assigner.Assign(demands, before);
        CHECK(FirstPorts(after) == std::vector<uint32_t>{3, 2});
        CHECK(Fits(after) == std::vector<bool>{true, true});
        CHECK(assigner.GetLoad(2, 2) == 7 * G);
    }
    SECTION("those that have room, the largest first")
    {
        const std::vector<AssignedPath> both{before[1], before[1]};
        // 8 stays at port 2, 7 more is too much there
        CHECK(FirstPorts(PathAssigner(graph, routing).Assign(demands, both)) ==
              std::vector<uint32_t>{2, 1});
    }
    SECTION("not what is no path")
    {
        AssignedPath wrong = before[0];
        wrong.steps[0].port = 4; // there is none
        AssignedPath back = before[1];
        back.steps = {{2, 0}}; // to the source
        PathAssigner assigner(graph, routing);
        CHECK(FirstPorts(assigner.Assign(demands, {wrong, back})) == std::vector<uint32_t>{1, 2});
        CHECK(assigner.GetLoad(2, 0) == 0);
        wrong.steps = {{3, 1}};
        CHECK(FirstPorts(assigner.Assign(demands, {wrong, AssignedPath()})) ==
              std::vector<uint32_t>{1, 2});
        CHECK_THROWS_WITH(assigner.Assign(demands, {wrong}), Contains("1 present paths for 2"));
    }
}

TEST_CASE("The rule is greedy, not optimal", "[path-assigner]")
{
    // 3 + 3 and 2 + 2 + 2 fill two links of 6; the rule puts a 3 and a 2 on each
    const FabricGraph graph = Parallel({6 * G, 6 * G});
    const Routing routing(graph);
    const std::vector<PathDemand> demands = Pair({3, 3, 2, 2, 2});
    const auto paths = PathAssigner(graph, routing).Assign(demands);
    CHECK(Fits(paths) == std::vector<bool>{true, true, true, true, false});
    CHECK(BruteForce(graph, routing, demands).IsFeasible());
}

TEST_CASE("What an assigner refuses", "[path-assigner]")
{
    const FabricGraph graph = LeafSpine();
    const Routing routing(graph);
    PathAssigner assigner(graph, routing);
    CHECK_THROWS_WITH(assigner.Assign({{0, 0, 0, 0, G}}), Contains("demand 0: host 0 to itself"));
    CHECK_THROWS_WITH(assigner.Assign({{0, 0, 1, 0, G}, {0, 1, 2, 0, G}}),
                      Contains("demand 1: host 0 has no port 1"));
    CHECK_THROWS_WITH(assigner.Assign({{4, 0, 2, 0, G}}), Contains("demand 0: node 4 is a switch"));
    CHECK_THROWS_WITH(assigner.Assign({{0, 0, 99, 0, G}}), Contains("demand 0") && Contains("99"));
    CHECK_THROWS_WITH(assigner.Assign({{0, 0, 2, 0, 10001 * G}}), Contains("the most is"));
    CHECK_THROWS_AS(assigner.SetCapacity(8, G), std::invalid_argument);
    CHECK_THROWS_WITH(assigner.SetCapacity(0, 10001 * G), Contains("link 0"));
    CHECK_THROWS_WITH(assigner.GetLoad(4, 4), Contains("node 4 has 4 ports"));
    CHECK(assigner.Assign({}).empty());
}
