/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_DCQCN_H
#define ROCE_VALIDATE_DCQCN_H

#include "roce-validate-bench.h"
#include "roce-validate-steps.h"

namespace ns3
{
namespace roce
{

/**
 * Runs of DCQCN over one link, with the numbers of "ECN or Delay", section 3.
 *
 * Models: N flows at 40 Gb/s from the beginning, with and without packets.
 *
 * Invariants: both kinds have the same numbers.
 *
 * Leaves out: PFC: the buffer holds each start.
 */
class ValidateDcqcn
{
  public:
    static constexpr uint64_t RATE = 40000000000; //!< of all links, bit/s
    static constexpr double KMIN = 5000;          //!< bytes
    static constexpr double KMAX = 200000;        //!< bytes
    static constexpr double PMAX = 0.01;          //!< at KMAX

    /** How the runs differ. */
    struct Kind
    {
        Time loop{
            MicroSeconds(4)}; //!< cables of a round trip from sender to queue to receiver and back
        double kmax{KMAX};
        double pmax{PMAX};
        int64_t rateAiBps{40000000};
    };

    /** \return numbers of the law. \param n flows \param rateAiBps R_AI */
    static DcqcnFixedPoint::Input Input(uint32_t n, int64_t rateAiBps = 40000000);

    /** \return flows 0..n-1 to one host over one switch. \param label of the run \param n flows
     *  \param kind the rest \param end of the run */
    static ValidatePlan Incast(const std::string& label, uint32_t n, const Kind& kind, Time end);

    /** \return the same without packets, when it has run. \param n flows \param kind the rest
     *  \param from when to count \param to end */
    static DcqcnStepModel RunSteps(uint32_t n, const Kind& kind, Time from, Time to);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_DCQCN_H
