/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BYTE_READER_H
#define ROCE_BYTE_READER_H

#include "roce-codec-error.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace roce
{

/**
 * Reads network-order fields one after the other.
 *
 * Models: a cursor over bytes that somebody else owns.
 *
 * Invariants: never touches a byte outside [data, data + size); GetOffset() + GetLeft() == size.
 *
 * Leaves out: bit fields; callers take them apart.
 */
class ByteReader
{
  public:
    /**
     * \param data first byte
     * \param size bytes that may be read
     */
    ByteReader(const uint8_t* data, std::size_t size)
        : m_data(data),
          m_size(size)
    {
    }

    /**
     * \return offset of the next byte
     */
    std::size_t GetOffset() const
    {
        return m_offset;
    }

    /**
     * \return bytes not read yet
     */
    std::size_t GetLeft() const
    {
        return m_size - m_offset;
    }

    /**
     * Check that a header fits.
     *
     * \param bytes its size
     * \param name its name, for the error
     */
    void Need(std::size_t bytes, const char* name) const
    {
        if (GetLeft() < bytes)
        {
            throw CodecError(std::string("bytes left for ") + name,
                             m_offset,
                             GetLeft(),
                             "at least " + std::to_string(bytes));
        }
    }

    /**
     * \param bytes how many
     * \param name what they are, for the error
     * \return their first one; they count as read
     */
    const uint8_t* Take(std::size_t bytes, const char* name)
    {
        Need(bytes, name);
        const uint8_t* p = m_data + m_offset;
        m_offset += bytes;
        return p;
    }

    /**
     * \param bytes width of the field, 1 to 8
     * \param name what it is, for the error
     * \return its value, most significant byte first on the wire
     */
    uint64_t Number(std::size_t bytes, const char* name)
    {
        const uint8_t* p = Take(bytes, name);
        uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
        {
            value = (value << 8) | p[i];
        }
        return value;
    }

    /** \param name what it is \return an 8-bit field */
    uint8_t U8(const char* name)
    {
        return static_cast<uint8_t>(Number(1, name));
    }

    /** \param name what it is \return a 16-bit field */
    uint16_t U16(const char* name)
    {
        return static_cast<uint16_t>(Number(2, name));
    }

    /** \param name what it is \return a 24-bit field */
    uint32_t U24(const char* name)
    {
        return static_cast<uint32_t>(Number(3, name));
    }

    /** \param name what it is \return a 32-bit field */
    uint32_t U32(const char* name)
    {
        return static_cast<uint32_t>(Number(4, name));
    }

    /** \param name what it is \return a 64-bit field */
    uint64_t U64(const char* name)
    {
        return Number(8, name);
    }

  private:
    const uint8_t* m_data;
    std::size_t m_size;
    std::size_t m_offset{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BYTE_READER_H
