/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LIST_SCHEDULE_H
#define ROCE_LIST_SCHEDULE_H

#include "roce-collective-schedule.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A schedule that keeps each step.
 *
 * Models: a collective written down step by step: by a program, from a trace, or composed of
 * others.
 *
 * Source: none; see CollectiveSchedule.
 *
 * Invariants: steps are given back as they were added, in their order. The memory of a rank is as
 * large as the steps need, at least the buffer.
 *
 * Leaves out: checks while it is filled; call Validate() at the end.
 */
class ListSchedule : public CollectiveSchedule
{
  public:
    /**
     * \param ranks number of ranks; std::invalid_argument if 0
     * \param bytes bytes of the buffer of a rank
     */
    ListSchedule(uint32_t ranks, uint64_t bytes);

    /**
     * Add a step at the end of a rank's list.
     * \param rank 0..GetRanks()-1; std::out_of_range if not
     * \param step the step
     * \return its index
     */
    uint32_t Add(uint32_t rank, const CollectiveStep& step);

  private:
    uint32_t DoGetSteps(uint32_t rank) const override;
    CollectiveStep DoGetStep(uint32_t rank, uint32_t index) const override;

    uint64_t DoGetExtent() const override;

    std::vector<std::vector<CollectiveStep>> m_steps; //!< by rank
    uint64_t m_extent;                                //!< end of the last byte that a step uses
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LIST_SCHEDULE_H
