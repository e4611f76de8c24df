/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-body.h"

#include "ns3/roce-constants.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

namespace
{

/** Rate of the smallest code: 16 x 2^-5 Gb/s. */
constexpr uint64_t RATE_UNIT = 1000000000 / 32;
/** Codes of 16 x 2^-4 = 1 Gb/s and above are given. */
constexpr uint8_t FIRST_CODE = 1 << 4;

void
Put16(uint8_t* bytes, uint16_t value)
{
    bytes[0] = static_cast<uint8_t>(value >> 8);
    bytes[1] = static_cast<uint8_t>(value);
}

uint16_t
Get16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

} // namespace

void
CnpBody::Encode(uint8_t* bytes) const
{
    std::fill_n(bytes, CNP_BODY_BYTES, 0);
    bytes[0] = static_cast<uint8_t>(VERSION << 2 | clear << 1 | int(leave));
    Put16(bytes + 1, domain);
    Put16(bytes + 3, point);
    bytes[5] = tier;
    bytes[6] = hops;
    bytes[7] = stage;
    const double units = std::round(std::clamp(share, 0.0, 1.0) * SHARE_ONE);
    Put16(bytes + 8, static_cast<uint16_t>(units));
    Put16(bytes + 10, flows);
    bytes[12] = RateCode(rateBps);
}

bool
CnpBody::Decode(const uint8_t* bytes, CnpBody& body)
{
    if (!bytes || bytes[0] >> 2 != VERSION)
    {
        return false;
    }
    body.clear = (bytes[0] >> 1) & 1;
    body.leave = bytes[0] & 1;
    body.domain = Get16(bytes + 1);
    body.point = Get16(bytes + 3);
    body.tier = bytes[5];
    body.hops = bytes[6];
    body.stage = bytes[7];
    body.share = std::min(1.0, double(Get16(bytes + 8)) / SHARE_ONE);
    body.flows = Get16(bytes + 10);
    body.rateBps = RateOf(bytes[12]);
    return true;
}

uint8_t
CnpBody::RateCode(uint64_t rateBps)
{
    uint8_t best = 0;
    uint64_t error = rateBps; // of code 0, which stands for nothing
    for (unsigned code = FIRST_CODE; code <= 0xff && rateBps >= 32 * RATE_UNIT; ++code)
    {
        const uint64_t rate = RateOf(static_cast<uint8_t>(code));
        const uint64_t off = rate > rateBps ? rate - rateBps : rateBps - rate;
        if (off < error)
        {
            error = off;
            best = static_cast<uint8_t>(code);
        }
    }
    return best;
}

uint64_t
CnpBody::RateOf(uint8_t code)
{
    return code < FIRST_CODE ? 0 : RATE_UNIT * (16u + (code & 15u)) << (code >> 4);
}

} // namespace roce
} // namespace ns3
