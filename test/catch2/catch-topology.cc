/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/roce-address-plan.h"
#include "ns3/roce-artifact-baseline.h"
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-fat-tree-builder.h"
#include "ns3/roce-fct-writer.h"
#include "ns3/roce-pfc-writer.h"
#include "ns3/roce-quantity.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s
constexpr int64_t US = 1000000;    // ps

/** \return two hosts, ids 0 and 1, on switch 2. */
FabricGraph
Star2()
{
    FabricGraph g;
    g.AddHost(0);
    g.AddHost(1);
    g.AddSwitch(2);
    g.AddLink(0, 2, 100 * G, US);
    g.AddLink(1, 2, 100 * G, US);
    return g;
}

} // namespace

TEST_CASE("FabricGraph: ports follow the order of links, ids may have gaps", "[topology]")
{
    // case A13: switch 0, hosts 5, 9 and 1000, switch 7
    FabricGraph g;
    g.AddSwitch(0, "leaf");
    g.AddHost(5, "five");
    g.AddHost(9);
    g.AddHost(1000);
    g.AddSwitch(7, "leaf", "", NodeKind::NvSwitch);
    CHECK(g.AddLink(5, 0, 10 * G, US) == 0);
    CHECK(g.AddLink(0, 7, 40 * G, 2 * US, 0.5) == 1);
    CHECK(g.AddLink(7, 0, 40 * G, 2 * US) == 2); // parallel, written the other way round
    CHECK(g.AddLink(9, 0, 10 * G, US) == 3);
    CHECK(g.AddLink(7, 1000, 10 * G, 0) == 4);
    g.Validate();

    CHECK(g.NodeCount() == 5);
    CHECK(g.HostCount() == 3);
    CHECK(g.SwitchCount() == 2);
    CHECK(g.LinkCount() == 5);
    CHECK(g.MaxId() == 1000);
    CHECK(g.Hosts() == std::vector<uint32_t>{5, 9, 1000});
    CHECK(g.Switches() == std::vector<uint32_t>{0, 7});
    CHECK(g.IndexOf(1000) == 3);
    CHECK(g.IdOf(3) == 1000);
    CHECK(g.Node(5).name == "five");
    CHECK(g.Node(7).kind == NodeKind::NvSwitch);
    CHECK_FALSE(g.IsHost(7));
    CHECK_FALSE(g.IsHost(77));

    const std::vector<FabricNeighbour> ports = g.Neighbours(0);
    const uint32_t expected[4][4] = {{0, 5, 0, 0}, {1, 7, 0, 1}, {2, 7, 1, 2}, {3, 9, 0, 3}};
    REQUIRE(ports.size() == 4);
    for (size_t i = 0; i < 4; i++)
    {
        CHECK(ports[i].port == expected[i][0]);
        CHECK(ports[i].peer == expected[i][1]);
        CHECK(ports[i].peerPort == expected[i][2]);
        CHECK(ports[i].link == expected[i][3]);
    }
    CHECK(g.PortCount(7) == 3);
    CHECK(g.Link(2).a == 7);
    CHECK(g.Link(2).portA == 1);
    CHECK(g.Link(2).portB == 2);
    CHECK(g.Link(1).errorRate == 0.5);
}

TEST_CASE("FabricGraph: a copy is independent and has the same ports", "[topology]")
{
    FabricGraph a = FatTreeBuilder::Build({});
    FabricGraph b = a;
    b.SetLinkUp(3, false);
    b.AddHost(999);
    CHECK(a.Link(3).up);
    CHECK_FALSE(b.Link(3).up);
    CHECK_FALSE(a.Has(999));
    for (uint32_t id = 0; id < a.NodeCount(); id++)
    {
        const auto x = a.Neighbours(id);
        const auto y = b.Neighbours(id);
        REQUIRE(x.size() == y.size());
        for (size_t i = 0; i < x.size(); i++)
        {
            CHECK(x[i].port == i);
            CHECK(x[i].link == y[i].link);
            CHECK(x[i].peer == y[i].peer);
        }
    }
}

TEST_CASE("FabricGraph: mistakes are named", "[topology]")
{
    FabricGraph g = Star2();
    CHECK_THROWS_WITH(g.AddHost(2), Contains("node id 2 is taken"));
    CHECK_THROWS_WITH(g.AddSwitch(1), Contains("node id 1 is taken"));
    CHECK_THROWS_WITH(g.AddSwitch(8, "", "", NodeKind::Host), Contains("use AddHost"));
    CHECK_THROWS_WITH(g.AddLink(0, 0, G, 0), Contains("link 0-0 joins a node to itself"));
    CHECK_THROWS_WITH(g.AddLink(0, 9, G, 0), Contains("link 0-9: there is no node 9"));
    CHECK_THROWS_WITH(g.AddLink(9, 0, G, 0), Contains("there is no node 9"));
    CHECK_THROWS_WITH(g.AddLink(0, 2, 0, 0), Contains("rate 0"));
    CHECK_THROWS_WITH(g.AddLink(0, 2, G, -5), Contains("-5 ps"));
    CHECK_THROWS_WITH(g.AddLink(0, 2, G, 0, 1.5), Contains("error rate of 1.5"));
    CHECK_THROWS_WITH(g.AddLink(0, 2, G, 0, -1), Contains("error rate of -1"));
    CHECK_THROWS_AS(g.AddLink(0, 2, G, 0, std::stod("nan")), std::invalid_argument);
    CHECK_THROWS_WITH(g.SetLinkUp(2, true), Contains("no link 2"));
    CHECK_THROWS_WITH(g.IndexOf(3), Contains("no node 3"));
    CHECK_THROWS_WITH(g.IdOf(3), Contains("no vertex 3"));
    CHECK(g.LinkCount() == 2); // nothing half done
    CHECK(g.PortCount(0) == 1);
}

TEST_CASE("FabricGraph: Validate names what is wrong with the whole", "[topology]")
{
    CHECK_THROWS_WITH(FabricGraph().Validate(), Contains("no host"));
    FabricGraph g = Star2();
    g.AddHost(50);
    CHECK_THROWS_WITH(g.Validate(), Contains("host 50 has no link"));
    g.AddSwitch(51);
    const uint32_t lone = g.AddLink(50, 51, G, 0);
    CHECK_THROWS_WITH(g.Validate(), Contains("no path from host 0 to host 50"));
    CHECK_NOTHROW(g.Validate(PartitionPolicy::Allow));
    const uint32_t bridge = g.AddLink(2, 51, G, 0);
    CHECK_NOTHROW(g.Validate());
    g.SetLinkUp(bridge, false);
    CHECK_THROWS_WITH(g.Validate(), Contains("no path from host 0 to host 50"));
    g.SetLinkUp(bridge, true);
    g.SetLinkUp(lone, false);
    CHECK_THROWS_WITH(g.Validate(), Contains("no path from host 0 to host 50"));
}

TEST_CASE("FabricGraph: hosts do not forward", "[topology]")
{
    FabricGraph g; // triangle of hosts: each pair has its own cable
    for (uint32_t i = 0; i < 3; i++)
    {
        g.AddHost(i);
    }
    g.AddLink(0, 1, G, 0);
    g.AddLink(1, 2, G, 0);
    CHECK_THROWS_WITH(g.Validate(), Contains("no path from host 0 to host 2"));
    g.AddLink(2, 0, G, 0);
    CHECK_NOTHROW(g.Validate());
    // two switches with a host on both: the host does not join them
    FabricGraph h;
    h.AddHost(0);
    h.AddHost(1);
    h.AddHost(2);
    h.AddSwitch(10);
    h.AddSwitch(11);
    h.AddLink(0, 10, G, 0);
    h.AddLink(1, 10, G, 0);
    h.AddLink(1, 11, G, 0);
    h.AddLink(2, 11, G, 0);
    CHECK_THROWS_WITH(h.Validate(), Contains("no path from host 0 to host 2"));
}

TEST_CASE("ClosBuilder: counts, ids, ports and tiers of two tiers", "[topology]")
{
    LeafSpinePlan plan;
    plan.leaves = 3;
    plan.spines = 2;
    plan.hostsPerLeaf = 4;
    plan.linksPerPair = 2;
    plan.fabricRateBps = 400 * G;
    plan.fabricDelayPs = 2 * US;
    const FabricGraph g = ClosBuilder::Build(plan);
    g.Validate();
    CHECK(g.HostCount() == 12);             // 3 * 4
    CHECK(g.SwitchCount() == 5);            // 3 + 2
    CHECK(g.LinkCount() == 12 + 3 * 2 * 2); // hosts + leaves * spines * parallel
    CHECK(g.Node(12).tier == "leaf");       // leaves 12, 13, 14
    CHECK(g.Node(15).tier == "spine");      // spines 15, 16
    CHECK(g.Node(16).name == "spine1");
    const auto ports = g.Neighbours(13); // hosts 4..7 first, then each spine twice
    const std::vector<uint32_t> peers{4, 5, 6, 7, 15, 15, 16, 16};
    REQUIRE(ports.size() == peers.size());
    for (size_t i = 0; i < peers.size(); i++)
    {
        CHECK(ports[i].peer == peers[i]);
    }
    CHECK(g.Link(ports[0].link).rateBps == 100 * G);
    CHECK(g.Link(ports[7].link).rateBps == 400 * G);
    CHECK(g.Link(ports[7].link).delayPs == 2 * US);
}

TEST_CASE("ClosBuilder: three tiers with planes", "[topology]")
{
    ThreeTierPlan plan;
    plan.pods = 2;
    plan.leavesPerPod = 3;
    plan.podSpines = 2;
    plan.superSpines = 4; // two planes of two
    plan.hostsPerLeaf = 5;
    plan.coreLinksPerPair = 2;
    plan.coreRateBps = 800 * G;
    const FabricGraph g = ClosBuilder::Build(plan);
    g.Validate();
    CHECK(g.HostCount() == 30);          // 2 * 3 * 5
    CHECK(g.SwitchCount() == 6 + 4 + 4); // leaves, pod spines, super-spines
    // hosts 30, leaf to pod spine 6 * 2, pod spine to super-spine 4 * 2 * 2
    CHECK(g.LinkCount() == 30 + 12 + 16);
    // ids: leaves 30..35, pod spines 36..39, super-spines 40..43
    CHECK(g.Node(40).tier == "super-spine");
    std::vector<uint32_t> peers;
    for (const FabricNeighbour& n : g.Neighbours(39)) // pod 1, plane 1
    {
        peers.push_back(n.peer);
    }
    CHECK(peers == std::vector<uint32_t>{33, 34, 35, 42, 42, 43, 43});
    CHECK(g.Link(g.Neighbours(39)[3].link).rateBps == 800 * G);
}

TEST_CASE("Builders refuse plans that make no fabric", "[topology]")
{
    LeafSpinePlan two;
    two.spines = 0;
    CHECK_THROWS_WITH(ClosBuilder::Build(two), Contains("0 spines"));
    two.leaves = 0;
    CHECK_THROWS_WITH(ClosBuilder::Build(two), Contains("leaves is 0"));
    two.leaves = 1;
    CHECK(ClosBuilder::Build(two).LinkCount() == 4); // a single rack
    two.hostRateBps = 0;
    CHECK_THROWS_WITH(ClosBuilder::Build(two), Contains("rate 0"));
    two.leaves = 100000;
    two.hostsPerLeaf = 100000;
    two.spines = 1;
    CHECK_THROWS_WITH(ClosBuilder::Build(two), Contains("10000100001 nodes"));
    two = {};
    two.spines = 65536;
    two.linksPerPair = 65536;
    CHECK_THROWS_WITH(ClosBuilder::Build(two), Contains("65536 parallel links"));
    ThreeTierPlan three;
    three.superSpines = 3;
    CHECK_THROWS_WITH(ClosBuilder::Build(three), Contains("superSpines 3 is no multiple"));
    FatTreePlan tree;
    tree.k = 3;
    CHECK_THROWS_WITH(FatTreeBuilder::Build(tree), Contains("k is 3"));
    tree.k = 4;
    tree.oversubscription = 0;
    CHECK_THROWS_WITH(FatTreeBuilder::Build(tree), Contains("oversubscription is 0"));
}

TEST_CASE("FatTreeBuilder: counts of Al-Fares et al.", "[topology]")
{
    for (uint32_t k : {2U, 4U, 8U, 16U})
    {
        FatTreePlan plan;
        plan.k = k;
        const FabricGraph g = FatTreeBuilder::Build(plan);
        g.Validate();
        CHECK(g.HostCount() == k * k * k / 4);
        CHECK(g.SwitchCount() == 5 * k * k / 4);
        CHECK(g.LinkCount() == 3 * k * k * k / 4); // as many on each of the three levels
        for (uint32_t id : g.Switches())
        {
            CHECK(g.PortCount(id) == k);
        }
    }
    FatTreePlan plan; // k = 4, twice the hosts
    plan.oversubscription = 2;
    const FabricGraph g = FatTreeBuilder::Build(plan);
    CHECK(g.HostCount() == 32);
    CHECK(g.LinkCount() == 32 + 16 + 16);
}

TEST_CASE("AddressPlan: 11.x.y.1", "[topology]")
{
    FabricGraph g;
    g.AddHost(0);
    g.AddHost(34);
    g.AddHost(769);
    g.AddSwitch(800);
    for (uint32_t host : {0U, 34U, 769U, 34U, 34U})
    {
        g.AddLink(host, 800, G, 0);
    }
    const AddressPlan plan(g);
    CHECK(plan.Address(0) == 0x0b000001);     // 11.0.0.1
    CHECK(plan.Address(34) == 0x0b002201);    // 34 = 0x22
    CHECK(plan.Address(769) == 0x0b030101);   // 769 = 3 * 256 + 1
    CHECK(plan.Address(34, 1) == 0x0b032101); // index 801 = 0x321, after the largest id
    CHECK(plan.Address(34, 2) == 0x0b032201);
    CHECK(AddressPlan::Index(0x0b030101) == 769);
    for (uint32_t port = 0; port < 3; port++)
    {
        const auto found = plan.Find(plan.Address(34, port));
        REQUIRE(found);
        CHECK(found->host == 34);
        CHECK(found->port == port);
    }
    CHECK_FALSE(plan.Find(0x0b032001)); // the switch
    CHECK_FALSE(plan.Find(0x0b000101)); // no host 1
    CHECK_FALSE(plan.Find(0x0b000002));
    CHECK_FALSE(plan.Find(0));
    CHECK_FALSE(plan.Find(UINT32_MAX));
    CHECK_THROWS_WITH(plan.Address(34, 3), Contains("node 34 port 3"));
    CHECK_THROWS_WITH(plan.Address(800), Contains("node 800"));
}

TEST_CASE("AddressPlan: large ids use dense indices", "[topology]")
{
    FabricGraph g;
    g.AddSwitch(4000000000U);
    g.AddHost(65535);
    g.AddHost(65536);
    g.AddLink(65535, 4000000000U, G, 0);
    g.AddLink(65536, 4000000000U, G, 0);
    g.AddLink(65536, 65535, G, 0);
    const AddressPlan plan(g);
    CHECK(plan.Address(65535) == 0x0b000101); // vertex 1
    CHECK(plan.Address(65536) == 0x0b000201); // vertex 2
    CHECK(plan.Address(65535, 1) == 0x0b000301);
    CHECK(plan.Address(65536, 1) == 0x0b000401);
    CHECK(plan.Find(0x0b000401)->host == 65536);
    CHECK(plan.Find(0x0b000401)->port == 1);
}

TEST_CASE("Quantity: exact numbers", "[topology]")
{
    CHECK(Quantity::DelayPs("1us") == 1000000);
    CHECK(Quantity::DelayPs("1000ns") == 1000000);
    CHECK(Quantity::DelayPs("0.001ms") == 1000000);
    CHECK(Quantity::DelayPs("0.0005ms") == 500000);
    CHECK(Quantity::DelayPs("0.000025ms") == 25000);
    CHECK(Quantity::DelayPs("2s") == 2000000000000);
    CHECK(Quantity::DelayPs("0") == 0);
    CHECK(Quantity::DelayPs("0ns") == 0);
    CHECK(Quantity::DelayPs("-3ns") == -3000);
    CHECK(Quantity::DelayPs("1.0005ns") == 1001); // 1000.5 ps, half up
    CHECK(Quantity::RateBps("100Gbps") == 100 * G);
    CHECK(Quantity::RateBps("25000000000.0") == 25 * G);
    CHECK(Quantity::RateBps("40Mb/s") == 40000000);
    CHECK(Quantity::RateBps("1.6Tbps") == 1600 * G);
    CHECK(Quantity::RateBps("2.5GB/s") == 20 * G); // bytes
    CHECK(Quantity::RateBps("1e11") == 100 * G);
    CHECK(Quantity::RateBps("0Gbps") == 0);
    CHECK(Quantity::SecondsToPs("2.0") == 2000000000000);
    CHECK(Quantity::SecondsToPs("0.000001010") == 1010000);
    CHECK(Quantity::SecondsToPs("1e-06") == 1000000);
    CHECK(Quantity::SecondsToPs("2.000000001001") == 2000000001001);
    CHECK(Quantity::SecondsToPs("0.30000000000000004") == 300000000000); // to the nearest ps
    CHECK(Quantity::SecondsToPs("9223372.036854775807") == INT64_MAX);
    CHECK(Quantity::Unsigned("18446744073709551615") == UINT64_MAX);
    CHECK(Quantity::Real("0.00390625", 0, 1) == 1.0 / 256);
    for (const char* bad : {"", "x", "1", "1 us", "1min", "us", ".us", "1.2.3us", "99999999999s"})
    {
        CHECK_THROWS_AS(Quantity::DelayPs(bad), std::invalid_argument);
    }
    CHECK_THROWS_AS(Quantity::DelayPs("0.0001ps"), std::invalid_argument); // not silently 0
    for (const char* bad : {"", "-1Gbps", "1Gbs", "Gbps", "1e", "1e30", "inf", "nan", "0x10"})
    {
        CHECK_THROWS_AS(Quantity::RateBps(bad), std::invalid_argument);
    }
    for (const char* bad : {"-1", "1s", "9223372.036854775808", "1e300", ""})
    {
        CHECK_THROWS_AS(Quantity::SecondsToPs(bad), std::invalid_argument);
    }
    for (const char* bad : {"", "-1", "+1", "1.0", "18446744073709551616", "0x1", " 1"})
    {
        CHECK_THROWS_AS(Quantity::Unsigned(bad), std::invalid_argument);
    }
    CHECK_THROWS_AS(Quantity::Real("1.01", 0, 1), std::invalid_argument);
    CHECK_THROWS_AS(Quantity::Real("1e999", 0, HUGE_VAL), std::invalid_argument);
    CHECK(Quantity::RateText(100 * G) == "100Gbps");
    CHECK(Quantity::RateText(1500000) == "1500Kbps");
    CHECK(Quantity::DelayText(1000000) == "1us");
    CHECK(Quantity::DelayText(500000) == "500ns");
    CHECK(Quantity::DelayText(0) == "0ns");
}

TEST_CASE("ArtifactBaseline: the published formula", "[topology]")
{
    // One switch, 100G, 1 us: RTT = 2 * 2000 + 2 * 80 = 4160 ns with 1000-byte payloads;
    // 2 MB in 2000 packets: (2000000 + 2000 * 48) * 8 / 100 = 167680 ns; sum 171840.
    FabricGraph g = Star2();
    ArtifactBaseline base(g, 1000);
    CHECK(base.Path(0, 1).rttNs == 4160);
    CHECK(base.Path(0, 1).bottleneckBps == 100 * G);
    CHECK(base.StandaloneNs(0, 1, 2000000) == 171840);
    // 1 byte: one packet, 49 bytes, 3.92 ns, cut to 3
    CHECK(base.StandaloneNs(0, 1, 1) == 4163);
    CHECK(base.StandaloneNs(0, 1, 0) == 4163); // 48 bytes, 3.84 ns
    // 8 GB: 8e6 packets, (8e9 + 3.84e8) * 0.08 = 670720000 ns: no 32-bit wrap
    CHECK(base.StandaloneNs(0, 1, 8000000000) == 670724160);
    CHECK_THROWS_WITH(base.Path(0, 2), Contains("two different hosts"));
    CHECK_THROWS_WITH(ArtifactBaseline(g, 0), Contains("payload"));
    // of parallel links the last counts: 25G, 5 us to host 1
    g.AddLink(1, 2, 25 * G, 5 * US);
    ArtifactBaseline last(g, 1000);
    CHECK(last.Path(0, 1).rttNs == 2 * (1000 + 5000) + 80 + 320);
    CHECK(last.Path(0, 1).bottleneckBps == 25 * G);
    g.AddHost(9);
    g.AddSwitch(10);
    g.AddLink(9, 10, G, 0);
    ArtifactBaseline apart(g, 1000);
    CHECK_THROWS_WITH(apart.Path(9, 0), Contains("no path from host 9 to host 0"));
}

TEST_CASE("FctWriter and PfcWriter: rows of the HPCC artifact", "[topology]")
{
    FctRecord r;
    r.sourceAddress = 0x0b006a01;
    r.destinationAddress = 0x0b006801;
    r.sourcePort = 10000;
    r.destinationPort = 100;
    r.sizeBytes = 5000000000; // above 2^32
    r.startNs = 2000000000;
    r.fctNs = 344727;
    r.standaloneNs = UINT64_MAX;
    const std::string row =
        "0b006a01 0b006801 10000 100 5000000000 2000000000 344727 18446744073709551615";
    CHECK(FctWriter::Format(r) == row);
    std::ostringstream out;
    FctWriter writer(out);
    writer.Write(r);
    writer.Write(r);
    CHECK(out.str() == row + "\n" + row + "\n");

    PfcRecord p;
    p.timeNs = 3580;
    p.node = 5;
    p.pause = true;
    CHECK(PfcWriter::Format(p) == "3580 5 0 1 1"); // port 0 is interface 1
    p.isSwitch = true;
    p.port = 16;
    p.pause = false;
    CHECK(PfcWriter::Format(p) == "3580 5 1 17 0");
    std::ostringstream broken;
    broken.setstate(std::ios::badbit);
    CHECK_THROWS_AS(PfcWriter(broken).Write(p), std::runtime_error);
    CHECK_THROWS_AS(FctWriter(broken).Write(r), std::runtime_error);
}
