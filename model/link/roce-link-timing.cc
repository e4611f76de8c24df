/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-link-timing.h"

#include "ns3/abort.h"

#include <numeric>

namespace ns3
{
namespace roce
{

LinkTiming::LinkTiming(uint64_t rate, uint32_t overhead, bool truncate, int64_t ticksPerSecond)
    : m_rate(rate),
      m_ticksPerSecond(static_cast<double>(ticksPerSecond)),
      m_overhead(overhead),
      m_truncate(truncate)
{
    NS_ABORT_MSG_IF(rate == 0, "link rate is 0 bit/s, must be at least 1 bit/s");
    const uint64_t bits = 8 * static_cast<uint64_t>(ticksPerSecond);
    const uint64_t divisor = std::gcd(bits, rate);
    m_a = bits / divisor;
    m_b = rate / divisor;
    // 2^64 / b, rounded down; b = 1 has no remainders and needs no inverse
    m_inverse = m_b == 1 ? 0 : ~uint64_t(0) / m_b;
}

LinkTiming::Span
LinkTiming::Compute(uint32_t size) const
{
    const __uint128_t units = static_cast<__uint128_t>(size + m_overhead) * m_a;
    Span span{static_cast<uint64_t>(units / m_b), static_cast<uint64_t>(units % m_b)};
    if (m_truncate)
    {
        span.ticks = span.ticks ? span.ticks : 1;
        span.remainder = 0;
    }
    return span;
}

} // namespace roce
} // namespace ns3
