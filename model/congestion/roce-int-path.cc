/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-path.h"

namespace ns3
{
namespace roce
{

namespace
{

/** Queue occupancy of INT_MD that is not known (INT v2.1, section 5.8: all ones). */
constexpr uint32_t NO_QUEUE = 0xffffff;
/** Time of INT_MD that is not known. */
constexpr uint64_t NO_TIME = ~uint64_t(0);

} // namespace

void
IntPath::Start(int64_t ticksPerSecond)
{
    m_hops.clear();
    m_newer.clear();
    m_samples.clear();
    m_nsPerTick = 1e9 / static_cast<double>(ticksPerSecond);
    m_resets = 0;
    m_unused = 0;
}

IntPath::Format
IntPath::FormatOf(const IntRecord& record)
{
    if (record.layout == IntRecord::INT_MD)
    {
        return {~uint64_t(0), 0xffffffff, 1};
    }
    return {(uint64_t(1) << HpccIntHop::TIME_BITS) - 1,
            (uint64_t(1) << HpccIntHop::BYTES_BITS) - 1,
            uint64_t(HpccIntHop::BYTES_UNIT) * record.multi};
}

bool
IntPath::Read(const IntRecord& record, Tick now)
{
    const unsigned hops = record.GetHops();
    if (hops == 0 || record.multi == 0)
    {
        return false;
    }
    m_newer.resize(hops);
    for (unsigned i = 0; i < hops; ++i)
    {
        Hop& hop = m_newer[i];
        hop.at = now;
        if (record.layout != IntRecord::INT_MD)
        {
            const HpccIntHop& told = record.hpcc.GetHop(i);
            hop.time = told.time;
            hop.counter = told.bytes;
            hop.queue = static_cast<double>(told.GetQueueBytes(record.multi));
            hop.rateMbps = told.rate;
        }
        else
        {
            const IntMdHop& told = record.md.hops[hops - 1 - i]; // the last switch comes first
            if (record.md.domainId != IntRecord::MD_DOMAIN_ID ||
                told.domain.size() < IntRecord::MD_DOMAIN_WORDS || told.egressTime == NO_TIME ||
                told.queueOccupancy == NO_QUEUE)
            {
                return false;
            }
            hop.port = uint64_t(told.nodeId) << 16 | told.egressPort;
            hop.time = told.egressTime;
            hop.counter = told.domain[IntRecord::MD_BYTES_WORD];
            hop.queue = told.queueOccupancy;
            hop.rateMbps = told.domain[IntRecord::MD_RATE_WORD];
        }
        if (hop.rateMbps == 0)
        {
            return false;
        }
    }
    return true;
}

bool
IntPath::IsSamePath(const IntRecord& record) const
{
    bool same =
        m_hops.size() == m_newer.size() && m_layout == record.layout && m_multi == record.multi;
    for (unsigned i = 0; same && i < m_hops.size(); ++i)
    {
        same = m_hops[i].port == m_newer[i].port && m_hops[i].rateMbps == m_newer[i].rateMbps;
    }
    return same;
}

bool
IntPath::IsLongGap(const Format& format, Tick now) const
{
    const double half = static_cast<double>(format.timeMask >> 1);
    const double bytes = static_cast<double>(format.counterMask) * static_cast<double>(format.unit);
    for (unsigned i = 0; i < m_hops.size(); ++i)
    {
        // by the local clock, as that of the hop may have wrapped
        const double gap = static_cast<double>(now - m_hops[i].at) * m_nsPerTick;
        const uint64_t told = (m_newer[i].time - m_hops[i].time) & format.timeMask;
        const double most = m_hops[i].rateMbps * 1e-3 / 8 * static_cast<double>(told);
        if (gap >= half || (told <= format.timeMask >> 1 && most >= bytes))
        {
            return true;
        }
    }
    return false;
}

bool
IntPath::IsOlder(const Format& format) const
{
    for (unsigned i = 0; i < m_hops.size(); ++i)
    {
        if (((m_newer[i].time - m_hops[i].time) & format.timeMask) > format.timeMask >> 1)
        {
            return true;
        }
    }
    return false;
}

void
IntPath::Measure(unsigned i, const Format& format)
{
    const Hop& older = m_hops[i];
    const Hop& newer = m_newer[i];
    Sample& sample = m_samples[i];
    const uint64_t units = (newer.counter - older.counter) & format.counterMask;
    sample.fresh = true;
    sample.rate = newer.rateMbps * 1e6;
    sample.nanoseconds = static_cast<double>((newer.time - older.time) & format.timeMask);
    sample.sentBytes = static_cast<double>(units) * static_cast<double>(format.unit);
    sample.queue = newer.queue;
    sample.oldQueue = older.queue;
    sample.txRate = sample.sentBytes * 8e9 / sample.nanoseconds;
}

IntPath::Result
IntPath::Update(const IntRecord& record, Tick now, bool skipEmpty)
{
    if (!Read(record, now))
    {
        ++m_unused;
        return UNUSABLE;
    }
    const Format format = FormatOf(record);
    if (!IsSamePath(record) || IsLongGap(format, now))
    {
        m_resets += m_hops.empty() ? 0 : 1;
        m_layout = record.layout;
        m_multi = record.multi;
        m_hops = m_newer;
        m_samples.assign(m_hops.size(), Sample());
        return REFERENCE;
    }
    if (IsOlder(format))
    {
        ++m_unused;
        return OLDER;
    }
    for (unsigned i = 0; i < m_hops.size(); ++i)
    {
        const bool skip = skipEmpty && m_newer[i].queue == 0;
        if (skip || m_newer[i].time == m_hops[i].time)
        {
            m_samples[i].fresh = false;
            continue;
        }
        Measure(i, format);
        m_hops[i] = m_newer[i];
    }
    return SAMPLES;
}

} // namespace roce
} // namespace ns3
