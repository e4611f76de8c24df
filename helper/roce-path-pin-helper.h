/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATH_PIN_HELPER_H
#define ROCE_PATH_PIN_HELPER_H

#include "roce-fabric.h"

#include "ns3/roce-pinned-load-balancer.h"

#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Pins flows of a fabric to paths.
 *
 * Models: the controller's side of exact-match overrides. The fabric must have been built with load
 * balancer "pinned" (RoceHelper::SetLoadBalancer).
 *
 * Invariants: only ports that the routes of the switch list for the destination are accepted; a
 * path is pinned as a whole or, if any step is impossible, not at all.
 *
 * Leaves out: choosing paths and following link failures, which TrafficEngineer does (a pinned port
 * that is no member any more is ignored until it is one again).
 */
class PathPinHelper
{
  public:
    /** \param fabric a fabric with pinned load balancers; std::invalid_argument if it has others */
    explicit PathPinHelper(Ptr<Fabric> fabric);

    /**
     * Pin a flow at one switch. Throws std::invalid_argument naming the possible ports.
     * \param id of the switch in the graph
     * \param flow 5-tuple
     * \param port output port
     */
    void Pin(uint32_t id, const FlowKey& flow, uint32_t port);

    /**
     * Pin a queue pair at one switch. Throws std::invalid_argument naming the possible ports.
     * \param id of the switch in the graph
     * \param destination IPv4, host order
     * \param qpn destination QP
     * \param port output port
     */
    void PinQueuePair(uint32_t id, uint32_t destination, uint32_t qpn, uint32_t port);

    /** \return whether it was pinned. \param id of the switch \param destination IPv4, host order
     *  \param qpn destination QP to leave to the fallback again */
    bool UnpinQueuePair(uint32_t id, uint32_t destination, uint32_t qpn);

    /**
     * Pin the data of a connection to a path. Throws std::invalid_argument if it is none.
     * \param connection from Fabric::Connect
     * \param nodes ids of the switches on the way, in order
     */
    void PinPath(const Connection& connection, const std::vector<uint32_t>& nodes);

    /** \return the 5-tuple of the data of a connection. \param connection the connection */
    static FlowKey GetFlow(const Connection& connection);

  private:
    Ptr<PinnedLoadBalancer> GetBalancer(uint32_t id) const;
    void CheckMember(uint32_t id, uint32_t destination, uint32_t port) const;
    uint32_t FindPort(uint32_t from, uint32_t to, uint32_t destination) const;

    Ptr<Fabric> m_fabric;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PATH_PIN_HELPER_H
