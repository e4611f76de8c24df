/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_RUN_H
#define ROCE_EXPERIMENT_RUN_H

#include "roce-fabric.h"

#include "ns3/roce-fabric-monitor.h"
#include "ns3/roce-pause-tree-monitor.h"
#include "ns3/roce-queue-monitor.h"
#include "ns3/roce-rate-monitor.h"
#include "ns3/roce-result-writer.h"
#include "ns3/roce-stall-detector.h"

#include <memory>
#include <string>

namespace ns3
{
namespace roce
{

class ProgressMeter;

/**
 * One labelled run of an experiment; made by ExperimentHelper::Begin.
 *
 * Models: monitors on a fabric, Simulator::Run, and what came of it.
 *
 * Invariants: Run returns when the work is done or cannot be done; the result is the same with
 * and without progress.
 *
 * Leaves out: traffic, which the program posts before or while it runs.
 */
class ExperimentRun
{
  public:
    /**
     * \param label name of the run in table and result file
     * \param fabric what to watch
     * \param progress whether to tell stderr how far it is
     */
    ExperimentRun(const std::string& label, Ptr<Fabric> fabric, bool progress);
    ~ExperimentRun();

    /** \param bytes payload bytes of the whole run, for progress; 0: what has been posted */
    void SetExpectedBytes(uint64_t bytes);

    /** \param count requests that are meant to fail; another number gives exit code 1 */
    void SetExpectedFailures(uint64_t count);

    /** \return requests that are meant to fail */
    uint64_t GetExpectedFailures() const;

    /** The run is meant to end as a stall: it gives exit code 0 then, and 1 if it finishes. */
    void ExpectStall();

    /** \return whether it is meant to end as a stall */
    bool IsStallExpected() const;

    /**
     * Sample the queues of switches; adds the key "queues" to the result.
     * \param interval time between samples
     * \return the monitor
     */
    Ptr<QueueMonitor> EnableQueueMonitor(Time interval);

    /**
     * Sample the rates of queue pairs; adds the key "rates" to the result.
     * \param interval time between samples
     * \return the monitor
     */
    Ptr<RateMonitor> EnableRateMonitor(Time interval);

    /** Note each pause; adds the key "pauses" to the result. \return the monitor */
    Ptr<PauseTreeMonitor> EnablePauseMonitor();

    /** Add the key "links" to the result: what crossed each link. */
    void EnableLinks();

    /**
     * Run the simulation, once, and collect the result.
     * \param stop 0: until the work is done or cannot be done; else end at this simulated time at
     *             the latest, and requests that are open then are no stall
     */
    void Run(Time stop = Time(0));

    /** \return name of the run */
    const std::string& GetLabel() const;

    /** \return what it came to; valid after Run */
    const RunResult& GetResult() const;

    /** \return the fabric */
    Ptr<Fabric> GetFabric() const;

    /** \return the monitor of the results */
    Ptr<FabricMonitor> GetMonitor() const;

    /** \return the monitor of rates, or nullptr */
    Ptr<RateMonitor> GetRateMonitor() const;

    /** \return the monitor of pauses, or nullptr */
    Ptr<PauseTreeMonitor> GetPauseMonitor() const;

    /** \return the stall detector */
    Ptr<StallDetector> GetStallDetector() const;

    /** \return keys the program adds to this run in the result file: GetExtra()["x"] = 1 */
    ResultWriter::Json& GetExtra();

    /** \return whether Run was called */
    bool IsDone() const;

  private:
    void AddQueues();
    void AddSeries();

    std::string m_label;
    Ptr<Fabric> m_fabric;
    Ptr<FabricMonitor> m_monitor;
    Ptr<StallDetector> m_detector;
    Ptr<QueueMonitor> m_queues;
    Ptr<RateMonitor> m_rates;
    Ptr<PauseTreeMonitor> m_pauses;
    bool m_links{false};
    std::unique_ptr<ProgressMeter> m_progress;
    RunResult m_result;
    ResultWriter::Json m_extra;
    uint64_t m_expectedFailures{0};
    bool m_expectStall{false};
    bool m_done{false};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_RUN_H
