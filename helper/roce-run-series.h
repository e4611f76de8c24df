/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RUN_SERIES_H
#define ROCE_RUN_SERIES_H

#include "roce-link-use.h"

#include "ns3/roce-fabric-graph.h"
#include "ns3/roce-pause-tree.h"
#include "ns3/roce-rate-monitor.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What monitors of a run saw, as keys of the result file.
 *
 * Models: the keys rates, pauses and links of doc/result-file.rst.
 *
 * Invariants: numbers of a track are columns of one length; at most MAX_PAUSES pauses are listed,
 * the first ones, and "count" is that of all.
 *
 * Leaves out: pauses after the first MAX_PAUSES.
 */
class RunSeries
{
  public:
    using Json = nlohmann::ordered_json; //!< keys keep their order

    /** So many pauses are listed. */
    static constexpr std::size_t MAX_PAUSES = 100000;

    /** \return key rates. \param monitor of a run that is over */
    static Json Rates(const RateMonitor& monitor);

    /** \return bit/s acknowledged since the sample before; not a number at index 0
     *  \param samples of a queue pair \param index of the sample */
    static double GoodputBps(const std::vector<RateSample>& samples, std::size_t index);

    /** \return key pauses. \param tree of a run that is over \param now its end */
    static Json Pauses(const PauseTree& tree, Tick now);

    /** \return when a pause ended; NEVER if it goes on. \param episode the pause \param now end of
     *  the run */
    static Tick EndOf(const PauseEpisode& episode, Tick now);

    /** \return key links. \param graph the plan \param uses of its links, in order */
    static Json Links(const FabricGraph& graph, const std::vector<LinkUse>& uses);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_RUN_SERIES_H
