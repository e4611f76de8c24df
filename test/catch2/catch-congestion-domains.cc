/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-clos-builder.h"
#include "ns3/roce-congestion-domains.h"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t G = 1000000000; // bit/s

/** Hosts 0 and 1 on leaf 4, 2 and 3 on leaf 5, spines 6 and 7. Ports of a leaf: two hosts, spine 6,
 *  spine 7; of a spine: leaf 4, leaf 5. */
FabricGraph
TwoTiers()
{
    LeafSpinePlan plan;
    plan.hostsPerLeaf = 2;
    return ClosBuilder::Build(plan);
}

/** Host 0 on leaf 2 of pod 0 with spines 4 and 5, host 1 on leaf 3 of pod 1 with spines 6 and 7;
 *  super-spine 8 joins 4 and 6, 9 joins 5 and 7. */
FabricGraph
ThreeTiers()
{
    ThreeTierPlan plan;
    plan.leavesPerPod = 1;
    plan.superSpines = 2;
    plan.hostsPerLeaf = 1;
    return ClosBuilder::Build(plan);
}

/** \return the place of the port that leads from a switch to a node */
CongestionPoint::Place
Towards(const FabricGraph& g, const CongestionDomains& domains, uint32_t id, uint32_t peer)
{
    for (const FabricNeighbour& port : g.Neighbours(id))
    {
        if (port.peer == peer)
        {
            return domains.GetPlace(id, port.port);
        }
    }
    FAIL("no link from " << id << " to " << peer);
    return {};
}

/** \return what the domain of that port is called */
std::string
LabelTowards(const FabricGraph& g, const CongestionDomains& domains, uint32_t id, uint32_t peer)
{
    return domains.GetLabel(Towards(g, domains, id, peer).domain);
}

/** \return domains of a switch, by port */
std::vector<uint32_t>
DomainsOf(const FabricGraph& g, const CongestionDomains& domains, uint32_t id)
{
    std::vector<uint32_t> all;
    for (uint32_t port = 0; port < g.PortCount(id); ++port)
    {
        all.push_back(domains.GetPlace(id, port).domain);
    }
    return all;
}

} // namespace

TEST_CASE("congestion domains: two tiers, each policy by hand", "[congestion-domains]")
{
    const FabricGraph g = TwoTiers();
    using List = std::vector<uint32_t>;
    const CongestionDomains port(g, CongestionDomains::PER_PORT);
    CHECK(DomainsOf(g, port, 4) == List{0, 1, 2, 3});
    CHECK(DomainsOf(g, port, 5) == List{4, 5, 6, 7});
    CHECK(DomainsOf(g, port, 6) == List{8, 9});
    CHECK(DomainsOf(g, port, 7) == List{10, 11});
    CHECK(port.GetNumDomains() == 12);
    CHECK(port.GetLabel(6) == "port 2 of leaf 5");

    // first come the host ports of leaf 4 (0), its way to spine 6 (1), to spine 7 (2), leaf 5 (3)
    const CongestionDomains spine(g, CongestionDomains::PER_SPINE);
    CHECK(DomainsOf(g, spine, 4) == List{0, 0, 1, 2});
    CHECK(DomainsOf(g, spine, 5) == List{3, 3, 1, 2});
    CHECK(DomainsOf(g, spine, 6) == List{1, 1});
    CHECK(DomainsOf(g, spine, 7) == List{2, 2});
    CHECK(spine.GetNumDomains() == 4);
    CHECK(spine.GetLabel(0) == "leaf 4");
    CHECK(spine.GetLabel(1) == "spine 6");
    CHECK(spine.GetLabel(2) == "spine 7");
    CHECK(spine.GetLabel(3) == "leaf 5");
    CHECK(spine.GetLabel(4).empty());

    const CongestionDomains pod(g, CongestionDomains::PER_POD);
    CHECK(pod.GetNumPods() == 1);
    CHECK(pod.GetNumDomains() == 1);
    CHECK(DomainsOf(g, pod, 7) == List{0, 0});

    const CongestionDomains perSwitch(g, CongestionDomains::PER_SWITCH);
    CHECK(DomainsOf(g, perSwitch, 4) == List{0, 0, 0, 0});
    CHECK(DomainsOf(g, perSwitch, 5) == List{1, 1, 1, 1});
    CHECK(DomainsOf(g, perSwitch, 6) == List{2, 2});
    CHECK(DomainsOf(g, perSwitch, 7) == List{3, 3});

    const CongestionDomains tier(g, CongestionDomains::PER_TIER);
    CHECK(DomainsOf(g, tier, 5) == List{0, 0, 0, 0});
    CHECK(DomainsOf(g, tier, 6) == List{1, 1});
    CHECK(tier.GetLabel(0) == "tier 1");
    CHECK(tier.GetLabel(1) == "tier 2");
}

TEST_CASE("congestion domains: two tiers, places", "[congestion-domains]")
{
    const FabricGraph g = TwoTiers();
    const CongestionDomains domains(g, CongestionDomains::PER_SPINE);
    for (uint32_t id : {4, 5, 6, 7})
    {
        for (uint32_t port = 0; port < g.PortCount(id); ++port)
        {
            const CongestionPoint::Place& place = domains.GetPlace(id, port);
            CHECK(+place.tier == (id < 6 ? 1 : 2));
            CHECK(+place.stage == 2);
            CHECK(place.last == (id < 6 && port < 2));
        }
    }
    CHECK(domains.GetNumPoints() == 12);
    CHECK(domains.GetFirstPoint(4) == 0);
    CHECK(domains.GetFirstPoint(5) == 4);
    CHECK(domains.GetFirstPoint(6) == 8);
    CHECK(domains.GetFirstPoint(7) == 10);
    // two priorities: two points a port
    CHECK(CongestionDomains(g, CongestionDomains::PER_SPINE, 2).GetFirstPoint(7) == 20);
    CHECK_THROWS_WITH(domains.GetPlace(4, 4), "switch 4 has 4 ports, not port 4");
    CHECK_THROWS_WITH(domains.GetPlace(3, 0), Contains("node 3 is no switch"));
}

TEST_CASE("congestion domains: three tiers by hand", "[congestion-domains]")
{
    const FabricGraph g = ThreeTiers();
    const CongestionDomains spine(g, CongestionDomains::PER_SPINE);
    const uint32_t tiers[] = {1, 1, 2, 2, 2, 2, 3, 3};
    const uint32_t pods[] =
        {0, 1, 0, 0, 1, 1, CongestionDomains::NO_POD, CongestionDomains::NO_POD};
    for (uint32_t id = 2; id <= 9; ++id)
    {
        CHECK(+spine.GetTier(id) == tiers[id - 2]);
        CHECK(spine.GetPod(id) == pods[id - 2]);
    }
    CHECK(spine.GetNumPods() == 2);
    // a link belongs to its upper end, both ways
    CHECK(LabelTowards(g, spine, 2, 0) == "leaf 2");
    CHECK(LabelTowards(g, spine, 2, 4) == "spine 4");
    CHECK(LabelTowards(g, spine, 4, 2) == "spine 4");
    CHECK(LabelTowards(g, spine, 4, 8) == "super-spine 8");
    CHECK(LabelTowards(g, spine, 8, 4) == "super-spine 8");
    CHECK(LabelTowards(g, spine, 8, 6) == "super-spine 8");
    CHECK(LabelTowards(g, spine, 7, 9) == "super-spine 9");
    CHECK(spine.GetNumDomains() == 8); // 2 leaves, 4 spines, 2 super-spines

    CHECK(+Towards(g, spine, 2, 4).stage == 2);
    CHECK(+Towards(g, spine, 4, 2).stage == 2);
    CHECK(+Towards(g, spine, 4, 8).stage == 3);
    CHECK(+Towards(g, spine, 8, 6).stage == 3);
    CHECK(+Towards(g, spine, 4, 8).tier == 2);
    CHECK(+Towards(g, spine, 8, 6).tier == 3);
    CHECK(Towards(g, spine, 2, 0).last);
    CHECK_FALSE(Towards(g, spine, 8, 6).last);

    const CongestionDomains pod(g, CongestionDomains::PER_POD);
    CHECK(LabelTowards(g, pod, 2, 4) == "pod 0");
    CHECK(LabelTowards(g, pod, 4, 8) == "pod 0");
    CHECK(LabelTowards(g, pod, 8, 4) == "pod 0");
    CHECK(LabelTowards(g, pod, 8, 6) == "pod 1");
    CHECK(pod.GetNumDomains() == 2);

    const CongestionDomains tier(g, CongestionDomains::PER_TIER);
    CHECK(LabelTowards(g, tier, 5, 9) == "tier 2");
    CHECK(tier.GetNumDomains() == 3);
}

TEST_CASE("congestion domains: graphs that are no Clos", "[congestion-domains]")
{
    FabricGraph ring; // host i on switch 4 + i, switches in a ring
    for (uint32_t i = 0; i < 4; ++i)
    {
        ring.AddHost(i);
        ring.AddSwitch(4 + i);
        ring.AddLink(i, 4 + i, 100 * G, 1000);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        ring.AddLink(4 + i, 4 + (i + 1) % 4, 100 * G, 1000);
    }
    const CongestionDomains domains(ring, CongestionDomains::PER_SPINE);
    for (uint32_t id = 4; id < 8; ++id)
    {
        CHECK(+domains.GetTier(id) == 1);
        CHECK(domains.GetPod(id) == 0);
        CHECK(DomainsOf(ring, domains, id) == std::vector<uint32_t>(3, id - 4)); // nobody is above
        CHECK(+domains.GetPlace(id, 1).stage == 2);
    }

    FabricGraph chain; // host 0, switches 2 to 6, host 1: tiers 1 2 3 2 1
    chain.AddHost(0);
    chain.AddHost(1);
    for (uint32_t id = 2; id < 7; ++id)
    {
        chain.AddSwitch(id);
        chain.AddLink(id == 2 ? 0 : id - 1, id, 100 * G, 1000);
    }
    chain.AddLink(6, 1, 100 * G, 1000);
    chain.AddSwitch(9);
    chain.AddSwitch(10);
    chain.AddLink(9, 10, 100 * G, 1000); // no way to a host
    const CongestionDomains row(chain, CongestionDomains::PER_SPINE);
    CHECK(+row.GetTier(4) == 3);
    CHECK(row.GetPod(3) == 0);
    CHECK(row.GetPod(4) == CongestionDomains::NO_POD);
    CHECK(row.GetPod(5) == 1);
    CHECK(LabelTowards(chain, row, 3, 4) == "super-spine 4");
    CHECK(+Towards(chain, row, 3, 2).stage == 2);
    CHECK(+Towards(chain, row, 3, 4).stage == 3);
    CHECK(+row.GetTier(9) == 1);

    FabricGraph box; // hosts 0 and 1 share an NvSwitch, and have a leaf
    box.AddHost(0);
    box.AddHost(1);
    box.AddSwitch(2, "", "", NodeKind::NvSwitch);
    box.AddSwitch(3);
    for (uint32_t host : {0, 1})
    {
        box.AddLink(host, 2, 400 * G, 0);
        box.AddLink(host, 3, 100 * G, 1000);
    }
    const CongestionDomains node(box, CongestionDomains::PER_SWITCH);
    CHECK(+node.GetPlace(2, 0).stage == 1);
    CHECK(+node.GetPlace(3, 0).stage == 2);
    CHECK(node.GetPod(2) != node.GetPod(3));
}

TEST_CASE("congestion domains: a rule of the user, names", "[congestion-domains]")
{
    const FabricGraph g = TwoTiers();
    const CongestionDomains own(g, [](const FabricGraph&, uint32_t id, uint32_t port) {
        return static_cast<uint16_t>(port == 0 ? 700 : id);
    });
    CHECK(DomainsOf(g, own, 4) == std::vector<uint32_t>{700, 4, 4, 4});
    CHECK(DomainsOf(g, own, 6) == std::vector<uint32_t>{700, 6});
    CHECK(own.GetNumDomains() == 5); // 700, 4, 5, 6, 7
    CHECK(+own.GetPlace(6, 0).tier == 2);
    CHECK(own.GetFirstPoint(6) == 8);

    CHECK(CongestionDomains::PolicyOf("spine") == CongestionDomains::PER_SPINE);
    CHECK(CongestionDomains::PolicyOf("port") == CongestionDomains::PER_PORT);
    CHECK(CongestionDomains::PolicyOf("tier") == CongestionDomains::PER_TIER);
    CHECK_THROWS_WITH(CongestionDomains::PolicyOf("rack"),
                      Contains("\"rack\"") && Contains("port, spine, pod, switch or tier"));
}

TEST_CASE("congestion domains: 16 bits of ids", "[congestion-domains]")
{
    FabricGraph star;
    star.AddSwitch(0);
    for (uint32_t host = 1; host <= 65536; ++host)
    {
        star.AddHost(host);
        star.AddLink(0, host, 100 * G, 1000);
    }
    const CongestionDomains full(star, CongestionDomains::PER_PORT);
    CHECK(full.GetNumPoints() == 65536);
    CHECK(full.GetPlace(0, 65535).domain == 65535);
    star.AddHost(70000);
    star.AddLink(0, 70000, 100 * G, 1000);
    CHECK_THROWS_WITH(CongestionDomains(star, CongestionDomains::PER_SPINE),
                      Contains("65537 congestion points") && Contains("65536") &&
                          Contains("fewer priorities"));
    CHECK_THROWS_WITH(CongestionDomains(TwoTiers(), CongestionDomains::PER_SPINE, 5462),
                      Contains("65544 congestion points (12 switch ports, 5462 priorities)"));
}
