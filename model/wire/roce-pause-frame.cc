/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-frame.h"

#include "roce-byte-reader.h"
#include "roce-byte-writer.h"
#include "roce-ether-type.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

std::vector<uint8_t>
PauseFrame::Encode() const
{
    std::vector<uint8_t> bytes;
    Encode(bytes);
    return bytes;
}

void
PauseFrame::Encode(std::vector<uint8_t>& bytes) const
{
    bytes.clear();
    bytes.reserve(BYTES + ETHERNET_FCS_BYTES);
    ByteWriter out(bytes);
    out.Bytes(GROUP_ADDRESS);
    out.Bytes(source);
    out.U16(ETHER_TYPE_MAC_CONTROL);
    if (priority)
    {
        out.U16(OPCODE_PFC);
        out.U16(enable);
        for (const uint16_t quanta : times)
        {
            out.U16(quanta);
        }
    }
    else
    {
        out.U16(OPCODE_PAUSE);
        out.U16(time);
    }
    out.Zeros(BYTES - bytes.size());
}

PauseFrame
PauseFrame::Decode(const uint8_t* bytes, std::size_t size)
{
    ByteReader in(bytes, size);
    in.Need(BYTES, "a pause frame");
    const uint8_t* destination = in.Take(6, "destination MAC");
    if (!std::equal(GROUP_ADDRESS.begin(), GROUP_ADDRESS.end(), destination))
    {
        throw CodecError("destination MAC of a pause frame",
                         0,
                         ByteReader(bytes, size).Number(6, "destination MAC"),
                         "01:80:c2:00:00:01");
    }
    PauseFrame f;
    std::copy_n(in.Take(6, "source MAC"), 6, f.source.begin());
    const uint16_t type = in.U16("EtherType");
    if (type != ETHER_TYPE_MAC_CONTROL)
    {
        throw CodecError("EtherType", 12, type, "34824 (MAC control)");
    }
    const uint16_t opcode = in.U16("MAC control opcode");
    if (opcode != OPCODE_PFC && opcode != OPCODE_PAUSE)
    {
        throw CodecError("MAC control opcode", 14, opcode, "1 (PAUSE) or 257 (PFC)");
    }
    f.priority = opcode == OPCODE_PFC;
    if (!f.priority)
    {
        f.time = in.U16("PAUSE time");
        return f;
    }
    const uint16_t vector = in.U16("PFC enable vector");
    if (vector > 0xff)
    {
        throw CodecError("PFC enable vector", 16, vector, "at most 255");
    }
    f.enable = static_cast<uint8_t>(vector);
    for (uint16_t& quanta : f.times)
    {
        quanta = in.U16("PFC time");
    }
    return f;
}

bool
PauseFrame::IsMacControl(const uint8_t* bytes, std::size_t size)
{
    return size >= ETHERNET_HEADER_BYTES && (bytes[12] << 8 | bytes[13]) == ETHER_TYPE_MAC_CONTROL;
}

uint64_t
PauseFrame::Picoseconds(uint16_t quanta, uint64_t bitsPerSecond)
{
    if (bitsPerSecond == 0)
    {
        throw std::invalid_argument("the rate of a pause time is 0 b/s, must be above 0");
    }
    // 65535 * 512 * 10^12 needs 65 bits, so in two steps of 10^6
    constexpr uint64_t million = 1000000;
    const uint64_t scaled = uint64_t(quanta) * PAUSE_QUANTUM_BITS * million;
    return scaled / bitsPerSecond * million + scaled % bitsPerSecond * million / bitsPerSecond;
}

} // namespace roce
} // namespace ns3
