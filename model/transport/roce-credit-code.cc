/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-credit-code.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** Credits by code; after 3 it alternates between 2^n and 3 * 2^(n-1). */
constexpr uint32_t CREDITS[CreditCode::INVALID] = {
    0,   1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,  192,
    256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};

} // namespace

uint8_t
CreditCode::Encode(uint64_t credits)
{
    const auto above = std::upper_bound(std::begin(CREDITS), std::end(CREDITS), credits);
    return static_cast<uint8_t>(above - std::begin(CREDITS) - 1);
}

uint32_t
CreditCode::Decode(uint8_t code)
{
    if (code > INVALID)
    {
        throw std::invalid_argument("credit code " + std::to_string(code) +
                                    " is above 31; the field has 5 bits");
    }
    return code == INVALID ? UNLIMITED : CREDITS[code];
}

} // namespace roce
} // namespace ns3
