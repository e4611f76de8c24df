/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_BENCH_RUN_H
#define ROCE_BENCH_RUN_H

#include "roce-bench-workload.h"

namespace ns3
{
namespace roce
{

/** What one run of it cost. */
struct BenchCost
{
    double cpuSeconds{0};       //!< of Simulator::Run
    uint64_t frameHops{0};      //!< frames received by any port
    uint64_t packets{0};        //!< data packets sent
    uint64_t events{0};         //!< events of the module
    uint64_t stockEvents{0};    //!< ns-3 events used for them
    uint64_t drops{0};          //!< frames dropped by switches
    uint64_t queuePairBytes{0}; //!< heap that a queue pair takes, with its congestion control
    uint64_t completed{0};      //!< messages completed
};

/** Runs workloads and measures what they cost. */
class BenchRun
{
  public:
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

    /** \return processor seconds of this process so far */
    static double GetCpuSeconds();

    /** \return largest resident set of the process so far, bytes */
    static uint64_t GetPeakRss();
};

} // namespace roce
} // namespace ns3

#endif // ROCE_BENCH_RUN_H
