/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LOSS_RECOVERY_CONTEST_H
#define ROCE_LOSS_RECOVERY_CONTEST_H

#include "roce-loss-recovery-setup.h"

#include "ns3/roce-run-result.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The four ways of IRN's first comparison, and what came of them.
 *
 * Models: IRN and RoCE (go-back-N), each with and without PFC. Results are averaged over runs.
 *
 * Invariants: each way counts the same, whatever its number of runs.
 *
 * Leaves out: traffic, settings.
 */
class LossRecoveryContest
{
  public:
    /** \param recovery short name of what RoCE uses */
    explicit LossRecoveryContest(const std::string& recovery);

    /** \return IRN, IRN with PFC, RoCE with PFC, RoCE without */
    const std::vector<LossRecoveryWay>& GetWays() const;

    /** Add a run. \param index of the way \param result its result */
    void Add(std::size_t index, const RunResult& result);

    /** Print averages, and what is missing. */
    void Print() const;

    /** \return mean slowdown. \param index of the way */
    double GetSlowdown(std::size_t index) const;

    /** \return mean completion time in us. \param index of the way */
    double GetFctUs(std::size_t index) const;

    /** \return what IRN's authors found and these runs do not show: mean completion time and mean
     *  slowdown of IRN below those of RoCE with PFC; IRN without PFC at most 5 % above IRN with
     *  PFC; RoCE without PFC more than 5 % above RoCE with PFC; and that nothing was left undone */
    std::vector<std::string> GetMissing() const;

  private:
    /** Sums over the runs of a way. */
    struct Sum
    {
        unsigned runs{0};
        bool complete{true};
        double slowdown{0};
        double fctUs{0};
        double tailUs{0};
        uint64_t drops{0};
        uint64_t dropsLossless{0};
        uint64_t xoff{0};
        uint64_t resent{0};
        uint64_t timeouts{0};
    };

    /** Indices of the ways. */
    enum : std::size_t
    {
        IRN,
        IRN_PFC,
        ROCE_PFC,
        ROCE
    };

    double Ratio(std::size_t a, std::size_t b, bool worst) const;

    std::vector<LossRecoveryWay> m_ways;
    std::vector<Sum> m_sums;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LOSS_RECOVERY_CONTEST_H
