/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_INT_ORACLE_TABLE_H
#define ROCE_INT_ORACLE_TABLE_H

#include "roce-int-oracle-reference.h"
#include "roce-scenario-report.h"

namespace ns3
{
namespace roce
{

/**
 * The table that roce-int-oracle prints.
 *
 * Models: a line for each way to pick paths, and one by arithmetic.
 *
 * Invariants: none.
 *
 * Leaves out: single seeds, which the result file has.
 */
class IntOracleTable
{
  public:
    /** \param report rows \param reference what random paths give \param hot whether a spine has
     *  traffic of its own */
    static void Print(const ScenarioReport& report, const IntOracleReference& reference, bool hot);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_INT_ORACLE_TABLE_H
