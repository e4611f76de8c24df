/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOAD_BALANCE_REFERENCE_H
#define ROCE_LOAD_BALANCE_REFERENCE_H

#include <cstdint>
#include <random>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The max-min fair share of the slowest pair of hosts, without any simulation.
 *
 * Models: all hosts of a leaf write to those of another leaf, each by a number of queue pairs, each
 * of which takes a random spine. All links are alike. Rates by progressive filling: the link with
 * the least room a queue pair fixes the rates of all its queue pairs, and so on.
 *
 * Bertsekas and Gallager, Data Networks, 6.5.2.
 *
 * Invariants: no link carries more than 1; shares are between 0 and 1.
 *
 * Leaves out: packets.
 */
class MaxMinReference
{
  public:
    /** \param leaves leaf switches \param spines spine switches \param hosts on each leaf */
    MaxMinReference(uint32_t leaves, uint32_t spines, uint32_t hosts);

    /** \return mean over draws of the least share of line rate. \param paths queue pairs of two
     *  hosts that choose a path of their own \param draws number of draws */
    double GetSlowest(uint32_t paths, uint32_t draws);

  private:
    double Draw(uint32_t paths);

    uint32_t m_leaves;
    uint32_t m_spines;
    uint32_t m_hosts;
    std::mt19937 m_engine{1};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOAD_BALANCE_REFERENCE_H
