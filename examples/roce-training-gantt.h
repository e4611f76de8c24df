/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_GANTT_H
#define ROCE_TRAINING_GANTT_H

#include "ns3/roce-job.h"
#include "ns3/roce-parallel-layout.h"

#include <fstream>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Writes when each task of training jobs ran.
 *
 * Models: one JSON object of schema roce-gantt/1: names of columns, and for each run its jobs, with
 * where each rank is in the layout and a row a task.
 *
 * Invariants: times are from the start of the job; the file is whole after Finish.
 *
 * Leaves out: what tasks wait for.
 */
class TrainingGantt
{
  public:
    /** \param path file; std::runtime_error if it cannot be written. Empty: nothing is written */
    explicit TrainingGantt(const std::string& path);

    /** Begin a run. \param label its name */
    void BeginRun(const std::string& label);

    /** Write a job of the run. \param job that has ended \param layout who does what */
    void Add(Ptr<const Job> job, const ParallelLayout& layout);

    /** End the file; std::runtime_error if not all could be written. */
    void Finish();

  private:
    std::string m_path;
    std::ofstream m_out;
    bool m_runs{false}; //!< there is one
    bool m_jobs{false}; //!< the run has one
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_GANTT_H
