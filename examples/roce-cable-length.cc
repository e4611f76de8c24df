/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Must the recovery time T of hierarchical congestion control be longer than the longest round trip
// of any cable? Two sweeps of T: with a fixed step an expiry, and with the same slope in time; then
// cables of 2, 50 and 300 m on one switch, without and with the rule that T is 1.5 RTT.
//
// build/bin/roce-cable-length --json=out/cable-length.json
// build/bin/roce-cable-length --enforce=WindowWithGuarantee --seeds=3

#include "roce-cable-length-sweep.h"
#include "roce-long-flows.h"

#include "ns3/core-module.h"

#include <sstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return times of a list with commas. \param flag its flag \param text the list */
std::vector<Time>
ParseTimes(const std::string& flag, const std::string& text)
{
    std::vector<Time> times;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');)
    {
        times.push_back(LongFlows::ParseTime(flag, part));
    }
    if (times.empty())
    {
        throw std::invalid_argument("--" + flag + " is empty; give times with commas");
    }
    return times;
}

/** \return whether a word is in a list with commas. \param list the list \param word the word */
bool
Has(const std::string& list, const std::string& word)
{
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

/** \return what to run. \param sweeps their names \param timers values of T \param delays of cables
 */
std::vector<CableLengthPoint>
MakePoints(const std::string& sweeps,
           const std::vector<Time>& timers,
           const std::vector<Time>& delays)
{
    std::vector<CableLengthPoint> points;
    for (const Time& t : timers)
    {
        for (const char* name : {"fixed-step", "equal-slope"})
        {
            for (const Time& delay : Has(sweeps, name) ? delays : std::vector<Time>())
            {
                const std::string column = std::to_string(delay.GetNanoSeconds()) + "ns";
                points.push_back({name, column, {delay}, t, 0});
            }
        }
        // 5 ns a metre
        const std::vector<Time> mixed{NanoSeconds(10), NanoSeconds(250), NanoSeconds(1500)};
        if (Has(sweeps, "mixed"))
        {
            points.push_back({"fixed-step", "mixed", mixed, t, 0});
            points.push_back({"fixed-step", "mixed, rule", mixed, t, 1.5});
        }
    }
    if (points.empty())
    {
        throw std::invalid_argument("--sweeps=" + sweeps +
                                    ": choose from fixed-step, equal-slope and mixed");
    }
    return points;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        CableLengthOptions options;
        std::string sweeps = "fixed-step,equal-slope,mixed";
        std::string timers = "250ns,500ns,1us,2us,4us,8us,16us,32us,64us";
        std::string delays = "800ns,2800ns,5300ns";
        uint32_t seeds = 1;
        ExperimentHelper experiment("roce-cable-length", "recovery time against round trip");
        experiment.SetDefaults("hcc");
        experiment.AddFlag("sweeps", "fixed-step, equal-slope, mixed, with commas", sweeps);
        experiment.AddFlag("timers", "recovery times T, with commas", timers);
        experiment.AddFlag("delays", "one-way delays of cables, with commas", delays);
        experiment.AddFlag("flows", "hosts that send to one, at least 2", options.flows);
        experiment.AddFlag("rate", "rate of all links", options.rate);
        experiment.AddFlag("buffer", "packet buffer of the switch", options.buffer);
        experiment.AddFlag("enforce", "Pacing, Window or WindowWithGuarantee", options.enforce);
        experiment.AddFlag("slope", "factor of the slopes of all sweeps", options.slope);
        experiment.AddFlag("warmup", "time before anything is counted", options.warmup);
        experiment.AddFlag("measure", "time while it is", options.measure);
        experiment.AddFlag("seeds", "runs of each kind, with other starts of flows", seeds);
        experiment.Parse(argc, argv);
        if (!Has("Pacing,Window,WindowWithGuarantee", options.enforce))
        {
            throw std::invalid_argument("--enforce=" + options.enforce +
                                        ": choose Pacing, Window or WindowWithGuarantee");
        }
        if (experiment.GetCcs() != std::vector<std::string>{"hcc"} || options.flows < 2 ||
            seeds == 0 || !(options.slope > 0))
        {
            throw std::invalid_argument(
                "--cc must be hcc, --flows=" + std::to_string(options.flows) + " at least 2, " +
                "--seeds=" + std::to_string(seeds) + " at least 1, --slope above 0");
        }
        CableLengthSweep sweep(experiment, options);
        const auto points =
            MakePoints(sweeps, ParseTimes("timers", timers), ParseTimes("delays", delays));
        for (const CableLengthPoint& point : points)
        {
            for (uint32_t seed = 1; seed <= seeds; ++seed)
            {
                sweep.Run(point, seed);
            }
        }
        if (!experiment.IsQuiet())
        {
            sweep.Print();
        }
        return experiment.Finish();
    });
}
