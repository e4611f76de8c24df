/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-distribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

void
Distribution::Add(double value)
{
    m_sorted = m_sorted && (m_values.empty() || m_values.back() <= value);
    m_values.push_back(value);
}

std::size_t
Distribution::GetCount() const
{
    return m_values.size();
}

bool
Distribution::IsEmpty() const
{
    return m_values.empty();
}

void
Distribution::Require() const
{
    if (m_values.empty())
    {
        throw std::logic_error("an empty set has no statistics; ask IsEmpty() first");
    }
}

const std::vector<double>&
Distribution::GetSorted() const
{
    if (!m_sorted)
    {
        std::sort(m_values.begin(), m_values.end());
        m_sorted = true;
    }
    return m_values;
}

double
Distribution::GetMin() const
{
    Require();
    return GetSorted().front();
}

double
Distribution::GetMax() const
{
    Require();
    return GetSorted().back();
}

double
Distribution::GetMean() const
{
    Require();
    const auto& values = GetSorted(); // a fixed order, so that the sum is one number
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double
Distribution::GetStd() const
{
    const double mean = GetMean();
    double sum = 0;
    for (double value : GetSorted())
    {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / double(m_values.size()));
}

double
Distribution::GetCov() const
{
    const double std = GetStd();
    return std == 0 ? 0 : std / GetMean();
}

std::vector<std::pair<double, double>>
Distribution::GetCdf(std::size_t points) const
{
    const auto& values = GetSorted();
    const std::size_t n = values.size();
    points = std::min(std::max<std::size_t>(points, 2), n);
    std::vector<std::pair<double, double>> cdf;
    for (std::size_t i = 0; i < points; ++i)
    {
        const std::size_t index = points == 1 ? 0 : i * (n - 1) / (points - 1);
        // the last of equal values, so that the share is that of all of them
        const auto after = std::upper_bound(values.begin(), values.end(), values[index]);
        const double share = double(after - values.begin()) / double(n);
        if (cdf.empty() || cdf.back().first < values[index])
        {
            cdf.emplace_back(values[index], share);
        }
    }
    return cdf;
}

double
Distribution::GetPercentile(unsigned percent) const
{
    Require();
    if (percent < 1 || percent > 100)
    {
        throw std::invalid_argument("percentile " + std::to_string(percent) + " is not in 1..100");
    }
    const auto& values = GetSorted();
    const std::size_t rank = (percent * values.size() + 99) / 100;
    return values[rank - 1];
}

} // namespace roce
} // namespace ns3
