/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_STAGE_CENSUS_H
#define ROCE_STAGE_CENSUS_H

#include "roce-fabric-graph.h"

#include "ns3/roce-constants.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/// Pairs of hosts whose shortest paths have the same number of links.
struct StageRow
{
    uint32_t links{0};       //!< links of a shortest path; 2: one switch, 4: three, 6: five
    uint64_t pairs{0};       //!< unordered pairs of hosts
    int64_t maxRttPs{0};     //!< largest base RTT over these pairs and their shortest paths
    uint32_t from{0};        //!< id of a host of such a pair
    uint32_t to{0};          //!< id of the other
    uint32_t minNextHops{0}; //!< fewest equal-cost ports at the switch of the source
    uint32_t maxNextHops{0}; //!< most of them
    uint64_t minPaths{0};    //!< fewest shortest paths of a pair, parallel links apart
    uint64_t maxPaths{0};    //!< most of them
};

/// Bytes on the wire that a base RTT takes, preamble and gap included.
struct RttFrames
{
    /// A full packet of 4096 bytes with RETH: 4096 + 62 + 16 + 20.
    uint32_t dataBytes{4096 + ROCE_OVERHEAD_BYTES + RETH_BYTES + ETHERNET_PREAMBLE_BYTES +
                       ETHERNET_GAP_BYTES};
    /// Its ACK: 62 + 4 + 20.
    uint32_t ackBytes{ROCE_OVERHEAD_BYTES + AETH_BYTES + ETHERNET_PREAMBLE_BYTES +
                      ETHERNET_GAP_BYTES};
};

/**
 * \brief All pairs of hosts of a fabric by distance: number, largest base RTT, width of ECMP.
 *
 * Models: the stages of a fabric. In a Clos 2 links are a pair under one leaf, 4 a pair in a pod, 6
 * a pair in different pods; in other fabrics the rows say what there is. A base RTT is a full
 * packet over a shortest path, store and forward, and its ACK back over the same links, as
 * Fabric::GetBaseRtt: 2 x delay + (data + ack) x 8 / rate, summed over the links.
 *
 * Source: breadth-first search from each leaf; hosts with the same cables to the same switches are
 * counted together.
 *
 * Invariants: the pairs of all rows and Unreachable() are n (n - 1) / 2; rows are in order of
 * links; hosts do not forward; links that are down do not count.
 *
 * Leaves out: queues; overrides of Routing. It takes leaves x links of switches and kinds of hosts
 * squared, so 25,000 hosts that all differ take minutes, hosts in racks seconds.
 */
class StageCensus
{
  public:
    /** \param graph the fabric, std::invalid_argument if a delay is above 60 s \param frames bytes
     *  of the packets of a base RTT */
    explicit StageCensus(const FabricGraph& graph, const RttFrames& frames = {});

    /** \return the rows. */
    const std::vector<StageRow>& Rows() const;

    /** \return pairs of hosts without a path. */
    uint64_t Unreachable() const;

    /** \return links of the longest shortest path between two hosts; 0 if there is none. */
    uint32_t Diameter() const;

  private:
    /// Shortest paths between two leaves.
    struct Way
    {
        int64_t costPs{0};    //!< largest share of the RTT over them
        uint32_t paths{0};    //!< how many; UINT32_MAX: at least
        uint16_t links{0};    //!< links of each; UINT16_MAX: none
        uint16_t nextHops{0}; //!< ports of the first leaf that begin one; UINT16_MAX: at least
    };

    /// A link as one of its ends sees it.
    struct Arc
    {
        uint32_t peer{0};  //!< switch index of the other end
        int64_t costPs{0}; //!< share of the RTT
    };

    /// A link of a host to a leaf: its leaf index and its share of the RTT.
    using Uplink = std::pair<uint32_t, int64_t>;

    /// Hosts with the same uplinks.
    struct HostClass
    {
        std::vector<Uplink> uplinks; //!< sorted
        uint32_t first{0};           //!< id of one
        uint32_t second{0};          //!< id of another, if there is one
        uint64_t count{0};           //!< how many
        bool direct{false};          //!< a single host with a cable to another host
    };

    int64_t Cost(const FabricLink& link) const; //!< \return share of the RTT \param link a link
    void FindArcs();                            //!< number switches and leaves
    void FindClasses();                         //!< sort hosts
    void Search(uint32_t leaf);                 //!< fill m_ways of a leaf \param leaf its index
    /** Count pairs of two classes. \param a one \param b the other, or the same */
    void CountPairs(const HostClass& a, const HostClass& b);
    /** \return the shortest ways between two hosts; links 0: none. \param a class of one
     *  \param b class of the other */
    StageRow Between(const HostClass& a, const HostClass& b) const;
    void Add(const StageRow& found); //!< add to the rows \param found pairs of the same kind

    const FabricGraph* m_graph;           //!< used during construction only
    RttFrames m_frames;                   //!< sizes
    std::vector<uint32_t> m_switchOf;     //!< vertex to switch index
    std::vector<std::vector<Arc>> m_arcs; //!< by switch
    std::vector<uint32_t> m_leaves;       //!< leaf index to switch index
    std::vector<uint32_t> m_leafOf;       //!< switch index to leaf index, UINT32_MAX: none
    std::vector<Way> m_ways;              //!< [to * leaves + from]
    std::vector<HostClass> m_classes;     //!< kinds of hosts
    std::map<std::pair<uint32_t, uint32_t>, StageRow> m_direct; //!< cables between hosts, by ids
    std::map<uint32_t, StageRow> m_byLinks;                     //!< rows in the making
    std::vector<StageRow> m_rows;                               //!< the result
    uint64_t m_unreachable{0};                                  //!< pairs
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_STAGE_CENSUS_H */
