/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-cases.h"
#include "roce-validate-equations.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t RATE = 10000000000; //!< of all links
constexpr double LOW_S = 50e-6;
constexpr double DELTA_BPS = 10e6;
constexpr double BETA = 0.008;
constexpr double SEGMENT_BYTES = 16000;

/** \return flows to one host over one switch. \param label of the run \param law TypeId
 *  \param starts rate of each, bit/s \param end of the run */
ValidatePlan
Incast(const std::string& label,
       const std::string& law,
       const std::vector<uint64_t>& starts,
       Time end)
{
    ValidatePlan plan;
    plan.label = label;
    plan.law = law;
    const auto n = static_cast<uint32_t>(starts.size());
    plan.graph = ValidateBench::Star(n + 1, RATE, NanoSeconds(500));
    plan.node = n + 1;
    plan.port = n;
    plan.end = end;
    for (uint32_t i = 0; i < n; ++i)
    {
        plan.flows.push_back({i, n, Time(0), starts[i]});
    }
    plan.setUp = [](RoceHelper& roce) {
        roce.SetNicAttribute("AckInterval", UintegerValue(1));
        roce.SetNicAttribute("EcnCapable", BooleanValue(false));
        roce.SetSwitchAttribute("BufferSize", UintegerValue(64 << 20));
    };
    return plan;
}

/** The queue of N flows, and for two the way to it. */
void
ValidatePatched(ValidateBench& bench, uint32_t n)
{
    // start at C / N, as the paper does, but 3 % apart in turn, so that equal shares are earned
    std::vector<uint64_t> starts;
    for (uint32_t i = 0; i < n; ++i)
    {
        starts.push_back(RATE / 100 * (i % 2 == 0 ? 97 : 103) / n);
    }
    const Time from = MilliSeconds(150);
    const Time to = MilliSeconds(300);
    const std::string flows = ", patched, " + std::to_string(n) + " flows";
    ValidatePlan plan = Incast("d4-" + std::to_string(n), "ns3::roce::PatchedTimely", starts, to);
    double baseBytes = 0; // the model's RTT is the queue alone, ours the whole round trip
    plan.also = [&baseBytes, n](Ptr<Fabric> fabric) {
        baseBytes = fabric->GetBaseRtt(0, n).GetSeconds() * RATE / 8;
    };
    const ValidateProbe& probe = bench.Run(plan);
    ValidateReport& report = bench.GetReport();
    const double expected = PatchedTimelyQueueBytes(n, RATE, LOW_S, DELTA_BPS, BETA);
    const double queue = probe.GetQueue(from, to).GetMean();
    report.Near("round trip x C, KB" + flows, expected / 1e3, (queue + baseBytes) / 1e3, 0.1);
    report.Near("mean queue, KB" + flows, expected / 1e3, queue / 1e3, 0.25);
    double least = RATE;
    double most = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        least = std::min(least, probe.GetRate(i, from, to));
        most = std::max(most, probe.GetRate(i, from, to));
    }
    // the paper puts the end of stability at 40
    report.AtMost("fastest / slowest flow" + flows, n < 40 ? 1.1 : 1.5, most / least);
}

/** Two flows from three beginnings. \return shares of the first flow in the end */
std::vector<double>
RunSplits(ValidateBench& bench, const std::string& law, const std::string& name)
{
    const Time from = MilliSeconds(200);
    const Time to = MilliSeconds(300);
    const uint64_t unit = RATE / 10;
    std::vector<double> shares;
    for (int way = 0; way < 3; ++way)
    {
        const std::vector<uint64_t> starts = {(way == 2 ? 7 : 5) * unit, (way == 2 ? 3 : 5) * unit};
        const char* const names[] = {"5-5", "5-5-late", "7-3"};
        ValidatePlan plan = Incast("d4-" + name + "-" + names[way], law, starts, to);
        plan.interval = MicroSeconds(50);
        if (way == 1)
        {
            plan.flows[1].start = MilliSeconds(10);
        }
        const ValidateProbe& probe = bench.Run(plan);
        const double first = probe.GetRate(0, from, to);
        shares.push_back(first / (first + probe.GetRate(1, from, to)));
        bench.GetReport().Tell("share of flow 0, " + name + ", " + names[way],
                               name == "patched" ? 0.5 : 0,
                               shares.back());
        if (way == 2 && name == "patched")
        {
            // from 7 and 3 Gb/s: 0.4 C apart
            const double ms = 1e3 * PatchedTimelyConvergenceS(0.4, DELTA_BPS, SEGMENT_BYTES);
            const double seen = 1e3 * probe.GetConvergence(1, Time(0), MilliSeconds(5), 0.1);
            bench.GetReport().Near("ms to 10 %, patched, from 7 and 3 Gb/s", ms, seen, 0.25);
        }
    }
    return shares;
}

} // namespace

void
ValidateTimely(ValidateBench& bench, bool quick)
{
    for (const uint32_t n : quick ? std::vector<uint32_t>{2} : std::vector<uint32_t>{2, 10, 20, 40})
    {
        ValidatePatched(bench, n);
    }
    if (quick)
    {
        return;
    }
    const std::vector<double> timely = RunSplits(bench, "ns3::roce::Timely", "timely");
    const std::vector<double> patched = RunSplits(bench, "ns3::roce::PatchedTimely", "patched");
    const auto spread = [](const std::vector<double>& shares) {
        return *std::max_element(shares.begin(), shares.end()) -
               *std::min_element(shares.begin(), shares.end());
    };
    bench.GetReport().AtLeast("spread of shares, timely", 0.1, spread(timely));
    bench.GetReport().AtMost("spread of shares, patched", 0.05, spread(patched));
}

} // namespace roce
} // namespace ns3
