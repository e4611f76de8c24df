/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ideal-completion.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

IdealCompletion::IdealCompletion(std::vector<IdealLink> path, const FrameSizes& sizes, uint32_t mtu)
    : m_path(std::move(path)),
      m_sizes(sizes),
      m_mtu(mtu)
{
}

double
IdealCompletion::Length(const IdealLink& link, uint32_t size) const
{
    const double length = (size + link.overhead) / link.bytesPerNs;
    return link.truncate ? std::max(1.0, std::floor(length)) : length;
}

double
IdealCompletion::Sum(uint32_t size, std::size_t from, std::size_t to) const
{
    double sum = 0;
    for (std::size_t i = from; i <= to; ++i)
    {
        sum += Length(m_path[i], size);
    }
    return sum;
}

double
IdealCompletion::ArrivalNs(uint64_t bytes) const
{
    const std::size_t last = m_path.size() - 1;
    double delays = 0;
    for (const IdealLink& link : m_path)
    {
        delays += link.delayNs;
    }
    const uint64_t packets = bytes ? (bytes - 1) / m_mtu + 1 : 1;
    const auto rest = static_cast<uint32_t>(bytes - (packets - 1) * m_mtu);
    if (packets == 1)
    {
        return Sum(m_sizes.DataBytes(rest, true), 0, last) + delays;
    }
    const uint32_t first = m_sizes.DataBytes(m_mtu, true);
    const uint32_t middle = m_sizes.DataBytes(m_mtu, false);
    const uint32_t end = m_sizes.DataBytes(rest, false);
    double longest = 0;
    for (std::size_t a = 0; a <= last; ++a)
    {
        double slowest = 0;
        for (std::size_t b = a; b <= last; ++b)
        {
            slowest = std::max(slowest, Length(m_path[b], middle));
            double way = Sum(first, 0, a) + Sum(end, b, last);
            if (packets > 2)
            {
                way += Sum(middle, a, b) + double(packets - 3) * slowest;
            }
            else if (a != b)
            {
                continue;
            }
            longest = std::max(longest, way);
        }
    }
    return longest + delays;
}

double
IdealCompletion::CompletionNs(uint64_t bytes) const
{
    double back = Sum(m_sizes.ackBytes, 0, m_path.size() - 1);
    for (const IdealLink& link : m_path)
    {
        back += link.delayNs;
    }
    return ArrivalNs(bytes) + back;
}

} // namespace roce
} // namespace ns3
