/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_RUN_H
#define ROCE_COLLECTIVE_RUN_H

#include "ns3/callback.h"
#include "ns3/roce-collective-application.h"
#include "ns3/simple-ref-count.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A collective that CollectiveHelper has installed, and what came of it.
 *
 * Models: the figures nccl-tests prints: with S the size and t the time, algbw = S / t and
 * busbw = algbw x F, where F makes busbw comparable with the rate of a link: 2 (n-1)/n for
 * all-reduce.
 *
 * Source: nccl-tests, doc/PERFORMANCE.md.
 *
 * Invariants: t runs from the first start of a rank to the last finish; the done callback is
 * called once, at that tick.
 *
 * Leaves out: iterations and their mean; wire headers (busbw stays below the rate by their share).
 */
class CollectiveRun : public SimpleRefCount<CollectiveRun>
{
  public:
    /** A function called when all ranks are finished. */
    typedef Callback<void> DoneCallback;

    /**
     * Made by CollectiveHelper.
     * \param schedule what the ranks do
     * \param busFactor busbw / algbw
     */
    CollectiveRun(Ptr<const CollectiveSchedule> schedule, double busFactor);
    ~CollectiveRun();

    /** Take an application in; by CollectiveHelper. \param rank the next rank's application */
    void Add(Ptr<CollectiveApplication> rank);

    /** \param done called when the last rank is finished, at that time */
    void SetDoneCallback(DoneCallback done);

    /** \return what the ranks do */
    Ptr<const CollectiveSchedule> GetSchedule() const;

    /** \return the application. \param rank 0..ranks-1; std::out_of_range if not */
    Ptr<CollectiveApplication> GetRank(uint32_t rank) const;

    /** \return whether all ranks are finished */
    bool IsFinished() const;

    /** \return when the last rank was finished; std::runtime_error if one is not, saying why */
    Time GetFinishTime() const;

    /** \return from the first start to the last finish; std::runtime_error as GetFinishTime */
    Time GetDuration() const;

    /** \return bytes sent and acknowledged. \param rank 0..ranks-1 */
    uint64_t GetBytesSent(uint32_t rank) const;

    /** \return bytes sent and acknowledged by all ranks */
    uint64_t GetBytesSent() const;

    /** \return S / t in byte/s; 0 if S or t is 0 */
    double GetAlgorithmBandwidth() const;

    /** \return algbw x F in byte/s */
    double GetBusBandwidth() const;

    /** \return what each rank that is not finished waits for, a line a rank; empty if finished */
    std::string Describe() const;

  private:
    void NoteDone(Ptr<CollectiveApplication> rank);

    Ptr<const CollectiveSchedule> m_schedule;
    double m_busFactor;
    std::vector<Ptr<CollectiveApplication>> m_ranks;
    uint32_t m_finished{0};
    DoneCallback m_done;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_RUN_H
