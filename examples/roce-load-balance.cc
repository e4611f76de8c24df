/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Hosts of one leaf write to those of another, by 1 to 32 queue pairs each, under several load
// balancers: the share of line rate that the slowest pair of hosts gets.
//
// build/bin/roce-load-balance --json=out/load-balance.json
// build/bin/roce-load-balance --entropy=none --balancers=ecmp,e-ecmp

#include "roce-example-list.h"
#include "roce-load-balance-reference.h"
#include "roce-load-balance-trial.h"

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-experiment-helper.h"

#include <algorithm>
#include <iostream>
#include <numeric>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Run one load balancer with one number of queue pairs. \param experiment the program \param s
 * sizes \param lb load balancer \param qps queue pairs \param seeds permutations */
void
RunOne(ExperimentHelper& experiment,
       const LoadBalanceSettings& s,
       const std::string& lb,
       uint32_t qps,
       uint32_t seeds)
{
    const std::string recovery = experiment.IsGiven("recovery") ? experiment.GetRecovery() : "";
    double slowest = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        LoadBalanceTrial trial(s);
        RoceHelper roce;
        experiment.Configure(roce);
        Ptr<Fabric> fabric = trial.Install(roce, lb, seed, recovery);
        if (seed + 1 < seeds)
        {
            roce.AssignStreams(fabric, 0);
            trial.Start(fabric, qps, seed);
            Simulator::Stop(trial.GetStop());
            Simulator::Run();
            slowest += trial.GetShares(fabric).front();
            Simulator::Destroy();
            continue;
        }
        // the last one is shown in full
        ExperimentRun& run = experiment.Begin(lb + " qps=" + std::to_string(qps), fabric);
        trial.Start(fabric, qps, seed);
        run.Run(trial.GetStop());
        const std::vector<double> shares = trial.GetShares(fabric);
        slowest = (slowest + shares.front()) / seeds;
        const bool onePath = s.entropy == "none" && lb == "ecmp";
        MaxMinReference reference(s.leaves, s.spines, s.hosts);
        const double expected = reference.GetSlowest(onePath ? 1 : qps, 50);
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        run.GetExtra()["slowest_share"] = slowest;
        run.GetExtra()["mean_share"] = sum / static_cast<double>(shares.size());
        run.GetExtra()["max_min_share"] = expected;
        run.GetExtra()["imbalance"] = LoadBalanceTrial::GetImbalance(fabric);
        experiment.End();
        if (!experiment.IsQuiet())
        {
            std::cout << "  slowest pair " << slowest
                      << " of line rate; random paths, max-min fair: " << expected << "\n";
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        LoadBalanceSettings s;
        std::string balancers = "ecmp,e-ecmp,flowlet,dlb,spray";
        std::string qpList = "1,4,16,32";
        std::string window = "0";
        uint32_t seeds = 3;
        ExperimentHelper experiment("roce-load-balance", "shares of line rate by load balancer");
        experiment.SetDefaults("none");
        experiment.AddFlag("balancers", "load balancers, with commas; --lb means one", balancers);
        experiment.AddFlag("qps", "queue pairs of two hosts, with commas", qpList);
        experiment.AddFlag("seeds", "permutations to average over, at least 1", seeds);
        experiment.AddFlag("entropy", "port: a UDP port a queue pair; none: one a host", s.entropy);
        experiment.AddFlag("leaves", "leaf switches, at least 2", s.leaves);
        experiment.AddFlag("spines", "spine switches", s.spines);
        experiment.AddFlag("hosts", "hosts on each leaf", s.hosts);
        experiment.AddFlag("rate", "rate of all links", s.rate);
        experiment.AddFlag("delay", "one-way delay of each cable", s.delay);
        experiment.AddFlag("mtu", "payload bytes of a full packet", s.mtu);
        experiment.AddFlag("window", "bytes in flight a queue pair; 0: by their number", window);
        experiment.AddFlag("warmup", "time before bytes are counted", s.warmup);
        experiment.AddFlag("measure", "time while they are", s.measure);
        experiment.Parse(argc, argv);
        s.window = ParseBytes(window);
        if (experiment.IsGiven("lb"))
        {
            balancers = experiment.GetLb();
        }
        if (seeds == 0)
        {
            throw std::invalid_argument("--seeds=0: at least 1 permutation is needed");
        }
        for (const std::string& lb : SplitList(balancers))
        {
            for (const std::string& qps : SplitList(qpList))
            {
                RunOne(experiment, s, lb, Quantity::Unsigned(qps, 1024), seeds);
            }
        }
        return experiment.Finish();
    });
}
