/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where the slots of paced flows lie: without a phase, with one of a whole slot at the start, with
// one below 50 ns at the start, and with one below 50 ns in each slot, as the article on
// hierarchical congestion control writes it. What each costs a flow alone, and the queue of many
// flows that begin in step.
//
// build/bin/roce-pacing --seeds=5 --json=out/pacing.json

#include "roce-example-list.h"
#include "roce-pacing-trial.h"

#include "ns3/core-module.h"

#include <sstream>

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        PacingOptions options;
        std::string modes = "plain,interval,fixed,literal";
        std::string rates = "100Gbps,400Gbps";
        uint32_t seeds = 1;
        ExperimentHelper experiment("roce-pacing", "phases of paced flows: rate and queue");
        experiment.SetDefaults("none");
        experiment.AddFlag("pacing", "plain, interval, fixed or literal, with commas", modes);
        experiment.AddFlag("rates", "rates of links, with commas", rates);
        experiment.AddFlag("flows", "flows of the crowd, at least 2", options.flows);
        experiment.AddFlag("pairs", "hosts that send alone, at least 1", options.pairs);
        experiment.AddFlag("load", "of the link that the crowd shares, up to 1", options.load);
        experiment.AddFlag("measure", "time of a crowd; alone a tenth of it", options.measure);
        experiment.AddFlag("seeds", "runs of each kind, with other ports", seeds);
        experiment.Parse(argc, argv);
        if (options.flows < 2 || options.pairs == 0 || seeds == 0 || !(options.load > 0) ||
            options.load > 1)
        {
            throw std::invalid_argument("--flows=" + std::to_string(options.flows) +
                                        " --pairs=" + std::to_string(options.pairs) +
                                        " --seeds=" + std::to_string(seeds) +
                                        " --load=" + std::to_string(options.load) +
                                        ": at least 2, 1, 1, and above 0 up to 1");
        }
        for (const std::string& mode : SplitList(modes))
        {
            if (mode != "plain" && mode != "interval" && mode != "fixed" && mode != "literal")
            {
                throw std::invalid_argument("--pacing=" + mode +
                                            ": choose plain, interval, fixed or literal");
            }
        }
        PacingTrial trial(experiment, options);
        for (const std::string& rate : SplitList(rates))
        {
            for (const std::string& mode : SplitList(modes))
            {
                for (uint32_t seed = 1; seed <= seeds; ++seed)
                {
                    trial.RunAlone(mode, rate, seed);
                    trial.RunCrowd(mode, rate, seed);
                }
            }
        }
        if (!experiment.IsQuiet())
        {
            trial.Print();
        }
        return experiment.Finish();
    });
}
