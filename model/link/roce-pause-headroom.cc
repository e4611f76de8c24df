/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-headroom.h"

#include "ns3/roce-constants.h"

namespace ns3
{
namespace roce
{

uint64_t
PauseHeadroom::GetBytes() const
{
    // bytes that pass in both directions of the cable: 2 * delay * rate / 8, rounded up
    const auto ticksPerByte = static_cast<__uint128_t>(ticksPerSecond) * 4;
    const __uint128_t bits = static_cast<__uint128_t>(delay) * rate;
    const auto cable = static_cast<uint64_t>((bits + ticksPerByte - 1) / ticksPerByte);
    const uint64_t frames = uint64_t{mtu} + 2 * (uint64_t{mtu} + overhead) + pfc + overhead;
    constexpr uint64_t quantumBytes = PAUSE_QUANTUM_BITS / 8;
    return frames + cable + responseQuanta * quantumBytes;
}

} // namespace roce
} // namespace ns3
