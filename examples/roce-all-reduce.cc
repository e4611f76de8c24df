/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ring AllReduce over the GPUs of a leaf-spine fabric, one GPU a host: PFC only against DCQCN.
//
// Placement decides what is compared. With --placement=packed, ranks in the order of hosts, the
// ring leaves each leaf once: no two flows share a link, nothing is congested, and the runs are
// equal. With --placement=strided, the default, neighbors in the ring are always on different
// leaves, as when a scheduler scatters a job: each leaf sends hosts-per-leaf flows up over its
// spines (8 over 4: 2:1), ECMP puts them together unevenly, and the ring goes at the pace of the
// fullest link. There PFC pauses, ECN marks, and the laws differ. Both runs have the same flows,
// paths, buffers and thresholds; "none" sends at line rate and leaves all to PFC. Buffers are
// 0.5 MB a port, as in a switch with 16 MB for 32 ports of 100G.
//
// PFC only keeps the fullest link busy, which bounds the ring; pauses that would hurt other jobs on
// these links cost this lone job nothing. What DCQCN adds depends on its parameters, so no single
// run ranks the two: the default preset, paper, has far fewer pauses and a longer time; try
// --ns3::roce::Dcqcn::Preset=connectx or hpcc-artifact beside it.
//
// build/bin/roce-all-reduce --leaves=4 --spines=4 --hosts-per-leaf=8 --size=16MB

#include "ns3/core-module.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-experiment-helper.h"

#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return ids of hosts by rank; the builder numbers hosts leaf by leaf */
std::vector<uint32_t>
Place(const std::string& placement, uint32_t leaves, uint32_t hostsPerLeaf)
{
    if (placement != "packed" && placement != "strided")
    {
        throw std::invalid_argument("--placement=" + placement + ": expected packed or strided");
    }
    std::vector<uint32_t> hosts;
    for (uint32_t rank = 0; rank < leaves * hostsPerLeaf; ++rank)
    {
        hosts.push_back(placement == "packed" ? rank
                                              : rank % leaves * hostsPerLeaf + rank / leaves);
    }
    return hosts;
}

/** Run one all-reduce and note its figures in the result. */
void
RunOne(ExperimentRun& run, Ptr<CollectiveRun> ring)
{
    const uint32_t ranks = ring->GetSchedule()->GetRanks();
    run.SetExpectedBytes(2 * (ranks - 1) * ring->GetSchedule()->GetBytes());
    run.Run();
    run.GetExtra()["bytes_sent"] = ring->GetBytesSent();
    if (ring->IsFinished())
    {
        run.GetExtra()["collective_s"] = ring->GetDuration().GetSeconds();
        run.GetExtra()["algbw_Bps"] = ring->GetAlgorithmBandwidth();
        run.GetExtra()["busbw_Bps"] = ring->GetBusBandwidth();
    }
}

/** The columns of nccl-tests, a row a run. */
void
PrintTable(const std::vector<std::pair<std::string, Ptr<CollectiveRun>>>& runs)
{
    std::cout << "\nrun              time (us)  algbw (GB/s)  busbw (GB/s)  sent by all (B)\n";
    for (const auto& [label, ring] : runs)
    {
        std::cout << std::left << std::setw(10) << label << std::right << std::fixed;
        if (!ring->IsFinished())
        {
            std::cout << "  not finished\n" << ring->Describe() << "\n";
            continue;
        }
        std::cout << std::setprecision(2) << std::setw(16) << ring->GetDuration().ToDouble(Time::US)
                  << std::setprecision(3) << std::setw(14) << ring->GetAlgorithmBandwidth() / 1e9
                  << std::setw(14) << ring->GetBusBandwidth() / 1e9 << std::setw(17)
                  << ring->GetBytesSent() << "\n";
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    return ExperimentHelper::Main(argc, argv, [&]() {
        uint32_t leaves = 4;
        uint32_t spines = 4;
        uint32_t hosts = 8;
        uint32_t chunks = 4;
        uint32_t channels = 1;
        std::string size = "16MB";
        std::string rate = "100Gbps";
        std::string buffer = "500kB";
        std::string placement = "strided";
        ExperimentHelper experiment("roce-all-reduce", "Ring AllReduce on a leaf-spine fabric");
        experiment.SetDefaults("none,dcqcn,hcc");
        experiment.AddFlag("leaves", "leaf switches", leaves);
        experiment.AddFlag("spines", "spine switches", spines);
        experiment.AddFlag("hosts-per-leaf", "hosts on each leaf, one GPU each", hosts);
        experiment.AddFlag("size", "bytes of the buffer of a GPU", size);
        experiment.AddFlag("chunks", "pieces in flight that follow each other in a ring", chunks);
        experiment.AddFlag("channels", "rings side by side", channels);
        experiment.AddFlag("rate", "rate of all links", rate);
        experiment.AddFlag("buffer", "packet buffer of switches for each port of a leaf", buffer);
        experiment.AddFlag("placement", "order of ranks: packed or strided", placement);
        experiment.Parse(argc, argv);
        ClosHelper clos(leaves, spines, hosts);
        clos.SetHostLinks(rate, "1us");
        clos.SetFabricLinks(rate, "1us");
        const uint64_t pool = ParseBytes(buffer) * (hosts + spines);
        CollectiveHelper helper;
        helper.SetOperation("all-reduce", "ring");
        helper.SetBytes(ParseBytes(size));
        helper.SetChunks(chunks);
        helper.SetChannels(channels);
        helper.SetAttribute("InFlight", UintegerValue(chunks));
        std::vector<std::pair<std::string, Ptr<CollectiveRun>>> runs;
        for (const std::string& cc : experiment.GetCcs())
        {
            RoceHelper roce;
            experiment.Configure(roce, cc);
            roce.SetSwitchAttribute("BufferSize", UintegerValue(pool));
            Ptr<Fabric> fabric = clos.Install(roce);
            ExperimentRun& run = experiment.Begin(cc, fabric);
            runs.emplace_back(cc, helper.Install(fabric, Place(placement, leaves, hosts)));
            RunOne(run, runs.back().second);
            experiment.End();
        }
        if (!experiment.IsQuiet())
        {
            PrintTable(runs);
        }
        return experiment.Finish();
    });
}
