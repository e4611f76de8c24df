/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-path-assigner-test.h"

#include <random>

using namespace ns3::roce;

namespace
{

/** \return room at the tightest link between switches, of those of one path; infinite if there is
 *  none. */
double
Room(const FabricGraph& graph, Loads& loads, const std::vector<Way>& ways)
{
    double room = 1e300;
    for (const Way& way : ways)
    {
        const FabricLink& link = graph.Link(way.first);
        if (!graph.IsHost(link.a) && !graph.IsHost(link.b))
        {
            room =
                std::min(room, static_cast<double>(link.rateBps) - static_cast<double>(loads[way]));
        }
    }
    return room;
}

/** \return hosts 0 to 3 anywhere on a few switches with links of 1 to 6 Gb/s, all connected. */
FabricGraph
RandomGraph(std::mt19937& engine)
{
    FabricGraph graph;
    const uint32_t switches = 2 + engine() % 4;
    for (uint32_t id = 0; id < 4; id++)
    {
        graph.AddHost(id);
    }
    for (uint32_t id = 4; id < 4 + switches; id++)
    {
        graph.AddSwitch(id);
    }
    for (uint32_t id = 0; id < 4; id++)
    {
        graph.AddLink(id, 4 + engine() % switches, (4 + engine() % 20) * G, 0);
    }
    for (uint32_t id = 5; id < 4 + switches; id++)
    {
        graph.AddLink(id, 4 + engine() % (id - 4), (1 + engine() % 6) * G, 0); // a tree first
    }
    for (uint32_t more = 0; more < 2 * switches; more++)
    {
        const uint32_t a = engine() % switches;
        const uint32_t b = (a + 1 + engine() % (switches - 1)) % switches;
        graph.AddLink(4 + a, 4 + b, (1 + engine() % 6) * G, 0);
    }
    return graph;
}

/** Check what holds of any answer. */
void
CheckAnswer(const FabricGraph& graph,
            const Routing& routing,
            const std::vector<PathDemand>& demands)
{
    PathAssigner assigner(graph, routing);
    const std::vector<AssignedPath> paths = assigner.Assign(demands);
    BruteForce all(graph, routing, demands);
    Loads loads;
    std::vector<size_t> order(demands.size());
    for (size_t i = 0; i < order.size(); i++)
    {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
        return demands[x].rateBps > demands[y].rateBps;
    });
    bool allFit = true;
    for (size_t i : order)
    {
        REQUIRE(paths[i].found);
        const std::vector<Way> ways = WaysOf(graph, demands[i], paths[i]);
        CHECK(std::count(all.Paths(i).begin(), all.Paths(i).end(), ways) == 1); // a shortest path
        // it fits if and only if some path has room, given what was placed before
        double widest = -1;
        for (const std::vector<Way>& other : all.Paths(i))
        {
            if (HasRoom(graph, loads, other, demands[i].rateBps))
            {
                widest = std::max(widest, Room(graph, loads, other));
            }
        }
        CHECK(paths[i].fits == (widest >= 0));
        if (paths[i].fits)
        {
            CHECK(HasRoom(graph, loads, ways, demands[i].rateBps));
            CHECK(Room(graph, loads, ways) == widest);
        }
        allFit = allFit && paths[i].fits;
        for (const Way& way : ways)
        {
            loads[way] += demands[i].rateBps;
        }
    }
    for (const auto& [way, load] : loads)
    {
        const FabricLink& link = graph.Link(way.first);
        CHECK(assigner.GetLoad(way.second ? link.a : link.b,
                               way.second ? link.portA : link.portB) == load);
        CHECK((!allFit || load <= link.rateBps));
    }
    // what fits by the rule is feasible; not the other way round
    CHECK((!allFit || all.IsFeasible()));
    // the same again; kept paths do as well if all fit, in whatever order they are placed
    const std::vector<AssignedPath> again = assigner.Assign(demands);
    const std::vector<AssignedPath> kept = assigner.Assign(demands, paths);
    for (size_t i = 0; i < paths.size(); i++)
    {
        CHECK(again[i].steps == paths[i].steps);
        CHECK((!allFit || kept[i].steps == paths[i].steps));
    }
}

} // namespace

TEST_CASE("Random fabrics and demands, beside all choices of paths", "[path-assigner]")
{
    std::mt19937 engine(1);
    for (uint32_t round = 0; round < 400; round++)
    {
        FabricGraph graph = RandomGraph(engine);
        const Routing routing(graph);
        std::vector<PathDemand> demands;
        for (uint32_t i = 0; i < 1 + engine() % 5; i++)
        {
            const uint32_t source = engine() % 4;
            const uint32_t destination = (source + 1 + engine() % 3) % 4;
            demands.push_back({source, 0, destination, 0, (1 + engine() % 5) * G});
        }
        CheckAnswer(graph, routing, demands);
    }
}

TEST_CASE("Equal demands on parallel links fit if they can", "[path-assigner]")
{
    // each link takes floor(rate / demand) of them, and a link is passed over only if it is full
    std::mt19937 engine(2);
    for (uint32_t round = 0; round < 200; round++)
    {
        std::vector<uint64_t> rates;
        const uint64_t demand = 1 + engine() % 4;
        uint64_t slots = 0;
        for (uint32_t i = 0; i < 1 + engine() % 4; i++)
        {
            const uint64_t rate = 1 + engine() % 12;
            rates.push_back(rate * G);
            slots += rate / demand;
        }
        const FabricGraph graph = Parallel(rates);
        const Routing routing(graph);
        const uint64_t count = 1 + engine() % 15;
        const auto paths =
            PathAssigner(graph, routing).Assign(Pair(std::vector<uint64_t>(count, demand)));
        const auto fits = Fits(paths);
        CHECK(uint64_t(std::count(fits.begin(), fits.end(), true)) == std::min(count, slots));
    }
}

TEST_CASE("No path leads over a link that is down", "[path-assigner]")
{
    std::mt19937 engine(3);
    uint32_t cut = 0;
    for (uint32_t round = 0; round < 300; round++)
    {
        FabricGraph graph = RandomGraph(engine);
        const FabricGraph before = graph;
        const Routing routing(before); // the routes do not know
        for (uint32_t down = 0; down < 3; down++)
        {
            graph.SetLinkUp(4 + engine() % (graph.LinkCount() - 4), false);
        }
        const std::vector<PathDemand> demands{{0, 0, 1, 0, G}, {2, 0, 3, 0, 9 * G}};
        const auto paths = PathAssigner(graph, routing).Assign(demands);
        for (uint32_t i = 0; i < 2; i++)
        {
            bool whole = false; // whether a path of the routes is whole
            const PathDemand& d = demands[i];
            const PathList list(before, routing, d.source, d.destination);
            for (const TracedPath& path : list.Paths())
            {
                whole = whole || std::all_of(path.links.begin(), path.links.end(), [&](uint32_t l) {
                            return graph.Link(l).up;
                        });
            }
            CHECK(paths[i].found == whole);
            cut += !whole;
            if (whole)
            {
                WaysOf(graph, d, paths[i]); // requires links that are up
            }
        }
    }
    CHECK(cut > 10);
}
