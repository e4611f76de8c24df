/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_GENERATOR_H
#define ROCE_TRAFFIC_GENERATOR_H

#include "roce-flow-size-distribution.h"
#include "roce-link-set.h"
#include "roce-traffic-options.h"

#include "ns3/roce-flow-reader.h"

namespace ns3
{
namespace roce
{

/**
 * Makes open-loop traffic: flows that begin when they begin, whatever becomes of those before.
 *
 * Models: background flows whose arrivals are a Poisson process over all hosts, with sizes of a
 * distribution and ends of a pattern, and an incast each so often: `incastFanIn` different hosts
 * send `incastBytes` each to one other host at the same moment, at start + k * every for k = 1, 2,
 * ... within the duration; sender and receiver are drawn anew each time. Background flows have
 * dport 100, those of incasts 200.
 *
 * Load: of a link set with capacity C (sum of rates in one direction, bit/s), lambda flows a second
 * of mean S bytes that pass x links of the set on average (the chance of each pair times its
 * crossings) load it with lambda * 8 S * x / (2 C): both directions together over both capacities.
 * For the links of hosts x = 2, so that is lambda * 8 S / C. Bytes are those of messages; headers
 * come on top (82 bytes a packet, preamble and gap too: 8.0 % at 1024, 2.0 % at 4096 bytes MTU).
 *
 * Source: the definition for host links is that of the traffic generator of HPCC.
 *
 * Invariants: flows come in order of their start; the same streams give the same flows; the load of
 * the background is `loadPercent` on average, and that of incasts comes on top.
 *
 * Leaves out: sizes and arrivals that depend on each other.
 */
class TrafficGenerator
{
  public:
    static constexpr uint64_t MAX_FLOWS = 50000000; //!< more are refused

    /**
     * \param graph the fabric; its hosts send
     * \param links what the load is said of, on the same fabric
     * \param sizes of background flows
     * \param options all else; std::invalid_argument names what is out of range
     */
    TrafficGenerator(const FabricGraph& graph,
                     const LinkSet& links,
                     const FlowSizeDistribution& sizes,
                     const TrafficOptions& options);

    /** \return random streams used. \param stream the first; to be called before the rest */
    int64_t AssignStreams(int64_t stream);

    /** \return background flows a second; std::invalid_argument if no flow of the pattern passes
     *  the links */
    double GetArrivalsPerSecond();

    /** \return load of the incasts in per cent of the links, on average over receivers */
    double GetIncastLoadPercent();

    /** \return background load of the link of the host that receives most, per cent of its rate;
     *  100 and more cannot be served */
    double GetPeakReceivePercent();

    /** \return the flows, once; std::invalid_argument if more than MAX_FLOWS are to be expected */
    FlowList Generate();

  private:
    void CheckOptions() const;
    double MeanCrossings(bool ofIncast);
    void AddBackground(std::vector<FlowSpec>& flows);
    void AddIncasts(std::vector<FlowSpec>& flows);

    std::vector<uint32_t> m_hosts; //!< ids
    std::vector<double> m_hostBps; //!< by place in m_hosts: sum of the rates of its links
    LinkSet m_links;
    FlowSizeDistribution m_sizes;
    TrafficOptions m_options;
    TrafficPairs m_pairs;
    double m_crossings[2] = {-1, -1}; //!< of background and incasts, once known
    Ptr<ExponentialRandomVariable> m_gaps;
    Ptr<UniformRandomVariable> m_size;
    Ptr<UniformRandomVariable> m_incast;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAFFIC_GENERATOR_H
