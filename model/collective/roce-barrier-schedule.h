/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BARRIER_SCHEDULE_H
#define ROCE_BARRIER_SCHEDULE_H

#include "roce-collective-schedule.h"

namespace ns3
{
namespace roce
{

/**
 * A barrier: no rank is finished before each has begun.
 *
 * Models: dissemination: in round k = 0..ceil(log2 n)-1 rank i sends a message without data to rank
 * i + 2^k and waits for one from i - 2^k (mod n).
 *
 * Source: Hensgen, Finkel, Manber: Two algorithms for barrier synchronization, International
 * Journal of Parallel Programming 17(1), 1988.
 *
 * Invariants: ceil(log2 n) messages of 0 bytes a rank; a rank finishes after all have begun.
 *
 * Leaves out: data; the buffer has 0 bytes.
 */
class BarrierSchedule : public CollectiveSchedule
{
  public:
    /** \param ranks number of ranks; std::invalid_argument if 0 */
    explicit BarrierSchedule(uint32_t ranks);

  private:
    uint32_t DoGetSteps(uint32_t rank) const override;
    CollectiveStep DoGetStep(uint32_t rank, uint32_t index) const override;

    uint32_t m_rounds{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BARRIER_SCHEDULE_H
