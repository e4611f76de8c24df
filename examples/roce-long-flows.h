/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_LONG_FLOWS_H
#define ROCE_LONG_FLOWS_H

#include "ns3/roce-fabric.h"
#include "ns3/roce-queue-monitor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Flows that write without end, and their rates in a span of time.
 *
 * Models: one queue pair and one message of 1 GiB a flow. What arrived in order is counted from the
 * end of the warm-up on, and in slices of that span.
 *
 * Invariants: with and without it a run is the same; rates are of payload.
 *
 * Leaves out: messages that end. It must outlive the simulation.
 */
class LongFlows
{
  public:
    /** \param fabric a fabric \param warmup before bytes are counted \param measure while they are
     *  \param slices parts of that time, for GetUnsteadiness */
    LongFlows(Ptr<Fabric> fabric, Time warmup, Time measure, uint32_t slices = 10);

    /** \return number of the new flow. \param source a host \param destination another \param start
     *  when it begins \param options of its connection */
    uint32_t Add(uint32_t source,
                 uint32_t destination,
                 Time start = Time(0),
                 const ConnectionOptions& options = {});

    /** Destroy its queue pair at the sender. Its request counts as failed. \param flow its number
     *  \param at when */
    void End(uint32_t flow, Time at);

    /** \return its queue pairs. \param flow its number */
    const Connection& Get(uint32_t flow) const;

    /** \return when the simulation is to stop */
    Time GetStop() const;

    /** \return payload bit/s in the span. \param flow its number */
    double GetRate(uint32_t flow) const;

    /** \return sum of the rates. \param first flow \param count of flows; 0: all behind it */
    double GetSum(uint32_t first = 0, uint32_t count = 0) const;

    /** \return least rate. \param first flow \param count of flows; 0: all behind it */
    double GetLeast(uint32_t first = 0, uint32_t count = 0) const;

    /** \return standard deviation over time / mean of a flow's rate, mean over the flows */
    double GetUnsteadiness() const;

    /** \return times that switches paused a sender since the warm-up */
    uint64_t GetXoffs() const;

    /** \return payload bit/s that the link of a host carries if it is full. \param fabric a fabric
     *  \param host its id */
    static double GetFullRate(Ptr<Fabric> fabric, uint32_t host);

    /** \return longest queue from some time on, bytes. \param queues a monitor \param from when
     *  \param to when */
    static uint64_t GetPeak(Ptr<QueueMonitor> queues, Time from, Time to = Time::Max());

    /** \return a time above 0; else std::invalid_argument names the flag. \param flag its flag
     *  \param text of the user */
    static Time ParseTime(const std::string& flag, const std::string& text);

  private:
    void Post(uint32_t flow);
    void Destroy(uint32_t flow);
    void Note();
    uint64_t CountXoffs() const;

    Ptr<Fabric> m_fabric;
    Time m_warmup;
    Time m_slice;
    uint32_t m_slices;
    uint64_t m_xoffs{0}; //!< until the warm-up
    std::vector<Connection> m_flows;
    std::vector<std::vector<uint64_t>> m_packets; //!< by flow, at the borders of slices
};

} // namespace roce
} // namespace ns3

#endif // ROCE_LONG_FLOWS_H
