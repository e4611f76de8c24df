/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_TRAFFIC_ENGINEER_H
#define ROCE_TRAFFIC_ENGINEER_H

#include "roce-fabric.h"
#include "roce-path-pin-helper.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/roce-heartbeat.h"
#include "ns3/roce-host-directory.h"
#include "ns3/roce-path-assigner.h"

#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * A central controller that gives connections paths.
 *
 * Models: traffic engineering as Meta ran it beside ECMP. It knows the links and what each
 * connection wants, has PathAssigner place them, and writes pins into the switches: at the start, a
 * reaction delay after each change of a link, and at intervals with demands that it measured. What
 * it knows of links is as old as the reaction delay. The fabric must have been built with load
 * balancer "pinned"; all other traffic, ACKs too, is left to that balancer's Fallback. Demands are
 * line rates, or measured: what arrived in the last interval, with headers and gaps, to the nearest
 * sixteenth of the link of the host, so that small differences move nobody, and at least 1 bit/s,
 * so that idle connections are spread too.
 *
 * Source: Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM
 * 2024: centralized traffic engineering.
 *
 * Invariants: a connection has the pins of its last path or none; no pin is written to a link that
 * was down a reaction delay before; pins are members of their groups when written. Until it has
 * reacted, a pin whose port is no member is passed over, and one whose port leads to a dead link
 * while the routes do not know loses what takes it.
 *
 * Leaves out: time to compute and to write, beyond the reaction delay; one switch after another;
 * several controllers.
 */
class TrafficEngineer
{
  public:
    /** \param fabric a fabric with pinned load balancers; std::invalid_argument if it has others */
    explicit TrafficEngineer(Ptr<Fabric> fabric);
    ~TrafficEngineer();
    TrafficEngineer(const TrafficEngineer&) = delete;
    TrafficEngineer& operator=(const TrafficEngineer&) = delete;

    /**
     * Take care of the requests of a connection, before Start. For READ responses, or ACKs, swap
     * the two ends.
     * \param connection from Fabric::Connect
     * \param demandBps what it wants, bit/s on the wire, 1 to PathAssigner::MAX_DEMAND_BPS
     * \return its index
     */
    uint32_t Add(const Connection& connection, uint64_t demandBps);

    /**
     * Take care of a connection whose demand is measured, before Start. \return its index
     * \param connection from Fabric::Connect
     */
    uint32_t AddMeasured(const Connection& connection);

    /** \param delay from a change of a link to new pins; not negative; 1 ms if not set */
    void SetReactionDelay(Time delay);

    /** \param interval between measurements, before Start; above zero. Needed for AddMeasured;
     *  without it pins change with links only */
    void SetInterval(Time interval);

    /** \param keep whether connections whose path still is one and has room keep it, and only the
     *  others are placed; if not, as at first, each computation begins anew and moves others too */
    void SetKeepPaths(bool keep);

    /** Compute and pin now; from now on follow links, and measure. Once only. */
    void Start();

    /** \return how often paths were computed */
    uint32_t GetComputations() const;

    /** \return when pins were written last */
    Time GetLastComputed() const;

    /** \return how many times a connection was given another path than before */
    uint64_t GetMoves() const;

    /** \return connections of the last computation that have a path, but not enough room on it */
    uint32_t GetUnfit() const;

    /** \return connections of the last computation without a path; they have no pins */
    uint32_t GetUnplaced() const;

    /** \return what the last computation took the demand of a connection for, bit/s
     *  \param index from Add; std::invalid_argument if there is none */
    uint64_t GetDemand(uint32_t index) const;

    /** \return where a connection goes since the last computation
     *  \param index from Add; std::invalid_argument if there is none */
    const AssignedPath& GetPath(uint32_t index) const;

  private:
    /** A connection. */
    struct Entry
    {
        Connection connection;
        PathDemand demand;
        bool measured{false};
        uint64_t bytes{0}; //!< payload at the last measurement
        AssignedPath path;
    };

    /** What was known of links at a time. */
    struct View
    {
        Time due;                       //!< when the controller has it
        std::vector<uint64_t> capacity; //!< by link, bit/s; 0: down
    };

    const Entry& At(uint32_t index) const;
    uint32_t AddEntry(const Connection& connection, uint64_t demandBps, bool measured);
    PathDemand DescribeEnds(const Connection& connection) const;
    std::vector<uint64_t> GetCapacities() const;
    void OnLinks();
    void React();
    void OnInterval();
    uint64_t Measure(Entry& entry, Time elapsed) const;
    void Compute();
    void Repin(Entry& entry, const AssignedPath& path);

    Ptr<Fabric> m_fabric;
    PathPinHelper m_pins;
    HostDirectory m_hosts;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::vector<Entry> m_entries;
    std::set<std::pair<uint32_t, uint32_t>> m_known; //!< destination and queue pair of each
    std::vector<uint64_t> m_capacity;                //!< by link, as the controller knows it
    std::deque<View> m_coming;
    std::deque<EventId> m_events;
    Time m_delay;
    Time m_interval{0};
    Time m_measured{0}; //!< when demands were measured last
    Time m_computed{0};
    bool m_started{false};
    bool m_keep{false};
    uint32_t m_computations{0};
    uint64_t m_moves{0};
    uint32_t m_unfit{0};
    uint32_t m_unplaced{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_TRAFFIC_ENGINEER_H
