/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Hosts write message after message through a leaf-spine fabric. ECMP hashes some of them onto the
// same links, and leaves them there. With the oracle a host looks at the telemetry that came back
// before each message, and picks the UDP source port, so the path, by it.
//
// build/bin/roce-int-oracle --seeds=5 --json=out/int-oracle.json
// build/bin/roce-int-oracle --scenario=hot-spine --seeds=5

#include "roce-example-list.h"
#include "roce-int-oracle-table.h"

#include "ns3/core-module.h"

#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        IntOracleSettings s;
        std::string runs = "ecmp,int-oracle,flowlet,pinned";
        uint32_t seeds = 1;
        ExperimentHelper experiment("roce-int-oracle", "senders that pick paths by telemetry");
        experiment.SetDefaults("none");
        experiment.AddFlag("runs", "ecmp, int-oracle, pinned or a load balancer, commas", runs);
        experiment.AddFlag("scenario", "permutation, or hot-spine: one spine is full", s.scenario);
        experiment.AddFlag("pattern", "leaf: leaf to leaf; random: to any other", s.pattern);
        experiment.AddFlag("seeds", "pairs and ports to average over, at least 1", seeds);
        experiment.AddFlag("qps", "queue pairs of two hosts", s.qps);
        experiment.AddFlag("message", "size of a message", s.message);
        experiment.AddFlag("messages", "length of a run, in messages sent alone", s.messages);
        experiment.AddFlag("leaves", "leaf switches, at least 2", s.leaves);
        experiment.AddFlag("spines", "spine switches, at least 2", s.spines);
        experiment.AddFlag("hosts", "on each leaf; 0: by the spines", s.hosts);
        experiment.AddFlag("rate", "rate of all links", s.rate);
        experiment.AddFlag("delay", "one-way delay of each cable", s.delay);
        experiment.AddFlag("mtu", "payload bytes of a full packet", s.mtu);
        experiment.Parse(argc, argv);
        s.Check();
        if (seeds == 0)
        {
            throw std::invalid_argument("--seeds=0: at least 1 is needed");
        }
        ScenarioReport report;
        for (const std::string& cc : experiment.GetCcs())
        {
            for (const std::string& how : SplitList(runs))
            {
                for (uint32_t seed = 1; seed <= seeds; ++seed)
                {
                    const std::string label =
                        (experiment.GetCcs().size() > 1 ? cc + " " : "") + how;
                    RoceHelper roce;
                    experiment.Configure(roce, cc);
                    IntOracleTrial trial(s, seed);
                    Ptr<Fabric> fabric = trial.Install(roce, how, cc == "none");
                    ExperimentRun& run =
                        experiment.Begin(label + "/" + std::to_string(seed), fabric);
                    trial.Run(run);
                    const ScenarioFigures figures = trial.Measure(run);
                    for (const auto& [name, value] : figures)
                    {
                        run.GetExtra()[name] = value;
                    }
                    run.GetExtra()["shares_over_time"] = trial.GetSeries();
                    report.Add(label, figures);
                    experiment.End();
                }
            }
        }
        const IntOracleReference reference(s, 50);
        experiment.AddKey("paths", report.GetJson());
        if (!experiment.IsQuiet())
        {
            IntOracleTable::Print(report, reference, s.IsHot());
        }
        return experiment.Finish();
    });
}
