/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WAIT_FOR_GRAPH_H
#define ROCE_WAIT_FOR_GRAPH_H

#include "roce-deadlock-report.h"

#include "ns3/roce-switch.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Who waits for whom in the switches of a fabric, now.
 *
 * Models: a wait-for graph read from live state. Its vertices are egress queues (port, priority)
 * that hold frames and are paused by the switch at the other end. Such a queue waits for each
 * stopped queue of that switch that holds a frame which came in by the port between the two: until
 * those leave, the ingress buffer stays full and the pause lasts.
 *
 * Coffman, Elphick and Shoshani, ACM Computing Surveys 3(2), 1971 (circular wait).
 *
 * Invariants: reading changes nothing; each queue of a cycle has been paused without a break for at
 * least the time asked for; queues without a link, and those a watchdog lets go on, are not in it.
 *
 * Leaves out: hosts, which never hold what they did not make; stopped queues that no cycle needs.
 */
class WaitForGraph
{
  public:
    /** \param switches what to look at; frozen */
    explicit WaitForGraph(std::vector<Ptr<Switch>> switches = {});

    /**
     * \param now present tick
     * \param hold ticks for which a queue must have been paused without a break to count
     * \return a shortest cycle of each knot of queues that wait for each other
     */
    std::vector<DeadlockReport> FindCycles(Tick now, Tick hold) const;

    /** \return whether any switch has paused a sender */
    bool IsAnyPaused() const;

  private:
    /** A stopped queue. */
    struct Vertex
    {
        uint32_t device{0}; //!< index of the switch
        WaitingQueue queue;
    };

    using Place = std::pair<uint32_t, uint32_t>; //!< index of a switch, its port

    std::vector<Vertex> ListStopped(Tick now, Tick hold) const;
    bool Holds(const Vertex& vertex, uint32_t inPort) const;

    std::vector<Ptr<Switch>> m_switches;
    std::unordered_map<const Port*, Place> m_places; //!< never walked, only looked up
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WAIT_FOR_GRAPH_H
