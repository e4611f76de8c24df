/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-time-series.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

TimeSeries::TimeSeries(Merge merge, Tick width, std::size_t limit)
    : m_merge(merge),
      m_width(width),
      m_limit(limit)
{
    if (width < 1 || limit < 2)
    {
        throw std::invalid_argument("a time series needs buckets of at least 1 tick and at least "
                                    "2 of them");
    }
}

void
TimeSeries::Halve()
{
    const Tick width = 2 * m_width;
    const Tick first = m_first / width * width;
    std::vector<uint64_t> merged;
    for (std::size_t i = 0; i < m_buckets.size(); ++i)
    {
        const auto to = static_cast<std::size_t>((m_first + Tick(i) * m_width - first) / width);
        merged.resize(to + 1, 0);
        merged[to] =
            m_merge == Merge::SUM ? merged[to] + m_buckets[i] : std::max(merged[to], m_buckets[i]);
    }
    m_width = width;
    m_first = first;
    m_buckets = std::move(merged);
}

void
TimeSeries::Add(Tick at, uint64_t value)
{
    if (m_buckets.empty())
    {
        m_first = at / m_width * m_width;
    }
    at = std::max(at, m_first);
    while (at - m_first >= m_width * Tick(m_limit))
    {
        Halve();
    }
    const auto index = static_cast<std::size_t>((at - m_first) / m_width);
    if (index >= m_buckets.size())
    {
        m_buckets.resize(index + 1, 0);
    }
    uint64_t& bucket = m_buckets[index];
    bucket = m_merge == Merge::SUM ? bucket + value : std::max(bucket, value);
}

Tick
TimeSeries::GetWidth() const
{
    return m_width;
}

bool
TimeSeries::IsEmpty() const
{
    return m_buckets.empty();
}

std::vector<std::pair<Tick, uint64_t>>
TimeSeries::GetBuckets() const
{
    std::vector<std::pair<Tick, uint64_t>> list;
    list.reserve(m_buckets.size());
    for (std::size_t i = 0; i < m_buckets.size(); ++i)
    {
        list.emplace_back(m_first + Tick(i) * m_width, m_buckets[i]);
    }
    return list;
}

std::vector<std::pair<double, double>>
TimeSeries::GetRates() const
{
    const auto second = double(TicksPerSecond());
    std::vector<std::pair<double, double>> list;
    list.reserve(m_buckets.size());
    for (const auto& [begin, sum] : GetBuckets())
    {
        list.emplace_back(double(begin) / second, double(sum) * second / double(m_width));
    }
    return list;
}

} // namespace roce
} // namespace ns3
