/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_BISECTION_H
#define ROCE_BISECTION_H

#include "roce-fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief Bisection bandwidth: what one half of the hosts can send to the other.
 *
 * Models: the largest flow from the first half of the hosts to the second half, in the order of the
 * graph, where each link carries its rate each way and hosts do not forward. In builders' order
 * halves are whole racks and pods, so this is the cut that crosses the top of the fabric. With an
 * odd number the first half is the smaller one. All links of a host count at once.
 *
 * Source: max-flow min-cut; the push-relabel algorithm in Boost.Graph. For a k-ary fat tree
 * (Al-Fares et al., 2008) it is k^3 / 8 hosts x rate.
 *
 * Invariants: not above the rate of the hosts of either half; exact in bits a second. The hosts
 * on a switch are added up, which changes nothing, as they only send or only receive.
 *
 * Leaves out: other halvings. The least over all of them is not above this one, and finding it is
 * NP-hard; give the hosts in another order to try another.
 */
class Bisection
{
  public:
    /** \param graph the fabric; std::invalid_argument if its rates add up to 2^63 bit/s or more */
    explicit Bisection(const FabricGraph& graph);

    /**
     * \param graph the fabric
     * \param hosts ids of all hosts, the first half of which sends; std::invalid_argument if they
     *              are not all hosts once
     */
    Bisection(const FabricGraph& graph, const std::vector<uint32_t>& hosts);

    /** \return the flow, bits a second; 0 with fewer than two hosts. */
    uint64_t Bps() const;

    /** \return rate of the links of the hosts of the half that has less, bits a second. */
    uint64_t HostBps() const;

    /** \return Bps() over HostBps(): 1 is full bisection; 0 with fewer than two hosts. */
    double Share() const;

  private:
    /** Compute. \param graph the fabric \param sends by vertex: the host is in the first half */
    void Solve(const FabricGraph& graph, const std::vector<bool>& sends);

    uint64_t m_bps{0};     //!< the flow
    uint64_t m_hostBps{0}; //!< its bound
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_BISECTION_H */
