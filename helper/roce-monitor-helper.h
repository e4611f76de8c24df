/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_MONITOR_HELPER_H
#define ROCE_MONITOR_HELPER_H

#include "roce-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/roce-deadlock-detector.h"
#include "ns3/roce-fabric-monitor.h"
#include "ns3/roce-queue-monitor.h"
#include "ns3/roce-rate-monitor.h"
#include "ns3/roce-stall-detector.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * Puts monitors on a fabric.
 *
 * Models: ns-3's helper pattern. Reports call hosts by their ids in the graph, and slowdowns are
 * against Fabric::GetIdealCompletionNs.
 *
 * Invariants: monitors hold what they watch, so they may outlive the fabric's owner.
 *
 * Leaves out: traces of single frames (use the trace sources of Port).
 */
class MonitorHelper
{
  public:
    MonitorHelper();

    /** \param name attribute of queue monitors \param value its value */
    void SetQueueAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of stall detectors \param value its value */
    void SetStallAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of deadlock detectors \param value its value */
    void SetDeadlockAttribute(const std::string& name, const AttributeValue& value);

    /** \param name attribute of rate monitors \param value its value */
    void SetRateAttribute(const std::string& name, const AttributeValue& value);

    /** \return a monitor of the results. \param fabric what to watch */
    Ptr<FabricMonitor> InstallFabricMonitor(Ptr<Fabric> fabric) const;

    /** \return a monitor of the queues. \param fabric what to watch */
    Ptr<QueueMonitor> InstallQueueMonitor(Ptr<Fabric> fabric) const;

    /** \return a stall detector. \param fabric what to watch */
    Ptr<StallDetector> InstallStallDetector(Ptr<Fabric> fabric) const;

    /** \return a deadlock detector. \param fabric what to watch */
    Ptr<DeadlockDetector> InstallDeadlockDetector(Ptr<Fabric> fabric) const;

    /** \return a monitor of rates. \param fabric what to watch */
    Ptr<RateMonitor> InstallRateMonitor(Ptr<Fabric> fabric) const;

  private:
    ObjectFactory m_queue;
    ObjectFactory m_stall;
    ObjectFactory m_deadlock;
    ObjectFactory m_rate;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_MONITOR_HELPER_H
