/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_QUEUE_MONITOR_H
#define ROCE_QUEUE_MONITOR_H

#include "roce-heartbeat.h"
#include "roce-time-series.h"

#include "ns3/object.h"
#include "ns3/roce-switch.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/** The longest queue seen. */
struct QueuePeak
{
    uint64_t bytes{0};    //!< its length
    uint32_t node{0};     //!< Switch::GetId
    uint32_t port{0};     //!< egress port
    uint32_t priority{0}; //!< priority
    Tick at{0};           //!< when it was seen first
};

/**
 * Samples the egress queues of switches.
 *
 * Models: periodic reading of the bytes that wait at each port and priority.
 *
 * Invariants: it stops by itself when the fabric is idle (Heartbeat); a maximum is never below
 * the true length at a sampling time; with it and without it a run gives the same results.
 *
 * Leaves out: what happens between two samples (SwitchMmu keeps exact peaks of pools).
 */
class QueueMonitor : public Object
{
  public:
    /**
     * \brief Get the type ID.
     * \return the object TypeId
     */
    static TypeId GetTypeId();

    QueueMonitor();
    ~QueueMonitor() override;

    /**
     * Begin to sample.
     * \param hosts nodes with a Nic each
     * \param switches nodes with a Switch each
     */
    void Install(const NodeContainer& hosts, const NodeContainer& switches);

    /** Begin again after a quiet time; not needed with NICs that trace "Posted". */
    void Start();

    /** \return samples taken */
    uint64_t GetSamples() const;

    /** \return tick of the last sample */
    Tick GetLastSample() const;

    /** \return time between samples */
    Time GetInterval() const;

    /** \return the longest queue seen */
    const QueuePeak& GetPeak() const;

    /**
     * \param index of the switch in the container
     * \param port its port
     * \param priority its priority
     * \return most bytes seen in that queue
     */
    uint64_t GetMax(uint32_t index, uint32_t port, unsigned priority) const;

    /** \return the longest queue over time */
    const TimeSeries& GetSeries() const;

  private:
    void DoDispose() override;
    void Sample(Tick now);

    using PortMaxima = std::array<uint64_t, NUM_PRIORITIES>;

    Time m_interval;
    HostDirectory m_hosts;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<std::vector<PortMaxima>> m_max; //!< by switch and port
    std::unique_ptr<Heartbeat> m_heartbeat;
    uint64_t m_samples{0};
    Tick m_last{0};
    QueuePeak m_peak;
    TimeSeries m_series{TimeSeries::Merge::MAX};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_QUEUE_MONITOR_H
