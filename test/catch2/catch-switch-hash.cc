/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-balancer-test.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/roce-ecmp-load-balancer.h"
#include "ns3/roce-hpcc-hash.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint16_t FOUR[] = {9, 2, 7, 4};

/** \return a balancer. \param id of the switch \param hash function \param fields names */
Ptr<EcmpLoadBalancer>
MakeEcmp(uint32_t id, const std::string& hash, const std::string& fields = "five-tuple")
{
    auto ecmp = CreateObject<EcmpLoadBalancer>();
    ecmp->SetAttribute("Hash", StringValue(hash));
    ecmp->SetAttribute("Fields", StringValue(fields));
    ecmp->Assemble(id, {});
    return ecmp;
}

} // namespace

TEST_CASE("switch hash: check values of the CRC catalogues", "[load-balancer]")
{
    // the nine digits are the usual check input: CRC-32 of IEEE 802.3, CRC-16 with start value
    // 0xffff, and with 0 (seed 0xffff turns the start value into 0)
    const uint8_t digits[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
    CHECK(SwitchHash::Crc32(digits, 9, 0) == 0xcbf43926u);
    CHECK(SwitchHash::Crc16(digits, 9, 0) == 0x29b1);
    CHECK(SwitchHash::Crc16(digits, 9, 0xffff) == 0x31c3);
    // 0x3132 ^ 0x3334 ^ 0x3536 ^ 0x3738 = 0x0008
    CHECK(SwitchHash::Xor16(digits, 8, 0) == 0x0008);
    CHECK(SwitchHash::Xor16(digits, 8, 0x1234) == 0x123c);
}

TEST_CASE("switch hash: names of fields", "[load-balancer]")
{
    CHECK(SwitchHash::ParseFields("five-tuple") == HASH_FIVE_TUPLE);
    CHECK(SwitchHash::ParseFields("destination-qp+five-tuple") ==
          (HASH_FIVE_TUPLE | HASH_DESTINATION_QP));
    CHECK(SwitchHash::FieldNames(7) == "five-tuple+destination-qp+ingress-port");
    for (const char* bad : {"", "+", "five-tuple+", "five", "five-tuple,destination-qp"})
    {
        CHECK_THROWS_AS(SwitchHash::ParseFields(bad), std::invalid_argument);
    }
}

TEST_CASE("ECMP: even shares by each function and field", "[load-balancer]")
{
    // 256 flows over 4 members: 64 +- 28 (4 sigma, sigma = sqrt(256 x 1/4 x 3/4) = 6.9)
    for (const char* hash : {"murmur3", "crc32", "crc16-ccitt", "xor"})
    {
        for (int field = 0; field < 3; ++field)
        {
            auto ecmp = MakeEcmp(5, hash, "five-tuple+destination-qp+ingress-port");
            std::map<uint32_t, int> shares;
            for (uint32_t i = 0; i < 256; ++i)
            {
                Frame frame = FlowFrame(field == 0 ? i : 0, field == 1 ? i : 0);
                frame.inPort = field == 2 ? i : 0;
                ++shares[ecmp->Pick(&frame, FOUR, 4, 0)];
            }
            CAPTURE(hash, field);
            for (uint16_t member : FOUR)
            {
                CHECK(std::abs(shares[member] - 64) <= 28);
            }
        }
    }
}

TEST_CASE("ECMP: what is no field does not matter", "[load-balancer]")
{
    for (const char* hash : {"murmur3", "crc32", "crc16-ccitt", "xor"})
    {
        auto plain = MakeEcmp(5, hash);
        auto extended = MakeEcmp(5, hash, "five-tuple+destination-qp");
        std::set<uint32_t> plainPorts;
        std::set<uint32_t> extendedPorts;
        for (uint32_t qp = 0; qp < 64; ++qp)
        {
            Frame frame = FlowFrame(0, qp);
            plainPorts.insert(plain->Pick(&frame, FOUR, 4, 0));
            const uint32_t first = extended->Pick(&frame, FOUR, 4, 0);
            extendedPorts.insert(first);
            frame.inPort = 3; // A19: the ingress port must not matter
            frame.psn = 77;
            CHECK(extended->Pick(&frame, FOUR, 4, 99) == first);
        }
        CHECK(plainPorts.size() == 1); // one 5-tuple, one member
        CHECK(extendedPorts.size() == 4);
    }
}

TEST_CASE("ECMP: the default is unchanged by the choice of fields", "[load-balancer]")
{
    auto named = MakeEcmp(12, "murmur3");
    auto plain = CreateObject<EcmpLoadBalancer>();
    plain->Assemble(12, {});
    const auto seed = static_cast<uint32_t>(FlowKey::Mix(12 + 1));
    for (uint32_t i = 0; i < 64; ++i)
    {
        const Frame frame = FlowFrame(i);
        // RFC 2992 hash-threshold: the hash scaled to the number of members
        const uint64_t hash = SwitchHash::Mix32(frame.hash ^ seed);
        CHECK(plain->Pick(&frame, FOUR, 4, 0) == FOUR[hash * 4 >> 32]);
        CHECK(named->Pick(&frame, FOUR, 4, 0) == FOUR[hash * 4 >> 32]);
    }
}

TEST_CASE("ECMP: linear hashes and equal seeds polarize the second tier", "[load-balancer]")
{
    // flows that switch 10 sends to its first member: how many members they use at switch 11
    auto used = [](Ptr<LoadBalancer> first, Ptr<LoadBalancer> second) {
        std::set<uint32_t> ports;
        for (uint32_t i = 0; i < 1024; ++i)
        {
            const Frame frame = FlowFrame(i);
            if (first->Pick(&frame, FOUR, 4, 0) == FOUR[0])
            {
                ports.insert(second->Pick(&frame, FOUR, 4, 0));
            }
        }
        return ports.size();
    };
    CHECK(used(MakeEcmp(10, "murmur3"), MakeEcmp(11, "murmur3")) == 4);
    // a seed adds a constant to a linear hash, which renames the members
    for (const char* hash : {"crc32", "crc16-ccitt", "xor"})
    {
        CHECK(used(MakeEcmp(10, hash), MakeEcmp(11, hash)) == 1);
    }
    auto first = CreateObject<EcmpLoadBalancer>();
    first->SetAttribute("OwnSeed", BooleanValue(false));
    first->Assemble(10, {});
    auto second = CreateObject<EcmpLoadBalancer>();
    second->SetAttribute("OwnSeed", BooleanValue(false));
    second->Assemble(11, {});
    CHECK(used(first, second) == 1);
}

TEST_CASE("ECMP: weights follow the rates of the links", "[load-balancer]")
{
    StillPorts ports({40000000000, 40000000000, 40000000000, 10000000000});
    auto ecmp = CreateObject<EcmpLoadBalancer>();
    ecmp->SetAttribute("Weights", StringValue("rate"));
    ecmp->Assemble(5, ports.pointers);
    const uint16_t members[] = {0, 1, 2, 3};
    std::map<uint32_t, int> shares;
    for (uint32_t i = 0; i < 4096; ++i)
    {
        const Frame frame = FlowFrame(i);
        ++shares[ecmp->Pick(&frame, members, 4, 0)];
    }
    // weights 4, 4, 4, 1 of 13: 4096 x 4/13 = 1260 +- 4 x 29.5, 4096 / 13 = 315 +- 4 x 17.1
    for (uint32_t port = 0; port < 3; ++port)
    {
        CHECK(std::abs(shares[port] - 1260) <= 118);
    }
    CHECK(std::abs(shares[3] - 315) <= 68);
}

TEST_CASE("ECMP: collisions of n flows on n paths", "[load-balancer]")
{
    struct Row
    {
        uint32_t n;
        double used;    //!< 1 - (1 - 1/n)^n
        double max;     //!< expected largest number of flows on a path
        double slowest; //!< expected 1 / that
    };

    // n balls in n bins: the first column is exact; the others come from the distribution of the
    // fullest bin (n = 4: 24 of 256 throws give 1, 180 give 2, 48 give 3, 4 give 4: the means of it
    // and of 1 / it are 544/256 and 131/256; larger n by P(max <= m) = n! [x^n] (sum of x^k/k!,
    // k <= m)^n / n^n
    const Row rows[] = {{4, 0.6836, 2.125, 0.5117},
                        {8, 0.6564, 2.597, 0.4100},
                        {16, 0.6439, 3.078, 0.3445},
                        {64, 0.6350, 3.958, 0.2620}};
    for (const Row& row : rows)
    {
        std::vector<uint16_t> members;
        for (uint32_t i = 0; i < row.n; ++i)
        {
            members.push_back(static_cast<uint16_t>(i));
        }
        double used = 0;
        double max = 0;
        double slowest = 0;
        constexpr uint32_t seeds = 20;
        constexpr uint32_t draws = 400;
        for (uint32_t seed = 0; seed < seeds; ++seed)
        {
            auto ecmp = CreateObject<EcmpLoadBalancer>();
            ecmp->SetAttribute("Seed", UintegerValue(seed));
            ecmp->Assemble(3, {});
            for (uint32_t draw = 0; draw < draws; ++draw)
            {
                std::vector<uint32_t> loads(row.n);
                for (uint32_t i = 0; i < row.n; ++i)
                {
                    Frame frame = FlowFrame(0);
                    frame.hash =
                        FlowKey{0x0b000001 + (draw << 8), 0x0b200001 + (i << 8), 50000, 4791}
                            .Hash();
                    ++loads[ecmp->Pick(&frame, members.data(), row.n, 0)];
                }
                const uint32_t most = *std::max_element(loads.begin(), loads.end());
                used += 1 - std::count(loads.begin(), loads.end(), 0u) / double(row.n);
                max += most;
                slowest += 1.0 / most;
            }
        }
        constexpr double runs = seeds * draws;
        CAPTURE(row.n);
        CHECK(used / runs == Approx(row.used).epsilon(0.03));
        CHECK(max / runs == Approx(row.max).epsilon(0.03));
        CHECK(slowest / runs == Approx(row.slowest).epsilon(0.03));
    }
}
