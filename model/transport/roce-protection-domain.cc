/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-protection-domain.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(ProtectionDomain);

namespace
{

constexpr unsigned ATOMIC_BYTES = 8; // IBTA 9.4.5

/** \return the little-endian number. \param place of its first byte; nullptr: 0 */
uint64_t
Load(const uint8_t* place)
{
    uint64_t number = 0;
    for (unsigned i = ATOMIC_BYTES; place && i-- > 0;)
    {
        number = number << 8 | place[i];
    }
    return number;
}

/** Store a little-endian number. \param place of its first byte; nullptr: nowhere \param number */
void
Store(uint8_t* place, uint64_t number)
{
    for (unsigned i = 0; place && i < ATOMIC_BYTES; ++i)
    {
        place[i] = static_cast<uint8_t>(number >> (8 * i));
    }
}

} // namespace

TypeId
ProtectionDomain::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::ProtectionDomain")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<ProtectionDomain>()
            .AddAttribute("FirstKey",
                          "Key of the first memory region; the next ones count up from it",
                          UintegerValue(0x1100),
                          MakeUintegerAccessor(&ProtectionDomain::SetFirstKey,
                                               &ProtectionDomain::GetFirstKey),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

ProtectionDomain::ProtectionDomain() = default;

void
ProtectionDomain::SetFirstKey(uint32_t key)
{
    m_firstKey = key;
    m_nextKey = key;
}

uint32_t
ProtectionDomain::GetFirstKey() const
{
    return m_firstKey;
}

Ptr<MemoryRegion>
ProtectionDomain::Register(uint64_t address, uint64_t length, uint8_t access, bool backed)
{
    // 0 comes when the keys wrap round; it is nobody's
    while (m_nextKey == 0 || m_regions.count(m_nextKey))
    {
        ++m_nextKey;
    }
    Ptr<MemoryRegion> region = RegisterWithKey(address, length, access, m_nextKey, backed);
    ++m_nextKey;
    return region;
}

Ptr<MemoryRegion>
ProtectionDomain::RegisterWithKey(uint64_t address,
                                  uint64_t length,
                                  uint8_t access,
                                  uint32_t key,
                                  bool backed)
{
    if (key == 0)
    {
        throw std::invalid_argument("protection domain: key 0 stands for no memory; "
                                    "choose a key from 1 to 4294967295");
    }
    if (m_regions.count(key))
    {
        throw std::invalid_argument("protection domain: key " + std::to_string(key) +
                                    " is in use; deregister its region or choose another key");
    }
    Ptr<MemoryRegion> region = Create<MemoryRegion>(address, length, access, key, backed);
    m_regions.emplace(key, region);
    return region;
}

void
ProtectionDomain::Deregister(Ptr<MemoryRegion> region)
{
    const auto found = region ? m_regions.find(region->GetLocalKey()) : m_regions.end();
    if (found == m_regions.end() || found->second != region)
    {
        const std::string what =
            region ? "the region with key " + std::to_string(region->GetLocalKey()) : "nullptr";
        throw std::invalid_argument("protection domain: cannot deregister " + what +
                                    ", it is none of its " + std::to_string(m_regions.size()) +
                                    " regions; deregister each once, where it was registered");
    }
    region->m_valid = false;
    m_regions.erase(found);
}

bool
ProtectionDomain::Invalidate(uint32_t key)
{
    MemoryRegion* region = Find(key);
    if (!region)
    {
        return false;
    }
    region->m_valid = false;
    return true;
}

MemoryRegion*
ProtectionDomain::Find(uint32_t key) const
{
    const auto found = m_regions.find(key);
    return found != m_regions.end() && found->second->m_valid ? PeekPointer(found->second)
                                                              : nullptr;
}

bool
ProtectionDomain::CheckRemote(uint32_t key, uint64_t address, uint64_t length, uint8_t access) const
{
    if (length == 0)
    {
        return true;
    }
    const MemoryRegion* region = Find(key);
    return region && (region->m_access & access) == access && region->Contains(address, length);
}

bool
ProtectionDomain::CheckLocal(uint32_t key, uint64_t address, uint64_t length, bool write) const
{
    return CheckRemote(key, address, length, write ? ACCESS_LOCAL_WRITE : 0);
}

uint8_t*
ProtectionDomain::Place(const char* what, uint32_t key, uint64_t address, uint64_t length) const
{
    MemoryRegion* region = Find(key);
    if (!region)
    {
        throw std::out_of_range(std::string("protection domain: ") + what + " with key " +
                                std::to_string(key) +
                                ", which no valid region has; check the access first");
    }
    if (!region->Contains(address, length))
    {
        throw std::out_of_range(
            std::string("protection domain: ") + what + " of " + std::to_string(length) +
            " bytes at address " + std::to_string(address) + " leaves the region with key " +
            std::to_string(key) + ", " + std::to_string(region->m_length) + " bytes at address " +
            std::to_string(region->m_address) + "; check the access first");
    }
    uint8_t* bytes = region->GetData();
    return bytes ? bytes + (address - region->m_address) : nullptr;
}

void
ProtectionDomain::Write(uint32_t key, uint64_t address, const uint8_t* bytes, uint64_t length)
{
    if (length == 0)
    {
        return;
    }
    if (uint8_t* place = Place("write", key, address, length))
    {
        std::memmove(place, bytes, length);
    }
}

void
ProtectionDomain::Read(uint32_t key, uint64_t address, uint8_t* bytes, uint64_t length) const
{
    if (length == 0)
    {
        return;
    }
    if (const uint8_t* place = Place("read", key, address, length))
    {
        std::memmove(bytes, place, length);
    }
    else
    {
        std::fill_n(bytes, length, uint8_t(0));
    }
}

uint8_t*
ProtectionDomain::PlaceAtomic(const char* what, uint32_t key, uint64_t address) const
{
    if (address % ATOMIC_BYTES != 0)
    {
        throw std::invalid_argument(std::string("protection domain: ") + what + " at address " +
                                    std::to_string(address) +
                                    ", which is no multiple of 8; align it");
    }
    return Place(what, key, address, ATOMIC_BYTES);
}

uint64_t
ProtectionDomain::FetchAdd(uint32_t key, uint64_t address, uint64_t add)
{
    uint8_t* place = PlaceAtomic("fetch and add", key, address);
    const uint64_t before = Load(place);
    Store(place, before + add);
    return before;
}

uint64_t
ProtectionDomain::CompareSwap(uint32_t key, uint64_t address, uint64_t compare, uint64_t swap)
{
    uint8_t* place = PlaceAtomic("compare and swap", key, address);
    const uint64_t before = Load(place);
    if (before == compare)
    {
        Store(place, swap);
    }
    return before;
}

bool
ProtectionDomain::IsBacked(uint32_t key) const
{
    const MemoryRegion* region = Find(key);
    return region && region->GetData();
}

std::size_t
ProtectionDomain::GetRegions() const
{
    return m_regions.size();
}

void
ProtectionDomain::DoDispose()
{
    for (auto& entry : m_regions)
    {
        entry.second->m_valid = false;
    }
    m_regions.clear();
    Object::DoDispose();
}

} // namespace roce
} // namespace ns3
