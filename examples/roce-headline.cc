/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What hierarchical congestion control is said to do, beside its rivals: a hotspot in a ring of
// racks and other scenarios, several seeds each, and the article's figures beside ours.
//
// build/bin/roce-headline --scenario=hotspot --seeds=5 --json=out/headline.json
// build/bin/roce-headline --scenario=victim --runs=hcc --cnp-delay=500ns,20us,50us

#include "roce-headline-article.h"
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
        std::string scenarios = "hotspot";
        ScenarioSettings settings;
        settings.runs = "pfc,pfc-cap,dcqcn-paper,dcqcn-vendor,hpcc,hcc-article,hcc";
        ExperimentHelper experiment("roce-headline",
                                    "hierarchical congestion control and its rivals");
        experiment.SetDefaults("none");
        experiment.AddFlag("scenario", "scenarios, with commas", scenarios);
        experiment.AddFlag("runs",
                           "labels, with commas; --cc instead: laws as such",
                           settings.runs);
        experiment.AddFlag("seeds", "runs of each, with other hosts and paths", settings.seeds);
        experiment.AddFlag("first-seed", "the first of them", settings.first);
        experiment.AddFlag("cnp-delay", "from CNP to reaction; a list", settings.cnpDelay);
        experiment.AddFlag("buffer", "of switches, for each 100 Gb/s of ports", settings.buffer);
        experiment.AddFlag("warmup",
                           "time before the window; else the scenario's",
                           settings.warmup);
        experiment.AddFlag("measure",
                           "length of the window; else the scenario's",
                           settings.measure);
        experiment.Parse(argc, argv);
        std::vector<std::string> names;
        std::istringstream in(scenarios);
        for (std::string name; std::getline(in, name, ',');)
        {
            ScenarioPlans::Make(name, settings.first); // refuse it before anything runs
            names.push_back(name);
        }
        if (names.empty())
        {
            throw std::invalid_argument("--scenario is empty; give hotspot or others");
        }
        ScenarioRunner runner(experiment, settings);
        ResultWriter::Json article;
        for (const std::string& name : names)
        {
            const std::string prefix = names.size() > 1 ? name + " " : "";
            runner.RunAll([&name](uint32_t seed) { return ScenarioPlans::Make(name, seed); },
                          prefix);
        }
        if (!experiment.IsQuiet())
        {
            runner.GetReport().Print(scenarios);
        }
        for (const std::string& name : names)
        {
            const HeadlineArticle claims(runner.GetReport(), names.size() > 1 ? name + " " : "");
            article[name] = claims.GetJson();
            if (!experiment.IsQuiet())
            {
                claims.Print(name);
            }
        }
        experiment.AddKey("summary", runner.GetReport().GetJson());
        experiment.AddKey("article", article);
        return experiment.Finish();
    });
}
