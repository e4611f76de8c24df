/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace roce
{

std::size_t
ValidateProbe::IndexOf(Time at) const
{
    const int64_t steps = at.GetTimeStep() / m_interval.GetTimeStep();
    return std::min<std::size_t>(steps, m_samples.size() - 1);
}

ValidateSeries
ValidateProbe::GetQueue(Time from, Time to) const
{
    ValidateSeries series(m_interval.GetSeconds());
    for (std::size_t i = IndexOf(from); i <= IndexOf(to); ++i)
    {
        series.Add(double(m_samples[i].queue));
    }
    return series;
}

double
ValidateProbe::GetMarking(Time from, Time to) const
{
    const Sample& a = m_samples[IndexOf(from)];
    const Sample& b = m_samples[IndexOf(to)];
    return double(b.marks - a.marks) / double(b.received - a.received);
}

double
ValidateProbe::GetRate(std::size_t flow, Time from, Time to) const
{
    const Flow& f = m_flows.at(flow);
    const std::size_t a = IndexOf(from);
    const std::size_t b = IndexOf(to);
    return double(f.sent[b] - f.sent[a]) * f.packetBytes * 8 /
           (m_samples[b].at - m_samples[a].at).GetSeconds();
}

double
ValidateProbe::GetGoodput(Time from, Time to) const
{
    const Sample& a = m_samples[IndexOf(from)];
    const Sample& b = m_samples[IndexOf(to)];
    return double(b.delivered - a.delivered) * 8 / (b.at - a.at).GetSeconds();
}

double
ValidateProbe::GetLawRate(std::size_t flow, Time from, Time to) const
{
    double sum = 0;
    const std::size_t begin = IndexOf(from);
    const std::size_t end = IndexOf(to);
    for (std::size_t i = begin; i <= end; ++i)
    {
        sum += m_flows.at(flow).law[i];
    }
    return sum / double(end - begin + 1);
}

double
ValidateProbe::GetLead(std::size_t flow, Time from, Time to) const
{
    double sum = 0;
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        sum += GetRate(i, from, to);
    }
    const double own = GetRate(flow, from, to);
    const double others = (sum - own) / double(m_flows.size() - 1);
    return (own - others) / (sum / double(m_flows.size()));
}

double
ValidateProbe::GetConvergence(std::size_t flow, Time from, Time window, double limit) const
{
    for (Time t = from; t + window <= m_end; t += m_interval)
    {
        if (std::abs(GetLead(flow, t, t + window)) <= limit)
        {
            return (t - from).GetSeconds();
        }
    }
    return std::numeric_limits<double>::infinity();
}

double
ValidateProbe::GetDrain(Time from, double level) const
{
    Time last = from;
    for (std::size_t i = IndexOf(from); i < m_samples.size(); ++i)
    {
        if (double(m_samples[i].queue) >= level)
        {
            last = m_samples[i].at + m_interval;
        }
    }
    return (last - from).GetSeconds();
}

} // namespace roce
} // namespace ns3
