/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"
#include "roce-validate-dcqcn.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

namespace
{

/**
 * Run N flows and compare with both models.
 * \param bench runs \param n flows \param kind the rest \param way name of the notification point
 * \param to end; from 0.1 s on counts
 */
void
RunAtRest(ValidateBench& bench,
          uint32_t n,
          const ValidateDcqcn::Kind& kind,
          const std::string& way,
          Time to)
{
    const Time from = MilliSeconds(100);
    const std::string flows = ", " + std::to_string(n) + " flows, " + way;
    const DcqcnFixedPoint point(ValidateDcqcn::Input(n));
    const double queue = point.GetQueueBytes(ValidateDcqcn::KMIN, kind.kmax, kind.pmax);
    const ValidateProbe& probe = bench.Run(
        ValidateDcqcn::Incast("d1-" + std::to_string(n) + (kind.periodic ? "" : "-" + way),
                              n,
                              kind,
                              to));
    const double seen = probe.GetQueue(from, to).GetMean();
    const double marking = probe.GetMarking(from, to);
    ValidateReport& report = bench.GetReport();
    report.Near("mean queue, KB" + flows + ", fluid", queue / 1e3, seen / 1e3, 0.25);
    if (kind.periodic)
    {
        report.Near("marked packets" + flows + ", fluid", point.GetMarking(), marking, 0.25);
    }
    else
    {
        report.Known("marked packets" + flows + ", fluid", point.GetMarking(), marking, 0.25);
    }
    const DcqcnStepModel steps = ValidateDcqcn::RunSteps(n, kind, from, to);
    const double mean = steps.GetQueue().GetMean();
    report.Near("mean queue, KB" + flows + ", steps", mean / 1e3, seen / 1e3, 0.15);
    report.Near("marked packets" + flows + ", steps", steps.GetMarking(), marking, 0.2);
    double least = ValidateDcqcn::RATE;
    for (uint32_t i = 0; i < n; ++i)
    {
        least = std::min(least, probe.GetRate(i, from, to));
    }
    report.Near("slowest flow, Gb/s" + flows, ValidateDcqcn::RATE / 1e9 / n, least / 1e9, 0.1);
}

} // namespace

void
ValidateDcqcnFixedPoint(ValidateBench& bench, bool quick)
{
    const Time to = quick ? MilliSeconds(200) : MilliSeconds(500);
    for (const uint32_t n : quick ? std::vector<uint32_t>{4} : std::vector<uint32_t>{2, 4, 8, 10})
    {
        RunAtRest(bench, n, ValidateDcqcn::Kind::Authors(), "periodic", to);
        RunAtRest(bench, n, ValidateDcqcn::Kind(), "at-mark", to);
    }
}

} // namespace roce
} // namespace ns3
