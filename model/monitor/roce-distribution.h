/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DISTRIBUTION_H
#define ROCE_DISTRIBUTION_H

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A set of numbers and what is said of it in results.
 *
 * Models: mean, standard deviation of the set as a whole (divisor n), and percentiles by nearest
 * rank: with n values in ascending order the p-th percentile is value number ceil(p n / 100),
 * counted from 1. It is always one of the values. Sans-IO.
 *
 * Invariants: min <= p50 <= p99 <= max; the order of Add does not matter for min, max and
 * percentiles; an empty set has no statistics, asking for one throws std::logic_error.
 *
 * Leaves out: interpolation between values, sketches for sets that do not fit in memory.
 */
class Distribution
{
  public:
    /** \param value one more number */
    void Add(double value);

    /** \return how many numbers there are */
    std::size_t GetCount() const;

    /** \return whether there is none */
    bool IsEmpty() const;

    /** \return the smallest */
    double GetMin() const;

    /** \return the largest */
    double GetMax() const;

    /** \return the arithmetic mean */
    double GetMean() const;

    /** \return the standard deviation with divisor n */
    double GetStd() const;

    /** \return standard deviation / mean, the coefficient of variation; 0 if all values are 0 */
    double GetCov() const;

    /**
     * \param percent 1..100, else std::invalid_argument
     * \return the percentile by nearest rank
     */
    double GetPercentile(unsigned percent) const;

    /**
     * \param points most points wanted, at least 2
     * \return value and share of the numbers that are at most it, ascending; the first point is
     *         the smallest number, the last the largest with share 1; empty for an empty set
     */
    std::vector<std::pair<double, double>> GetCdf(std::size_t points) const;

    /** \return all numbers in ascending order */
    const std::vector<double>& GetSorted() const;

  private:
    void Require() const;

    mutable std::vector<double> m_values;
    mutable bool m_sorted{true};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DISTRIBUTION_H
