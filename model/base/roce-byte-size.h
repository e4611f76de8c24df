/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BYTE_SIZE_H
#define ROCE_BYTE_SIZE_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Numbers of bytes from text and back.
 *
 * Models: a decimal number and a unit: none or B, kB KB MB GB TB (powers of 1000), KiB MiB GiB TiB
 * (powers of 1024). A space may stand between them.
 *
 * Invariants: exact: "1.5MB" is 1500000; what is no whole number of bytes, negative or above
 * 2^64 - 1 is refused with std::invalid_argument that names the text and what was expected.
 *
 * Leaves out: bits, exponents.
 */
class ByteSize
{
  public:
    /** \return bytes. \param text such as "16MB", "64KiB", "4096" */
    static uint64_t Parse(const std::string& text);

    /** \return the shortest exact text, decimal units. \param bytes a number of bytes */
    static std::string Text(uint64_t bytes);
};

/** \return ByteSize::Parse. \param text such as "16MB" */
inline uint64_t
ParseBytes(const std::string& text)
{
    return ByteSize::Parse(text);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_BYTE_SIZE_H
