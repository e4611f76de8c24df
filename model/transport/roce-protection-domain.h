/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PROTECTION_DOMAIN_H
#define ROCE_PROTECTION_DOMAIN_H

#include "roce-memory-region.h"

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3
{
namespace roce
{

/**
 * The memory regions that the queue pairs of an application may use.
 *
 * Models: a protection domain: it gives keys, checks each access by key, range and right, and
 * moves the bytes. A region has one key, both L_Key and R_Key, as in most hardware. Keys count up
 * from FirstKey and a key given back is not given out again, so a stale key is found out; give
 * domains other first keys to tell them apart.
 *
 * Clause: IBTA 10.2.3 (protection domain), 10.6 (memory), 9.4.5 (atomics), C9-88 (zero length is
 * not checked).
 *
 * Invariants: a byte changes only by Write, FetchAdd, CompareSwap or MemoryRegion::GetData; a call
 * that throws has changed nothing; no access passes the end of a region or of the address space.
 *
 * Leaves out: memory windows, the all-zero reserved L_Key, the owner part of a key, translation
 * caches and their misses.
 */
class ProtectionDomain : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    ProtectionDomain();

    /**
     * Register memory under the next free key.
     *
     * \param address of the first byte
     * \param length in bytes, 0 is legal
     * \param access MemoryAccess bits
     * \param backed false: no bytes; reads give zeros and writes vanish
     * \return the region
     * \throws std::invalid_argument, std::length_error as MemoryRegion does
     */
    Ptr<MemoryRegion> Register(uint64_t address,
                               uint64_t length,
                               uint8_t access,
                               bool backed = true);

    /**
     * Register memory under a key of the caller's choice.
     *
     * \param address of the first byte
     * \param length in bytes, 0 is legal
     * \param access MemoryAccess bits
     * \param key its L_Key and R_Key, not 0
     * \param backed false: no bytes; reads give zeros and writes vanish
     * \return the region
     * \throws std::invalid_argument if the key is 0 or in use, and as MemoryRegion does
     * \throws std::length_error as MemoryRegion does
     */
    Ptr<MemoryRegion> RegisterWithKey(uint64_t address,
                                      uint64_t length,
                                      uint8_t access,
                                      uint32_t key,
                                      bool backed = true);

    /**
     * End a region; its key is free and the region invalid. Who holds the Ptr keeps its bytes.
     *
     * \param region one of this domain
     * \throws std::invalid_argument if it is not
     */
    void Deregister(Ptr<MemoryRegion> region);

    /**
     * Take the rights from a region, as SEND with Invalidate does. It stays registered, and its
     * key in use, until Deregister.
     *
     * \param key its R_Key
     * \return false if no valid region has this key
     */
    bool Invalidate(uint32_t key);

    /**
     * \param key R_Key of a request
     * \param address of the first byte
     * \param length in bytes; 0 passes with any key and address (IBTA C9-88)
     * \param access MemoryAccess bits it needs, all of them
     * \return whether the other side may do that
     */
    bool CheckRemote(uint32_t key, uint64_t address, uint64_t length, uint8_t access) const;

    /**
     * \param key L_Key of a request
     * \param address of the first byte
     * \param length in bytes; 0 passes with any key and address
     * \param write whether the NIC will write there; if not it reads, which needs no right
     * \return whether this side may do that
     */
    bool CheckLocal(uint32_t key, uint64_t address, uint64_t length, bool write) const;

    /**
     * Change memory. The caller has checked the right.
     *
     * \param key of a valid region
     * \param address of the first byte
     * \param bytes what to write
     * \param length in bytes; with 0 nothing is looked at
     * \throws std::out_of_range if no valid region has this key or a byte is outside of it
     */
    void Write(uint32_t key, uint64_t address, const uint8_t* bytes, uint64_t length);

    /**
     * Read memory. The caller has checked the right.
     *
     * \param key of a valid region
     * \param address of the first byte
     * \param bytes filled
     * \param length in bytes; with 0 nothing is looked at
     * \throws std::out_of_range if no valid region has this key or a byte is outside of it
     */
    void Read(uint32_t key, uint64_t address, uint8_t* bytes, uint64_t length) const;

    /**
     * Add to eight bytes, modulo 2^64. The number is little-endian in memory, whatever the host
     * is. The caller has checked the right.
     *
     * \param key of a valid region
     * \param address a multiple of 8
     * \param add what to add
     * \return the number before; 0 if the region is unbacked
     * \throws std::invalid_argument if the address is no multiple of 8 (IBTA 9.4.5)
     * \throws std::out_of_range if no valid region has this key or a byte is outside of it
     */
    uint64_t FetchAdd(uint32_t key, uint64_t address, uint64_t add);

    /**
     * Replace eight bytes if they are what was expected; else as FetchAdd.
     *
     * \param key of a valid region
     * \param address a multiple of 8
     * \param compare the number expected
     * \param swap the number that replaces it
     * \return the number before; 0 if the region is unbacked
     * \throws std::invalid_argument, std::out_of_range as FetchAdd does
     */
    uint64_t CompareSwap(uint32_t key, uint64_t address, uint64_t compare, uint64_t swap);

    /** \return whether a valid region has this key and keeps bytes. \param key a key */
    bool IsBacked(uint32_t key) const;

    /** \return regions registered, those invalidated too */
    std::size_t GetRegions() const;

  private:
    void DoDispose() override;

    /** \param key FirstKey; the next region gets it, or the next one free */
    void SetFirstKey(uint32_t key);

    /** \return FirstKey */
    uint32_t GetFirstKey() const;

    /** \return the valid region; nullptr if there is none. \param key its key */
    MemoryRegion* Find(uint32_t key) const;

    /**
     * \param what the operation, for messages
     * \param key of a valid region
     * \param address of the first byte
     * \param length in bytes
     * \return place of the first byte; nullptr if unbacked
     */
    uint8_t* Place(const char* what, uint32_t key, uint64_t address, uint64_t length) const;

    /** \return Place of eight aligned bytes. \param what \param key \param address as there */
    uint8_t* PlaceAtomic(const char* what, uint32_t key, uint64_t address) const;

    std::unordered_map<uint32_t, Ptr<MemoryRegion>> m_regions; //!< by key
    uint32_t m_firstKey{0};
    uint32_t m_nextKey{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PROTECTION_DOMAIN_H
