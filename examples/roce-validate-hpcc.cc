/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t HPCC_RATE = 100000000000; //!< of all links
constexpr double ETA = 0.95;
constexpr double STEP_BPS = 50e6; //!< W_AI / T of Hpcc, 100 flows: C (1 - eta) / 100

/** \return n flows to one host over one switch. \param label of the run \param n flows \param end
 *  of the run */
ValidatePlan
Incast(const std::string& label, uint32_t n, Time end)
{
    ValidatePlan plan;
    plan.label = label;
    plan.law = "ns3::roce::Hpcc";
    plan.graph = ValidateBench::Star(n + 1, HPCC_RATE, MicroSeconds(2));
    plan.node = n + 1;
    plan.port = n;
    plan.interval = NanoSeconds(500);
    plan.end = end;
    for (uint32_t i = 0; i < n; ++i)
    {
        plan.flows.push_back({i, n, Time(0), 0});
    }
    return plan;
}

/** Flows that start at once. */
void
ValidateIncast(ValidateBench& bench, uint32_t n)
{
    const Time end = MicroSeconds(2000);
    const Time from = end - MicroSeconds(1000);
    const std::string flows = ", " + std::to_string(n) + (n == 1 ? " flow" : " flows");
    Time rtt;
    ValidatePlan plan = Incast("d10-" + std::to_string(n), n, end);
    plan.also = [&rtt, n](Ptr<Fabric> fabric) { rtt = fabric->GetBaseRtt(0, n); };
    const ValidateProbe& probe = bench.Run(plan);
    ValidateReport& report = bench.GetReport();
    const double bdp = rtt.GetSeconds() * HPCC_RATE / 8;
    const double goodput = probe.GetGoodput(from, end);
    // telemetry counts frames from destination address to FCS
    const double frameBytes = bench.GetFrameBytes();
    const double frames = goodput * frameBytes / plan.mtu;
    if (n == 1)
    {
        report.Near("goodput, Gb/s" + flows,
                    ETA * 100 * plan.mtu / frameBytes,
                    goodput / 1e9,
                    0.01);
    }
    report.AtLeast("bits of frames, Gb/s" + flows, 0.99 * ETA * 100, frames / 1e9);
    report.AtMost("bits of frames, Gb/s" + flows,
                  1.01 * (ETA * 100 + n * STEP_BPS / 1e9),
                  frames / 1e9);
    report.AtMost("mean queue / (B T)" + flows, 0.05, probe.GetQueue(from, end).GetMean() / bdp);
    if (n > 1)
    {
        report.Tell("peak queue / (B T)" + flows,
                    n - 1,
                    probe.GetQueue(Time(0), end).GetMax() / bdp);
        report.AtMost("T until the queue is below B T / 10" + flows,
                      30,
                      probe.GetDrain(Time(0), bdp / 10) / rtt.GetSeconds());
    }
}

/** A flow that joins another. */
void
ValidateJoin(ValidateBench& bench)
{
    const Time join = MicroSeconds(500);
    const Time end = MicroSeconds(1500);
    Time rtt;
    ValidatePlan plan = Incast("d10-join", 2, end);
    plan.flows[1].start = join;
    plan.also = [&rtt](Ptr<Fabric> fabric) { rtt = fabric->GetBaseRtt(0, 2); };
    const ValidateProbe& probe = bench.Run(plan);
    bench.GetReport().AtMost("T until the shares of 2 flows differ by 10 %",
                             10,
                             probe.GetConvergence(1, join, 2 * rtt, 0.1) / rtt.GetSeconds());
    bench.GetReport().AtMost(
        "shares of 2 flows in the end, larger / smaller",
        1.1,
        std::max(probe.GetRate(0, end - join, end), probe.GetRate(1, end - join, end)) /
            std::min(probe.GetRate(0, end - join, end), probe.GetRate(1, end - join, end)));
}

} // namespace

void
ValidateHpcc(ValidateBench& bench, bool quick)
{
    for (const uint32_t n : quick ? std::vector<uint32_t>{1} : std::vector<uint32_t>{1, 2, 4, 16})
    {
        ValidateIncast(bench, n);
    }
    ValidateJoin(bench);
}

} // namespace roce
} // namespace ns3
