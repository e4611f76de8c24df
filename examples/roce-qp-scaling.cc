/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A fragmented job under baseline ECMP, and under E-ECMP (the hash sees the destination queue pair)
// with several queue pairs a connection. Neighbors in its rings are on different leaves, so each
// message crosses the spines; all queue pairs of two hosts have the same UDP source port, as
// 5-tuple hashes see them. Roofline is the same job packed, where rings leave each leaf once.
// build/bin/roce-qp-scaling --op=all-reduce --seeds=5 --json=out/qp-scaling.json

#include "roce-example-list.h"

#include "ns3/core-module.h"
#include "ns3/roce-attribute-text.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-job-placement.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-queue-pair-channel.h"

#include <cstdio>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** What the flags say. */
struct Options
{
    std::string op{"all-reduce"};
    std::string size{"16MB"};
    std::string queuePairs{"1,4,16"};
    std::string policy{"Split"};
    uint32_t leaves{8};
    uint32_t hosts{8};
    uint32_t spines{8};
    uint32_t ranks{32};
    uint32_t channels{1};
    uint32_t chunks{4};
    uint32_t seeds{5};
};

/** A row of the table. */
struct Way
{
    std::string lb;
    uint32_t queuePairs;
    std::string placement;
};

/** \return mean time in us. \param way what to run */
double
RunWay(ExperimentHelper& experiment, const Options& o, const Way& way)
{
    double sum = 0;
    for (uint32_t seed = 1; seed <= o.seeds; ++seed)
    {
        RoceHelper roce;
        experiment.Configure(roce);
        roce.SetLoadBalancer(way.lb);
        roce.SetLoadBalancerAttribute("Seed", UintegerValue(seed));
        roce.SetNicAttribute("SameSourcePort", BooleanValue(true));
        Ptr<Fabric> fabric = ClosHelper(o.leaves, o.spines, o.hosts).Install(roce);
        ExperimentRun& run =
            experiment.Begin(way.placement + "/" + way.lb + "/" + std::to_string(way.queuePairs) +
                                 "/" + std::to_string(seed),
                             fabric);
        // a leaf is what a job is scattered over; its GPUs have no NVLink here
        auto network = Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(fabric->GetGraph(), o.hosts));
        network->SetNvlink(false);
        network->SetQueuePairs(way.queuePairs);
        const TypeId type = QueuePairChannel::GetTypeId();
        network->SetChannelAttribute("Policy", *AttributeText::Make(type, "Policy", o.policy));
        CollectiveHelper helper;
        helper.SetOperation(o.op);
        helper.SetBytes(ParseBytes(o.size));
        helper.SetChannels(o.channels);
        helper.SetChunks(o.op == "all-to-all" ? 1 : o.chunks);
        JobPlacement placement(network->GetGpus());
        Ptr<CollectiveRun> collective =
            helper.Install(network, placement.Place(o.ranks, way.placement));
        run.Run();
        sum += collective->GetDuration().ToDouble(Time::US);
        run.GetExtra()["collective_s"] = collective->GetDuration().GetSeconds();
        run.GetExtra()["busbw_Bps"] = collective->GetBusBandwidth();
        run.GetExtra()["bytes_sent"] = collective->GetBytesSent();
        experiment.End();
    }
    return sum / o.seeds;
}

/** Name the flags. */
void
AddFlags(ExperimentHelper& experiment, Options& o)
{
    experiment.AddFlag("op", "the collective: all-reduce, all-to-all, ...", o.op);
    experiment.AddFlag("size", "bytes of the buffer of a GPU", o.size);
    experiment.AddFlag("qps", "queue pairs of a connection, a list", o.queuePairs);
    experiment.AddFlag("policy", "of several queue pairs: Split or RoundRobin", o.policy);
    experiment.AddFlag("leaves", "leaf switches", o.leaves);
    experiment.AddFlag("hosts", "hosts of a leaf, one GPU each", o.hosts);
    experiment.AddFlag("spines", "spines; as many as hosts: 1:1, twice as many: 1:2", o.spines);
    experiment.AddFlag("ranks", "GPUs of the job", o.ranks);
    experiment.AddFlag("channels", "rings side by side", o.channels);
    experiment.AddFlag("chunks", "pieces that follow each other in a ring", o.chunks);
    experiment.AddFlag("seeds", "runs of each kind, with other hashes", o.seeds);
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        Options o;
        ExperimentHelper experiment("roce-qp-scaling", "E-ECMP and QP scaling, a fragmented job");
        experiment.SetDefaults("none");
        AddFlags(experiment, o);
        experiment.Parse(argc, argv);
        std::vector<Way> ways{{"ecmp", 1, "fragmented"}, {"ecmp", 1, "packed"}};
        for (const std::string& count : SplitList(o.queuePairs))
        {
            ways.push_back(
                {"e-ecmp", static_cast<uint32_t>(Quantity::Unsigned(count, 1024)), "fragmented"});
        }
        std::vector<double> times;
        for (const Way& way : ways)
        {
            times.push_back(RunWay(experiment, o, way));
        }
        std::printf("\nplacement   balancer  QPs  time (us)  to baseline  of roofline\n");
        for (std::size_t i = 0; i < ways.size(); ++i)
        {
            std::printf("%-11s %-8s %4u %10.1f %11.1f%% %11.1f%%\n",
                        ways[i].placement.c_str(),
                        ways[i].lb.c_str(),
                        ways[i].queuePairs,
                        times[i],
                        100 * (times[0] / times[i] - 1),
                        100 * times[1] / times[i]);
        }
        std::printf("published for E-ECMP with QP scaling: up to 40 %% over baseline ECMP in "
                    "AllReduce (Gangidi et al., SIGCOMM 2024)\n");
        return experiment.Finish();
    });
}
