/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-flow-key.h"

#include <bitset>
#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace ns3::roce;

namespace
{

/** \return the inverse of an odd number modulo 2^64. \param odd the number */
uint64_t
Inverse(uint64_t odd)
{
    uint64_t x = odd; // right in the lowest 3 bits; each step of Newton's doubles them
    for (int i = 0; i < 5; ++i)
    {
        x *= 2 - odd * x;
    }
    return x;
}

/** \return what Mix made y of, from its definition read backwards. \param y the mixed number */
uint64_t
Unmix(uint64_t y)
{
    const auto unshift = [](uint64_t v) { return v ^ (v >> 33); }; // 2 * 33 > 64: own inverse
    y = unshift(y) * Inverse(0xc4ceb9fe1a85ec53ULL);
    y = unshift(y) * Inverse(0xff51afd7ed558ccdULL);
    return unshift(y);
}

/** \return flows by member. \param members of a group \param step changes flow i of 256 */
template <typename F>
std::vector<int>
Spread(unsigned members, F step)
{
    std::vector<int> count(members);
    for (unsigned i = 0; i < 256; ++i)
    {
        FlowKey key;
        key.source = 0x0b000001;
        key.destination = 0x0b000101;
        key.sourcePort = 49152;
        key.destinationPort = 4791;
        step(key, i);
        ++count[(uint64_t(key.Hash()) * members) >> 32];
    }
    return count;
}

} // namespace

TEST_CASE("FlowKey: the mix is a bijection in which each bit counts", "[flow-key]")
{
    CHECK(FlowKey::Mix(0) == 0);
    std::mt19937_64 random(1);
    uint64_t flips = 0;
    const int rounds = 2000;
    for (int i = 0; i < rounds; ++i)
    {
        const uint64_t x = random();
        REQUIRE(Unmix(FlowKey::Mix(x)) == x);
        const uint64_t changed = x ^ (uint64_t(1) << (i % 64));
        flips += std::bitset<64>(FlowKey::Mix(x) ^ FlowKey::Mix(changed)).count();
    }
    // 2000 * 64 fair bits: 64000 +- 179 (one sigma)
    CHECK(flips == Approx(64000).margin(5 * 179));
}

TEST_CASE("FlowKey: equal keys agree, each field counts", "[flow-key]")
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 1000; ++i)
    {
        FlowKey key;
        key.source = static_cast<uint32_t>(random());
        key.destination = static_cast<uint32_t>(random());
        key.sourcePort = static_cast<uint16_t>(random());
        key.destinationPort = static_cast<uint16_t>(random());
        FlowKey same = key;
        CHECK(same.Hash() == key.Hash());
        std::set<uint32_t> hashes = {key.Hash()};
        const unsigned bit = i % 16;
        for (int field = 0; field < 5; ++field)
        {
            FlowKey other = key;
            other.source ^= field == 0 ? 1u << bit : 0;
            other.destination ^= field == 1 ? 1u << bit : 0;
            other.sourcePort ^= field == 2 ? 1u << bit : 0;
            other.destinationPort ^= field == 3 ? 1u << bit : 0;
            other.protocol ^= field == 4 ? 1u << (bit % 8) : 0;
            hashes.insert(other.Hash());
        }
        // 15 pairs of 32 bits: a chance of 3.5e-6 in all 1000 rounds that two are alike
        REQUIRE(hashes.size() == 6);
    }
    FlowKey forth;
    forth.source = 1;
    forth.destination = 2;
    FlowKey back;
    back.source = 2;
    back.destination = 1;
    CHECK(forth.Hash() != back.Hash());
}

TEST_CASE("FlowKey: flows that count up spread evenly", "[flow-key]")
{
    // 256 flows over 4 members: 64 +- 6.9 (one sigma); 4 sigma are 28
    const auto byPort = Spread(4, [](FlowKey& key, unsigned i) { key.sourcePort += i; });
    const auto byHost = Spread(4, [](FlowKey& key, unsigned i) { key.destination += i; });
    const auto byLeaf = Spread(4, [](FlowKey& key, unsigned i) { key.destination += 256 * i; });
    const auto bySource = Spread(4, [](FlowKey& key, unsigned i) { key.source += i; });
    for (const auto& counts : {byPort, byHost, byLeaf, bySource})
    {
        for (int count : counts)
        {
            CHECK(count >= 64 - 28);
            CHECK(count <= 64 + 28);
        }
    }
}
