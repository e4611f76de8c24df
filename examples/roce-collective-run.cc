/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-options.h"
#include "roce-example-list.h"

#include "ns3/core-module.h"
#include "ns3/roce-attribute-text.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-collective-helper.h"
#include "ns3/roce-job-placement.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-queue-pair-channel.h"
#include "ns3/roce-topology-loader.h"

#include <iostream>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return what the helper is to do \param bytes size */
CollectiveHelper
MakeHelper(const CollectiveOptions& o, uint64_t bytes)
{
    CollectiveHelper helper;
    helper.SetOperation(o.op, o.algorithm);
    helper.SetBytes(bytes);
    helper.SetChannels(o.channels);
    helper.SetChunks(o.chunks);
    helper.SetRoot(o.root);
    std::vector<uint32_t> levels;
    for (const std::string& level : SplitList(o.levels))
    {
        levels.push_back(static_cast<uint32_t>(Quantity::Unsigned(level, 1u << 20)));
    }
    helper.SetLevels(levels, levels.empty() && o.mapping == "rail" ? "" : o.mapping);
    return helper;
}

/** \return how GPUs reach each other */
Ptr<GpuNetwork>
MakeNetwork(const CollectiveOptions& o, Ptr<Fabric> fabric)
{
    auto network = Create<GpuNetwork>(fabric, GpuMap::NicPerGpu(fabric->GetGraph(), o.perServer));
    network->SetQueuePairs(o.queuePairs);
    network->SetChannelAttribute(
        "Policy",
        *AttributeText::Make(QueuePairChannel::GetTypeId(), "Policy", o.policy));
    if (o.pxn && o.perServer < 2)
    {
        throw std::invalid_argument("--pxn needs servers that share NVLink: --gpus-per-server=" +
                                    std::to_string(o.perServer) + ", expected 2 or more");
    }
    network->SetPxn(o.pxn);
    if (o.admission)
    {
        network->EnableAdmission();
    }
    return network;
}

} // namespace

CollectiveRow
RunCollective(ExperimentHelper& experiment,
              const CollectiveOptions& o,
              const std::string& cc,
              uint64_t bytes)
{
    RoceHelper roce;
    experiment.Configure(roce, cc);
    Ptr<Fabric> fabric =
        roce.Install(o.topology.empty() ? ClosHelper(1, 0, o.ranks ? o.ranks : 8).MakeGraph()
                                        : TopologyLoader::Load(o.topology).graph);
    CollectiveRow row;
    row.label = cc;
    row.bytes = bytes;
    ExperimentRun& run = experiment.Begin(cc + "/" + std::to_string(bytes), fabric);
    Ptr<GpuNetwork> network = MakeNetwork(o, fabric);
    JobPlacement placement(network->GetGpus());
    placement.AssignStreams(experiment.GetNextStream());
    const uint32_t ranks = o.ranks ? o.ranks : network->GetGpus().GetGpus();
    Ptr<CollectiveRun> collective =
        MakeHelper(o, bytes).Install(network, placement.Place(ranks, o.placement));
    uint64_t expected = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        expected += collective->GetSchedule()->GetBytesSent(rank);
    }
    run.SetExpectedBytes(expected);
    run.Run();
    row.ranks = ranks;
    row.sent = collective->GetBytesSent();
    row.finished = collective->IsFinished();
    run.GetExtra()["ranks"] = ranks;
    run.GetExtra()["bytes_sent"] = row.sent;
    if (row.finished)
    {
        row.us = collective->GetDuration().ToDouble(Time::US);
        row.algorithm = collective->GetAlgorithmBandwidth() / 1e9;
        row.bus = collective->GetBusBandwidth() / 1e9;
        run.GetExtra()["collective_s"] = collective->GetDuration().GetSeconds();
        run.GetExtra()["algbw_Bps"] = collective->GetAlgorithmBandwidth();
        run.GetExtra()["busbw_Bps"] = collective->GetBusBandwidth();
    }
    else
    {
        std::cerr << collective->Describe() << "\n";
    }
    experiment.End();
    return row;
}
