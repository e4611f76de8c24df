/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_STALL_DETECTOR_H
#define ROCE_STALL_DETECTOR_H

#include "roce-heartbeat.h"
#include "roce-stall-report.h"

#include "ns3/object.h"
#include "ns3/roce-switch.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Ends a run that cannot finish, and says why.
 *
 * Models: an operator who looks every CheckInterval. If requests are open and no frame other than
 * pause frames has arrived anywhere for StallTime, it makes a report and calls Simulator::Stop.
 * StallTime must exceed the retransmission timers, or a lost tail would count as a stall before
 * it is sent again: the time used is the larger of StallTime and twice the longest AckTimeout of
 * the queue pairs with open requests, and twice the longest wait an RNR NAK asked for.
 *
 * A queue pair that tries again for ever because the other side has no receive request (RNR retry
 * limit 7) makes frames move without end. So frames do not count while no NIC takes or completes
 * anything and every queue pair with open requests is of this kind.
 *
 * Invariants: it does not keep a run alive by itself (Heartbeat); a run that finishes is never
 * stopped; the moment of the stop depends on simulated time only.
 *
 * Leaves out: a run that ends with open requests because nothing is pending any more; ask
 * Describe after Simulator::Run.
 */
class StallDetector : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    StallDetector();
    ~StallDetector() override;

    /**
     * Begin to look.
     * \param hosts nodes with a Nic each
     * \param switches nodes with a Switch each
     * \param ids what reports call the hosts; empty: the ids of the nodes
     */
    void Install(const NodeContainer& hosts,
                 const NodeContainer& switches,
                 const std::vector<uint32_t>& ids = {});

    /** Begin again after a quiet time; not needed with NICs that trace "Posted". */
    void Start();

    /**
     * \param beat called at each check, for progress; it must not change the simulation
     */
    void SetBeat(std::function<void(Tick now)> beat);

    /** \return whether it has stopped the run */
    bool HasStopped() const;

    /** \return what it said when it stopped the run; empty if it did not */
    const StallReport& GetReport() const;

    /** \return what is open now and waits for what */
    StallReport Describe() const;

  private:
    void DoDispose() override;
    void Beat(Tick now);
    void Check(Tick now);
    Tick GetPatience() const;
    uint64_t CountData() const;
    uint64_t CountProgress() const;
    bool IsRetryingForEver() const;
    void ForEachOpen(const std::function<void(uint32_t host, const QueuePair& qp)>& visit) const;
    StalledQueuePair Describe(uint32_t host, const QueuePair& qp) const;
    void FindCause(StalledQueuePair& pair, uint32_t host, const QueuePair& qp) const;
    StallCause FindHold(const QueuePair& qp) const;
    bool FindPeerCause(StalledQueuePair& pair, const QueuePair& qp) const;
    void DescribeQueues(StallReport& report) const;

    Time m_interval;
    Time m_stallTime;
    HostDirectory m_hosts;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<Ptr<Port>> m_ports;
    Ptr<EventCore> m_core;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::function<void(Tick)> m_beat;
    Tick m_lastBeat{0};
    Tick m_lastCheck{0};
    Tick m_moved{0};        //!< when data was last seen to move
    uint64_t m_data{0};     //!< frames other than pause frames that had arrived by then
    uint64_t m_progress{0}; //!< what NICs had taken and completed by then
    bool m_stopped{false};
    StallReport m_report;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_STALL_DETECTOR_H
