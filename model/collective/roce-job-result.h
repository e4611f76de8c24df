/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_JOB_RESULT_H
#define ROCE_JOB_RESULT_H

#include "roce-task-graph.h"

#include "ns3/nstime.h"
#include "ns3/roce-tick.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * When each task of a job ran, and what follows from it.
 *
 * Models: the account of a training step. A rank computes while one of its computations runs that
 * takes time, and communicates from the call of a collective, send or receive until it ends.
 * Exposed is communication while the rank does not compute.
 *
 * Source: "exposed communication" as used for training: Rashidi et al., ASTRA-sim, ISPASS 2020.
 *
 * Invariants: compute + exposed <= duration for each rank; exposed <= communication; utilization is
 * in 0..1.
 *
 * Leaves out: why a rank waits.
 */
class JobResult
{
  public:
    /** \param graph whose tasks; forgets what was there */
    void Begin(Ptr<const TaskGraph> graph);

    /** \param start tick of the start */
    void SetStart(Tick start)
    {
        m_start = start;
    }

    /** \param task its id \param at tick at which it began; the last one counts */
    void NoteBegun(uint32_t task, Tick at);

    /** \param task its id \param at tick at which it ended */
    void NoteEnded(uint32_t task, Tick at);

    /** \return tick at which a task began; NEVER if it has not. \param task its id */
    Tick GetBegun(uint32_t task) const
    {
        return m_begun.at(task);
    }

    /** \return tick at which a task ended; NEVER if it has not. \param task its id */
    Tick GetEnded(uint32_t task) const
    {
        return m_ended.at(task);
    }

    /** \return tick of the start; NEVER before */
    Tick GetStart() const
    {
        return m_start;
    }

    /** \return from the start to the last end so far */
    Time GetDuration() const;

    /** \return time for which a rank computed. \param rank of the job */
    Time GetCompute(uint32_t rank) const;

    /** \return time for which it communicated. \param rank of the job */
    Time GetCommunication(uint32_t rank) const;

    /** \return time for which it communicated and did not compute. \param rank of the job */
    Time GetExposed(uint32_t rank) const;

    /** \return GetCompute / GetDuration, mean over ranks; 0 if it took no time */
    double GetUtilization() const;

    /** \return GetExposed, mean over ranks */
    Time GetMeanExposed() const;

  private:
    /** Spans that do not overlap, in order. */
    using Spans = std::vector<std::pair<Tick, Tick>>;

    Spans SpansOf(uint32_t rank, bool compute) const;

    Ptr<const TaskGraph> m_graph;
    Tick m_start{NEVER};
    std::vector<Tick> m_begun;
    std::vector<Tick> m_ended;
    std::vector<std::vector<uint32_t>> m_tasks; //!< by rank
};

} // namespace roce
} // namespace ns3

#endif // ROCE_JOB_RESULT_H
