/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PATH_LIST_H
#define ROCE_PATH_LIST_H

#include "roce-path-tracer.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * \brief All shortest paths between two hosts.
 *
 * Models: what ECMP can do with a flow: PathTracer with each choice of each switch in turn, over
 * each of the equally short pairs of ports of the two hosts. Parallel links make paths of their
 * own.
 *
 * Source: none.
 *
 * Invariants: no path comes twice; all have the same number of links; their order is that of ports
 * and members; if Complete(), their number is what StageCensus counts.
 *
 * Leaves out: paths that are not shortest.
 */
class PathList
{
  public:
    /// How many paths are listed by default.
    static constexpr size_t DEFAULT_LIMIT = 4096;

    /**
     * \param graph the fabric
     * \param routing its tables
     * \param src id of a host
     * \param dst id of another host; std::runtime_error if there is no path
     * \param limit how many to list, at least 1
     */
    PathList(const FabricGraph& graph,
             const Routing& routing,
             uint32_t src,
             uint32_t dst,
             size_t limit = DEFAULT_LIMIT);

    /** \return the paths. */
    const std::vector<TracedPath>& Paths() const;

    /** \return false if there are more than the limit. */
    bool Complete() const;

  private:
    std::vector<TracedPath> m_paths; //!< found
    bool m_complete{true};           //!< all of them
};

} // namespace roce
} // namespace ns3

#endif /* ROCE_PATH_LIST_H */
