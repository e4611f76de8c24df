/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TICK_H
#define ROCE_TICK_H

#include "ns3/nstime.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3
{
namespace roce
{

/**
 * A point in simulation time or a span of it, in steps of ns-3's time resolution (1 ns by
 * default). The data path uses plain integers; public attributes and results use ns3::Time.
 */
using Tick = int64_t;

/** A tick that never comes. */
inline constexpr Tick NEVER = std::numeric_limits<Tick>::max();

/** Fractions of a tick are carried in units of 2^-16 tick. */
inline constexpr unsigned FRACTION_BITS = 16;

/**
 * \return ticks in one second at the present ns-3 resolution
 */
inline int64_t
TicksPerSecond()
{
    return Seconds(1).GetTimeStep();
}

/**
 * \param ticks a span in ticks
 * \return the same as ns3::Time
 */
inline Time
FromTick(Tick ticks)
{
    return Time(ticks);
}

/**
 * \param time a time
 * \return the same in ticks
 */
inline Tick
ToTick(const Time& time)
{
    return time.GetTimeStep();
}

/**
 * Convert seconds as some simulators do: the double is cut to a multiple of 2^-64 s, and that
 * times the resolution is cut to whole ticks. 8.384e-05 s gives 83839 ns, not 83840. For
 * comparison only.
 * \param seconds a span, not negative
 * \param ticksPerSecond resolution
 * \return ticks
 */
inline Tick
TruncateToTicks(double seconds, int64_t ticksPerSecond)
{
    const double whole = std::floor(seconds);
    const auto part = static_cast<uint64_t>(std::ldexp(seconds - whole, 64));
    const auto ticks =
        (static_cast<__uint128_t>(part) * static_cast<uint64_t>(ticksPerSecond)) >> 64;
    return static_cast<Tick>(whole) * ticksPerSecond + static_cast<Tick>(ticks);
}

} // namespace roce
} // namespace ns3

#endif // ROCE_TICK_H
