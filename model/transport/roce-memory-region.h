/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MEMORY_REGION_H
#define ROCE_MEMORY_REGION_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace ns3
{
namespace roce
{

/** Rights of a memory region, to be or-ed (IBTA 10.6.3). Reading here needs no right. */
enum MemoryAccess : uint8_t
{
    ACCESS_LOCAL_WRITE = 1,   //!< this side may write: receives, answers of READ and atomics
    ACCESS_REMOTE_WRITE = 2,  //!< the other side may write; needs ACCESS_LOCAL_WRITE
    ACCESS_REMOTE_READ = 4,   //!< the other side may read
    ACCESS_REMOTE_ATOMIC = 8, //!< the other side may do atomics; needs ACCESS_LOCAL_WRITE
};

/**
 * A range of addresses that a NIC may use.
 *
 * Models: a registered memory region with its keys and its bytes. A region may be unbacked: it has
 * no bytes, so it may be as large as one likes and costs nothing; reads of it give zeros and writes
 * to it vanish. Programs in which only time matters use that.
 *
 * Clause: IBTA 10.6.3.
 *
 * Invariants: the last byte is at most at 2^64 - 1; bytes are zero until something writes them;
 * with remote write or remote atomic there is local write; once invalid it stays so.
 *
 * Leaves out: memory windows, physical and zero-based addresses, pages, a change of address.
 */
class MemoryRegion : public SimpleRefCount<MemoryRegion>
{
  public:
    /**
     * ProtectionDomain::Register makes regions; one made alone belongs to no domain.
     *
     * \param address of the first byte
     * \param length in bytes, 0 is legal
     * \param access MemoryAccess bits
     * \param key its L_Key and R_Key
     * \param backed whether it has bytes; they cost memory only when written
     * \throws std::invalid_argument if it passes 2^64, an access bit is unknown, or remote write or
     * atomic comes without local write
     * \throws std::length_error if the host has not that much memory
     */
    MemoryRegion(uint64_t address, uint64_t length, uint8_t access, uint32_t key, bool backed);

    /** \return address of the first byte, as the application and the wire see it */
    uint64_t GetAddress() const
    {
        return m_address;
    }

    /** \return length in bytes */
    uint64_t GetLength() const
    {
        return m_length;
    }

    /** \return L_Key */
    uint32_t GetLocalKey() const
    {
        return m_key;
    }

    /** \return R_Key; the same number as the L_Key */
    uint32_t GetRemoteKey() const
    {
        return m_key;
    }

    /** \return MemoryAccess bits */
    uint8_t GetAccess() const
    {
        return m_access;
    }

    /** \return false once it was invalidated or deregistered */
    bool IsValid() const
    {
        return m_valid;
    }

    /** \return its bytes, GetLength() of them; nullptr if unbacked or of length 0 */
    const uint8_t* GetData() const
    {
        return m_bytes.get();
    }

    /** \return its bytes, GetLength() of them; nullptr if unbacked or of length 0 */
    uint8_t* GetData()
    {
        return m_bytes.get();
    }

    /**
     * \param address of a first byte
     * \param length in bytes
     * \return whether all of these bytes are in the region; with length 0 whether the address is
     * in it or just behind it
     */
    bool Contains(uint64_t address, uint64_t length) const
    {
        // no sum here can pass 2^64; an address below gives an offset that is at least the length
        const uint64_t offset = address - m_address;
        return offset <= m_length && length <= m_length - offset;
    }

  private:
    friend class ProtectionDomain;

    /** Gives calloc's memory back. */
    struct Free
    {
        /** \param bytes of calloc */
        void operator()(uint8_t* bytes) const
        {
            std::free(bytes);
        }
    };

    uint64_t m_address;
    uint64_t m_length;
    uint32_t m_key;
    uint8_t m_access;
    bool m_valid{true};
    std::unique_ptr<uint8_t[], Free> m_bytes;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MEMORY_REGION_H
