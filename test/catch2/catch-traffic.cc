/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * LinkSet, TrafficPairs and TrafficGenerator: exact figures by hand on a leaf-spine fabric, and
 * statistics with bounds of 5 standard errors (6 in 10^7 for a normal deviate) of fixed streams.
 */

#include "ns3/roce-clos-builder.h"
#include "ns3/roce-traffic-generator.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

/** \return 4 leaves with 4 hosts each, 2 spines, all links 100G. */
FabricGraph
LeafSpine()
{
    LeafSpinePlan plan;
    plan.leaves = 4;
    plan.hostsPerLeaf = 4;
    plan.spines = 2;
    return ClosBuilder::Build(plan);
}

using Pair = std::pair<uint32_t, uint32_t>;

/** \return how often each pair comes. */
std::map<Pair, int>
Count(TrafficPairs& pairs, int draws)
{
    std::map<Pair, int> count;
    for (int i = 0; i < draws; ++i)
    {
        ++count[pairs.Next()];
    }
    return count;
}

/** Check chances: they sum to 1, and counts are within 5 standard errors sqrt(n p (1 - p)). */
void
CheckChances(TrafficPairs& pairs, uint32_t hosts)
{
    constexpr int N = 100000;
    pairs.AssignStreams(1);
    std::map<Pair, int> count = Count(pairs, N);
    double sum = 0;
    for (uint32_t s = 0; s < hosts; ++s)
    {
        for (uint32_t d = 0; d < hosts; ++d)
        {
            const double p = pairs.GetChance(s, d);
            sum += p;
            INFO(s << " to " << d << " chance " << p);
            CHECK(std::abs(count[Pair(s, d)] - N * p) <= 5 * std::sqrt(N * p * (1 - p)));
        }
    }
    CHECK(sum == Approx(1).epsilon(1e-9));
}

/** \return a generator with streams from 1 on. */
TrafficGenerator
Make(const FabricGraph& graph,
     const TrafficOptions& options,
     const FlowSizeDistribution& sizes,
     const std::string& links = "host")
{
    TrafficGenerator generator(graph, LinkSet(graph, links), sizes, options);
    CHECK(generator.AssignStreams(1) == 5);
    return generator;
}

} // namespace

TEST_CASE("LinkSet: names, capacities, crossings", "[traffic]")
{
    const FabricGraph graph = LeafSpine();
    CHECK(LinkSet::Names(graph) == std::vector<std::string>{"host", "leaf-spine"});
    const LinkSet hosts(graph, "host");
    CHECK(hosts.GetLinks().size() == 16);
    CHECK(hosts.GetCapacityBps() == 1.6e12);
    const LinkSet fabric(graph, "spine-leaf"); // in any order
    CHECK(fabric.GetLinks().size() == 8);
    CHECK(fabric.GetCapacityBps() == 0.8e12);
    const std::vector<uint32_t> far = fabric.CrossingsFrom(0);
    const std::vector<uint32_t> near = hosts.CrossingsFrom(0);
    for (uint32_t i = 0; i < 16; ++i)
    {
        CHECK(far[i] == (i < 4 ? 0 : 2));   // hosts 0..3 share the leaf
        CHECK(near[i] == (i == 0 ? 0 : 2)); // up and down
    }
    CHECK_THROWS_WITH(LinkSet(graph, "core"), Contains("'core'; the fabric has host, leaf-spine"));
}

TEST_CASE("LinkSet: shortest paths that differ are refused", "[traffic]")
{
    // two paths of the same length, over an "a" and over a "b"
    FabricGraph graph;
    graph.AddHost(0);
    graph.AddHost(1);
    graph.AddSwitch(2, "e");
    graph.AddSwitch(3, "e");
    graph.AddSwitch(4, "a");
    graph.AddSwitch(5, "b");
    const uint64_t rate = 100000000000;
    graph.AddLink(0, 2, rate, 0);
    graph.AddLink(1, 3, rate, 0);
    for (const uint32_t middle : {4, 5})
    {
        graph.AddLink(2, middle, rate, 0);
        graph.AddLink(3, middle, rate, 0);
    }
    CHECK_THROWS_WITH(LinkSet(graph, "a-e").CrossingsFrom(0),
                      Contains("hosts 0 and 1 pass 0 to 2 links of \"a-e\""));
    graph.SetLinkUp(4, false); // over b no more
    CHECK(LinkSet(graph, "a-e").CrossingsFrom(0) == std::vector<uint32_t>{0, 2});
    graph.SetLinkUp(2, false);
    CHECK_THROWS_WITH(LinkSet(graph, "host").CrossingsFrom(0), Contains("no path between them"));
}

TEST_CASE("TrafficPairs: uniform", "[traffic]")
{
    TrafficPairs pairs(TrafficPattern::UNIFORM, 5);
    CHECK(pairs.GetChance(0, 0) == 0);
    CHECK(pairs.GetChance(0, 1) == Approx(1.0 / 20));
    CheckChances(pairs, 5);
    TrafficPairs two(TrafficPattern::UNIFORM, 2);
    CheckChances(two, 2);
}

TEST_CASE("TrafficPairs: a permutation is one", "[traffic]")
{
    for (const uint32_t hosts : {2U, 3U, 16U, 101U})
    {
        TrafficPairs pairs(TrafficPattern::PERMUTATION, hosts);
        pairs.AssignStreams(hosts);
        std::map<uint32_t, std::set<uint32_t>> targets;
        std::set<uint32_t> received;
        for (const auto& [pair, count] : Count(pairs, 2000))
        {
            CHECK(pair.first != pair.second);
            targets[pair.first].insert(pair.second);
            received.insert(pair.second);
        }
        // 2000 draws leave no source out: 101 (1 - 1/101)^2000 = 2e-7
        CHECK(targets.size() == hosts);
        CHECK(received.size() == hosts);
        for (const auto& [source, set] : targets)
        {
            CHECK(set.size() == 1);
            CHECK(pairs.GetChance(source, *set.begin()) == Approx(1.0 / hosts));
        }
    }
    // all derangements have the same chance: of 3 hosts there are 2
    int up = 0;
    for (int stream = 0; stream < 400; ++stream)
    {
        TrafficPairs pairs(TrafficPattern::PERMUTATION, 3);
        pairs.AssignStreams(2 * stream);
        up += pairs.GetChance(0, 1) > 0 ? 1 : 0;
    }
    CHECK(std::abs(up - 200) < 5 * 10); // sqrt(400 / 4) = 10
}

TEST_CASE("TrafficPairs: all-to-all has each pair once a round", "[traffic]")
{
    TrafficPairs pairs(TrafficPattern::ALL_TO_ALL, 7);
    pairs.AssignStreams(1);
    std::vector<Pair> rounds[2];
    for (auto& round : rounds)
    {
        std::set<Pair> seen;
        for (int i = 0; i < 42; ++i)
        {
            round.push_back(pairs.Next());
            seen.insert(round.back());
            CHECK(round.back().first != round.back().second);
        }
        CHECK(seen.size() == 42); // 7 * 6, none twice
    }
    CHECK(rounds[0] != rounds[1]); // another order
}

TEST_CASE("TrafficPairs: hotspot", "[traffic]")
{
    TrafficPairs pairs(TrafficPattern::HOTSPOT, 6, 2, 0.6);
    CheckChances(pairs, 6);
    // a host that is not hot: 0.6 / 2 + 0.4 / 5 to each hot one, 0.4 / 5 to each other one
    int hot = 0;
    for (uint32_t d = 1; d < 6; ++d)
    {
        const double p = 6 * pairs.GetChance(0, d);
        const bool high = p > 0.2;
        hot += high ? 1 : 0;
        CHECK((p == Approx(high ? 0.38 : 0.08) || p == Approx(high ? 0.68 : 0.08)));
    }
    CHECK((hot == 2 || hot == 1)); // 1 if host 0 is hot itself: 0.6 / 1 + 0.08
    TrafficPairs one(TrafficPattern::HOTSPOT, 4, 1, 1);
    CheckChances(one, 4);
    TrafficPairs all(TrafficPattern::HOTSPOT, 4, 4, 0.3); // hot is everybody: uniform
    CheckChances(all, 4);
    CHECK(all.GetChance(2, 3) == Approx(1.0 / 12));
}

TEST_CASE("TrafficPairs: what is refused", "[traffic]")
{
    CHECK_THROWS_WITH(TrafficPairs(TrafficPattern::UNIFORM, 1), Contains("at least 2 hosts"));
    CHECK_THROWS_WITH(TrafficPairs(TrafficPattern::HOTSPOT, 4, 0), Contains("0 hot hosts"));
    CHECK_THROWS_WITH(TrafficPairs(TrafficPattern::HOTSPOT, 4, 5), Contains("expected 1..4"));
    CHECK_THROWS_WITH(TrafficPairs(TrafficPattern::HOTSPOT, 4, 1, 1.1), Contains("hot fraction"));
    CHECK_THROWS_WITH(TrafficPairs(TrafficPattern::ALL_TO_ALL, 5000), Contains("at most 4096"));
    CHECK_THROWS_WITH(TrafficPairs::Parse("incast"), Contains("expected uniform"));
    CHECK(TrafficPairs::Parse("all-to-all") == TrafficPattern::ALL_TO_ALL);
}

TEST_CASE("TrafficGenerator: arrival rates by hand", "[traffic]")
{
    const FabricGraph graph = LeafSpine();
    TrafficOptions options;
    options.loadPercent = 50;
    const FlowSizeDistribution thousand = FlowSizeDistribution::Fixed(1000);
    // half of 1.6 Tb/s in messages of 8000 bits
    CHECK(Make(graph, options, thousand).GetArrivalsPerSecond() == Approx(1e8));
    CHECK(Make(graph, options, thousand).GetPeakReceivePercent() == Approx(50));
    // 12 of 15 destinations are on another leaf: a flow passes 1.6 links; half of 2 * 0.8 Tb/s
    CHECK(Make(graph, options, thousand, "leaf-spine").GetArrivalsPerSecond() ==
          Approx(0.8e12 / (8000 * 1.6)));
    // one hot host, all flows to it, its own to the 15 others: it gets 15/16 of all flows
    options.pattern = TrafficPattern::HOTSPOT;
    options.hotFraction = 1;
    CHECK(Make(graph, options, thousand).GetPeakReceivePercent() == Approx(50 * 15));
    options.loadPercent = 0;
    CHECK(Make(graph, options, thousand).GetArrivalsPerSecond() == 0);
    CHECK(Make(graph, options, thousand).Generate().flows.empty());
}

TEST_CASE("TrafficGenerator: a permutation within leaves cannot load the spines", "[traffic]")
{
    LeafSpinePlan plan;
    plan.leaves = 1;
    plan.hostsPerLeaf = 4;
    plan.spines = 1;
    const FabricGraph graph = ClosBuilder::Build(plan);
    TrafficOptions options;
    TrafficGenerator generator =
        Make(graph, options, FlowSizeDistribution::Fixed(1000), "leaf-spine");
    CHECK_THROWS_WITH(generator.GetArrivalsPerSecond(), Contains("no flow of this pattern passes"));
}

TEST_CASE("TrafficGenerator: Poisson arrivals with the load", "[traffic]")
{
    const FabricGraph graph = LeafSpine();
    TrafficOptions options;
    options.loadPercent = 40;
    options.startPs = 2000000000000;
    options.durationPs = 500000000; // 0.5 ms
    const FlowSizeDistribution sizes = FlowSizeDistribution::Named("Solar2022");
    TrafficGenerator generator = Make(graph, options, sizes);
    const FlowList list = generator.Generate();
    const double expected = generator.GetArrivalsPerSecond() * 0.5e-3;
    const double n = double(list.flows.size());
    REQUIRE(expected > 1000);
    // the number of a Poisson process has variance = mean
    CHECK(std::abs(n - expected) < 5 * std::sqrt(expected));
    double sum = 0;
    double squares = 0;
    double gaps = 0;
    int64_t before = options.startPs;
    for (const FlowSpec& flow : list.flows)
    {
        REQUIRE(flow.startPs >= before);
        const double gap = double(flow.startPs - before);
        before = flow.startPs;
        gaps += gap;
        squares += gap * gap;
        sum += double(flow.sizeBytes);
        CHECK(flow.dport == 100);
        CHECK(flow.pg == 3);
        CHECK(flow.src != flow.dst);
    }
    CHECK(before < options.startPs + options.durationPs);
    CHECK(list.sorted);
    // ratio of mean square to squared mean, 2 for exponential gaps x of mean m: to first order it
    // moves by d(x^2)/m^2 - 4 dx/m; var(x^2) = 20 m^4, var(x) = m^2, cov = 4 m^3, so its variance
    // is (20 + 16 - 2 * 4 * 4) / n = 4 / n
    const double mean = gaps / n;
    CHECK(std::abs(squares / n / (mean * mean) - 2) < 5 * std::sqrt(4 / n));
    // offered over all: N sizes, N Poisson, has variance N E[S^2]; E[S^2] <= max * E[S]
    const double bytes = 0.40 * 1.6e12 / 8 * 0.5e-3;
    CHECK(std::abs(sum - bytes) < 5 * std::sqrt(expected * sizes.GetMean() * 262144));
}

TEST_CASE("TrafficGenerator: incasts, and loads that add up", "[traffic]")
{
    const FabricGraph graph = LeafSpine();
    TrafficOptions options;
    options.loadPercent = 0;
    options.durationPs = 1000000000; // 1 ms
    options.incastFanIn = 5;
    options.incastBytes = 20000;
    options.incastEveryPs = 30000000; // 30 us: at 30, 60, ..., 990 us, so 33
    const FlowSizeDistribution sizes = FlowSizeDistribution::Fixed(4000);
    TrafficGenerator alone = Make(graph, options, sizes);
    const FlowList list = alone.Generate();
    REQUIRE(list.flows.size() == 33 * 5);
    std::set<uint32_t> receivers;
    for (uint32_t k = 0; k < 33; ++k)
    {
        std::set<uint32_t> senders;
        for (uint32_t i = 5 * k; i < 5 * k + 5; ++i)
        {
            const FlowSpec& flow = list.flows[i];
            CHECK(flow.startPs == int64_t(k + 1) * 30000000);
            CHECK(flow.sizeBytes == 20000);
            CHECK(flow.dport == 200);
            CHECK(flow.dst == list.flows[5 * k].dst);
            CHECK(flow.src != flow.dst);
            senders.insert(flow.src);
        }
        CHECK(senders.size() == 5);
        receivers.insert(list.flows[5 * k].dst);
    }
    CHECK(receivers.size() > 4); // drawn anew: 33 draws of 16 leave 4 or fewer in 3e-17 of cases
    // 5 * 20000 bytes each 30 us of 1.6 Tb/s
    CHECK(alone.GetIncastLoadPercent() == Approx(100 * 8 * 100000 / 30e-6 / 1.6e12));

    // on top of a background that does not change
    options.loadPercent = 30;
    const FlowList both = Make(graph, options, sizes).Generate();
    options.incastFanIn = 0;
    const FlowList background = Make(graph, options, sizes).Generate();
    CHECK(both.flows.size() == background.flows.size() + list.flows.size());
    std::size_t next = 0;
    for (const FlowSpec& flow : both.flows)
    {
        if (flow.dport == 100)
        {
            REQUIRE(next < background.flows.size());
            CHECK(flow.startPs == background.flows[next].startPs);
            CHECK(flow.src == background.flows[next].src);
            CHECK(flow.dst == background.flows[next].dst);
            ++next;
        }
    }
    CHECK(next == background.flows.size());
}

TEST_CASE("TrafficGenerator: what is refused", "[traffic]")
{
    const FabricGraph graph = LeafSpine();
    const FlowSizeDistribution sizes = FlowSizeDistribution::Fixed(1);
    const LinkSet links(graph, "host");
    const auto refuses = [&](const TrafficOptions& options, const std::string& why) {
        CHECK_THROWS_WITH(TrafficGenerator(graph, links, sizes, options), Contains(why));
    };
    TrafficOptions options;
    options.loadPercent = -1;
    refuses(options, "a load of -1");
    options = TrafficOptions();
    options.durationPs = 0;
    refuses(options, "a duration of 0 ps");
    options = TrafficOptions();
    options.pg = 8;
    refuses(options, "priority group 8, expected 0..7");
    options = TrafficOptions();
    options.incastFanIn = 16;
    refuses(options, "16 senders and a receiver among 16 hosts");
    options.incastFanIn = 3;
    refuses(options, "incasts of 0 bytes");
    options.incastBytes = 1;
    refuses(options, "an incast every 0 ps");
    options = TrafficOptions();
    options.durationPs = 1000000000000; // 1e11 flows of 1 byte
    TrafficGenerator many(graph, links, sizes, options);
    CHECK_THROWS_WITH(many.Generate(), Contains("about 100000000000 flows"));
}
