/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_ARTIFACT_BASELINE_H
#define ROCE_ARTIFACT_BASELINE_H

#include "roce-fabric-graph.h"
#include "roce-routing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/// What the artifact knows of the path between two hosts.
struct ArtifactPath
{
    uint64_t rttNs{0};         //!< 2 * sum of delays + one payload at the rate of each link
    uint64_t bottleneckBps{0}; //!< smallest rate on the path
};

/**
 * \brief The stand-alone completion time of the HPCC artifact, for the last column of fct.txt.
 *
 * Models the artifact's ideal: RTT + (size + packets * header) * 8 / bottleneck, in whole
 * nanoseconds. It is no lower bound and not the time of a lone flow here (it takes other headers
 * and no store-and-forward); use it for comparison with the artifact alone.
 *
 * Formula of alibaba-edu HPCC, third.cc: the path is the first that a breadth-first search from
 * the destination finds, by the order of ids; of parallel links the last one counts.
 *
 * Invariants: integer arithmetic; 64 bit throughout (the artifact's own number wraps at 4 GiB).
 *
 * Left out: everything about what a run does.
 */
class ArtifactBaseline
{
  public:
    /// Bytes the artifact counts on top of a payload: 14 + 20 + 8 + 6, without INT.
    static constexpr uint32_t HEADER_BYTES = 48;

    /**
     * \param graph the fabric; must outlive this object
     * \param payloadBytes payload of a full packet, above zero
     * \param order order of the search; PortOrder searches by port
     */
    ArtifactBaseline(const FabricGraph& graph,
                     uint32_t payloadBytes,
                     MemberOrder order = MemberOrder::DescendingPeerId);

    /**
     * \param src id of the source host
     * \param dst id of the destination host
     * \return the path; std::runtime_error if there is none
     *
     * The search of the last destination is kept: ask for all sources of one destination in a row.
     */
    ArtifactPath Path(uint32_t src, uint32_t dst);

    /** \return the ideal in ns. \param src source \param dst destination \param sizeBytes size */
    uint64_t StandaloneNs(uint32_t src, uint32_t dst, uint64_t sizeBytes);

    /** \return the ideal in ns. \param path the path \param payloadBytes payload of a packet
     *  \param sizeBytes message size; 0 counts as one packet without payload */
    static uint64_t StandaloneNs(const ArtifactPath& path,
                                 uint32_t payloadBytes,
                                 uint64_t sizeBytes);

  private:
    void Search(uint32_t dst); //!< fill m_found \param dst id of a host

    const FabricGraph* m_graph;        //!< the fabric
    uint32_t m_payloadBytes;           //!< payload of a full packet
    MemberOrder m_order;               //!< order of the search
    bool m_searched{false};            //!< m_found is that of m_dst
    uint32_t m_dst{0};                 //!< last destination
    std::vector<ArtifactPath> m_found; //!< by vertex index; rate 0 = not reached
    std::vector<uint64_t> m_delayNs;   //!< by vertex index: sum of delays
    std::vector<std::vector<FabricNeighbour>> m_neighbours; //!< by vertex, in search order
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_ARTIFACT_BASELINE_H */
