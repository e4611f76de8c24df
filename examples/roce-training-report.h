/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAINING_REPORT_H
#define ROCE_TRAINING_REPORT_H

#include "ns3/roce-job.h"
#include "ns3/roce-parallel-layout.h"
#include "ns3/roce-result-writer.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What training jobs of a run came to.
 *
 * Models: figures of each job, and of all: of steps the longest, of times and shares the mean over
 * jobs, of bytes the sum. The step of a rank is divided by what its program waits for: computation,
 * tensor and expert collectives, messages of the pipeline (with the bubble), and the rest, which is
 * gradients after the last pass and slower ranks.
 *
 * Invariants: the parts of a step sum to it; bytes of stages sum to those of the job.
 *
 * Leaves out: traffic of the network that is no payload.
 */
class TrainingReport
{
  public:
    /** \param job to add; throws std::runtime_error saying what it waits for if it has not ended
     *  \param layout who does what in it */
    void Add(Ptr<const Job> job, const ParallelLayout& layout);

    /** \return keys of the run: gpu_utilization, step_s, exposed_comm_s, traffic_bytes,
     * stage_bytes, time_s and jobs */
    ResultWriter::Json GetJson() const;

    /** Print a row a job. \param label of the run */
    void Print(const std::string& label) const;

    /** Print the head of these rows. */
    static void PrintHead();

    /** Print what each pipeline stage of the jobs sends. */
    void PrintStages() const;

    /** \return what a task is, for people: forward, backward, optimizer, tensor, expert, data,
     *  send, receive. \param graph has it \param task its id */
    static std::string KindOf(const TaskGraph& graph, uint32_t task);

  private:
    /** Figures of a job. */
    struct Figures
    {
        double utilization{0};
        double stepS{0};
        double exposedS{0};
        std::vector<std::map<std::string, uint64_t>> stages; //!< bytes by pipeline stage and kind
        std::map<std::string, double> timeS; //!< by what is waited for, mean over ranks
    };

    static void AddBytes(Figures& figures, const Job& job, const ParallelLayout& layout);
    static std::map<std::string, uint64_t> SumOf(const Figures& figures);
    static ResultWriter::Json ToJson(const Figures& figures);
    Figures SumUp() const;

    std::vector<Figures> m_jobs;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAINING_REPORT_H
