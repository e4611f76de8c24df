/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A34: flows over two links in series
#include "roce-validate-cases.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t RATE = 100000000000; //!< bit/s

/** Flows X over both links, Y over the first and Z over the second. \param bench runs \param law
 *  which */
void
RunTwoLinks(ValidateBench& bench, const std::string& law, Time end)
{
    ValidatePlan plan;
    plan.label = "a34-" + law;
    plan.law = law;
    for (uint32_t host = 0; host < 6; ++host)
    {
        plan.graph.AddHost(host);
    }
    for (uint32_t at = 10; at < 13; ++at)
    {
        plan.graph.AddSwitch(at);
        plan.graph.AddLink(2 * (at - 10), at, RATE, 1000000);
        plan.graph.AddLink(2 * (at - 10) + 1, at, RATE, 1000000);
    }
    plan.graph.AddLink(10, 11, RATE, 1000000);
    plan.graph.AddLink(11, 12, RATE, 1000000);
    plan.node = 10;
    plan.port = 2;
    plan.mtu = 4096;
    plan.end = end;
    plan.flows = {{0, 4, Time(0), 0}, {1, 2, Time(0), 0}, {3, 5, Time(0), 0}};
    const ValidateProbe& probe = bench.Run(plan);
    const Time from = end - MilliSeconds(10);
    std::array<double, 3> rates{};
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        rates[i] = probe.GetRate(i, from, end) / 1e9;
        sum += rates[i];
        squares += rates[i] * rates[i];
    }
    double variance = 0;
    for (Time at = from; at < end; at += MilliSeconds(1))
    {
        variance += std::pow(probe.GetRate(0, at, at + MilliSeconds(1)) / 1e9 - rates[0], 2) / 10;
    }
    ValidateReport& report = bench.GetReport();
    report.Tell("X, Gb/s, " + law, 50, rates[0]);
    const double unrest = std::sqrt(variance) / rates[0];
    report.Tell("first link, Gb/s, " + law, 100, rates[0] + rates[1]);
    report.Tell("second link, Gb/s, " + law, 100, rates[0] + rates[2]);
    report.Tell("std / mean of X, " + law, 0, unrest);
    if (law == "hcc")
    {
        report.AtLeast("X, Gb/s, least, " + law, 25, rates[0]);
        report.AtLeast("lesser link, Gb/s, " + law, 90, rates[0] + std::min(rates[1], rates[2]));
        report.AtMost("std / mean of X, most, " + law, 0.2, unrest);
    }
    report.Tell("Jain's index, " + law, 1, sum * sum / (3 * squares));
    report.Tell("peak queue, KB, " + law, 0, probe.GetQueue(from, end).GetMax() / 1000);
    report.Tell("XOFF, " + law, 0, double(bench.GetResult().xoff));
}

} // namespace

std::vector<std::string>
GetValidateLaws(bool quick)
{
    static const std::vector<std::string> laws{"none",
                                               "dcqcn",
                                               "dctcp",
                                               "timely",
                                               "patched-timely",
                                               "swift",
                                               "hpcc",
                                               "hpcc-rate",
                                               "powertcp",
                                               "theta-powertcp",
                                               "hcc"};
    return quick ? std::vector<std::string>{"hcc"} : laws;
}

void
ValidateTwoLinks(ValidateBench& bench, bool quick)
{
    for (const std::string& law : GetValidateLaws(quick))
    {
        RunTwoLinks(bench, law, MilliSeconds(quick ? 15 : 50));
    }
}

} // namespace roce
} // namespace ns3
