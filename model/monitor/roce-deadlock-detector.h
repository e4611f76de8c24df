/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DEADLOCK_DETECTOR_H
#define ROCE_DEADLOCK_DETECTOR_H

#include "roce-wait-for-graph.h"

#include "ns3/event-id.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/roce-event-core.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Says when switches wait for each other in a ring, and which.
 *
 * Models: an operator who looks every CheckInterval while any switch has paused a sender, and
 * reports a cycle of the wait-for graph all of whose queues have been paused without a break for
 * HoldTime.
 *
 * Invariants: it reads only, so a run with it gives the same results as one without (unless
 * StopRun is set); nothing is scheduled while nothing is paused; it does not keep a run alive when
 * no event of the module is pending; the same freeze is reported once.
 *
 * Leaves out: ending a deadlock (PfcWatchdog does).
 */
class DeadlockDetector : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    DeadlockDetector();
    ~DeadlockDetector() override;

    /** Begin to look. \param switches nodes with a frozen Switch each */
    void Install(const NodeContainer& switches);

    /** \return all deadlocks seen, in order of finding */
    const std::vector<DeadlockReport>& GetReports() const;

    /** \return cycles of queues that wait for each other now. \param hold for how long at least */
    std::vector<DeadlockReport> Find(Time hold = Time(0)) const;

    /** TracedCallback signature. \param [in] report the ring */
    typedef void (*DeadlockTracedCallback)(const DeadlockReport& report);

  private:
    static void OnPfc(DeadlockDetector* self, uint32_t port, uint32_t priority, bool xoff);
    void DoDispose() override;
    void Disconnect();
    void Arm();
    void Check();
    bool IsKnown(const DeadlockReport& report) const;

    Time m_interval;
    Time m_hold;
    bool m_stop;
    WaitForGraph m_graph;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<DeadlockReport> m_reports;
    Ptr<EventCore> m_core;
    EventId m_event;
    Callback<void, uint32_t, uint32_t, bool> m_onPfc;
    TracedCallback<const DeadlockReport&> m_trace;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_DEADLOCK_DETECTOR_H
