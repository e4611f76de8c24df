/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-repair.h"

#include "ns3/roce-codec.h"
#include "ns3/roce-icrc.h"

#include <cstddef>

using namespace ns3::roce;

namespace
{

uint16_t
Get16(const uint8_t* p)
{
    return static_cast<uint16_t>(p[0] << 8 | p[1]);
}

void
Put16(uint8_t* p, std::size_t value)
{
    p[0] = static_cast<uint8_t>(value >> 8);
    p[1] = static_cast<uint8_t>(value);
}

void
PutCrc(uint8_t* p, uint32_t crc)
{
    for (unsigned i = 0; i < 4; ++i)
    {
        p[i] = static_cast<uint8_t>(crc >> (8 * i));
    }
}

/**
 * \param ip first byte of an IP packet
 * \param size bytes from there
 * \param header bytes of its IP header
 */
void
RepairIp(uint8_t* ip, std::size_t size, std::size_t header)
{
    const bool isV4 = header == 20;
    uint8_t* field = ip + (isV4 ? 2 : 4); // IPv4: with header; IPv6: without
    std::size_t length = Get16(field) + (isV4 ? 0 : header);
    // UDP, BTH and ICRC are 8 + 12 + 4
    if (length < header + 24 || length > size)
    {
        length = size;
    }
    Put16(field, isV4 ? length : length - header);
    Put16(ip + header + 4, length - header);
    if (isV4)
    {
        Put16(ip + 10, 0);
        Put16(ip + 10, Codec::InternetChecksum(ip, header));
    }
    PutCrc(ip + length - 4, Icrc::Compute(ip, length - 4));
}

} // namespace

void
fuzz::Repair(std::vector<uint8_t>& frame, bool hasFcs)
{
    if (hasFcs && frame.size() < 4)
    {
        return;
    }
    const std::size_t end = frame.size() - (hasFcs ? 4 : 0);
    if (end >= 18)
    {
        const std::size_t network = Get16(&frame[12]) == 0x8100 ? 18 : 14;
        const uint16_t type = Get16(&frame[network - 2]);
        const std::size_t header = type == 0x0800 ? 20 : 40;
        const std::size_t size = end - network;
        const bool isIp = (type == 0x0800 && size > 0 && frame[network] == 0x45) ||
                          (type == 0x86dd && size > 0 && frame[network] >> 4 == 6);
        if (isIp && size >= header + 24 && size <= 0xffff)
        {
            RepairIp(&frame[network], size, header);
        }
    }
    if (hasFcs)
    {
        PutCrc(&frame[end], Icrc::Crc32(frame.data(), end));
    }
}
