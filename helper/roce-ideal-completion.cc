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
IdealCompletion::OneWay(uint32_t size) const
{
    double time = Sum(size, 0, m_path.size() - 1);
    for (const IdealLink& link : m_path)
    {
        time += link.delayNs;
    }
    return time;
}

double
IdealCompletion::Stream(uint64_t bytes, uint32_t firstHeader, uint32_t lastHeader) const
{
    const std::size_t last = m_path.size() - 1;
    const uint64_t packets = bytes ? (bytes - 1) / m_mtu + 1 : 1;
    const auto rest = static_cast<uint32_t>(bytes - (packets - 1) * m_mtu);
    if (packets == 1)
    {
        return OneWay(m_sizes.Bytes(rest, std::max(firstHeader, lastHeader)));
    }
    double delays = 0;
    for (const IdealLink& link : m_path)
    {
        delays += link.delayNs;
    }
    const uint32_t first = m_sizes.Bytes(m_mtu, firstHeader);
    const uint32_t middle = m_sizes.Bytes(m_mtu, 0);
    const uint32_t end = m_sizes.Bytes(rest, lastHeader);
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
IdealCompletion::ArrivalNs(uint64_t bytes, Operation operation) const
{
    const bool write = operation == Operation::WRITE || operation == Operation::WRITE_IMMEDIATE;
    return Stream(bytes, write ? m_sizes.rethBytes : 0, 0);
}

double
IdealCompletion::CompletionNs(uint64_t bytes, Operation operation, TransportService service) const
{
    if (service != TransportService::RC)
    {
        return ArrivalNs(bytes, operation);
    }
    if (IsAtomic(operation))
    {
        return OneWay(m_sizes.Bytes(0, ATOMIC_ETH_BYTES)) +
               OneWay(m_sizes.ackBytes + ATOMIC_ACK_BYTES);
    }
    if (operation == Operation::READ)
    {
        IdealCompletion back = *this;
        std::reverse(back.m_path.begin(), back.m_path.end());
        return OneWay(m_sizes.DataBytes(0, true)) + back.Stream(bytes, AETH_BYTES, AETH_BYTES);
    }
    return ArrivalNs(bytes, operation) + OneWay(m_sizes.ackBytes);
}

} // namespace roce
} // namespace ns3
