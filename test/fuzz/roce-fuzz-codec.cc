/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-repair.h"
#include "roce-fuzz-targets.h"

#include "ns3/roce-codec.h"

#include <vector>

int
fuzz::Codec(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    ns3::roce::CodecOptions options;
    options.hasFcs = (data[0] & 1) != 0;
    options.refuseBadIcrc = (data[0] & 2) == 0;
    options.anyUdpPort = (data[0] & 4) != 0;
    // on the heap and of the exact size, so that a read beyond the end is seen
    std::vector<uint8_t> bytes(data + 1, data + size);
    bytes.shrink_to_fit();
    if (data[0] & 8)
    {
        Repair(bytes, options.hasFcs);
    }
    try
    {
        const auto packet = ns3::roce::Codec::Decode(bytes.data(), bytes.size(), options);
        Check(packet.icrcOk || !options.refuseBadIcrc, "a wrong ICRC is refused");
        Check(ns3::roce::Codec::Encode(packet) == bytes, "Encode(Decode(b)) == b");
    }
    catch (const ns3::roce::CodecError&)
    {
    }
    return 0;
}
