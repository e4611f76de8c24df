/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"
#include "roce-validate-dcqcn.h"

#include <cmath>

namespace ns3
{
namespace roce
{

namespace
{

/** Flows, the last of which comes late. */
struct Join
{
    uint32_t flows;
    double boundMs; //!< of the paper
    int64_t rateAiMbps;
};

const Time BEGIN = MicroSeconds(ValidateDcqcn::JOIN_US);
const Time WINDOW = MicroSeconds(ValidateDcqcn::WINDOW_US);
const Time STEP = MicroSeconds(ValidateDcqcn::STEP_US);

/**
 * Run several times with other marks, and report.
 * \param bench runs
 * \param join what to run
 * \param runs how often
 * \return ms until the new flow has its share, in the mean of the runs
 */
double
RunJoin(ValidateBench& bench, const Join& join, unsigned runs)
{
    const Time end = BEGIN + MilliSeconds(join.rateAiMbps < 40 ? 250 : 150);
    const std::string mbps = std::to_string(join.rateAiMbps);
    const std::size_t flow = join.flows - 1;
    std::vector<double> leads((end - BEGIN - WINDOW).GetTimeStep() / STEP.GetTimeStep());
    double share = 0;
    for (unsigned run = 0; run < runs; ++run)
    {
        ValidateDcqcn::Kind kind;
        kind.rateAiBps = join.rateAiMbps * 1000000;
        const std::string label = "d2-" + std::to_string(join.flows) + "-" + mbps + "-";
        ValidatePlan plan =
            ValidateDcqcn::Incast(label + std::to_string(run + 1), join.flows, kind, end);
        plan.flows.back().start = BEGIN;
        plan.interval = MicroSeconds(50);
        plan.stream = 1000 * int64_t(run);
        const ValidateProbe& probe = bench.Run(plan);
        for (std::size_t i = 0; i < leads.size(); ++i)
        {
            const Time from = BEGIN + int64_t(i) * STEP;
            leads[i] += probe.GetLead(flow, from, from + WINDOW) / runs;
        }
        share += probe.GetRate(flow, end - MilliSeconds(50), end) / 1e9 / runs;
    }
    const double ms = ValidateDcqcn::FirstWithin(leads);
    const std::string what = ", " + std::to_string(join.flows - 1) + "+1 flows, R_AI " + mbps;
    if (join.flows < 20)
    {
        bench.GetReport().AtMost("ms to 10 %" + what, join.boundMs, ms);
    }
    else
    {
        // The bound supposes that the new flow has the alpha of the others; it has 1. The model
        // without packets tells the difference.
        bench.GetReport().Known("ms to 10 %" + what, join.boundMs, ms, 0); // doc/validation.rst
        bench.GetReport().Near("ms to 10 %" + what + ", steps",
                               ValidateDcqcn::JoinSteps(join.flows, false),
                               ms,
                               0.25);
        bench.GetReport().AtMost("ms to 10 %" + what + ", steps, alpha of the others",
                                 join.boundMs,
                                 ValidateDcqcn::JoinSteps(join.flows, true));
    }
    bench.GetReport().Near("share of the new flow, Gb/s" + what,
                           ValidateDcqcn::RATE / 1e9 / join.flows,
                           share,
                           0.1);
    return ms;
}

} // namespace

void
ValidateDcqcnConvergence(ValidateBench& bench, bool quick)
{
    // dcqcn_convergence data of the paper, for R_AI 40 and 10 Mb/s; that of 2 flows stands for 3,
    // that of 10 for 11, as it falls with the number of flows and has even ones alone
    const std::vector<Join> joins = {{2, 96.9, 40},
                                     {3, 96.9, 40},
                                     {4, 63.6, 40},
                                     {11, 35.9, 40},
                                     {20, 23.6, 40},
                                     {3, 358.2, 10}};
    std::vector<double> times;
    for (const Join& join : quick ? std::vector<Join>{joins[1]} : joins)
    {
        times.push_back(RunJoin(bench, join, quick ? 1 : ValidateDcqcn::RUNS));
    }
    if (!quick)
    {
        bench.GetReport().AtMost("ms to 10 %, 10+1 flows against 2+1", times[1], times[3]);
        bench.GetReport().AtLeast("ms to 10 %, R_AI 10 against 40", times[1], times[5]);
    }
}

} // namespace roce
} // namespace ns3
