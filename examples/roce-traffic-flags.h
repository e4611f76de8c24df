/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_FLAGS_H
#define ROCE_TRAFFIC_FLAGS_H

#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-flow-reader.h"
#include "ns3/roce-traffic-options.h"

#include <string>

/** \file Fabric and flows of the program roce-traffic. */

/** All flags of this program. */
struct TrafficFlags
{
    std::string sizes{"WebSearch"};
    std::string links{"host"};
    std::string pattern{"uniform"};
    std::string duration{"1ms"};
    std::string incastSize{"0"};
    std::string incastEvery{"100us"};
    std::string topology;
    std::string rate{"100Gbps"};
    std::string fabricRate{"100Gbps"};
    std::string delay{"1us"};
    std::string buffer{"16MiB"};
    std::string flowsOut;
    uint32_t leaves{4};
    uint32_t spines{4};
    uint32_t hosts{4};
    uint32_t mtu{4096};
    ns3::roce::TrafficOptions traffic;
};

/** \return the fabric. \param f all flags */
ns3::roce::FabricGraph MakeGraph(const TrafficFlags& f);

/** \return the flows, noted in the result file. \param experiment gets the key "traffic"
 *  \param graph the fabric \param f all flags; those of the traffic are completed */
ns3::roce::FlowList MakeFlows(ns3::roce::ExperimentHelper& experiment,
                              const ns3::roce::FabricGraph& graph,
                              TrafficFlags& f);

#endif // ROCE_TRAFFIC_FLAGS_H
