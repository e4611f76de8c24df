/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-forwarding-table.h"

#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

using namespace ns3::roce;

namespace
{
/** \return address of host i: 11.0.0.1 + 256 i. \param i index */
uint32_t
Host(uint32_t i)
{
    return 0x0b000001 + 256 * i;
}

/** \return output ports for an address */
std::vector<uint32_t>
Ports(const ForwardingTable& table, uint32_t address)
{
    uint32_t count = 99;
    const uint16_t* members = table.Lookup(address, count);
    return std::vector<uint32_t>(members, members + count);
}

/** Three leaves: 0 with host 0 at port 5, 1 with host 1 and, after a gap, 70000; 2 with host 3. */
std::shared_ptr<LocatorTable>
MakeLocators()
{
    auto locators = std::make_shared<LocatorTable>();
    locators->Set(Host(0), 0, 5);
    locators->Set(Host(1), 1, 3);
    locators->Set(Host(3), 2, 0);
    locators->Set(Host(70000), 1, 65535);
    return locators;
}

using List = std::vector<uint32_t>;
} // namespace

TEST_CASE("locator table: what was set is found, nothing else", "[forwarding-table]")
{
    auto locators = MakeLocators();
    REQUIRE(locators->Find(Host(3)));
    CHECK(locators->Find(Host(3))->leaf == 2);
    CHECK(locators->Find(Host(70000))->port == 65535);
    CHECK(locators->GetSize() == 70001);
    REQUIRE(locators->Find(Host(2)));
    CHECK(locators->Find(Host(2))->leaf == LocatorTable::NO_LEAF);
    CHECK(locators->Find(Host(70001)) == nullptr);
    // not of the form: 11.0.0.2, 11.0.0.0, 10.0.0.1, 0.0.0.0, broadcast
    for (uint32_t address : {0x0b000002u, 0x0b000000u, 0x0a000001u, 0u, 0xffffffffu})
    {
        CHECK(locators->Find(address) == nullptr);
        CHECK_THROWS_AS(locators->Set(address, 0, 0), std::invalid_argument);
    }
    CHECK_THROWS_WITH(locators->Set(Host(0), 4, 65536), Catch::Contains("65536"));
    CHECK_THROWS_WITH(locators->Set(0x0b000003, 0, 0), Catch::Contains("0xb000003"));
}

TEST_CASE("forwarding table: groups by leaf, own hosts by port", "[forwarding-table]")
{
    ForwardingTable table;
    CHECK(Ports(table, Host(0)).empty()); // before anything is set
    table.SetLocators(MakeLocators());
    table.SetOwnLeaf(0);
    table.SetGroups({{0, 0}, {0, 4}, {2, 1}}, {6, 7, 8, 9}, 10);
    CHECK(table.GetOwnLeaf() == 0);
    CHECK(Ports(table, Host(0)) == List{5});
    CHECK(Ports(table, Host(1)) == List{6, 7, 8, 9});
    CHECK(Ports(table, Host(70000)) == List{6, 7, 8, 9});
    CHECK(Ports(table, Host(3)) == List{8});
    CHECK(Ports(table, Host(2)).empty());     // a hole
    CHECK(Ports(table, Host(70001)).empty()); // past the end
    CHECK(Ports(table, 0x0a000001).empty());

    SECTION("links change: all groups are replaced")
    {
        table.SetGroups({{0, 0}, {0, 3}, {0, 0}}, {6, 7, 9}, 10);
        CHECK(Ports(table, Host(1)) == List{6, 7, 9});
        CHECK(Ports(table, Host(3)).empty()); // no route any more
        CHECK(Ports(table, Host(0)) == List{5});
    }
    SECTION("a spine has no leaf of its own")
    {
        ForwardingTable spine;
        spine.SetLocators(MakeLocators());
        spine.SetGroups({{0, 1}, {1, 2}, {0, 0}}, {1, 2, 3}, 4);
        CHECK(Ports(spine, Host(0)) == List{1});
        CHECK(Ports(spine, Host(1)) == List{2, 3});
        CHECK(Ports(spine, Host(2)).empty());
    }
    SECTION("leaves beyond the groups have no route")
    {
        table.SetGroups({{0, 1}}, {6}, 10);
        CHECK(Ports(table, Host(1)).empty());
    }
    SECTION("wrong tables are refused and change nothing")
    {
        CHECK_THROWS_WITH(table.SetGroups({{0, 1}}, {10}, 10),
                          Catch::Contains("port 10") && Catch::Contains("has 10"));
        CHECK_THROWS_WITH(table.SetGroups({{0, 1}, {1, 2}}, {1, 2}, 10),
                          Catch::Contains("leaf 1") && Catch::Contains("has 2"));
        CHECK_THROWS_AS(table.SetGroups({{0xffffffff, 1}}, {1, 2}, 10), std::invalid_argument);
        CHECK_THROWS_AS(table.SetGroups({{0, 4096}}, List(5000, 1), 10), std::invalid_argument);
        CHECK(Ports(table, Host(1)) == List{6, 7, 8, 9});
    }
}

TEST_CASE("forwarding table: large groups and offsets", "[forwarding-table]")
{
    ForwardingTable table;
    auto locators = std::make_shared<LocatorTable>();
    locators->Set(Host(0), 0, 0);
    locators->Set(Host(1), 1, 0);
    table.SetLocators(locators);
    List members(ForwardingTable::MAX_MEMBERS, 3);
    members.back() = 40000;
    table.SetGroups(
        {{ForwardingTable::MAX_MEMBERS - 4095, 4095}, {ForwardingTable::MAX_MEMBERS, 0}},
        members,
        65536);
    CHECK(Ports(table, Host(0)).size() == 4095);
    CHECK(Ports(table, Host(0)).back() == 40000);
    CHECK(Ports(table, Host(1)).empty());
    members.push_back(1);
    CHECK_THROWS_AS(table.SetGroups({}, members, 65536), std::invalid_argument);
}
