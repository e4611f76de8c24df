/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tag-echo.h"

#include "ns3/roce-constants.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

constexpr int32_t UNUSED_BITS = 8; //!< of 32, beside those of a PSN
/** Old flows are looked for so many times in a span. */
constexpr Tick CHECKS = 50;

/** \return how far a PSN is after another one. \param psn it \param before the other one */
int32_t
Gap(uint32_t psn, uint32_t before)
{
    return static_cast<int32_t>((psn - before) << UNUSED_BITS) >> UNUSED_BITS;
}

} // namespace

TagEcho::TagEcho(Ptr<const CnpTagTable> tags, const Settings& settings)
    : m_table(tags),
      m_settings(settings)
{
}

void
TagEcho::Shift(Flow& flow, uint32_t psn) const
{
    const int32_t gap = Gap(psn, flow.psn);
    const int32_t width = MAX_WINDOW;
    if (flow.marked < 0 || gap <= -width || gap >= width)
    {
        flow.bits = 1;
        flow.psn = psn;
    }
    else if (gap > 0)
    {
        flow.bits = flow.bits << gap | 1;
        flow.psn = psn;
    }
    else
    {
        flow.bits |= uint64_t(1) << -gap;
    }
}

void
TagEcho::Measure(Flow& flow, uint32_t psn, uint32_t bytes, uint64_t portBps, Tick now) const
{
    const int32_t gap = Gap(psn, flow.first);
    const Tick took = now - flow.began;
    const bool broken = flow.marked < 0 || gap < 0 || took > m_settings.span;
    if (!broken && (gap < static_cast<int32_t>(m_settings.window) || took == 0))
    {
        return;
    }
    if (!broken)
    {
        const double seconds = static_cast<double>(took) / double(m_settings.ticksPerSecond);
        const double times = static_cast<double>(portBps) * seconds / (8.0 * gap * bytes);
        flow.share = static_cast<uint16_t>(std::clamp(times + 0.5, 1.0, 65535.0));
    }
    flow.first = psn;
    flow.began = now;
}

void
TagEcho::Expire(Tag& tag, Tick now) const
{
    tag.counted = now;
    for (auto place = tag.flows.begin(); place != tag.flows.end();)
    {
        const bool old = now - place->second.marked > m_settings.span;
        place = old ? tag.flows.erase(place) : std::next(place);
    }
}

bool
TagEcho::OnMarked(uint64_t name,
                  uint32_t psn,
                  uint8_t number,
                  uint32_t bytes,
                  Tick now,
                  CnpBody& body)
{
    const CnpBody* place = m_table->Find(number);
    if (!place)
    {
        ++m_unknown;
        return false;
    }
    std::unique_ptr<Tag>& slot = m_tags[number];
    if (!slot)
    {
        slot = std::make_unique<Tag>();
        slot->counted = now;
    }
    if (now - slot->counted > m_settings.span / CHECKS)
    {
        Expire(*slot, now);
    }
    Flow& flow = slot->flows[name];
    Measure(flow, psn & MASK_24, bytes, place->rateBps, now);
    Shift(flow, psn & MASK_24);
    flow.marked = now;
    const Tick interval = place->stage == 3 ? m_settings.interval3 : m_settings.interval;
    if (flow.notified >= 0 && now - flow.notified < interval)
    {
        return false;
    }
    flow.notified = now;
    const uint64_t window = flow.bits
                            << (MAX_WINDOW - std::clamp(m_settings.window, 1u, MAX_WINDOW));
    body = *place;
    body.share = double(__builtin_popcountll(window)) / m_settings.window;
    const std::size_t known = std::min<std::size_t>(slot->flows.size(), 65535);
    body.flows = m_table->IsLast(number) ? static_cast<uint16_t>(known) : flow.share;
    return true;
}

} // namespace roce
} // namespace ns3
