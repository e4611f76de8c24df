/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_JOB_H
#define ROCE_EXPERIMENT_JOB_H

#include "roce-experiment-placement.h"
#include "roce-experiment-traffic.h"
#include "roce-job-helper.h"

#include "ns3/roce-training-plan.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Jobs of an experiment: a workload, or training steps.
 *
 * Models: the types "workload" and "training": JobHelper on GPUs with the tasks of a file or of
 * TrainingStep.
 *
 * Source: WorkloadLoader and TrainingStep name theirs.
 *
 * Invariants: what Make of the experiment lets through has tasks that are valid, and operations and
 * algorithms that exist.
 *
 * Leaves out: when each task ran.
 */
class ExperimentJob : public ExperimentTraffic
{
  public:
    /** Check an entry. \param plan what it is checked against; GPUs it takes are noted there
     *  \param entry with its defaults \param path of it */
    ExperimentJob(ExperimentPlan& plan, const Json& entry, const std::string& path);

    void Install(const ExperimentSite& site) override;
    ResultWriter::Json Report() const override;
    uint64_t GetBytes() const override;
    void Clear() override;

    /** \return the step that an entry of type "training" asks for. \param entry with its defaults
     *  \param nvlinkBytesPerS of a GPU each way, for folded collectives */
    static TrainingPlan PlanOf(const Json& entry, double nvlinkBytesPerS);

  private:
    static Ptr<const TaskGraph> Load(const ExperimentPlan& plan,
                                     const Json& entry,
                                     const std::string& path);
    static ResultWriter::Json ReportOf(const Job& job);
    void Configure(const Json& entry);
    void CheckOperations() const;

    std::string m_type;
    Time m_at;
    JobHelper m_helper;
    Ptr<const TaskGraph> m_graph;
    std::vector<ExperimentPlacement> m_placements; //!< by job
    std::vector<Ptr<Job>> m_jobs;                  //!< of the run
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_JOB_H
