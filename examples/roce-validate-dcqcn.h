/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VALIDATE_DCQCN_H
#define ROCE_VALIDATE_DCQCN_H

#include "roce-validate-bench.h"
#include "roce-validate-steps.h"

#include <cstdint>
#include <string>
#include <vector>

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
        bool periodic{false}; //!< CnpGenerator's Timing

        /** \return as the authors' simulator and script have it: CNPs when intervals end, and the
         *  line of marks continued to 2000 KB and 10 % */
        static Kind Authors();
    };

    /** \return numbers of the law. \param n flows \param rateAiBps R_AI */
    static DcqcnFixedPoint::Input Input(uint32_t n, int64_t rateAiBps = 40000000);

    /** \return flows 0..n-1 to one host over one switch. \param label of the run \param n flows
     *  \param kind the rest \param end of the run */
    static ValidatePlan Incast(const std::string& label, uint32_t n, const Kind& kind, Time end);

    /** \return the same without packets, when it has run. \param n flows \param kind the rest
     *  \param from when to count \param to end */
    static DcqcnStepModel RunSteps(uint32_t n, const Kind& kind, Time from, Time to);

    static constexpr int64_t JOIN_US = 100000; //!< when a flow joins others
    static constexpr int64_t WINDOW_US = 5000; //!< whose means count then
    static constexpr int64_t STEP_US = 500;    //!< from window to window
    static constexpr unsigned RUNS = 6;        //!< with other marks

    /** \return ms until two windows in a row are within a tenth, as the flow starts at 40 Gb/s and
     *  falls through its share. \param leads rate of the flow less the mean of the others, over the
     *  fair share, of a window each step from JOIN_US on */
    static double FirstWithin(const std::vector<double>& leads);

    /** \return the same without packets, mean of RUNS. \param flows with the one that joins
     *  \param alike whether that begins with the alpha of the others */
    static double JoinSteps(uint32_t flows, bool alike);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_VALIDATE_DCQCN_H
