/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How many flows may share a port before its senders have to be paused: 8 to 448 queue pairs of 56
// hosts write to one host.
//
// build/bin/roce-many-flows --flows=8,64,448 --json=out/many-flows.json

#include "roce-scenario-plans.h"
#include "roce-scenario-runner.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"

#include <algorithm>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint32_t MOST_FLOWS = 4096;

/** Print and note the largest number of flows without an XOFF in the window, by label.
 *  \param experiment the program \param runner its runs \param flows numbers, ascending */
void
TellLimits(ExperimentHelper& experiment,
           const ScenarioRunner& runner,
           const std::vector<uint32_t>& flows)
{
    ResultWriter::Json limits = ResultWriter::Json::object();
    for (const std::string& label : runner.GetLabels())
    {
        uint32_t most = 0;
        for (uint32_t n : flows)
        {
            const std::string row = std::to_string(n) + " " + label;
            if (!runner.GetReport().Has(row) || runner.GetReport().Get(row, "xoff").GetMax() > 0)
            {
                break;
            }
            most = n;
        }
        limits[label] = most;
        if (!experiment.IsQuiet())
        {
            std::cout << label << ": no pause up to " << most << " flows\n";
        }
    }
    experiment.AddKey("flows_without_pause", limits);
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string list = "8,16,32,64,128,256,448";
        std::string size = "1MB";
        uint32_t senders = 56;
        ScenarioSettings settings;
        settings.runs = "pfc,pfc-cap,dcqcn-paper,dcqcn-cap,hpcc,hcc-article,hcc";
        settings.seeds = 1;
        ExperimentHelper experiment("roce-many-flows", "many flows through one port");
        experiment.SetDefaults("none");
        experiment.AddFlag("flows", "numbers of flows, with commas", list);
        experiment.AddFlag("senders", "hosts that send, 1 to 56", senders);
        experiment.AddFlag("size", "bytes of a message", size);
        experiment.AddFlag("runs",
                           "labels, with commas; --cc instead: laws as such",
                           settings.runs);
        experiment.AddFlag("seeds", "runs of each, with other paths", settings.seeds);
        experiment.AddFlag("first-seed", "the first of them", settings.first);
        experiment.AddFlag("cnp-delay", "from CNP to reaction", settings.cnpDelay);
        experiment.AddFlag("buffer", "of switches, for each 100 Gb/s of ports", settings.buffer);
        experiment.AddFlag("warmup", "time before the window", settings.warmup);
        experiment.AddFlag("measure", "length of the window", settings.measure);
        experiment.Parse(argc, argv);
        std::vector<uint32_t> flows;
        std::istringstream in(list);
        for (std::string text; std::getline(in, text, ',');)
        {
            flows.push_back(static_cast<uint32_t>(Quantity::Unsigned(text, MOST_FLOWS)));
            ScenarioPlans::MakeIncast(flows.back(), senders, ParseBytes(size));
        }
        std::sort(flows.begin(), flows.end());
        ScenarioRunner runner(experiment, settings);
        for (uint32_t n : flows)
        {
            runner.RunAll(
                [&](uint32_t) { return ScenarioPlans::MakeIncast(n, senders, ParseBytes(size)); },
                std::to_string(n) + " ");
        }
        if (!experiment.IsQuiet())
        {
            runner.GetReport().Print("flows through one port of 100 Gb/s");
        }
        TellLimits(experiment, runner, flows);
        experiment.AddKey("summary", runner.GetReport().GetJson());
        return experiment.Finish();
    });
}
