/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Does RDMA need a lossless network? IRN and RoCE (go-back-N), each with and without PFC, on a
// fat-tree of 16 hosts with heavy-tailed traffic, as Mittal et al. compare them (SIGCOMM 2018,
// section 4.2, there with 54 hosts).
//
// build/bin/roce-loss-recovery --messages=4000 --seeds=5 --json=out/loss-recovery.json

#include "roce-loss-recovery-contest.h"
#include "roce-loss-recovery-traffic.h"

#include "ns3/core-module.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-experiment-helper.h"

using namespace ns3;
using namespace ns3::roce;

namespace
{

constexpr uint32_t RADIX = 4;          //!< ports of each switch
constexpr double LINK_BPS = 40e9;      //!< of all links
constexpr double WIRE_BYTES = 1.082;   //!< of a byte in full packets of 1000, with all headers
constexpr int64_t FIRST_STREAM = 1000; //!< of the traffic; the fabric has those below

/** What the user may choose. */
struct Choice
{
    uint32_t messages{1000};
    uint32_t seeds{1};
    double load{0.7};
    bool check{false};
};

/** \return a fat-tree of k = 4: 16 hosts, 20 switches */
ClosHelper
MakeFatTree()
{
    ClosHelper tree(RADIX, RADIX / 2, RADIX / 2, RADIX * RADIX / 4, RADIX / 2);
    tree.SetHostLinks("40Gbps", "2us");
    tree.SetFabricLinks("40Gbps", "2us");
    tree.SetCoreLinks("40Gbps", "2us");
    return tree;
}

/** Run all ways over the same messages, several times. */
void
RunAll(ExperimentHelper& experiment,
       const std::string& cc,
       const Choice& choice,
       LossRecoveryContest& contest)
{
    const ClosHelper tree = MakeFatTree();
    const double bytes = LossRecoveryTraffic::GetMeanBytes() * WIRE_BYTES;
    const double perSecond = choice.load * tree.GetNHosts() * LINK_BPS / 8 / bytes;
    for (uint32_t seed = 0; seed < choice.seeds; ++seed)
    {
        const LossRecoveryTraffic traffic(tree.GetNHosts(),
                                          choice.messages,
                                          perSecond,
                                          FIRST_STREAM + 4 * int64_t(seed));
        for (std::size_t i = 0; i < contest.GetWays().size(); ++i)
        {
            RoceHelper roce;
            experiment.Configure(roce, cc);
            LossRecoverySetup::Configure(roce, contest.GetWays()[i], RADIX);
            Ptr<Fabric> fabric = tree.Install(roce);
            const std::string label = contest.GetWays()[i].name + "/" + std::to_string(seed + 1);
            ExperimentRun& run = experiment.Begin(cc == "none" ? label : label + "/" + cc, fabric);
            run.SetExpectedBytes(traffic.GetBytes());
            traffic.Schedule(fabric);
            run.Run();
            contest.Add(i, run.GetResult());
            experiment.End();
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Choice choice;
        ExperimentHelper experiment("roce-loss-recovery",
                                    "IRN and RoCE, with and without PFC, on a fat-tree");
        experiment.SetDefaults("none");
        experiment.AddFlag("messages", "messages of a run", choice.messages);
        experiment.AddFlag("seeds", "runs of each kind, each with other messages", choice.seeds);
        experiment.AddFlag("load", "part of the rate of host links that is used", choice.load);
        experiment.AddFlag("check", "exit code 1 if IRN's findings do not show", choice.check);
        experiment.Parse(argc, argv);
        if (choice.messages == 0 || choice.seeds == 0 || !(choice.load > 0))
        {
            throw std::invalid_argument("--messages=" + std::to_string(choice.messages) +
                                        " --seeds=" + std::to_string(choice.seeds) + " --load=" +
                                        std::to_string(choice.load) + ": all must be above 0");
        }
        bool found = true;
        for (const std::string& cc : experiment.GetCcs())
        {
            LossRecoveryContest contest(experiment.GetRecovery());
            RunAll(experiment, cc, choice, contest);
            if (!experiment.IsQuiet())
            {
                contest.Print();
            }
            experiment.AddKey("missing_" + cc, contest.GetMissing());
            found = found && contest.GetMissing().empty();
        }
        const int code = experiment.Finish();
        return code == 0 && choice.check && !found ? 1 : code;
    });
}
