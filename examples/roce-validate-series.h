/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_SERIES_H
#define ROCE_VALIDATE_SERIES_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A quantity in equal steps of time.
 *
 * Models: mean, variation, and whether it swings.
 *
 * Invariants: a variation of 0 has no ringing.
 *
 * Leaves out: trends.
 */
class ValidateSeries
{
  public:
    /** \param stepS seconds from one value to the next */
    explicit ValidateSeries(double stepS)
        : m_stepS(stepS)
    {
    }

    /** \param value the next one */
    void Add(double value)
    {
        m_values.push_back(value);
    }

    /** \return mean of all */
    double GetMean() const
    {
        double sum = 0;
        for (double value : m_values)
        {
            sum += value;
        }
        return sum / double(m_values.size());
    }

    /** \return largest */
    double GetMax() const
    {
        return *std::max_element(m_values.begin(), m_values.end());
    }

    /** \return standard deviation / mean */
    double GetCov() const
    {
        return std::sqrt(Correlate(m_values, 0)) / GetMean();
    }

    /**
     * \return highest autocorrelation after the first lag at which it is negative, up to 8 ms: 1
     * for a swing that lasts, near 0 for noise, between them for a swing that noise renews and that
     * dies out
     */
    double GetRinging() const
    {
        // means of 0.1 ms: what is faster is noise
        std::vector<double> means;
        const auto block = static_cast<std::size_t>(std::lround(100e-6 / m_stepS));
        for (std::size_t i = 0; i + block <= m_values.size(); i += block)
        {
            double sum = 0;
            for (std::size_t k = i; k < i + block; ++k)
            {
                sum += m_values[k];
            }
            means.push_back(sum / double(block));
        }
        const double variance = Correlate(means, 0);
        if (!(variance > 0))
        {
            return 0;
        }
        constexpr std::size_t LAGS = 80;
        std::size_t lag = 1;
        while (lag < LAGS && Correlate(means, lag) >= 0)
        {
            ++lag;
        }
        double most = 0;
        for (; lag < LAGS; ++lag)
        {
            most = std::max(most, Correlate(means, lag) / variance);
        }
        return most;
    }

  private:
    /** \return mean product of deviations from the mean. \param values the values \param lag steps
     *  between them */
    static double Correlate(const std::vector<double>& values, std::size_t lag)
    {
        double sum = 0;
        for (double value : values)
        {
            sum += value;
        }
        const double mean = sum / double(values.size());
        double products = 0;
        for (std::size_t i = 0; i + lag < values.size(); ++i)
        {
            products += (values[i] - mean) * (values[i + lag] - mean);
        }
        return products / double(values.size() - lag);
    }

    double m_stepS;
    std::vector<double> m_values;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_SERIES_H
