/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_MAX_MIN_H
#define ROCE_SCENARIO_MAX_MIN_H

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Max-min fair rates of flows over links, without packets.
 *
 * Models: progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): the link with the
 * least room a flow fixes the rates of its flows, and so on.
 *
 * Invariants: no link carries more than it can; each flow crosses a link that is full and on which
 * none has more.
 *
 * Leaves out: headers and ACKs; flows that depend on each other.
 */
class MaxMinRates
{
  public:
    /** \param capacity of each link in bit/s, by its number \param routes numbers of the links that
     *  each flow crosses, at least one */
    MaxMinRates(const std::map<uint64_t, double>& capacity,
                const std::vector<std::vector<uint64_t>>& routes);

    /** \return bit/s of each flow */
    const std::vector<double>& GetRates() const;

    /** \return numbers of the links that are full */
    const std::vector<uint64_t>& GetFull() const;

  private:
    std::vector<double> m_rates;
    std::vector<uint64_t> m_full;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_MAX_MIN_H
