/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-fabric-check.h"
#include "ns3/roce-fabric-graph-storage.h"
#include "ns3/roce-fabric-presets.h"
#include "ns3/roce-htsim-topology-reader.h"
#include "ns3/roce-topology-dot.h"
#include "ns3/roce-topology-json-reader.h"
#include "ns3/roce-topology-json-writer.h"
#include "ns3/roce-topology-loader.h"
#include "ns3/roce-topology-svg.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s

/** \return path of a file of test/data. */
std::string
Data(const std::string& name)
{
    return std::string(NS_TEST_SOURCEDIR) + "/data/" + name;
}

/** \return bytes of a file. */
std::string
Bytes(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/** \return a text with one part replaced, which must be there. */
std::string
Replaced(std::string text, const std::string& from, const std::string& to)
{
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/** \return how often a part is in a text. */
size_t
Count(const std::string& text, const std::string& part)
{
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    {
        count++;
    }
    return count;
}

/** Check that two fabrics are the same, ports included. */
void
CheckSame(const FabricDocument& x, const FabricDocument& y)
{
    CHECK(x.name == y.name);
    CHECK(x.radix == y.radix);
    REQUIRE(x.graph.NodeCount() == y.graph.NodeCount());
    REQUIRE(x.graph.LinkCount() == y.graph.LinkCount());
    bool same = true;
    for (uint32_t i = 0; i < x.graph.NodeCount(); i++)
    {
        const FabricNode& a = x.graph.GetStorage()[i];
        const FabricNode& b = y.graph.GetStorage()[i];
        same = same && a.id == b.id && a.kind == b.kind && a.name == b.name && a.tier == b.tier;
    }
    for (uint32_t i = 0; i < x.graph.LinkCount(); i++)
    {
        const FabricLink& a = x.graph.Link(i);
        const FabricLink& b = y.graph.Link(i);
        same = same && a.a == b.a && a.b == b.b && a.portA == b.portA && a.portB == b.portB &&
               a.rateBps == b.rateBps && a.delayPs == b.delayPs && a.errorRate == b.errorRate &&
               a.up == b.up;
    }
    CHECK(same);
}

/// A small fabric that is in order: hosts 0 and 1 on leaf 2, spine 3.
const char* const GOOD = R"({"schema":"roce-topology/1","name":"t","radix":{"leaf":4},
"nodes":[{"id":0,"kind":"host"},{"id":1,"kind":"host"},
{"id":2,"kind":"switch","tier":"leaf"},{"id":3,"kind":"switch","tier":"spine","name":"s"}],
"links":[{"a":0,"b":2,"rate":"100Gbps","delay":"1us"},{"a":1,"b":2,"rate":"100Gbps","length_m":2},
{"a":2,"b":3,"rate":"400Gbps","delay":"10ns","error_rate":0.5,"up":true}]})";

} // namespace

TEST_CASE("TopologyJson: a file by hand", "[topology-files]")
{
    const FabricDocument f = TopologyLoader::Load(Data("topology.json"));
    CHECK(f.name == "two racks");
    CHECK(f.radix == std::map<std::string, uint32_t>{{"host", 2}, {"leaf", 8}, {"spine", 4}});
    CHECK(f.graph.Hosts() == std::vector<uint32_t>{5, 9, 1000});
    CHECK(f.graph.Switches() == std::vector<uint32_t>{0, 7, 8, 70});
    CHECK(f.graph.Node(0).name == "top");
    CHECK(f.graph.Node(0).tier == "spine");
    CHECK(f.graph.Node(70).kind == NodeKind::NvSwitch);
    CHECK(f.graph.Link(0).delayPs == 10000); // 2 m x 5 ns
    CHECK(f.graph.Link(1).delayPs == 10000);
    CHECK(f.graph.Link(2).delayPs == 12500);
    CHECK(f.graph.Link(5).delayPs == 250000);
    CHECK(f.graph.Link(5).errorRate == 1e-9);
    CHECK(f.graph.Link(4).portA == 1); // the second link of node 0
    CHECK(f.graph.Link(5).up);
    CHECK_FALSE(f.graph.Link(6).up);
    // parallel links are kept, gaps between ids are no fault
    CHECK(f.graph.PortCount(7) == 4);
    CHECK(FabricCheck::Faults(f).empty());
}

TEST_CASE("TopologyJson: graph to text to graph to text is the same", "[topology-files]")
{
    std::vector<FabricDocument> fabrics;
    for (const FabricPreset& preset : FabricPresets::All())
    {
        fabrics.push_back(preset.build());
    }
    fabrics.push_back(TopologyLoader::Load(Data("topology.json")));
    fabrics.push_back(TopologyLoader::Load(Data("topology-htsim.topo")));
    for (const char* name : {"hpcc", "inet", "simai", "ring"})
    {
        fabrics.push_back(TopologyLoader::Load(Data(std::string("topology-") + name + ".txt")));
    }
    FabricDocument odd; // what needs care in JSON
    odd.name = "quotes \" and \\ and\nlines, \xc3\xa9";
    odd.graph.AddHost(4000000000U, "\t");
    odd.graph.AddSwitch(1, "", "no tier");
    odd.graph.AddLink(1, 4000000000U, 123456789, 7, 1.0 / 3);
    odd.graph.AddLink(1, 4000000000U, 1000000, INT64_MAX, 1e-300);
    odd.graph.SetLinkUp(0, false);
    fabrics.push_back(odd);
    for (const FabricDocument& fabric : fabrics)
    {
        INFO(fabric.name);
        const std::string text = TopologyJsonWriter::Format(fabric);
        const FabricDocument again = TopologyJsonReader::Read("x", text);
        CheckSame(fabric, again);
        CHECK((TopologyJsonWriter::Format(again) == text));
    }
}

TEST_CASE("TopologyJson: damaged text is refused, deep and long text is no trouble",
          "[topology-files]")
{
    const std::string good = GOOD;
    uint32_t refused = 0;
    for (size_t i = 0; i < good.size(); i++) // each byte left out, and each replaced
    {
        for (const char* to : {"", "\"", "{", "9", "\xff"})
        {
            std::string bad = good;
            bad.replace(i, 1, to);
            try
            {
                TopologyJsonReader::Read("f", bad);
            }
            catch (const std::invalid_argument&)
            {
                refused++;
            }
        }
    }
    CHECK(refused > good.size()); // and nothing but std::invalid_argument came
    CHECK_THROWS_WITH(TopologyJsonReader::Read("f", std::string(1000000, '[')),
                      Contains("no JSON"));
    std::string many = "{\"radix\":{";
    for (uint32_t i = 0; i < 200000; i++)
    {
        many += "\"" + std::to_string(i) + "\":0,";
    }
    CHECK_THROWS_WITH(TopologyJsonReader::Read("f", many + "\"x\":1}}"),
                      Contains("/schema: expected"));
}

TEST_CASE("TopologyJson: 38 mistakes, each with its place", "[topology-files]")
{
    CHECK_NOTHROW(TopologyJsonReader::Read("f", GOOD));

    struct Mistake
    {
        const char* from;
        const char* to;
        const char* message;
    };

    const std::vector<Mistake> mistakes = {
        // the document
        {"{\"schema\"", "\"schema\"", "f: no JSON: "},
        {"roce-topology/1", "roce-topology/2", "f: /schema: expected \"roce-topology/1\", found "},
        {"\"schema\":", "\"sheme\":", "f: /sheme: this key is not known; known are schema, name"},
        {"\"nodes\"", "\"notes\"", "f: /notes: this key is not known"},
        {"\"name\":\"t\"", "\"name\":7", "f: /name: expected a text, found '7'"},
        {"\"name\":\"t\"", "\"schema\":\"x\"", "f: key 'schema' comes twice in object 1"},
        // radix
        {"{\"leaf\":4}", "[4]", "f: /radix: expected an object of tier and ports, found 'array'"},
        {"\"leaf\":4", "\"leaf\":0", "f: /radix/leaf: expected at least 1 port, found 0"},
        {"\"leaf\":4", "\"leaf\":2.5", "f: /radix/leaf: expected a whole number from 0"},
        {"\"leaf\":4", "\"laef\":4", "f: radix 4 for tier 'laef', which no node has; tiers are"},
        {"\"leaf\":4",
         "\"leaf\":2",
         "f: switch 2 (tier 'leaf') needs 3 ports, its limit is 2; remove links"},
        // nodes
        {"{\"id\":0,\"kind\":\"host\"}", "0", "f: /nodes/0: expected an object, found '0'"},
        {"\"id\":1", "\"id\":0", "f: /nodes/1/id: node id 0 is taken; give each node its own id"},
        {"\"id\":1", "\"id\":-1", "f: /nodes/1/id: expected a whole number from 0 to 4294967295"},
        {"\"id\":1", "\"id\":4294967296", "/nodes/1/id: expected a whole number"},
        {"\"id\":1", "\"id\":\"1\"", "/nodes/1/id: expected a whole number"},
        {"\"id\":1,", "", "f: /nodes/1/id: expected this key, found none"},
        {"\"id\":1", "\"id\":1,\"port\":2", "f: /nodes/1/port: this key is not known"},
        {"\"kind\":\"switch\"", "\"kind\":\"router\"", "/nodes/2/kind: expected host, switch or"},
        {"1,\"kind\":\"host\"",
         "1,\"kind\":\"host\",\"tier\":\"leaf\"",
         "f: /nodes/1/tier: a host has no tier"},
        {"{\"id\":3",
         "{\"id\":9,\"kind\":\"host\"},{\"id\":3",
         "f: host 9 (tier 'host') has no link"},
        {"{\"id\":3",
         "{\"id\":9,\"kind\":\"switch\"},{\"id\":3",
         "f: switch 9 (tier '') has no link"},
        // links
        {"\"a\":0", "\"a\":2", "f: /links/0: link 2-2 joins a node to itself"},
        {"\"a\":0", "\"a\":8", "f: /links/0: link 8-2: there is no node 8; add the node first"},
        {"\"a\":0,", "", "f: /links/0/a: expected this key, found none"},
        {"\"b\":3",
         "\"b\":3,\"c\":4",
         "f: /links/2/c: this key is not known; known are a, b, rate"},
        {"\"100Gbps\"", "\"100Gbit\"", "f: /links/0/rate: "},
        {"\"100Gbps\"", "100", "f: /links/0/rate: expected a text, found '100'"},
        {"\"100Gbps\"", "\"0Gbps\"", "f: /links/0: link 0-2 has rate 0"},
        {"\"100Gbps\"",
         "\"100\"",
         "f: /links/0: link 0-2 has a rate of 100 bit/s, expected at least"},
        {"\"1us\"", "\"1 minute\"", "f: /links/0/delay: "},
        {"\"1us\"", "\"-1us\"", "f: /links/0: link 0-2 has a delay of -1000000 ps"},
        {",\"delay\":\"1us\"", "", "f: /links/0/delay: expected either delay or length_m"},
        {"\"delay\":\"1us\"",
         "\"delay\":\"1us\",\"length_m\":1",
         "expected either delay or length"},
        {"\"length_m\":2", "\"length_m\":-2", "f: /links/1/length_m: expected a number from 0"},
        {"0.5", "1.5", "f: /links/2/error_rate: expected a number from 0 to 1"},
        {"\"up\":true", "\"up\":1", "f: /links/2/up: expected true or false, found '1'"},
    };
    std::set<std::string> messages;
    for (const Mistake& mistake : mistakes)
    {
        INFO(mistake.from << " -> " << mistake.to);
        const std::string bad = Replaced(GOOD, mistake.from, mistake.to);
        try
        {
            TopologyJsonReader::Read("f", bad);
            FAIL("accepted: " << bad);
        }
        catch (const std::invalid_argument& e)
        {
            CHECK_THAT(e.what(), Contains(mistake.message));
            messages.insert(e.what());
        }
    }
    CHECK_THROWS_WITH(TopologyJsonReader::Read("f", std::string(GOOD).substr(0, 200)),
                      Contains("f: no JSON: "));
    CHECK(mistakes.size() == 37);
    CHECK(messages.size() >= 30); // they tell them apart
}

TEST_CASE("FabricCheck: faults of the whole are listed", "[topology-files]")
{
    FabricDocument f = TopologyJsonReader::Read("f", GOOD);
    CHECK(FabricCheck::Faults(f).empty());
    CHECK_NOTHROW(FabricCheck::Require(f));
    f.graph.AddSwitch(20, "leaf", "lone");
    f.graph.AddSwitch(21, "x");
    f.graph.AddSwitch(22, "x");
    f.graph.AddLink(21, 22, G, 0); // an island without a host
    f.graph.AddHost(23, "left");
    f.radix["x"] = 1;
    f.radix["nowhere"] = 9;
    f.radix["leaf"] = 2;
    const auto faults = FabricCheck::Faults(f);
    REQUIRE(faults.size() == 6);
    CHECK_THAT(faults[0], Contains("radix 9 for tier 'nowhere'") && Contains("'leaf'"));
    CHECK_THAT(faults[1], Contains("switch 2 (tier 'leaf') needs 3 ports, its limit is 2"));
    CHECK_THAT(faults[2], Contains("switch 20 (lone, tier 'leaf') has no link"));
    CHECK_THAT(faults[3], Contains("host 23 (left, tier 'host') has no link"));
    CHECK_THAT(faults[4], Contains("switch 21 (tier 'x') cannot be reached from any host"));
    CHECK_THAT(faults[5], Contains("switch 22 (tier 'x') cannot be reached from any host"));
    CHECK_THROWS_WITH(FabricCheck::Require(f), Contains("t: radix 9") && Contains("\nswitch 22"));
    for (uint32_t i = 100; i < 110; i++)
    {
        f.graph.AddHost(i);
    }
    CHECK_THROWS_WITH(FabricCheck::Require(f), Contains("and 6 more")); // 16 faults, 10 listed

    FabricDocument parts; // two racks that nothing joins
    parts.graph.AddHost(0);
    parts.graph.AddHost(1);
    parts.graph.AddSwitch(2);
    parts.graph.AddSwitch(3);
    parts.graph.AddLink(0, 2, G, 0);
    parts.graph.AddLink(1, 3, G, 0);
    CHECK_THAT(FabricCheck::Faults(parts).at(0), Contains("no path from host 0 to host 1"));
    CHECK(FabricCheck::Faults(parts, PartitionPolicy::Allow).empty());
    CHECK_THAT(FabricCheck::Faults(FabricDocument{}).at(0), Contains("no host among its 0 nodes"));
    // the graph's own check, which RoceHelper makes, knows a switch without links too
    parts.graph.AddSwitch(4);
    CHECK_THROWS_WITH(parts.graph.Validate(PartitionPolicy::Allow),
                      Contains("switch 4 has no link"));
}

TEST_CASE("TopologyLoader: says what it leaves out", "[topology-files]")
{
    const FabricDocument f = TopologyLoader::Load(Data("topology-hpcc.txt"));
    REQUIRE(f.notes.size() == 1); // "7 8 ...": nodes that are not declared
    CHECK_THAT(f.notes[0], Contains("topology-hpcc.txt") && Contains(": 1"));
    CHECK(TopologyLoader::Load(Data("topology.json")).notes.empty());
}

TEST_CASE("HtsimTopologyReader: a tree with bundles and latencies", "[topology-files]")
{
    const FabricDocument f = TopologyLoader::Load(Data("topology-htsim.topo"));
    const FabricGraph& g = f.graph;
    g.Validate();
    // 2 pods x 4 ToRs of 4 hosts; 4 / 2 = 2 aggregations a pod; 2 x 2 / 1 = 4 cores
    CHECK(g.HostCount() == 32);
    CHECK(g.SwitchCount() == 8 + 4 + 4);
    CHECK(g.LinkCount() == 32 + 8 * 2 * 2 + 4 * 2);
    std::vector<uint32_t> peers;
    for (const FabricNeighbour& n : g.Neighbours(42)) // pod 1, place 0: cores 0 and 2
    {
        peers.push_back(n.peer);
    }
    CHECK(peers == std::vector<uint32_t>{36, 36, 37, 37, 38, 38, 39, 39, 44, 46});
    CHECK(g.Node(47).tier == "super-spine");
    // latency: link + half of the switches at its ends (200, 400, none)
    CHECK(g.Link(0).delayPs == 200000);   // 100 + 200 / 2 ns
    CHECK(g.Link(32).delayPs == 1300000); // 1000 + 200 / 2 + 400 / 2
    CHECK(g.Link(64).delayPs == 2200000); // 2000 + 400 / 2
    CHECK(g.Link(64).rateBps == 200 * G);
    CHECK(g.Link(0).rateBps == 100 * G);
}

TEST_CASE("HtsimTopologyReader: what contradicts itself is refused with its line",
          "[topology-files]")
{
    const std::string good = Bytes(Data("topology-htsim.topo"));
    const auto read = [](const std::string& text) { return TopologyLoader::Parse("h", text); };
    CHECK_NOTHROW(read(good));
    CHECK_THROWS_WITH(read(Replaced(good, "Nodes 32", "Nodes 33")),
                      Contains("h:4: Nodes 33 is no multiple of Podsize 16"));
    CHECK_THROWS_WITH(read(Replaced(good, "Podsize 16", "Podsize 18\n")),
                      Contains("h:4: Nodes 32"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "Tiers 4")), Contains("h:3: expected 2 or 3"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "Tears 3")), Contains("h:3: 'Tears' is not"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "# Tiers 3")), Contains("expected tiers in"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "Tiers three")), Contains("h:3: Tiers: "));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "Tiers")), Contains("found 1 words"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tier 1", "Tier 0")), Contains("tier 0 is given twice"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tier 1", "Tier 3")),
                      Contains("expected tier 0, 1 or 2"));
    CHECK_THROWS_WITH(read(Replaced(good, "Bundle 2", "Bundle 3")),
                      Contains("Radix_Up of tier 0 4 is no multiple of Bundle of tier 1 3"));
    CHECK_THROWS_WITH(
        read(Replaced(good, "radix_down 8", "radix_down 6")),
        Contains("h:16: radix_down of tier 1 is 6, expected 8 (ToRs of a pod x Bundle"));
    CHECK_THROWS_WITH(read(Replaced(good, "Oversubscribed 2", "Oversubscribed 1")),
                      Contains("tier 1 has 800 Gb/s down and 400 Gb/s up"));
    CHECK_THROWS_WITH(
        read(Replaced(good, "Oversubscribed 2", "Oversubscribed 2\nOversubscribed 2")),
        Contains("h:19: Oversubscribed is given twice"));
    CHECK_THROWS_WITH(read(Replaced(good, "Radix_Down 2", "Radix_Down 3")),
                      Contains("radix_down of tier 2 is 3, expected 2 (pods x Bundle)"));
    CHECK_THROWS_WITH(read(Replaced(good, "Radix_Down 2", "Radix_Down 0")),
                      Contains("radix_down is 0"));
    CHECK_THROWS_WITH(read(Replaced(good, "Radix_Up 4", "Radix_Up -4")), Contains("Radix_Up: "));
    CHECK_THROWS_WITH(read(Replaced(good, "Radix_Up 4", "Bundle 2\nRadix_Up 4")),
                      Contains("Bundle of tier 0 is 2, expected 1"));
    CHECK_THROWS_WITH(read(Replaced(good, "Tiers 3", "Tiers 2")),
                      Contains("two tiers have one pod"));
    const std::string two =
        "Nodes 8\nTiers 2\nPodsize 8\nTier 0\nDownlink_speed_Gbps 10\nRadix_Down "
        "4\nRadix_Up 2\nDownlink_Latency_ns 5\nOversubscribed 2\nTier 1\n"
        "Downlink_speed_Gbps 10\nRadix_Down 2\nDownlink_Latency_ns 5\n";
    CHECK(read(two).graph.LinkCount() == 8 + 2 * 2);
    CHECK_THROWS_WITH(read(two + "Tier 2\n"), Contains("h:14: tier 2 of 2 tiers"));
    CHECK_THROWS_WITH(read(Replaced(two, "Downlink_speed_Gbps 10\n", "")),
                      Contains("expected downlink_speed_gbps in tier 0, found none"));
}

TEST_CASE("TopologyLoader: tells files by their first word, and knows presets", "[topology-files]")
{
    CHECK(TopologyLoader::Load("homelab").graph.HostCount() == 24);
    CHECK(TopologyLoader::Load(Data("topology-hpcc.txt")).graph.HostCount() == 4);
    CHECK(TopologyLoader::Parse("x", std::string("\xef\xbb\xbf \n") + GOOD).name == "t");
    const std::string gaps = "3 1 2\n7\n0 7 1Gbps 1us 0\n1000 7 1Gbps 1us 0\n"; // on request
    CHECK_THROWS_WITH(TopologyLoader::Parse("x", gaps), Contains("x:2: ") && Contains("0 to 2"));
    CHECK(TopologyLoader::Parse("x", gaps, {true}).graph.Hosts() == std::vector<uint32_t>{0, 1000});
    CHECK_THROWS_WITH(TopologyLoader::Load("no-such-file"),
                      Contains("'no-such-file' is neither a file") && Contains("article"));
    CHECK_THROWS_WITH(TopologyLoader::Parse("x", ""), Contains("x:1: expected a header"));
    CHECK_THROWS_WITH(TopologyLoader::Parse("x", "?"), Contains("x:1: "));
    CHECK_THROWS(TopologyLoader::Load(NS_TEST_SOURCEDIR)); // a folder
}

TEST_CASE("TopologyDot: a statement a node and a bundle", "[topology-files]")
{
    const std::string dot = TopologyDot::Format(TopologyLoader::Load(Data("topology.json")));
    CHECK(dot.find("graph \"two racks\" {") == 0);
    CHECK(Count(dot, "shape=ellipse") == 3);
    CHECK(Count(dot, "shape=box") == 4);
    CHECK(Count(dot, "rank=same") == 4); // hosts; leaves and NVSwitches; spine
    CHECK(Count(dot, " -- ") == 8);      // 9 links, two of them a bundle
    // from the lower end to the upper, whatever the ids: Graphviz ranks them so
    CHECK_THAT(dot, Contains("n7 -- n0 [label=\"2 x 400Gbps, 50 m\"];"));
    CHECK_THAT(dot, Contains("n8 -- n0 [label=\"400Gbps, 50 m\", style=dashed];"));
    CHECK_THAT(dot, Contains("n5 [label=\"five (5)\", shape=ellipse];"));
    FabricDocument odd;
    odd.name = "a\"b\\";
    odd.graph.AddHost(1);
    CHECK_THAT(TopologyDot::Format(odd), Contains("graph \"a\\\"b\\\\\" {"));
}

TEST_CASE("TopologySvg: a shape a node, a line a cable, and a limit", "[topology-files]")
{
    const FabricDocument home = FabricPresets::Build("homelab");
    const std::string svg = TopologySvg::Format(home);
    CHECK(svg.find("<svg ") == 0);
    CHECK(Count(svg, "<circle ") == 24);
    CHECK(Count(svg, "<rect ") == 1 + 5); // the ground
    CHECK(Count(svg, "<path ") == 30);
    CHECK_THAT(svg, Contains("homelab: 24 hosts, 5 switches, 30 links"));
    CHECK_THAT(svg, Contains("2 x leaf to spine, 400Gbps, 50 m (250ns)"));
    CHECK(svg == TopologySvg::Format(home));
    const FabricDocument down = TopologyLoader::Load(Data("topology.json"));
    CHECK(Count(TopologySvg::Format(down), "stroke-dasharray") == 2); // a cable, and the legend
    CHECK_THAT(TopologySvg::Format(down), Contains(">down</text>"));
    CHECK(Count(TopologySvg::Format(TopologyLoader::Load(Data("topology-ring.txt"))), " Q") == 4);
    FabricDocument odd;
    odd.name = "<&\">";
    odd.graph.AddHost(1);
    CHECK_THAT(TopologySvg::Format(odd), Contains("&lt;&amp;&quot;&gt;: 1 hosts"));
    CHECK_THROWS_WITH(TopologySvg::Format(FabricPresets::Build("fat-tree-1024")),
                      Contains("fat-tree-1024 with 1344 nodes") && Contains("at most 500 nodes"));
}
