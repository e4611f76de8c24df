/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TEST_GPUS_H
#define ROCE_TEST_GPUS_H

#include "roce-test-fabric.h"

#include "ns3/roce-gpu-network.h"
#include "ns3/roce-helper.h"

/**
 * \file
 * GPUs on one switch, for tests of what they do together.
 */

namespace ns3
{
namespace roce
{

/** \return hosts 0..n-1 on switch n, 100G and 1 us each. \param n number of hosts */
inline FabricGraph
MakeTestStar(uint32_t n)
{
    return StarGraph(n, 100 * GBPS, 1000);
}

/** \return a network of GPUs with a NIC each on a star, without congestion control. \param gpus how
 *  many \param perServer how many of them share NVLink */
inline Ptr<GpuNetwork>
MakeTestGpus(uint32_t gpus, uint32_t perServer = 1)
{
    RoceHelper roce;
    roce.SetCongestionControl("none");
    const FabricGraph graph = MakeTestStar(gpus);
    return Create<GpuNetwork>(roce.Install(graph), GpuMap::NicPerGpu(graph, perServer));
}

} // namespace roce
} // namespace ns3

#endif // ROCE_TEST_GPUS_H
