/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/roce-protection-domain.h"
#include "ns3/uinteger.h"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

using namespace ns3;
using namespace ns3::roce;
using Catch::Matchers::Contains;

namespace
{

constexpr uint64_t TOP = ~uint64_t(0); // the last address, 2^64 - 1
constexpr uint8_t ALL = 15;            // the sum of the rights 1, 2, 4 and 8

/** \return a domain. \param first its FirstKey */
Ptr<ProtectionDomain>
MakeDomain(uint32_t first = 0x1100)
{
    Ptr<ProtectionDomain> domain = CreateObject<ProtectionDomain>();
    domain->SetAttribute("FirstKey", UintegerValue(first));
    return domain;
}

/** \return the bytes of a region. \param region it */
std::vector<uint8_t>
Bytes(const Ptr<MemoryRegion>& region)
{
    const uint8_t* data = region->GetData();
    return std::vector<uint8_t>(data, data + region->GetLength());
}

} // namespace

TEST_CASE("MemoryRegion: remote write and remote atomic need local write", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    unsigned taken = 0;
    for (unsigned access = 0; access < 256; ++access)
    {
        CAPTURE(access);
        const bool remote = access & 2 || access & 8;
        const bool right = access < 16 && (!remote || access & 1);
        if (right)
        {
            CHECK(domain->Register(0, 4, uint8_t(access))->GetAccess() == access);
            ++taken;
        }
        else
        {
            CHECK_THROWS_AS(domain->Register(0, 4, uint8_t(access)), std::invalid_argument);
        }
    }
    // 8 sets with local write; without it only none and remote read
    CHECK(taken == 10);
    CHECK(domain->GetRegions() == 10);
    CHECK_THROWS_WITH(domain->Register(0, 4, 16), Contains("access 16") && Contains("up to 15"));
    CHECK_THROWS_WITH(domain->Register(0, 4, ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ),
                      Contains("access 6") && Contains("remote write without local write"));
    CHECK_THROWS_WITH(domain->Register(0, 4, ACCESS_REMOTE_ATOMIC),
                      Contains("remote atomic without local write"));
}

TEST_CASE("MemoryRegion: the last byte may be the last of the address space", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    // address + length may be 2^64, not more
    CHECK(domain->Register(TOP, 1, 0)->GetAddress() == TOP);
    CHECK(domain->Register(TOP, 0, 0)->GetLength() == 0);
    CHECK(domain->Register(0, TOP, 0, false)->GetLength() == TOP);
    CHECK(domain->Register(1, TOP, 0, false)->GetAddress() == 1);
    CHECK_THROWS_AS(domain->Register(TOP, 2, 0), std::invalid_argument);
    CHECK_THROWS_AS(domain->Register(2, TOP, 0, false), std::invalid_argument);
    CHECK_THROWS_AS(domain->Register(TOP, TOP, 0, false), std::invalid_argument);
    CHECK_THROWS_WITH(domain->Register(TOP - 9, 11, 0),
                      Contains("11 bytes") && Contains("18446744073709551606"));
    CHECK(domain->GetRegions() == 4);
    // more bytes than any machine has
    CHECK_THROWS_AS(domain->Register(0, uint64_t(1) << 63, 0), std::length_error);
    CHECK_THROWS_WITH(domain->Register(0, uint64_t(1) << 63, 0), Contains("backed = false"));
    CHECK(domain->GetRegions() == 4);
}

TEST_CASE("ProtectionDomain: keys count up, stale ones do not come back", "[memory]")
{
    Ptr<ProtectionDomain> domain = CreateObject<ProtectionDomain>();
    CHECK(domain->Register(0, 1, 0)->GetLocalKey() == 0x1100);
    Ptr<MemoryRegion> second = domain->Register(0, 1, 0);
    CHECK(second->GetLocalKey() == 0x1101);
    CHECK(second->GetRemoteKey() == 0x1101);
    domain->Deregister(second);
    CHECK(domain->Register(0, 1, 0)->GetLocalKey() == 0x1102);
    domain->RegisterWithKey(0, 1, 0, 0x1103);
    domain->RegisterWithKey(0, 1, 0, 0x1104);
    CHECK(domain->Register(0, 1, 0)->GetLocalKey() == 0x1105);
    // a region that was refused takes no key
    CHECK_THROWS(domain->Register(0, 1, 16));
    CHECK(domain->Register(0, 1, 0)->GetLocalKey() == 0x1106);

    Ptr<ProtectionDomain> other = MakeDomain(0xfffffffe);
    other->RegisterWithKey(0, 1, 0, 1);
    CHECK(other->Register(0, 1, 0)->GetLocalKey() == 0xfffffffe);
    CHECK(other->Register(0, 1, 0)->GetLocalKey() == 0xffffffff);
    CHECK(other->Register(0, 1, 0)->GetLocalKey() == 2); // not 0, and 1 is in use
    UintegerValue first;
    other->GetAttribute("FirstKey", first);
    CHECK(first.Get() == 0xfffffffe);
    CHECK_FALSE(other->SetAttributeFailSafe("FirstKey", UintegerValue(0)));
}

TEST_CASE("ProtectionDomain: keys of one's own must be free and not 0", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    Ptr<MemoryRegion> region = domain->RegisterWithKey(0, 4, 0, 7);
    CHECK(region->GetRemoteKey() == 7);
    CHECK_THROWS_AS(domain->RegisterWithKey(0, 4, 0, 0), std::invalid_argument);
    CHECK_THROWS_AS(domain->RegisterWithKey(0, 4, 0, 7), std::invalid_argument);
    CHECK_THROWS_WITH(domain->RegisterWithKey(0, 4, 0, 7), Contains("key 7 is in use"));
    CHECK_THROWS_AS(domain->RegisterWithKey(0, 4, ACCESS_REMOTE_WRITE, 8), std::invalid_argument);
    CHECK(domain->GetRegions() == 1);
    // an invalid region keeps its key until it is deregistered
    CHECK(domain->Invalidate(7));
    CHECK_THROWS_AS(domain->RegisterWithKey(0, 4, 0, 7), std::invalid_argument);
    domain->Deregister(region);
    CHECK(domain->RegisterWithKey(0, 4, 0, 7)->IsValid());
}

TEST_CASE("ProtectionDomain: the other side needs every right it asks for", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    for (uint8_t access = 0; access < 16; ++access)
    {
        if (access & (ACCESS_REMOTE_WRITE | ACCESS_REMOTE_ATOMIC) && !(access & ACCESS_LOCAL_WRITE))
        {
            continue;
        }
        const uint32_t key = domain->Register(64, 8, access)->GetRemoteKey();
        for (uint8_t wanted = 0; wanted < 16; ++wanted)
        {
            CAPTURE(int(access), int(wanted));
            CHECK(domain->CheckRemote(key, 64, 8, wanted) == ((wanted & ~access) == 0));
        }
        CHECK(domain->CheckLocal(key, 64, 8, false)); // reading here needs no right
        CHECK(domain->CheckLocal(key, 64, 8, true) == bool(access & ACCESS_LOCAL_WRITE));
    }
}

TEST_CASE("ProtectionDomain: bounds hold at both ends of the address space", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    // bytes 2^64-16 .. 2^64-1, and 0 .. 15
    const uint32_t high = domain->Register(TOP - 15, 16, ALL)->GetRemoteKey();
    const uint32_t low = domain->Register(0, 16, ALL)->GetRemoteKey();
    CHECK(domain->CheckRemote(high, TOP - 15, 16, ALL));
    CHECK(domain->CheckRemote(high, TOP, 1, ALL));
    CHECK(domain->CheckRemote(low, 15, 1, ALL));
    CHECK_FALSE(domain->CheckRemote(high, TOP, 2, ALL));       // wraps to address 0
    CHECK_FALSE(domain->CheckRemote(high, TOP, TOP, ALL));     // sum is 2^64 - 2 after wrapping
    CHECK_FALSE(domain->CheckRemote(high, TOP - 15, 17, ALL)); // one too many
    CHECK_FALSE(domain->CheckRemote(high, TOP - 16, 1, ALL));  // one before
    CHECK_FALSE(domain->CheckRemote(high, 0, 1, ALL));
    CHECK_FALSE(domain->CheckRemote(low, TOP, 1, ALL));
    CHECK_FALSE(domain->CheckRemote(low, TOP, 17, ALL)); // would cover 0 .. 15 after wrapping
    CHECK_FALSE(domain->CheckRemote(low, 16, 1, ALL));
    CHECK_FALSE(domain->CheckRemote(low, 1, TOP, ALL)); // sum is 0 after wrapping
    CHECK_FALSE(domain->CheckLocal(high, TOP, 2, false));
    std::vector<uint8_t> bytes(32, 1);
    CHECK_THROWS_AS(domain->Write(high, TOP, bytes.data(), 2), std::out_of_range);
    CHECK_THROWS_AS(domain->Write(low, TOP, bytes.data(), 17), std::out_of_range);
    CHECK_THROWS_AS(domain->FetchAdd(low, TOP - 7, 1), std::out_of_range);
}

TEST_CASE("ProtectionDomain: zero bytes pass unchecked", "[memory]")
{
    // IBTA C9-88: the R_Key of a READ or WRITE of length 0 is not validated
    Ptr<ProtectionDomain> domain = MakeDomain();
    CHECK(domain->CheckRemote(99, 0, 0, ALL));
    CHECK(domain->CheckLocal(99, TOP, 0, true));
    CHECK_NOTHROW(domain->Write(99, TOP, nullptr, 0));
    CHECK_NOTHROW(domain->Read(99, TOP, nullptr, 0));
    CHECK_FALSE(domain->CheckRemote(99, 0, 1, 0));
    // a region of no bytes is there, and has none
    Ptr<MemoryRegion> empty = domain->Register(64, 0, ALL);
    CHECK(empty->GetData() == nullptr);
    CHECK_FALSE(domain->CheckRemote(empty->GetRemoteKey(), 64, 1, 0));
    // the region itself says where zero bytes are
    CHECK(empty->Contains(64, 0));
    CHECK_FALSE(empty->Contains(63, 0));
    CHECK_FALSE(empty->Contains(65, 0));
    Ptr<MemoryRegion> region = domain->Register(64, 4, ALL);
    CHECK(region->Contains(68, 0)); // just behind it
    CHECK_FALSE(region->Contains(69, 0));
}

TEST_CASE("ProtectionDomain: bytes are zero at first and change only where written", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    Ptr<MemoryRegion> region = domain->Register(1000, 8, ALL);
    Ptr<MemoryRegion> twin = domain->Register(1000, 8, ALL); // same addresses, other bytes
    const uint32_t key = region->GetLocalKey();
    CHECK(Bytes(region) == std::vector<uint8_t>(8, 0));
    const std::array<uint8_t, 3> three = {1, 2, 3};
    domain->Write(key, 1002, three.data(), 3);
    CHECK(Bytes(region) == std::vector<uint8_t>{0, 0, 1, 2, 3, 0, 0, 0});
    CHECK(Bytes(twin) == std::vector<uint8_t>(8, 0));
    // the application writes without the NIC
    region->GetData()[7] = 9;
    std::vector<uint8_t> got(5, 77);
    domain->Read(key, 1004, got.data(), 4);
    CHECK(got == std::vector<uint8_t>{3, 0, 0, 9, 77});
    CHECK_THROWS_AS(domain->Write(key, 1006, three.data(), 3), std::out_of_range);
    CHECK_THROWS_WITH(domain->Write(key, 1006, three.data(), 3),
                      Contains("write of 3 bytes at address 1006") &&
                          Contains("8 bytes at address 1000"));
    CHECK_THROWS_AS(domain->Read(key, 999, got.data(), 1), std::out_of_range);
    CHECK_THROWS_WITH(domain->Read(55, 1000, got.data(), 1), Contains("key 55"));
    CHECK(Bytes(region) == std::vector<uint8_t>{0, 0, 1, 2, 3, 0, 0, 9});
    CHECK(got == std::vector<uint8_t>{3, 0, 0, 9, 77});
}

TEST_CASE("ProtectionDomain: an unbacked region checks as any, reads zeros, forgets", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    const uint64_t tib = uint64_t(1) << 40;
    Ptr<MemoryRegion> region = domain->Register(tib, 8 * tib, ALL, false);
    const uint32_t key = region->GetLocalKey();
    CHECK(region->GetData() == nullptr);
    CHECK(region->GetLength() == 8 * tib);
    CHECK(domain->CheckRemote(key, 9 * tib - 1, 1, ALL));
    CHECK_FALSE(domain->CheckRemote(key, 9 * tib, 1, ALL));
    std::vector<uint8_t> bytes(3, 5);
    domain->Write(key, 2 * tib, bytes.data(), 3);
    domain->Read(key, 2 * tib, bytes.data(), 2);
    CHECK(bytes == std::vector<uint8_t>{0, 0, 5});
    CHECK(domain->FetchAdd(key, 2 * tib, 4) == 0);
    CHECK(domain->FetchAdd(key, 2 * tib, 4) == 0);
    CHECK(domain->CompareSwap(key, 2 * tib, 0, 4) == 0);
    CHECK(domain->CompareSwap(key, 2 * tib, 0, 4) == 0);
    CHECK_THROWS_AS(domain->Write(key, 9 * tib - 2, bytes.data(), 3), std::out_of_range);
    CHECK_THROWS_AS(domain->FetchAdd(key, 9 * tib, 1), std::out_of_range);
}

TEST_CASE("ProtectionDomain: atomics work on aligned little-endian numbers", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    Ptr<MemoryRegion> region = domain->Register(4, 20, ALL); // whole numbers at 8 and 16
    const uint32_t key = region->GetLocalKey();
    CHECK(domain->FetchAdd(key, 8, 0x0102030405060708) == 0);
    CHECK(Bytes(region) ==
          std::vector<uint8_t>{0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(domain->FetchAdd(key, 8, TOP) == 0x0102030405060708); // plus 2^64 - 1 is minus 1
    CHECK(domain->FetchAdd(key, 8, 0) == 0x0102030405060707);
    CHECK(domain->CompareSwap(key, 8, 5, 6) == 0x0102030405060707); // is not 5: stays
    CHECK(domain->CompareSwap(key, 8, 0x0102030405060707, TOP) == 0x0102030405060707);
    CHECK(domain->FetchAdd(key, 8, 2) == TOP);
    CHECK(domain->FetchAdd(key, 8, 0) == 1); // 2^64 - 1 + 2 = 1 modulo 2^64
    CHECK(domain->CompareSwap(key, 16, 0, 0xff) == 0);
    const std::vector<uint8_t> before = Bytes(region);
    CHECK(before[12] == 0xff);
    for (uint64_t address = 9; address < 16; ++address)
    {
        CHECK_THROWS_AS(domain->FetchAdd(key, address, 1), std::invalid_argument);
        CHECK_THROWS_AS(domain->CompareSwap(key, address, 0, 1), std::invalid_argument);
    }
    CHECK_THROWS_WITH(domain->FetchAdd(key, 9, 1), Contains("address 9"));
    // 0 .. 7 begins before the region, 24 .. 31 after its end
    CHECK_THROWS_AS(domain->FetchAdd(key, 0, 1), std::out_of_range);
    CHECK_THROWS_AS(domain->CompareSwap(key, 24, 0, 1), std::out_of_range);
    CHECK(Bytes(region) == before);
}

TEST_CASE("ProtectionDomain: an invalidated region is closed to both sides", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    Ptr<MemoryRegion> region = domain->Register(0, 16, ALL);
    Ptr<MemoryRegion> other = domain->Register(0, 16, ALL);
    const uint32_t key = region->GetRemoteKey();
    uint8_t byte = 3;
    domain->Write(key, 0, &byte, 1);
    CHECK(domain->Invalidate(key));
    CHECK_FALSE(region->IsValid());
    CHECK_FALSE(domain->Invalidate(key)); // once
    CHECK_FALSE(domain->Invalidate(4711));
    CHECK_FALSE(domain->CheckRemote(key, 0, 1, 0));
    CHECK_FALSE(domain->CheckLocal(key, 0, 1, false));
    CHECK_THROWS_AS(domain->Write(key, 0, &byte, 1), std::out_of_range);
    CHECK_THROWS_AS(domain->Read(key, 0, &byte, 1), std::out_of_range);
    CHECK_THROWS_AS(domain->FetchAdd(key, 0, 1), std::out_of_range);
    CHECK(region->GetData()[0] == 3); // the application still has its bytes
    CHECK(domain->GetRegions() == 2);
    CHECK(other->IsValid());
    CHECK(domain->CheckRemote(other->GetRemoteKey(), 0, 16, ALL));
}

TEST_CASE("ProtectionDomain: only its own regions can be deregistered, once", "[memory]")
{
    Ptr<ProtectionDomain> domain = MakeDomain();
    Ptr<ProtectionDomain> other = MakeDomain();
    Ptr<MemoryRegion> region = domain->Register(0, 16, ALL);
    Ptr<MemoryRegion> foreign = other->Register(0, 16, ALL); // with the same key
    CHECK_THROWS_AS(domain->Deregister(foreign), std::invalid_argument);
    CHECK_THROWS_AS(domain->Deregister(nullptr), std::invalid_argument);
    CHECK(region->IsValid());
    CHECK(foreign->IsValid());
    domain->Deregister(region);
    CHECK_FALSE(region->IsValid());
    CHECK(region->GetData()[15] == 0); // lives as long as someone holds it
    CHECK(domain->GetRegions() == 0);
    CHECK_FALSE(domain->CheckRemote(region->GetRemoteKey(), 0, 1, 0));
    CHECK_THROWS_AS(domain->Deregister(region), std::invalid_argument);
    CHECK_THROWS_WITH(domain->Deregister(region), Contains("key 4352")); // 0x1100
    other->Dispose();
    CHECK_FALSE(foreign->IsValid());
}
