/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pacing.h"

namespace ns3
{
namespace roce
{

namespace
{

/** \return hash mod the span, ticks; 0 if the span is below one tick */
Tick
Part(uint64_t hash, double spanTicks)
{
    const auto span = static_cast<uint64_t>(spanTicks);
    return span == 0 ? 0 : static_cast<Tick>(hash % span);
}

} // namespace

Tick
Pacing::StartPhase(Mode mode, uint64_t hash, uint32_t bytes, uint64_t rate)
{
    const auto second = static_cast<double>(TicksPerSecond());
    switch (mode)
    {
    case INTERVAL:
        return Part(hash, double(bytes) * 8 * second / double(rate));
    case FIXED:
        return Part(hash, double(SPAN_NS) * second / 1e9);
    default:
        return 0;
    }
}

Tick
Pacing::SlotPhase(Mode mode, uint64_t hash)
{
    return mode == LITERAL ? Part(hash, double(SPAN_NS) * double(TicksPerSecond()) / 1e9) : 0;
}

} // namespace roce
} // namespace ns3
