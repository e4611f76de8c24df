/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"
#include "roce-validate-dcqcn.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

void
ValidateDcqcnFixedPoint(ValidateBench& bench, bool quick)
{
    const Time from = MilliSeconds(100);
    const Time to = quick ? MilliSeconds(200) : MilliSeconds(500);
    for (const uint32_t n : quick ? std::vector<uint32_t>{4} : std::vector<uint32_t>{2, 4, 8, 10})
    {
        const std::string flows = ", " + std::to_string(n) + " flows";
        const DcqcnFixedPoint point(ValidateDcqcn::Input(n));
        const double queue =
            point.GetQueueBytes(ValidateDcqcn::KMIN, ValidateDcqcn::KMAX, ValidateDcqcn::PMAX);
        const ValidateProbe& probe = bench.Run(
            ValidateDcqcn::Incast("d1-" + std::to_string(n), n, ValidateDcqcn::Kind(), to));
        const double seen = probe.GetQueue(from, to).GetMean();
        const double marking = probe.GetMarking(from, to);
        ValidateReport& report = bench.GetReport();
        report.Near("mean queue, KB" + flows + ", fluid", queue / 1e3, seen / 1e3, 0.25);
        report.Known("marked packets" + flows + ", fluid", point.GetMarking(), marking, 0.25);
        const DcqcnStepModel steps = ValidateDcqcn::RunSteps(n, ValidateDcqcn::Kind(), from, to);
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
}

} // namespace roce
} // namespace ns3
