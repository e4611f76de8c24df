/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Numbers of hierarchical congestion control for inside a pod used between pods, and the reverse:
// two pods of 100 Gb/s with 400 Gb/s between them, 1 us and 5 us one way.
//
// build/bin/roce-stages --seeds=3 --json=out/stages.json

#include "roce-stages-trial.h"

#include "ns3/core-module.h"
#include "ns3/roce-hcc-parameters.h"

#include <sstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return laws of a list with commas such as Domain:fast:rule. \param text the list */
std::vector<StagesWay>
ParseWays(const std::string& text)
{
    std::vector<StagesWay> ways;
    std::istringstream list(text);
    for (std::string item; std::getline(list, item, ',');)
    {
        StagesWay way;
        std::istringstream parts(item);
        std::string rule;
        std::getline(parts, way.law, ':');
        std::getline(parts, way.profile, ':');
        std::getline(parts, rule);
        way.rule = rule.empty();
        if ((way.law != "Domain" && way.law != "Article") || (!rule.empty() && rule != "no-rule"))
        {
            throw std::invalid_argument("--laws=" + item +
                                        ": expected Domain or Article, a profile and perhaps "
                                        "no-rule, as Domain:fast:no-rule");
        }
        HccParameters::FromName(way.profile); // refuses unknown ones
        for (uint32_t stage : {0, 2, 3})
        {
            way.stage = stage;
            ways.push_back(way);
        }
    }
    return ways;
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        StagesOptions options;
        std::string laws = "Domain:default,Domain:fast,Domain:fast:no-rule,Article:default";
        uint32_t seeds = 1;
        ExperimentHelper experiment("roce-stages", "numbers of one stage in the other");
        experiment.SetDefaults("hcc");
        experiment.AddFlag("laws", "law:profile, and :no-rule without T >= 1.5 RTT", laws);
        experiment.AddFlag("leaves", "leaves of each pod, at least 2", options.leaves);
        experiment.AddFlag("hosts", "hosts of each leaf, at least 1", options.hosts);
        experiment.AddFlag("spines", "spines of each pod, at least 1", options.spines);
        experiment.AddFlag("buffer", "packet buffer of each switch", options.buffer);
        experiment.AddFlag("warmup", "time before anything is counted", options.warmup);
        experiment.AddFlag("measure", "time while it is", options.measure);
        experiment.AddFlag("seeds", "runs of each kind, with other flows", seeds);
        experiment.Parse(argc, argv);
        if (options.leaves < 2 || options.hosts == 0 || options.spines == 0 || seeds == 0 ||
            experiment.GetCcs() != std::vector<std::string>{"hcc"})
        {
            throw std::invalid_argument(
                "--leaves=" + std::to_string(options.leaves) + " must be at least 2, --hosts=" +
                std::to_string(options.hosts) + " --spines=" + std::to_string(options.spines) +
                " --seeds=" + std::to_string(seeds) + " at least 1, --cc hcc");
        }
        StagesTrial trial(experiment, options);
        for (const StagesWay& way : ParseWays(laws))
        {
            for (uint32_t seed = 1; seed <= seeds; ++seed)
            {
                trial.Run(way, seed);
            }
        }
        if (!experiment.IsQuiet())
        {
            trial.Print();
        }
        return experiment.Finish();
    });
}
