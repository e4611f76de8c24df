/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows over two bottlenecks in series beside flows over one of them: does anybody starve?
//
// build/bin/roce-parking-lot --flows=1,4 --json=out/parking-lot.json

#include "roce-scenario-plans.h"
#include "roce-scenario-runner.h"

#include "ns3/core-module.h"

#include <sstream>

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string list = "1,4";
        bool pods = false;
        ScenarioSettings settings;
        settings.runs = "pfc,pfc-cap,dcqcn-paper,dcqcn-cap,hpcc,hcc-article,hcc";
        settings.seeds = 1;
        ExperimentHelper experiment("roce-parking-lot", "flows over two bottlenecks in series");
        experiment.SetDefaults("none");
        experiment.AddFlag("flows", "flows of each of the three groups, with commas", list);
        experiment.AddFlag("pods", "the second bottleneck is in another pod", pods);
        experiment.AddFlag("runs",
                           "labels, with commas; --cc instead: laws as such",
                           settings.runs);
        experiment.AddFlag("seeds", "runs of each, with other begins", settings.seeds);
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
            flows.push_back(static_cast<uint32_t>(Quantity::Unsigned(text, 64)));
            ScenarioPlans::MakeParkingLot(flows.back(), pods);
        }
        ScenarioRunner runner(experiment, settings);
        for (uint32_t n : flows)
        {
            runner.RunAll([n, pods](uint32_t) { return ScenarioPlans::MakeParkingLot(n, pods); },
                          std::to_string(n) + " ");
        }
        if (!experiment.IsQuiet())
        {
            runner.GetReport().Print("parking lot, flows of each group");
            runner.GetReport().PrintShares("parking lot");
        }
        experiment.AddKey("summary", runner.GetReport().GetJson());
        return experiment.Finish();
    });
}
