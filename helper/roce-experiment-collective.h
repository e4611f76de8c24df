/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_COLLECTIVE_H
#define ROCE_EXPERIMENT_COLLECTIVE_H

#include "roce-collective-helper.h"
#include "roce-experiment-placement.h"
#include "roce-experiment-traffic.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A collective of an experiment.
 *
 * Models: the type "collective": CollectiveHelper on GPUs, once or several times in a row.
 *
 * Source: CollectiveCatalog names its own.
 *
 * Invariants: one in a row begins at the time the one before ends; each has connections of its own.
 *
 * Leaves out: nothing.
 */
class ExperimentCollective : public ExperimentTraffic
{
  public:
    /** Check an entry. \param plan what it is checked against; GPUs it takes are noted there
     *  \param entry with its defaults \param path of it */
    ExperimentCollective(ExperimentPlan& plan, const Json& entry, const std::string& path);

    void Install(const ExperimentSite& site) override;
    ResultWriter::Json Report() const override;
    uint64_t GetBytes() const override;
    void Clear() override;

  private:
    void Configure(const Json& entry);
    void CheckSchedule(const ExperimentPlan& plan, const Json& entry) const;
    void Start();

    std::string m_operation;
    std::string m_algorithm;
    uint64_t m_bytes{0};
    uint32_t m_repeat;
    Time m_at;
    ExperimentPlacement m_placement;
    CollectiveHelper m_helper;
    Ptr<GpuNetwork> m_network;               //!< of the run
    std::vector<uint32_t> m_gpus;            //!< of the run
    std::vector<Ptr<CollectiveRun>> m_begun; //!< of the run
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_COLLECTIVE_H
