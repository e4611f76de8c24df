/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-hpcc-load-balancer.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{
/** \return a frame of a flow. \param key the flow */
Frame
MakeFrame(const FlowKey& key)
{
    Frame frame{};
    frame.source = key.source;
    frame.destination = key.destination;
    frame.sourcePort = key.sourcePort;
    frame.destinationPort = key.destinationPort;
    frame.hash = key.Hash();
    return frame;
}

/** \return flow number i from 11.0.0.1 to 11.0.34.1. \param i added to the source port */
FlowKey
MakeKey(uint32_t i)
{
    return FlowKey{0x0b000001, 0x0b002201, static_cast<uint16_t>(49152 + i), 4791};
}

/** \return a balancer of a switch */
template <typename T>
Ptr<T>
MakeBalancer(uint32_t id)
{
    auto balancer = CreateObject<T>();
    balancer->Assemble(id, {});
    return balancer;
}
} // namespace

TEST_CASE("ECMP: even shares of flows that differ in one field by one", "[load-balancer]")
{
    // case A19: 256 flows over 4 members, 64 +- 28 each (4 sigma, sigma = sqrt(256/4*3/4) = 6.9)
    const uint16_t members[] = {9, 2, 7, 4};
    for (uint32_t id : {0u, 1u, 2u, 128u, 4095u, 25000u})
    {
        auto ecmp = MakeBalancer<EcmpLoadBalancer>(id);
        for (int field = 0; field < 4; ++field)
        {
            std::map<uint32_t, int> shares;
            for (uint32_t i = 0; i < 256; ++i)
            {
                FlowKey key = MakeKey(field == 0 ? i : 0);
                key.destination += field == 1 ? i : (field == 2 ? 256 * i : 0);
                key.source += field == 3 ? i : 0;
                const Frame frame = MakeFrame(key);
                ++shares[ecmp->Pick(&frame, members, 4, 0)];
            }
            CHECK(shares.size() == 4);
            for (uint16_t member : members)
            {
                CHECK(shares[member] >= 36);
                CHECK(shares[member] <= 92);
            }
        }
    }
}

TEST_CASE("ECMP: the choice depends on flow and switch only", "[load-balancer]")
{
    const uint16_t members[] = {0, 1, 2, 3};
    auto ecmp = MakeBalancer<EcmpLoadBalancer>(5);
    auto again = MakeBalancer<EcmpLoadBalancer>(5);
    auto other = MakeBalancer<EcmpLoadBalancer>(6);
    auto seeded = CreateObject<EcmpLoadBalancer>();
    seeded->SetAttribute("Seed", UintegerValue(1));
    seeded->Assemble(5, {});
    int differs = 0;
    int differsSeeded = 0;
    for (uint32_t i = 0; i < 256; ++i)
    {
        Frame frame = MakeFrame(MakeKey(i));
        const uint32_t first = ecmp->Pick(&frame, members, 4, 0);
        for (uint16_t port : {1, 2, 3})
        {
            frame.inPort = port;
            frame.psn = port * 1000;
            REQUIRE(ecmp->Pick(&frame, members, 4, port) == first);
        }
        REQUIRE(again->Pick(&frame, members, 4, 99) == first);
        differs += other->Pick(&frame, members, 4, 0) != first;
        differsSeeded += seeded->Pick(&frame, members, 4, 0) != first;
    }
    // independent choices differ in 3 of 4: 192, sigma 6.9
    CHECK(std::abs(differs - 192) <= 28);
    CHECK(std::abs(differsSeeded - 192) <= 28);
}

TEST_CASE("ECMP: a removed member gets nothing, the rest stay legal", "[load-balancer]")
{
    auto ecmp = MakeBalancer<EcmpLoadBalancer>(5);
    const uint16_t live[] = {0, 1, 3};
    std::map<uint32_t, int> shares;
    for (uint32_t i = 0; i < 256; ++i)
    {
        const Frame frame = MakeFrame(MakeKey(i));
        ++shares[ecmp->Pick(&frame, live, 3, 0)];
    }
    CHECK(shares.count(2) == 0);
    for (uint16_t member : live)
    {
        CHECK(std::abs(shares[member] - 256.0 / 3) <= 30.2); // 4 * sqrt(256 * 1/3 * 2/3)
    }
}

TEST_CASE("ECMP: switches in a row choose independently", "[load-balancer]")
{
    // of 8192 flows those that switch 10 sends to member 0 split evenly at switch 11
    auto first = MakeBalancer<EcmpLoadBalancer>(10);
    auto second = MakeBalancer<EcmpLoadBalancer>(11);
    const uint16_t members[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int counts[8][8] = {};
    for (uint32_t i = 0; i < 8192; ++i)
    {
        const Frame frame = MakeFrame(MakeKey(i));
        ++counts[first->Pick(&frame, members, 8, 0)][second->Pick(&frame, members, 8, 0)];
    }
    // chi-square of 64 cells with 128 expected: 63 degrees of freedom, sigma sqrt(126) = 11.2
    double chi = 0;
    for (auto& row : counts)
    {
        for (int count : row)
        {
            chi += (count - 128.0) * (count - 128.0) / 128.0;
        }
    }
    CHECK(chi < 63 + 4 * 11.3);
}

TEST_CASE("load balancer: one member needs no choice", "[load-balancer]")
{
    auto ecmp = MakeBalancer<EcmpLoadBalancer>(1);
    const uint16_t members[] = {77};
    const Frame frame = MakeFrame(MakeKey(0));
    CHECK(ecmp->Pick(&frame, members, 1, 0) == 77);
    CHECK(ecmp->AssignStreams(5) == 0);
}

TEST_CASE("HPCC balancer: choices that the artifact printed", "[load-balancer]")
{
    // {switch, source, destination, source port, destination port, members, choice}: logged next
    // hops of the artifact's fat trees k = 8 (switches 128..) and k = 16 (1024..), flow 0->34 and
    // others, 10000 = 0x2710 and 100 = 0x64
    struct Row
    {
        uint32_t id, source, destination;
        uint16_t sourcePort, destinationPort;
        uint32_t count, choice;
    };

    const Row rows[] = {
        {128, 0x0b000001, 0x0b002201, 10000, 100, 4, 0},
        {163, 0x0b000001, 0x0b002201, 10000, 100, 4, 3},
        {136, 0x0b002201, 0x0b000001, 100, 10000, 4, 3}, // its ACK
        {168, 0x0b002201, 0x0b000001, 100, 10000, 4, 3},
        {128, 0x0b000101, 0x0b002b01, 10000, 100, 4, 0},
        {128, 0x0b000201, 0x0b002a01, 10000, 100, 4, 1},
        {128, 0x0b000301, 0x0b003601, 10000, 100, 4, 2},
        {1024, 0x0b000001, 0x0b030101, 10000, 100, 8, 0},
        {1159, 0x0b000001, 0x0b030101, 10000, 100, 8, 1},
        {1120, 0x0b030101, 0x0b000001, 100, 10000, 8, 2}, // its ACK
        {1253, 0x0b030101, 0x0b000001, 100, 10000, 8, 5},
    };
    const uint16_t members[] = {10, 11, 12, 13, 14, 15, 16, 17};
    for (const Row& row : rows)
    {
        auto hpcc = MakeBalancer<HpccLoadBalancer>(row.id);
        const Frame frame =
            MakeFrame({row.source, row.destination, row.sourcePort, row.destinationPort});
        CHECK(hpcc->Pick(&frame, members, row.count, 0) == 10 + row.choice);
    }
}
