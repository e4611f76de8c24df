/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CODEC_ERROR_H
#define ROCE_CODEC_ERROR_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Bytes that are not the packet they should be.
 *
 * Models: the answer of a decoder to a short, damaged or foreign packet: which field, at which
 * byte of the input, what was found and what would have been right.
 *
 * Invariants: what() contains the offset and the value; no decoder throws anything else because
 * of its input bytes.
 *
 * Leaves out: recovery. A packet that throws is not delivered.
 */
class CodecError : public std::runtime_error
{
  public:
    /**
     * \param field the field and what is wrong with it, for example "IPv4 version"
     * \param offset byte offset in the decoder's input
     * \param value what was found
     * \param limit what is right, in words
     */
    CodecError(const std::string& field,
               std::size_t offset,
               uint64_t value,
               const std::string& limit)
        : std::runtime_error(field + " at byte " + std::to_string(offset) + " is " +
                             std::to_string(value) + ", must be " + limit),
          m_offset(offset),
          m_value(value)
    {
    }

    /**
     * \return byte offset in the decoder's input
     */
    std::size_t GetOffset() const
    {
        return m_offset;
    }

    /**
     * \return the value found
     */
    uint64_t GetValue() const
    {
        return m_value;
    }

  private:
    std::size_t m_offset;
    uint64_t m_value;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_CODEC_ERROR_H
