/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-hpcc-int.h"

#include "roce-byte-reader.h"
#include "roce-byte-writer.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Mb/s of rate codes 0 to 4 in the published simulator; 5 to 7 are not used there. */
constexpr std::array<uint32_t, 5> CODES = {25000, 50000, 100000, 200000, 400000};
/** Code of a hop in layout EXTENDED: the rate follows. */
constexpr uint64_t EXTENDED_CODE = 7;
constexpr unsigned CODE_BITS = 3;

/**
 * \param rate Mb/s
 * \return its code; throws std::invalid_argument if it has none
 */
uint64_t
CodeOf(uint32_t rate)
{
    const auto at = std::find(CODES.begin(), CODES.end(), rate);
    if (at == CODES.end())
    {
        throw std::invalid_argument(
            "the INT header of HPCC has codes for 25, 50, 100, 200 and 400 Gb/s, none for " +
            std::to_string(rate) + " Mb/s; use the layout EXTENDED");
    }
    return at - CODES.begin();
}

void
CheckWidth(uint32_t value, unsigned bits, const char* name)
{
    if (value >> bits != 0)
    {
        throw std::invalid_argument(std::string("INT ") + name + " is " + std::to_string(value) +
                                    ", but the field has " + std::to_string(bits) +
                                    " bits; make hops with HpccIntHop::Make");
    }
}

/**
 * \param in where to read
 * \param bytes width of the field
 * \param name what it is
 * \return its value, least significant byte first on the wire
 */
uint64_t
ReadLittle(ByteReader& in, unsigned bytes, const char* name)
{
    const uint8_t* p = in.Take(bytes, name);
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
    {
        value |= uint64_t(p[i]) << (8 * i);
    }
    return value;
}

/**
 * \param out where to write
 * \param value the field
 * \param bytes its width
 */
void
WriteLittle(ByteWriter& out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i)
    {
        out.U8(value >> (8 * i) & 0xff);
    }
}

/**
 * \param hop a hop
 * \param layout how it is packed
 * \return its 64-bit number; throws std::invalid_argument if it has none
 */
uint64_t
Pack(const HpccIntHop& hop, HpccIntLayout layout)
{
    CheckWidth(hop.time, HpccIntHop::TIME_BITS, "time");
    CheckWidth(hop.bytes, HpccIntHop::BYTES_BITS, "byte count");
    CheckWidth(hop.queue, HpccIntHop::QUEUE_BITS, "queue length");
    if (hop.rate == 0)
    {
        throw std::invalid_argument("INT rate is 0 Mb/s; make it with HpccInt::RateOf");
    }
    uint64_t number = hop.queue;
    number = number << HpccIntHop::BYTES_BITS | hop.bytes;
    number = number << HpccIntHop::TIME_BITS | hop.time;
    return number << CODE_BITS |
           (layout == HpccIntLayout::EXTENDED ? EXTENDED_CODE : CodeOf(hop.rate));
}

/**
 * \param number a hop on the wire
 * \param offset its first byte
 * \param in at the byte behind it
 * \param layout how it is packed
 * \return Mb/s
 */
uint32_t
ReadRate(uint64_t number, std::size_t offset, ByteReader& in, HpccIntLayout layout)
{
    const uint64_t code = number & ((1u << CODE_BITS) - 1);
    if (layout == HpccIntLayout::ARTIFACT)
    {
        if (code >= CODES.size())
        {
            throw CodecError("INT rate code",
                             offset,
                             code,
                             "at most 4 (400 Gb/s) in the layout of the HPCC simulator");
        }
        return CODES[code];
    }
    if (code != EXTENDED_CODE)
    {
        throw CodecError("INT rate code", offset, code, "7 in the layout EXTENDED");
    }
    const auto rate = static_cast<uint32_t>(ReadLittle(in, 4, "INT rate"));
    if (rate == 0)
    {
        throw CodecError("INT rate in Mb/s", offset + 8, 0, "at least 1");
    }
    return rate;
}

} // namespace

uint32_t
HpccInt::RateOf(uint64_t rate, HpccIntLayout layout)
{
    const uint64_t mbps = rate / HpccIntHop::RATE_UNIT;
    if (rate % HpccIntHop::RATE_UNIT != 0 || mbps == 0 || mbps > 0xffffffff)
    {
        throw std::invalid_argument(
            "INT carries rates of whole Mb/s from 1 to 4294967295 Mb/s, not " +
            std::to_string(rate) + " bit/s; round the rate of the port");
    }
    if (layout == HpccIntLayout::ARTIFACT)
    {
        CodeOf(static_cast<uint32_t>(mbps));
    }
    return static_cast<uint32_t>(mbps);
}

uint32_t
HpccInt::MultiFor(uint64_t rate)
{
    // bytes in 2^24 ns: rate / 8 x 2^24 / 10^9; bytes before the wrap: 2^20 x 128 = 2^27 x multi.
    // So multi >= rate / (8 x 10^9 x 8).
    constexpr uint64_t ONE = 64'000'000'000;
    return static_cast<uint32_t>(std::max<uint64_t>(1, rate / ONE + (rate % ONE != 0)));
}

void
HpccInt::Encode(std::vector<uint8_t>& bytes, HpccIntLayout layout) const
{
    std::array<uint64_t, MAX_HOPS> numbers;
    for (unsigned i = 0; i < GetSize(); ++i)
    {
        numbers[i] = Pack(m_hops[i], layout); // throws before the first byte is written
    }
    const std::size_t start = bytes.size();
    ByteWriter out(bytes);
    for (unsigned i = 0; i < GetSize(); ++i)
    {
        WriteLittle(out, numbers[i], 8);
        if (layout == HpccIntLayout::EXTENDED)
        {
            WriteLittle(out, m_hops[i].rate, 4);
        }
    }
    out.Zeros(start + Bytes(layout) - 2 - bytes.size());
    WriteLittle(out, m_count, 2);
}

HpccInt
HpccInt::Decode(const uint8_t* bytes, std::size_t size, HpccIntLayout layout)
{
    const std::size_t total = Bytes(layout);
    ByteReader in(bytes, size);
    in.Need(total, "the INT header of HPCC");
    HpccInt header;
    header.m_count = static_cast<uint16_t>(bytes[total - 2] | bytes[total - 1] << 8);
    for (unsigned i = 0; i < header.GetSize(); ++i)
    {
        HpccIntHop& hop = header.m_hops[i];
        const std::size_t offset = in.GetOffset();
        uint64_t number = ReadLittle(in, 8, "an INT hop");
        hop.rate = ReadRate(number, offset, in, layout);
        number >>= CODE_BITS;
        hop.time = number & ((1u << HpccIntHop::TIME_BITS) - 1);
        number >>= HpccIntHop::TIME_BITS;
        hop.bytes = number & ((1u << HpccIntHop::BYTES_BITS) - 1);
        hop.queue = static_cast<uint32_t>(number >> HpccIntHop::BYTES_BITS);
    }
    while (in.GetOffset() < total - 2)
    {
        const std::size_t offset = in.GetOffset();
        const uint8_t byte = in.U8("an INT hop");
        if (byte != 0)
        {
            throw CodecError("INT hop that was not made", offset, byte, "0");
        }
    }
    return header;
}

} // namespace roce
} // namespace ns3
