/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BYTE_WRITER_H
#define ROCE_BYTE_WRITER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Writes network-order fields one after the other to the end of a vector.
 *
 * Models: the counterpart of ByteReader.
 *
 * Invariants: GetSize() grows by exactly the width written; bytes already there stay.
 *
 * Leaves out: range checks; bits above the width are cut off.
 */
class ByteWriter
{
  public:
    /**
     * \param out where bytes go
     */
    explicit ByteWriter(std::vector<uint8_t>& out)
        : m_out(out)
    {
    }

    /**
     * \return bytes in the vector
     */
    std::size_t GetSize() const
    {
        return m_out.size();
    }

    /**
     * \param value the field, most significant byte first on the wire
     * \param bytes its width, 1 to 8
     */
    void Number(uint64_t value, std::size_t bytes)
    {
        for (std::size_t i = bytes; i-- > 0;)
        {
            m_out.push_back(static_cast<uint8_t>(value >> (8 * i)));
        }
    }

    /**
     * \param value the field, least significant byte first on the wire (CRCs)
     */
    void Crc(uint32_t value)
    {
        for (unsigned i = 0; i < 4; ++i)
        {
            m_out.push_back(static_cast<uint8_t>(value >> (8 * i)));
        }
    }

    /** \param value an 8-bit field */
    void U8(uint64_t value)
    {
        Number(value, 1);
    }

    /** \param value a 16-bit field */
    void U16(uint64_t value)
    {
        Number(value, 2);
    }

    /** \param value a 24-bit field */
    void U24(uint64_t value)
    {
        Number(value, 3);
    }

    /** \param value a 32-bit field */
    void U32(uint64_t value)
    {
        Number(value, 4);
    }

    /** \param value a 64-bit field */
    void U64(uint64_t value)
    {
        Number(value, 8);
    }

    /**
     * \param bytes any container of bytes, written as it is
     */
    template <typename C>
    void Bytes(const C& bytes)
    {
        m_out.insert(m_out.end(), bytes.begin(), bytes.end());
    }

    /**
     * \param count zero bytes to write
     */
    void Zeros(std::size_t count)
    {
        m_out.insert(m_out.end(), count, 0);
    }

    /**
     * Overwrite a 16-bit field written before.
     *
     * \param offset its first byte
     * \param value its new value
     */
    void PatchU16(std::size_t offset, uint16_t value)
    {
        m_out[offset] = static_cast<uint8_t>(value >> 8);
        m_out[offset + 1] = static_cast<uint8_t>(value);
    }

  private:
    std::vector<uint8_t>& m_out;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BYTE_WRITER_H
