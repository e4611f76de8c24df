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

/** What one run of it cost. */
struct BenchCost
{
    double cpuSeconds{0};          //!< of Simulator::Run
    uint64_t frameHops{0};         //!< frames received by any port
    uint64_t packets{0};           //!< data packets sent
    uint64_t events{0};            //!< events of the module
    uint64_t stockEvents{0};       //!< ns-3 events used for them
    uint64_t drops{0};             //!< frames dropped by switches
    uint64_t completed{0};         //!< messages completed
};

/**
 * The fixed workloads: 100 Gb/s, 1 us a cable, 1000 bytes of payload, one ACK a packet.
 *
 * a: k=8 fat tree, 128 hosts, permutation, 4 MB each; b: 16 to 1, 2 MB each; c: as a, host i to
 * i+1; d: k=16 fat tree, 1024 hosts, permutation, 1 MB each; e: many queue pairs on one NIC.
 */
class Bench
{
  public:
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

    /**
     * Run a workload once: DCQCN with the numbers of the comparison runs and CNP frames, PFC and
     * ECN on.
     * \param workload what to run
     * \param monitors whether a FabricMonitor and a StallDetector watch
     * \return what it cost
     */
    static BenchCost Run(const BenchWorkload& workload, bool monitors);

    /**
     * \return CPU ns of one ns-3 event: PriorityQueueScheduler, MakeEvent, 10,000 pending, each
     *         rescheduled 100..1099 ns ahead; least of three rounds
     */
    static double MeasureEventNs();

    /** \return largest resident set of the process so far, bytes */
    static uint64_t GetPeakRss();
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BENCH_WORKLOAD_H
