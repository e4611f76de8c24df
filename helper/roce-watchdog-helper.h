/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WATCHDOG_HELPER_H
#define ROCE_WATCHDOG_HELPER_H

#include "roce-fabric.h"

#include "ns3/object-factory.h"
#include "ns3/roce-pause-tree-monitor.h"
#include "ns3/roce-pfc-spike-detector.h"
#include "ns3/roce-pfc-watchdog.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Puts a PFC watchdog on each switch of a fabric, and observers of pauses.
 *
 * Models: ns-3's helper pattern, with presets of operating systems of switches:
 *
 * | preset | poll   | detection | restoration | action |
 * |--------|--------|-----------|-------------|--------|
 * | sonic  | 200 ms | 200 ms    | 200 ms      | drop   |
 * | junos  | 100 ms | 200 ms    | 200 ms      | drop   |
 *
 * Clause: sonic: the constants of `pfcwd start_default`, up to 32 ports; junos: the manual on the
 * `pfc-watchdog` statement (two poll intervals, recovery 200 ms).
 *
 * Invariants: one watchdog a switch, in the order of Fabric::GetSwitches.
 *
 * Leaves out: SONiC's longer times for more than 32 ports; Junos ends a storm after its recovery
 * time even if pauses go on, the model does not.
 */
class WatchdogHelper
{
  public:
    WatchdogHelper();

    /** Take the values of a product. Throws std::invalid_argument naming the known ones.
     *  \param name sonic or junos */
    void SetPreset(const std::string& name);

    /** \param name attribute of PfcWatchdog \param value its value */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** \return the watchdogs. \param fabric whose switches get one; no run may have begun */
    std::vector<Ptr<PfcWatchdog>> Install(Ptr<Fabric> fabric) const;

    /** \param name attribute of PfcSpikeDetector \param value its value */
    void SetSpikeAttribute(const std::string& name, const AttributeValue& value);

    /** \return a detector of spikes of pause frames. \param fabric what to watch */
    Ptr<PfcSpikeDetector> InstallSpikeDetector(Ptr<Fabric> fabric) const;

    /** \return an observer that finds where pauses begin. \param fabric what to watch */
    static Ptr<PauseTreeMonitor> InstallPauseTree(Ptr<Fabric> fabric);

  private:
    ObjectFactory m_watchdog;
    ObjectFactory m_spike;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WATCHDOG_HELPER_H
