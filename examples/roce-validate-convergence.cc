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
    const Time begin = MilliSeconds(100);
    const Time end = begin + MilliSeconds(join.rateAiMbps < 40 ? 250 : 150);
    const Time window = MilliSeconds(5);
    const Time step = MicroSeconds(500);
    const std::string mbps = std::to_string(join.rateAiMbps);
    const std::size_t flow = join.flows - 1;
    std::vector<double> leads((end - begin - window).GetTimeStep() / step.GetTimeStep());
    double share = 0;
    for (unsigned run = 0; run < runs; ++run)
    {
        ValidateDcqcn::Kind kind;
        kind.rateAiBps = join.rateAiMbps * 1000000;
        const std::string label = "d2-" + std::to_string(join.flows) + "-" + mbps + "-";
        ValidatePlan plan =
            ValidateDcqcn::Incast(label + std::to_string(run + 1), join.flows, kind, end);
        plan.flows.back().start = begin;
        plan.interval = MicroSeconds(50);
        plan.stream = 1000 * int64_t(run);
        const ValidateProbe& probe = bench.Run(plan);
        for (std::size_t i = 0; i < leads.size(); ++i)
        {
            const Time from = begin + int64_t(i) * step;
            leads[i] += probe.GetLead(flow, from, from + window) / runs;
        }
        share += probe.GetRate(flow, end - MilliSeconds(50), end) / 1e9 / runs;
    }
    // two windows in a row: the new flow starts at 40 Gb/s and falls through its share
    const std::size_t next = window.GetTimeStep() / step.GetTimeStep();
    std::size_t i = 0;
    while (i + next < leads.size() && (std::abs(leads[i]) > 0.1 || std::abs(leads[i + next]) > 0.1))
    {
        ++i;
    }
    const double ms = double(i) * step.GetSeconds() * 1e3;
    const std::string what = ", " + std::to_string(join.flows - 1) + "+1 flows, R_AI " + mbps;
    if (join.flows < 20)
    {
        bench.GetReport().AtMost("ms to 10 %" + what, join.boundMs, ms);
    }
    else
    {
        bench.GetReport().Known("ms to 10 %" + what, join.boundMs, ms, 0); // doc/validation.rst
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
        times.push_back(RunJoin(bench, join, quick ? 1 : 6));
    }
    if (!quick)
    {
        bench.GetReport().AtMost("ms to 10 %, 10+1 flows against 2+1", times[1], times[3]);
        bench.GetReport().AtLeast("ms to 10 %, R_AI 10 against 40", times[1], times[5]);
    }
}

} // namespace roce
} // namespace ns3
