/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DEADLOCK_RUN_H
#define ROCE_DEADLOCK_RUN_H

#include "roce-deadlock-case.h"

#include "ns3/roce-deadlock-detector.h"
#include "ns3/roce-experiment-helper.h"
#include "ns3/roce-pfc-watchdog.h"

#include <string>
#include <vector>

/**
 * Builds a scenario, lets it run, and says what happened.
 */
class DeadlockRun
{
  public:
    /** \param experiment the program \param what the scenario \param options rates and times */
    DeadlockRun(ns3::roce::ExperimentHelper& experiment,
                const DeadlockCase& what,
                const DeadlockOptions& options);

    /** Run it and add it to table and result file. */
    void Run();

  private:
    /** Payload bytes and frames that had ended by a time. */
    struct Progress
    {
        ns3::Time at;
        uint64_t bytes{0}; //!< delivered, or ended in the loop
    };

    void Build();
    void Connect();
    Progress Read() const;
    void OnDeadlock(const ns3::roce::DeadlockReport& report);
    static void OnStorm(DeadlockRun* self, uint32_t id, uint32_t port, uint32_t priority, bool on);
    void Tell(ns3::roce::ExperimentRun& run) const;
    void Say(const std::string& line) const;

    ns3::roce::ExperimentHelper& m_experiment;
    const DeadlockCase& m_case;
    const DeadlockOptions& m_options;
    ns3::Ptr<ns3::roce::Fabric> m_fabric;
    ns3::Ptr<ns3::roce::DeadlockDetector> m_detector;
    std::vector<ns3::Ptr<ns3::roce::PfcWatchdog>> m_watchdogs;
    std::vector<ns3::roce::Connection> m_connections;
    std::string m_static; //!< cycle that the routes allow
    Progress m_found;     //!< when the first deadlock was told
    Progress m_storm;     //!< when a watchdog first acted
};

#endif // ROCE_DEADLOCK_RUN_H
