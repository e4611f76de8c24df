/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_ORACLE_REFERENCE_H
#define ROCE_INT_ORACLE_REFERENCE_H

#include "roce-int-oracle-trial.h"

#include "ns3/roce-distribution.h"

namespace ns3
{
namespace roce
{

/**
 * What random paths give the pairs of roce-int-oracle, without any simulation.
 *
 * Models: each queue pair takes a random spine; rates are max-min fair (MaxMinRates). All links
 * carry 1. On a hot spine one flow a leaf is on its way.
 *
 * Invariants: shares are between 0 and 1.
 *
 * Leaves out: packets, and the time between messages.
 */
class IntOracleReference
{
  public:
    /** \param settings sizes \param draws random paths, at least 1 */
    IntOracleReference(const IntOracleSettings& settings, uint32_t draws);

    /** \return mean share of the pairs, a value a draw */
    const Distribution& GetMean() const
    {
        return m_mean;
    }

    /** \return share of the slowest pair, a value a draw */
    const Distribution& GetSlowest() const
    {
        return m_slowest;
    }

  private:
    void Draw(const IntOracleSettings& settings, std::mt19937& engine);

    Distribution m_mean;
    Distribution m_slowest;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_ORACLE_REFERENCE_H
