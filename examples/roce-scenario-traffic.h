/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_TRAFFIC_H
#define ROCE_SCENARIO_TRAFFIC_H

#include "roce-scenario-plan.h"

#include "ns3/roce-admission-helper.h"
#include "ns3/roce-completion-queue.h"
#include "ns3/roce-distribution.h"
#include "ns3/roce-fabric.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * The flows of a scenario on a fabric.
 *
 * Models: a connection a flow; each posts its next message when it is called for. Flows begin at
 * random times in the first 10 us. With pinned paths each flow takes a random one and keeps it, as
 * static ECMP does with ports of its own for each flow, but known.
 *
 * With admission a receiver expects the next message as soon as one is in; that of a flow which
 * waits for another one when it is sent, as a grant that nobody uses would keep others waiting.
 *
 * Invariants: the same plan and seed give the same paths and begins, whoever controls congestion.
 *
 * Leaves out: an end.
 */
class ScenarioTraffic
{
  public:
    /**
     * Connect. Keep this object until the run has ended.
     * \param plan what to do
     * \param fabric made of plan.clos
     * \param capped whether a queue pair may have at most line rate x base RTT in flight
     * \param seed draws paths and begins
     * \param admitted whether receivers admit data
     */
    ScenarioTraffic(const ScenarioPlan& plan,
                    Ptr<Fabric> fabric,
                    bool capped,
                    uint32_t seed,
                    bool admitted);
    ~ScenarioTraffic();

    /** Post the first messages. */
    void Start();

    /** \return the connection of each flow */
    const std::vector<Connection>& GetConnections() const;

    /**
     * \return links that each flow is known to cross, by number: twice the index in the graph, + 1
     *         from b to a. Without pinned paths the first and the last only
     */
    const std::vector<std::vector<uint64_t>>& GetRoutes() const;

    /** \return whether receivers admit data */
    bool IsAdmitted() const
    {
        return m_admission != nullptr;
    }

    /** \return with admission, times to data in us of reported messages that arrived after the
     *  warm-up: from the call to send to the last byte */
    const Distribution& GetAdmittedUs() const
    {
        return m_admittedUs;
    }

    /** \return bit/s of each link of GetRoutes */
    std::map<uint64_t, double> GetCapacity() const;

  private:
    void Connect(const ScenarioFlow& flow, bool capped);
    void Route(std::size_t flow, uint32_t draw);
    void AddLink(std::size_t flow, uint32_t link, uint32_t from);
    void Post(std::size_t flow);
    void Listen();
    void Admit();
    void ListenAdmitted();
    void PostAdmitted(std::size_t flow);
    void NoteAdmitted(std::size_t flow);

    ScenarioPlan m_plan;
    Ptr<Fabric> m_fabric;
    std::vector<Connection> m_connections;
    std::vector<std::vector<uint64_t>> m_routes;
    std::vector<Time> m_begins;
    std::vector<Ptr<CompletionQueue>> m_queues;
    std::unique_ptr<AdmissionHelper> m_admission;
    std::vector<Ptr<AdmittedChannel>> m_channels;  //!< by flow
    std::vector<std::deque<Time>> m_waiting;       //!< by flow: when each message was sent
    std::vector<uint64_t> m_sends;                 //!< by flow
    std::vector<uint64_t> m_expects;               //!< by flow
    std::map<std::size_t, std::size_t> m_follower; //!< flow whose next message it calls for
    Distribution m_admittedUs;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_TRAFFIC_H
