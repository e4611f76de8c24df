/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// PFC deadlocks: three switches in a ring whose routes all go clockwise, and a routing loop. Both
// freeze, and are told by name; a watchdog frees them; routes up and down a tree avoid the first.
//
// build/bin/roce-deadlock --json=out/deadlock.json
// build/bin/roce-deadlock --scenario=loop --loop-rate=4.5Gbps

#include "roce-deadlock-run.h"

#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        std::string scenario = "all";
        DeadlockOptions options;
        ExperimentHelper experiment("roce-deadlock", "how PFC deadlocks, and what helps");
        experiment.SetDefaults("none");
        experiment.AddFlag("scenario",
                           "ring, ring-watchdog, up-down, loop, loop-watchdog, or all",
                           scenario);
        experiment.AddFlag("rate", "rate of links between switches", options.rate);
        experiment.AddFlag("delay", "one-way delay of each cable", options.delay);
        experiment.AddFlag("buffer", "packet buffer of each switch", options.buffer);
        experiment.AddFlag("size", "bytes of each message", options.size);
        experiment.AddFlag("loop-rate",
                           "rate of the host that sends into a loop",
                           options.loopRate);
        experiment.AddFlag("ttl", "time to live of what it sends, 2 to 255", options.ttl);
        experiment.AddFlag("detection",
                           "detection and restoration time of the watchdog",
                           options.detection);
        experiment.AddFlag("poll", "time between polls of the watchdog", options.poll);
        experiment.Parse(argc, argv);
        if (options.ttl < 2 || options.ttl > 255)
        {
            throw std::invalid_argument("--ttl=" + std::to_string(options.ttl) +
                                        ": expected 2 to 255");
        }
        std::vector<std::string> names{scenario};
        if (scenario == "all")
        {
            names = DeadlockCase::Names();
        }
        for (const std::string& name : names)
        {
            const DeadlockCase what = DeadlockCase::Make(name, options);
            DeadlockRun(experiment, what, options).Run();
        }
        return experiment.Finish();
    });
}
