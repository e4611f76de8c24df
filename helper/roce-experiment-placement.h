/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_PLACEMENT_H
#define ROCE_EXPERIMENT_PLACEMENT_H

#include "roce-experiment-traffic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Which GPUs the ranks of an entry of traffic get.
 *
 * Models: the keys "gpus" and "placement": numbers of GPUs, or the policy of JobPlacement.
 *
 * Source: none.
 *
 * Invariants: what is checked here Place can give; GPUs that are named may be those of another
 * entry, placed ones are free ones.
 *
 * Leaves out: nothing.
 */
class ExperimentPlacement
{
  public:
    using Json = ExperimentTraffic::Json; //!< a value

    /** Check; std::invalid_argument says what is wrong. \param plan GPUs it takes are noted there
     *  \param entry with its defaults \param path of it \param ranks of the entry, 0: all GPUs, or
     *  as many as are named */
    ExperimentPlacement(ExperimentPlan& plan,
                        const Json& entry,
                        const std::string& path,
                        uint32_t ranks);

    /** \return number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /** \return GPUs by rank. \param site of a run */
    std::vector<uint32_t> Place(const ExperimentSite& site) const;

  private:
    uint32_t m_ranks;
    std::string m_policy;
    std::vector<uint32_t> m_gpus; //!< that are named
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_PLACEMENT_H
