/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A permutation under ECMP, E-ECMP and a central controller that pins each queue pair, with more
// and more uplinks gone: the share of line rate of the slowest pair and of all, beside the
// roofline.
//
// build/bin/roce-traffic-engineering --json=out/te.json
// build/bin/roce-traffic-engineering --balancers=te --qps=1 --failed=1 --fail-at=250us

#include "roce-traffic-engineering-trial.h"

#include "ns3/core-module.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-quantity.h"

#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return the parts of a list with commas. \param flag its flag \param text the list */
std::vector<std::string>
SplitList(const std::string& flag, const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');)
    {
        parts.push_back(part);
    }
    if (parts.empty())
    {
        throw std::invalid_argument("--" + flag + " is empty");
    }
    return parts;
}

/** One balancer with one number of queue pairs and of failures. \param experiment the program
 *  \param s settings \param balancer name \param qps queue pairs \param failed uplinks \param seeds
 *  permutations */
void
RunOne(ExperimentHelper& experiment,
       const EngineeringSettings& s,
       const std::string& balancer,
       uint32_t qps,
       uint32_t failed,
       uint32_t seeds)
{
    EngineeringShares got;
    EngineeringShares roofline;
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        EngineeringTrial trial(s, failed, qps);
        RoceHelper roce;
        experiment.Configure(roce);
        Ptr<Fabric> fabric = trial.Install(roce, balancer, seed);
        ExperimentRun* run = nullptr;
        if (seed + 1 == seeds) // shown in full
        {
            run = &experiment.Begin(balancer + " qps=" + std::to_string(qps) +
                                        " failed=" + std::to_string(failed),
                                    fabric);
            trial.Start(fabric);
            run->Run(trial.GetStop());
        }
        else
        {
            roce.AssignStreams(fabric, 0);
            trial.Start(fabric);
            Simulator::Stop(trial.GetStop());
            Simulator::Run();
        }
        const EngineeringShares shares = trial.GetShares();
        const EngineeringShares bound = trial.GetRoofline();
        got.slowest += shares.slowest / seeds;
        got.mean += shares.mean / seeds;
        roofline.slowest += bound.slowest / seeds;
        roofline.mean += bound.mean / seeds;
        if (!run)
        {
            Simulator::Destroy();
            continue;
        }
        run->GetExtra()["slowest_share"] = got.slowest;
        run->GetExtra()["mean_share"] = got.mean;
        run->GetExtra()["roofline_slowest"] = roofline.slowest;
        run->GetExtra()["roofline_mean"] = roofline.mean;
        run->GetExtra()["unfit"] = trial.GetEngineer() ? trial.GetEngineer()->GetUnfit() : 0;
        experiment.End();
        if (!experiment.IsQuiet())
        {
            std::cout << "  slowest pair " << got.slowest << ", mean " << got.mean
                      << " of line rate; roofline " << roofline.slowest << ", " << roofline.mean
                      << "\n";
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        EngineeringSettings s;
        std::string balancers = "ecmp,e-ecmp,te";
        std::string qpList = "1,4";
        std::string failList = "0,1,2";
        uint32_t seeds = 3;
        ExperimentHelper experiment("roce-traffic-engineering", "a controller that assigns paths");
        experiment.SetDefaults("none");
        experiment.AddFlag("balancers", "te, te-keep or load balancers, with commas", balancers);
        experiment.AddFlag("qps", "queue pairs of two hosts, with commas", qpList);
        experiment.AddFlag("failed", "uplinks of each leaf that fail, with commas", failList);
        experiment.AddFlag("seeds", "permutations to average over, at least 1", seeds);
        experiment.AddFlag("leaves", "leaf switches, at least 2", s.leaves);
        experiment.AddFlag("spines", "spine switches", s.spines);
        experiment.AddFlag("hosts", "hosts on each leaf", s.hosts);
        experiment.AddFlag("rate", "rate of all links", s.rate);
        experiment.AddFlag("delay", "one-way delay of each cable", s.delay);
        experiment.AddFlag("fail-at", "when uplinks fail; 0us: before flows begin", s.failAt);
        experiment.AddFlag("reaction", "from failure to new pins", s.reaction);
        experiment.AddFlag("warmup", "time before bytes are counted", s.warmup);
        experiment.AddFlag("measure", "time while they are", s.measure);
        experiment.Parse(argc, argv);
        if (seeds == 0)
        {
            throw std::invalid_argument("--seeds=0: at least 1 permutation is needed");
        }
        for (const std::string& failed : SplitList("failed", failList))
        {
            for (const std::string& qps : SplitList("qps", qpList))
            {
                for (const std::string& balancer : SplitList("balancers", balancers))
                {
                    const uint32_t pairs = Quantity::Unsigned(qps, 1024);
                    const uint32_t links = Quantity::Unsigned(failed, 65535);
                    RunOne(experiment, s, balancer, pairs, links, seeds);
                }
            }
        }
        return experiment.Finish();
    });
}
