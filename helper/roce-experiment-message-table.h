/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_MESSAGE_TABLE_H
#define ROCE_EXPERIMENT_MESSAGE_TABLE_H

#include "roce-experiment-run.h"

#include <ostream>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * The messages of a run, one by one.
 *
 * Models: what the monitor of a run has of each request that ended with success, as columns for
 * JSON or lines for CSV.
 *
 * Source: none.
 *
 * Invariants: in order of completion; times in ns from the begin of the simulation.
 *
 * Leaves out: requests that failed or have not ended.
 */
class ExperimentMessageTable
{
  public:
    /** \return a list for each column, by its name. \param run that is done \param fabric of it */
    static ResultWriter::Json Columns(const ExperimentRun& run, Ptr<Fabric> fabric);

    /** \param out gets the names of the columns of WriteRows */
    static void WriteHead(std::ostream& out);

    /** \param out gets a line a message \param run that is done \param fabric of it */
    static void WriteRows(std::ostream& out, const ExperimentRun& run, Ptr<Fabric> fabric);

  private:
    /** A message. */
    struct Row
    {
        const char* operation;
        int64_t from;
        int64_t to; //!< -1: not known
        uint64_t bytes;
        int64_t postedNs;
        int64_t arrivedNs;
        int64_t completedNs;
        double idealNs;
    };

    static std::vector<Row> Rows(const ExperimentRun& run, Ptr<Fabric> fabric);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_MESSAGE_TABLE_H
