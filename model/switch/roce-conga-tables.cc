/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-conga-tables.h"

#include "roce-conga-header.h"

namespace ns3
{
namespace roce
{

void
CongaTables::Configure(Tick aging)
{
    m_aging = aging;
    m_to.clear();
    m_from.clear();
}

void
CongaTables::Set(Table& table, uint32_t leaf, uint8_t tag, uint8_t metric, Tick now)
{
    if (__builtin_expect(leaf >= table.size(), 0))
    {
        table.resize(leaf + 1);
    }
    std::vector<Entry>& entries = table[leaf].entries;
    if (__builtin_expect(tag >= entries.size(), 0))
    {
        entries.resize(tag + 1u);
    }
    entries[tag].set = now;
    entries[tag].metric = metric;
}

uint8_t
CongaTables::Aged(const Entry& entry, Tick now) const
{
    if (entry.set == NEVER)
    {
        return 0;
    }
    const Tick steps = (now - entry.set) / m_aging;
    return steps >= entry.metric ? 0 : static_cast<uint8_t>(entry.metric - steps);
}

uint8_t
CongaTables::Get(const Table& table, uint32_t leaf, uint8_t tag, Tick now) const
{
    if (leaf >= table.size() || tag >= table[leaf].entries.size())
    {
        return 0;
    }
    return Aged(table[leaf].entries[tag], now);
}

void
CongaTables::SetTo(uint32_t leaf, uint8_t tag, uint8_t metric, Tick now)
{
    Set(m_to, leaf, tag, metric, now);
}

uint8_t
CongaTables::GetTo(uint32_t leaf, uint8_t tag, Tick now) const
{
    return Get(m_to, leaf, tag, now);
}

void
CongaTables::SetFrom(uint32_t leaf, uint8_t tag, uint8_t metric, Tick now)
{
    Set(m_from, leaf, tag, metric, now);
}

uint8_t
CongaTables::GetFrom(uint32_t leaf, uint8_t tag, Tick now) const
{
    return Get(m_from, leaf, tag, now);
}

CongaTables::Feedback
CongaTables::NextFeedback(uint32_t leaf, Tick now)
{
    Feedback next{CongaHeader::NO_TAG, 0};
    if (leaf >= m_from.size())
    {
        return next;
    }
    Row& row = m_from[leaf];
    const auto count = static_cast<uint32_t>(row.entries.size());
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t tag = (row.turn + i) % count;
        const Entry& entry = row.entries[tag];
        if (entry.set == NEVER)
        {
            continue;
        }
        const uint8_t metric = Aged(entry, now);
        if (next.tag == CongaHeader::NO_TAG || metric != entry.told)
        {
            next = Feedback{static_cast<uint8_t>(tag), metric};
        }
        if (metric != entry.told)
        {
            break; // it changed
        }
    }
    if (next.tag != CongaHeader::NO_TAG)
    {
        row.entries[next.tag].told = next.metric;
        row.turn = static_cast<uint8_t>((next.tag + 1u) % count);
    }
    return next;
}

} // namespace roce
} // namespace ns3
