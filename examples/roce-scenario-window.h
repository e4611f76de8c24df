/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_WINDOW_H
#define ROCE_SCENARIO_WINDOW_H

#include "roce-scenario-traffic.h"

#include "ns3/roce-experiment-run.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Names and values. */
using ScenarioFigures = std::vector<std::pair<std::string, double>>;

/**
 * What happens between warm-up and end.
 *
 * Models: counters of queue pairs, NICs, ports and PFC controllers, read at both ends; queues of
 * switches, sampled each microsecond; messages that arrived in the window. Max-min fair rates are
 * those of the routes that are known; they count payload as full packets have it.
 *
 * Invariants: reading changes no result.
 *
 * Leaves out: the whole run, which ExperimentRun has.
 */
class ScenarioWindow
{
  public:
    /** \param plan times \param fabric to watch \param traffic on it */
    ScenarioWindow(const ScenarioPlan& plan, Ptr<Fabric> fabric, const ScenarioTraffic& traffic);
    ~ScenarioWindow();

    /** Schedule what is to be read. */
    void Arm();

    /** \return the figures; call it when the window is over. \param run the run */
    ScenarioFigures Measure(const ExperimentRun& run) const;

    /** \return bit/s of payload of each flow in the window */
    std::vector<double> GetFlowBps() const;

  private:
    /** What is counted since the run began. */
    struct Counts
    {
        std::vector<uint64_t> flows;      //!< payload bytes
        std::map<uint64_t, double> links; //!< bits with gaps, of those that fair rates fill
        std::vector<Tick> paused;         //!< by port and priority
        uint64_t xoffs{0};
        uint64_t cnps{0};
        uint64_t packets{0};
    };

    Counts Read() const;
    void Begin();
    void Sample();
    std::vector<double> GetShares() const;
    Distribution GetTtdUs(const FabricMonitor& monitor) const;
    double GetUtilization(const Counts& now) const;
    double GetLongestPause(const Counts& now) const;
    double GetUnrest() const;
    void AddShares(ScenarioFigures& figures) const;

    ScenarioPlan m_plan;
    Ptr<Fabric> m_fabric;
    const ScenarioTraffic& m_traffic;
    std::vector<double> m_fair; //!< bit/s of payload of each flow
    std::vector<uint64_t> m_full;
    Counts m_before;
    std::vector<std::vector<uint64_t>> m_samples; //!< bytes of the flows, from time to time
    Ptr<QueueMonitor> m_queues;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_WINDOW_H
