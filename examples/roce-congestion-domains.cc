/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One congestion domain is congested: do flows of the same NICs that do not cross it keep their
// rates? With a rate a congestion point (hcc), a rate a domain of a spine and its racks, a rate a
// tier, with DCQCN and with PFC alone.
//
// build/bin/roce-congestion-domains --seeds=5 --json=out/congestion-domains.json

#include "roce-congestion-domains-trial.h"

#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        CongestionDomainsOptions options;
        uint32_t seeds = 1;
        bool check = false;
        ExperimentHelper experiment("roce-congestion-domains", "bystanders of a congested domain");
        experiment.SetDefaults("hcc,dcqcn,none");
        experiment.AddFlag("senders", "hosts that send, up to 64", options.senders);
        experiment.AddFlag("sharers", "bystanders of a host, even", options.sharers);
        experiment.AddFlag("rate", "rate of all links", options.rate);
        experiment.AddFlag("delay", "one-way delay of each cable", options.delay);
        experiment.AddFlag("warmup", "time before anything is counted", options.warmup);
        experiment.AddFlag("measure", "time while it is", options.measure);
        experiment.AddFlag("seeds", "runs of each kind, with other starts of flows", seeds);
        experiment.AddFlag("check", "exit code 1 if isolation is not as the manual says", check);
        experiment.Parse(argc, argv);
        if (options.sharers < 2 || options.sharers % 2 || options.senders > 64 ||
            options.senders == 0 || options.senders % options.sharers || seeds == 0)
        {
            throw std::invalid_argument(
                "--sharers=" + std::to_string(options.sharers) +
                " must be even, --senders=" + std::to_string(options.senders) +
                " a multiple of it up to 64, --seeds=" + std::to_string(seeds) + " at least 1");
        }
        std::vector<CongestionDomainsWay> ways;
        for (const std::string& cc : experiment.GetCcs())
        {
            ways.push_back({cc, cc, ""});
            if (cc == "hcc")
            {
                ways.push_back({"hcc-spine", cc, "spine"});
                ways.push_back({"hcc-tier", cc, "tier"});
            }
        }
        CongestionDomainsTrial trial(experiment, options);
        for (const CongestionDomainsWay& way : ways)
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
        const std::vector<std::string> surprises = trial.GetSurprises();
        experiment.AddKey("surprises", surprises);
        const int code = experiment.Finish();
        return code == 0 && check && !surprises.empty() ? 1 : code;
    });
}
