/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FLOW_SIZE_DISTRIBUTION_H
#define ROCE_FLOW_SIZE_DISTRIBUTION_H

#include "ns3/roce-text-source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** A point of a cumulative distribution. */
struct FlowSizePoint
{
    uint64_t bytes{0}; //!< a size
    double percent{0}; //!< of the flows are at most that
};

/**
 * How large flows are.
 *
 * Models: a cumulative distribution that is linear between points. Between points (a, p) and
 * (b, q) the sizes a + 1, ..., b have equal chances, q - p per cent together; if a = b, size a has
 * them all. So a size is a whole number of bytes, never 0.
 *
 * Source: the two-column text "size cumulative_percent" of the traffic generators of HPCC and
 * ConWeave; they cut a real number off where this takes the next whole one, so their mean is up to
 * one byte less.
 *
 * Invariants: GetMean is the exact mean of what Sample gives for a uniform argument: the sum over
 * the pieces of (q - p) / 100 * (a + b + 1) / 2, of a in place of (a + b + 1) / 2 if a = b.
 *
 * Leaves out: correlation of sizes.
 */
class FlowSizeDistribution
{
  public:
    static constexpr uint64_t MAX_BYTES = 1ULL << 50; //!< largest size

    /**
     * \param name for messages and results
     * \param points from 0 to 100 per cent, neither size nor per cent ever falling, no size 0 with
     *        a chance; std::invalid_argument names the point if not
     */
    FlowSizeDistribution(const std::string& name, const std::vector<FlowSizePoint>& points);

    /** \return the distribution in a text; std::invalid_argument "FILE:LINE: ...".
     *  \param source lines "size cumulative_percent" */
    static FlowSizeDistribution Read(const TextSource& source);

    /** \return a published one. \param name one of Names(), or std::invalid_argument lists them */
    static FlowSizeDistribution Named(const std::string& name);

    /** \return the published one of this name, else that in the file. \param name either */
    static FlowSizeDistribution Load(const std::string& name);

    /** \return all flows alike. \param bytes their size, 1..MAX_BYTES */
    static FlowSizeDistribution Fixed(uint64_t bytes);

    /** \return WebSearch FbHdp AliStorage2019 GoogleRPC2008 Solar2022 */
    static std::vector<std::string> Names();

    /** \return its name */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** \return the points */
    const std::vector<FlowSizePoint>& GetPoints() const
    {
        return m_points;
    }

    /** \return bytes of a flow, the mean */
    double GetMean() const
    {
        return m_mean;
    }

    /** \return a size in bytes. \param u where in the distribution, 0 <= u < 1 */
    uint64_t Sample(double u) const;

  private:
    static void CheckStep(const FlowSizePoint& before, const FlowSizePoint& point);

    std::string m_name;
    std::vector<FlowSizePoint> m_points;
    double m_mean{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FLOW_SIZE_DISTRIBUTION_H
