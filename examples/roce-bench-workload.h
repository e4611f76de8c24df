/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BENCH_WORKLOAD_H
#define ROCE_BENCH_WORKLOAD_H

#include "ns3/roce-helper.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** One message of a benchmark. */
struct BenchFlow
{
    uint32_t source;
    uint32_t destination;
    uint64_t bytes;
};

/** What a benchmark runs. */
struct BenchWorkload
{
    FabricGraph graph;
    std::vector<BenchFlow> flows;
};

/**
 * The fixed workloads: 100 Gb/s, 1 us a cable, 1000 bytes of payload, one ACK a packet.
 *
 * a: k=8 fat tree, 128 hosts, permutation, 4 MB each; b: 16 to 1, 2 MB each; c: as a, host i to
 * i+1; d: k=16 fat tree, 1024 hosts, permutation, 1 MB each; e: many queue pairs on one NIC.
 */
class BenchWorkloads
{
  public:
    /** Payload of a full packet. */
    static constexpr uint32_t PAYLOAD_BYTES = 1000;

    /**
     * \param name a to d; throws std::invalid_argument otherwise
     * \return the workload
     */
    static BenchWorkload Make(const std::string& name);

    /**
     * \param queuePairs queue pairs of host 0, spread over 8 other hosts of a star
     * \param packets data packets in all
     * \return workload e
     */
    static BenchWorkload MakeManyQueuePairs(uint32_t queuePairs, uint64_t packets);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BENCH_WORKLOAD_H
