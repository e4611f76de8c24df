/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-long-flows.h"

#include "ns3/roce-distribution.h"

#include <algorithm>

// what came of LongFlows; what they do is in roce-long-flows.cc

namespace ns3
{
namespace roce
{

double
LongFlows::GetRate(uint32_t flow) const
{
    const auto& packets = m_packets.at(flow);
    const double mtu = m_flows[flow].qp->GetConfig().mtu;
    const double seconds = (m_slice * int64_t(m_slices)).GetSeconds();
    return double(packets.back() - packets.front()) * mtu * 8 / seconds;
}

double
LongFlows::GetSum(uint32_t first, uint32_t count) const
{
    const auto end = count ? first + count : static_cast<uint32_t>(m_flows.size());
    double sum = 0;
    for (uint32_t i = first; i < end; ++i)
    {
        sum += GetRate(i);
    }
    return sum;
}

double
LongFlows::GetLeast(uint32_t first, uint32_t count) const
{
    const auto end = count ? first + count : static_cast<uint32_t>(m_flows.size());
    double least = GetRate(first);
    for (uint32_t i = first; i < end; ++i)
    {
        least = std::min(least, GetRate(i));
    }
    return least;
}

double
LongFlows::GetUnsteadiness() const
{
    double sum = 0;
    for (const auto& packets : m_packets)
    {
        Distribution rates;
        for (std::size_t i = 1; i < packets.size(); ++i)
        {
            rates.Add(double(packets[i] - packets[i - 1]));
        }
        sum += rates.GetCov();
    }
    return m_packets.empty() ? 0 : sum / double(m_packets.size());
}

uint64_t
LongFlows::CountXoffs() const
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m_fabric->GetSwitches().GetN(); ++i)
    {
        const auto pfc = m_fabric->GetSwitches().Get(i)->GetObject<Switch>()->GetPfcController();
        for (unsigned priority = 0; priority < NUM_PRIORITIES; ++priority)
        {
            sum += pfc->GetXoffs(priority);
        }
    }
    return sum;
}

uint64_t
LongFlows::GetXoffs() const
{
    return CountXoffs() - m_xoffs;
}

double
LongFlows::GetFullRate(Ptr<Fabric> fabric, uint32_t host)
{
    const Ptr<Port> port = fabric->GetPort(host, 0);
    const uint32_t mtu = fabric->GetNic(host)->GetDefaults().mtu;
    const double wire = FrameSizes().DataBytes(mtu, false) + port->GetGap();
    return double(port->GetRate()) * mtu / wire;
}

uint64_t
LongFlows::GetPeak(Ptr<QueueMonitor> queues, Time from, Time to)
{
    uint64_t peak = 0;
    const Tick width = queues->GetSeries().GetWidth();
    for (const auto& [begin, bytes] : queues->GetSeries().GetBuckets())
    {
        if (begin + width > ToTick(from) && begin < ToTick(to))
        {
            peak = std::max(peak, bytes);
        }
    }
    return peak;
}

} // namespace roce
} // namespace ns3
