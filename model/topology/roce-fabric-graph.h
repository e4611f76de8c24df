/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_FABRIC_GRAPH_H
#define ROCE_FABRIC_GRAPH_H

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace roce
{

/// What a node of a fabric is. An NvSwitch forwards like a Switch.
enum class NodeKind : uint8_t
{
    Host,
    Switch,
    NvSwitch
};

/// One node of a fabric.
struct FabricNode
{
    uint32_t id{0};                //!< the number the user gave; gaps are allowed
    NodeKind kind{NodeKind::Host}; //!< host or switch
    std::string name;              //!< a label for people; may be empty
    std::string tier;              //!< "host", "leaf", "spine", ...; may be empty
};

/// One cable of a fabric. Two cables between the same nodes are two links.
struct FabricLink
{
    uint32_t a{0};       //!< id of one end
    uint32_t b{0};       //!< id of the other end
    uint32_t portA{0};   //!< port of a, from 0
    uint32_t portB{0};   //!< port of b, from 0
    uint64_t rateBps{0}; //!< rate, bits a second
    int64_t delayPs{0};  //!< one-way propagation delay, picoseconds
    double errorRate{0}; //!< chance that a packet is lost, 0 to 1
    bool up{true};       //!< routing leaves out links that are down
};

/// What a node sees on one of its ports.
struct FabricNeighbour
{
    uint32_t port{0};     //!< own port, from 0
    uint32_t peer{0};     //!< id of the node at the other end
    uint32_t peerPort{0}; //!< port of that node
    uint32_t link{0};     //!< index of the link
};

/// Whether Validate() accepts a fabric in which some hosts cannot reach each other.
enum class PartitionPolicy : uint8_t
{
    Refuse,
    Allow
};

struct FabricGraphStorage;

/**
 * \brief The plan of a fabric: hosts, switches and links, as plain data.
 *
 * Models the nodes and cables of a fabric. Nothing here knows a simulator; helpers turn the graph
 * into nodes and ports, Routing turns it into tables.
 *
 * Storage is a Boost.Graph adjacency list; its algorithms apply to GetStorage(). Its header is
 * roce-fabric-graph-storage.h, apart from this one: Boost.Graph is slow to compile.
 *
 * Invariants:
 * - the k-th link added to a node is its port k, from 0;
 * - a vertex index is dense: the i-th node added has index i, whatever its id;
 * - parallel links stay separate; no link joins a node to itself;
 * - each rate is at least 1 Mbit/s and each delay is not negative;
 * - a copy is independent of the original.
 *
 * Left out: hosts never forward, so a path through a host does not count as connected. Rates that
 * differ by direction are not modeled.
 */
class FabricGraph
{
  public:
    /// Smallest rate of a link, 1 Mbit/s: what is below is a number whose unit was forgotten.
    static constexpr uint64_t MIN_RATE_BPS = 1000000;

    FabricGraph();
    ~FabricGraph();
    /** \param other copied with all nodes and links */
    FabricGraph(const FabricGraph& other);
    /** \param other left empty */
    FabricGraph(FabricGraph&& other);
    /** \return this graph \param other copied or moved from */
    FabricGraph& operator=(FabricGraph other);

    /**
     * Add a host.
     * \param id its number; std::invalid_argument if it is taken
     * \param name a label, may be empty
     * \return its vertex index
     */
    uint32_t AddHost(uint32_t id, const std::string& name = "");

    /**
     * Add a switch.
     * \param id its number; std::invalid_argument if it is taken
     * \param tier label of its tier, may be empty
     * \param name a label, may be empty
     * \param kind NodeKind::Switch or NodeKind::NvSwitch
     * \return its vertex index
     */
    uint32_t AddSwitch(uint32_t id,
                       const std::string& tier = "",
                       const std::string& name = "",
                       NodeKind kind = NodeKind::Switch);

    /**
     * Add a link; it takes the next free port of both ends.
     * \param a id of one end
     * \param b id of the other end
     * \param rateBps rate, bits a second, at least MIN_RATE_BPS
     * \param delayPs one-way delay, picoseconds, not negative
     * \param errorRate chance of loss for a packet, 0 to 1
     * \return the index of the link, from 0
     *
     * std::invalid_argument names the fault: an unknown id, a loop, a rate that is too small, a
     * negative delay or an error rate outside 0 to 1.
     */
    uint32_t AddLink(uint32_t a,
                     uint32_t b,
                     uint64_t rateBps,
                     int64_t delayPs,
                     double errorRate = 0);

    /**
     * Take a link down or up. Routing sees it at its next Recompute().
     * \param link index of the link; std::invalid_argument if there is none
     * \param up true for up
     */
    void SetLinkUp(uint32_t link, bool up);

    uint32_t NodeCount() const;   //!< \return the number of nodes
    uint32_t HostCount() const;   //!< \return the number of hosts
    uint32_t SwitchCount() const; //!< \return the number of switches, NvSwitches too
    uint32_t LinkCount() const;   //!< \return the number of links, up or down
    uint32_t MaxId() const;       //!< \return the largest id, 0 when empty

    /** \return true if a node has this id. \param id the id */
    bool Has(uint32_t id) const;
    /** \return true if a host has this id. \param id the id */
    bool IsHost(uint32_t id) const;
    /** \return the vertex index of a node; std::invalid_argument if unknown. \param id the id */
    uint32_t IndexOf(uint32_t id) const;
    /** \return the id of a node; std::invalid_argument if beyond the end. \param index the vertex
     */
    uint32_t IdOf(uint32_t index) const;
    /** \return the node; std::invalid_argument if unknown. \param id the id */
    const FabricNode& Node(uint32_t id) const;
    /** \return the link; std::invalid_argument if there is none. \param link its index */
    const FabricLink& Link(uint32_t link) const;
    /** \return the number of ports of a node. \param id the id */
    uint32_t PortCount(uint32_t id) const;
    /** \return what a node sees on each port, in order of ports. \param id the id */
    std::vector<FabricNeighbour> Neighbours(uint32_t id) const;
    /** \return the ids of all hosts in the order they were added. */
    std::vector<uint32_t> Hosts() const;
    /** \return the ids of all switches in the order they were added. */
    std::vector<uint32_t> Switches() const;
    /** \return the Boost graph. */
    const FabricGraphStorage& GetStorage() const;

    /**
     * Check the fabric as a whole.
     * \param partition whether hosts without a path between them are a fault
     *
     * std::invalid_argument if there is no host, a node has no link, or (PartitionPolicy::Refuse)
     * two hosts have no path over links that are up; the message names one such pair.
     */
    void Validate(PartitionPolicy partition = PartitionPolicy::Refuse) const;

  private:
    void Swap(FabricGraph& other);     //!< \param other exchanged with this one
    uint32_t AddNode(FabricNode node); //!< \return the vertex index \param node the node

    std::unique_ptr<FabricGraphStorage> m_storage; //!< nodes and edges
    std::vector<FabricLink> m_links;               //!< by link index
    std::unordered_map<uint32_t, uint32_t> m_byId; //!< id to vertex index
    uint32_t m_hosts{0};                           //!< number of hosts
    uint32_t m_maxId{0};                           //!< largest id
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_FABRIC_GRAPH_H */
