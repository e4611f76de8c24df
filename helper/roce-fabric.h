/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FABRIC_H
#define ROCE_FABRIC_H

#include "ns3/node-container.h"
#include "ns3/roce-address-plan.h"
#include "ns3/roce-cable.h"
#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-frame-sizes.h"
#include "ns3/roce-locator-table.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-routing.h"
#include "ns3/roce-switch.h"
#include "ns3/simple-ref-count.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** What a connection asks for beyond the defaults of its NICs. */
struct ConnectionOptions
{
    uint16_t sourcePort{0};                  //!< UDP source port; 0: chosen by the NIC
    uint16_t destinationPort{ROCE_UDP_PORT}; //!< UDP destination port
    bool mirrorPorts{false}; //!< answers swap the two ports (else each side has its own entropy)
    int priority{-1};        //!< priority of data; -1: as the NIC says
    uint64_t windowBytes{CongestionControl::UNLIMITED}; //!< cap on unacknowledged bytes
    bool windowFollowsRate{false};                      //!< the cap shrinks as the rate does
    uint32_t sendPsn{0};                                //!< first PSN of the source
    uint32_t receivePsn{0};                             //!< first PSN of the destination
    TransportService service{TransportService::RC};     //!< transport service
    uint32_t queueKey{0};                               //!< UD: Q_Key of both queue pairs
    Ptr<ProtectionDomain> domain;       //!< memory of the source; none: lengths only
    Ptr<ProtectionDomain> peerDomain;   //!< memory of the destination
    Ptr<ReceiveQueue> receiveQueue;     //!< shared one of the source; none: it has its own
    Ptr<ReceiveQueue> peerReceiveQueue; //!< shared one of the destination
};

/** Two connected queue pairs. */
struct Connection
{
    Ptr<Nic> nic;          //!< NIC of the source
    Ptr<QueuePair> qp;     //!< queue pair of the source
    Ptr<Nic> peerNic;      //!< NIC of the destination
    Ptr<QueuePair> peerQp; //!< queue pair of the destination
};

/**
 * A built fabric: nodes, ports, cables and routes made from a FabricGraph by RoceHelper.
 *
 * Models: the assembled network. Hosts are Nodes with a Nic, switches Nodes with a Switch.
 *
 * Invariants: node k of the graph is GetNode(its id); link i of the graph is GetCable(i); port p
 * of a graph node is port p of its NIC or switch.
 *
 * Leaves out: traffic.
 */
class Fabric : public SimpleRefCount<Fabric>
{
  public:
    /**
     * Made by RoceHelper::Install.
     * \param graph the plan; copied
     * \param order order of equal-cost members
     */
    Fabric(const FabricGraph& graph, MemberOrder order);

    /** \return the plan, with links up or down as they are now */
    const FabricGraph& GetGraph() const;

    /** \return the routes */
    const Routing& GetRouting() const;

    /** \return the addresses */
    const AddressPlan& GetAddresses() const;

    /** \return all hosts in the order of the graph */
    const NodeContainer& GetHosts() const;

    /** \return all switches in the order of the graph */
    const NodeContainer& GetSwitches() const;

    /** \return the node. \param id its id in the graph; refused if unknown */
    Ptr<Node> GetNode(uint32_t id) const;

    /** \return the NIC of a host. \param id its id in the graph; refused if it is not a host */
    Ptr<Nic> GetNic(uint32_t id) const;

    /** \return the switch. \param id its id in the graph; refused if it is not a switch */
    Ptr<Switch> GetSwitch(uint32_t id) const;

    /** \return the port. \param id of a node \param port its index there */
    Ptr<Port> GetPort(uint32_t id, uint32_t port) const;

    /** \return the cable. \param link index of the link in the graph */
    Ptr<Cable> GetCable(uint32_t link) const;

    /**
     * Make and connect two queue pairs, at the ports that are the fewest links apart; those of one
     * rail (PreferRails) take turns. Throws std::runtime_error naming both hosts if there is no
     * path between them, std::invalid_argument if an option is impossible.
     * \param source id of a host
     * \param destination id of another host
     * \param options what to do differently
     * \return the queue pairs, ready to send
     */
    Connection Connect(uint32_t source,
                       uint32_t destination,
                       const ConnectionOptions& options = {});

    /**
     * Take a link down or up now; routes follow after the route delay.
     * \param link index of the link in the graph
     * \param up whether it works from now on
     */
    void SetLinkUp(uint32_t link, bool up);

    /**
     * Change the rate of a link now, both ways, as when lanes fail. Weighted ECMP follows after the
     * route delay; other load balancers, thresholds, buffers and congestion control keep to the old
     * rate. Throws std::invalid_argument naming the limit if the rate is too small.
     * \param link index of the link in the graph
     * \param rateBps bit/s, at least FabricGraph::MIN_RATE_BPS
     */
    void SetLinkRate(uint32_t link, uint64_t rateBps);

    /** \param delay from a change of a link to that of the routes, as routing protocols need; until
     *  then switches send into the link that is down, and do not use the one that is up again */
    void SetRouteDelay(Time delay);

    /**
     * Be told, at once, of each change of a link, and again when the routes have followed it.
     * \param role what for; they are called in the order of this text
     * \param listener is called; std::invalid_argument if there is one for this role already
     */
    void AddLinkListener(const std::string& role, std::function<void()> listener);

    /** \param role of a listener that is not called any more; unknown: nothing happens */
    void RemoveLinkListener(const std::string& role);

    /**
     * Make a switch send frames for a host out of one port from now on, shortest path or not. It
     * holds for all hosts of the same leaf, and while the link of the port is up. Routes that loop
     * are taken: connect the hosts before, as no path can be measured then.
     * \param id of the switch; refused if it is no switch or the leaf of the host
     * \param destination id of a host with one port; refused if it has more
     * \param port of the switch; refused if it does not lead to a switch
     */
    void OverrideRoute(uint32_t id, uint32_t destination, uint32_t port);

    /**
     * Completion time of a lone request over a shortest path, store and forward, from the first
     * bit of the first packet to the arrival of the last ACK, or of the last READ response, at the
     * requester; over UC and UD to the arrival of the last packet.
     * \param source id of the requester's host
     * \param destination id of another host
     * \param bytes length of the message
     * \param operation what is asked for
     * \param service over which
     * \return nanoseconds, exact to rounding of doubles
     */
    double GetIdealCompletionNs(uint32_t source,
                                uint32_t destination,
                                uint64_t bytes,
                                Operation operation = Operation::WRITE,
                                TransportService service = TransportService::RC) const;

    /** \return unloaded round trip of a full packet and its ACK. \param source a host
     *  \param destination another host */
    Time GetBaseRtt(uint32_t source, uint32_t destination) const;

    /**
     * \param source id of a host
     * \param destination id of another host
     * \return link indices of one shortest path, in order
     */
    std::vector<uint32_t> GetPath(uint32_t source, uint32_t destination) const;

    /** \return of ways with the same number of links those from port r to port r, that is along one
     *  rail; all if there is none. \param routes the ways */
    static std::vector<HostRoute> PreferRails(const std::vector<HostRoute>& routes);

    /** \return work requests of all NICs that are neither completed nor failed */
    uint64_t GetOpenRequests() const;

  private:
    friend class RoceHelper;

    HostRoute ChooseRoute(uint32_t source, uint32_t destination) const;
    std::vector<uint32_t> PathOf(uint32_t source, uint32_t destination, const HostRoute& r) const;
    void FillTables();
    /** Let routes know of a link. */
    void TellRoutes(uint32_t link, bool up);
    /** Do something after the route delay. */
    void Follow(std::function<void()> action);
    void TellListeners();

    /** \return MAC of a port: of a host that of its frames, of a switch 02:01, vertex and port */
    Mac48Address GetMac(uint32_t vertex, uint32_t port) const;

    FabricGraph m_graph;
    FabricGraph m_known; //!< the same as routes know it
    Time m_routeDelay;
    std::map<std::string, std::function<void()>> m_listeners; //!< by role
    Routing m_routing;
    AddressPlan m_addresses;
    std::shared_ptr<LocatorTable> m_locators;
    FrameSizes m_sizes;
    NodeContainer m_hosts;
    NodeContainer m_switches;
    std::vector<Ptr<Node>> m_nodes;              //!< by vertex
    std::vector<std::vector<Ptr<Port>>> m_ports; //!< by vertex
    std::vector<Ptr<Cable>> m_cables;            //!< by link
};

} // namespace roce
} // namespace ns3

#endif // ROCE_FABRIC_H
