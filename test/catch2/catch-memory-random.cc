/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-protection-domain.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint64_t TOP = ~uint64_t(0); // the last address, 2^64 - 1

/** What a map from address to byte says of a region. */
struct NaiveRegion
{
    Ptr<MemoryRegion> region;
    std::map<uint64_t, uint8_t> bytes;
    uint8_t access{0};
    bool valid{true};

    /** \return whether each byte exists. \param address of the first \param length in bytes */
    bool Has(uint64_t address, uint64_t length) const
    {
        for (uint64_t i = 0; i < length; ++i)
        {
            const uint64_t place = address + i;
            if (place < address || !bytes.count(place))
            {
                return false; // soon: no region is long
            }
        }
        return true;
    }
};

/** A domain beside its naive model, driven by random numbers. */
struct Twin
{
    Twin()
    {
        domain->SetAttribute("FirstKey", UintegerValue(1));
    }

    Ptr<ProtectionDomain> domain = CreateObject<ProtectionDomain>();
    std::map<uint32_t, NaiveRegion> naive;
    std::mt19937_64 random{20240607};
    uint64_t allowed{0};
    uint64_t refused{0};

    /** \return 0 to n - 1. \param n above 0 */
    uint64_t Below(uint64_t n)
    {
        return random() % n;
    }

    /** \return an address near 0, 1000 or the top, so that accesses often meet regions */
    uint64_t Address()
    {
        const std::array<uint64_t, 3> bases = {0, 1000, TOP - 79};
        return bases[Below(3)] + Below(80);
    }

    /** \return a length, mostly short, seldom near 2^64 */
    uint64_t Length()
    {
        return Below(20) == 0 ? TOP - Below(200) : Below(Below(2) ? 12 : 70);
    }

    /** Register at random, with rights that may be refused. */
    void Register()
    {
        const uint64_t address = Address();
        const uint64_t length = Below(64);
        const uint8_t access = uint8_t(Below(16));
        const uint32_t key = Below(2) ? uint32_t(Below(12)) : 0; // 0: the domain chooses
        const bool fits = length == 0 || address + (length - 1) >= address;
        const bool right = !(access & 10) || access & 1;
        const bool free = key == 0 || !naive.count(key);
        const auto make = [&]() {
            return key ? domain->RegisterWithKey(address, length, access, key)
                       : domain->Register(address, length, access);
        };
        if (!fits || !right || !free)
        {
            REQUIRE_THROWS_AS(make(), std::invalid_argument);
            ++refused;
            return;
        }
        NaiveRegion made;
        made.region = make();
        made.access = access;
        for (uint64_t i = 0; i < length; ++i)
        {
            made.bytes[address + i] = 0;
        }
        REQUIRE(naive.emplace(made.region->GetLocalKey(), made).second);
    }

    /** Deregister or invalidate a random key. */
    void Remove()
    {
        const uint32_t key = uint32_t(Below(16));
        const auto found = naive.find(key);
        const bool valid = found != naive.end() && found->second.valid;
        if (Below(2))
        {
            REQUIRE(domain->Invalidate(key) == valid);
            if (valid)
            {
                found->second.valid = false;
            }
        }
        else if (found != naive.end())
        {
            domain->Deregister(found->second.region);
            naive.erase(found);
        }
    }

    /** Check, then write or read at random. */
    void Access()
    {
        const uint32_t key = uint32_t(Below(16));
        const uint64_t address = Address();
        const uint64_t length = Length();
        const uint8_t wanted = uint8_t(Below(16));
        const auto found = naive.find(key);
        NaiveRegion* region =
            found != naive.end() && found->second.valid ? &found->second : nullptr;
        const bool there = length == 0 || (region && region->Has(address, length));
        const unsigned access = region ? region->access : 0;
        REQUIRE(domain->CheckRemote(key, address, length, wanted) ==
                (length == 0 || (there && (wanted & ~access) == 0)));
        REQUIRE(domain->CheckLocal(key, address, length, false) == there);
        REQUIRE(domain->CheckLocal(key, address, length, true) ==
                (length == 0 || (there && access & 1)));
        std::vector<uint8_t> bytes(std::min<uint64_t>(length, 128));
        std::generate(bytes.begin(), bytes.end(), [this]() { return uint8_t(Below(256)); });
        ++(there ? allowed : refused);
        if (!there)
        {
            REQUIRE_THROWS_AS(domain->Write(key, address, bytes.data(), length), std::out_of_range);
            REQUIRE_THROWS_AS(domain->Read(key, address, bytes.data(), length), std::out_of_range);
        }
        else if (Below(2))
        {
            domain->Write(key, address, bytes.data(), length);
            for (uint64_t i = 0; i < length; ++i)
            {
                region->bytes[address + i] = bytes[i];
            }
        }
        else
        {
            domain->Read(key, address, bytes.data(), length);
            for (uint64_t i = 0; i < length; ++i)
            {
                REQUIRE(bytes[i] == region->bytes[address + i]);
            }
        }
    }

    /** Compare all bytes of all regions. */
    void Compare() const
    {
        REQUIRE(domain->GetRegions() == naive.size());
        for (const auto& [key, one] : naive)
        {
            REQUIRE(one.region->IsValid() == one.valid);
            REQUIRE(one.region->GetLength() == one.bytes.size());
            const uint8_t* data = one.region->GetData();
            for (const auto& [address, byte] : one.bytes)
            {
                REQUIRE(data[address - one.region->GetAddress()] == byte);
            }
        }
    }
};

} // namespace

TEST_CASE("ProtectionDomain: random use agrees with a map from address to byte", "[memory]")
{
    Twin twin;
    for (int step = 0; step < 40000; ++step)
    {
        const uint64_t dice = twin.Below(20);
        if (dice == 0 && twin.naive.size() < 14)
        {
            twin.Register();
        }
        else if (dice == 1)
        {
            twin.Remove();
        }
        else
        {
            twin.Access();
        }
        if (step % 50 == 0)
        {
            twin.Compare();
        }
    }
    twin.Compare();
    // both outcomes are met often, or the test says nothing
    CHECK(twin.allowed > 1000);
    CHECK(twin.refused > 1000);
}
