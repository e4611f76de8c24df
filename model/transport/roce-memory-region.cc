/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-memory-region.h"

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Refuse rights that make no sense. \param access MemoryAccess bits */
void
CheckAccess(uint8_t access)
{
    constexpr unsigned known =
        ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
    if (access & ~known)
    {
        throw std::invalid_argument("memory region: access " + std::to_string(access) +
                                    " has unknown bits; the known ones sum up to " +
                                    std::to_string(known));
    }
    const char* right = access & ACCESS_REMOTE_WRITE    ? "remote write"
                        : access & ACCESS_REMOTE_ATOMIC ? "remote atomic"
                                                        : nullptr;
    if (right && !(access & ACCESS_LOCAL_WRITE))
    {
        throw std::invalid_argument("memory region: access " + std::to_string(access) + " has " +
                                    right + " without local write; add ACCESS_LOCAL_WRITE");
    }
}

} // namespace

MemoryRegion::MemoryRegion(uint64_t address,
                           uint64_t length,
                           uint8_t access,
                           uint32_t key,
                           bool backed)
    : m_address(address),
      m_length(length),
      m_key(key),
      m_access(access)
{
    CheckAccess(access);
    if (length > 0 && length - 1 > std::numeric_limits<uint64_t>::max() - address)
    {
        throw std::invalid_argument("memory region: " + std::to_string(length) +
                                    " bytes at address " + std::to_string(address) +
                                    " pass the end of the address space, 2^64; make it shorter");
    }
    if (!backed || length == 0)
    {
        return;
    }
    // calloc: the pages of a large region cost nothing until something writes them
    constexpr uint64_t most = std::numeric_limits<std::ptrdiff_t>::max();
    void* bytes = length <= most ? std::calloc(static_cast<std::size_t>(length), 1) : nullptr;
    if (!bytes)
    {
        throw std::length_error("memory region: this machine has no " + std::to_string(length) +
                                " bytes to back it; register it with backed = false");
    }
    m_bytes.reset(static_cast<uint8_t*>(bytes));
}

} // namespace roce
} // namespace ns3
