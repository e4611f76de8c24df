/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_OPEN_LOOP_H
#define ROCE_EXPERIMENT_OPEN_LOOP_H

#include "roce-experiment-traffic.h"

#include "ns3/roce-flow-reader.h"
#include "ns3/roce-flow-size-distribution.h"
#include "ns3/roce-traffic-options.h"

#include <optional>
#include <string>

namespace ns3
{
namespace roce
{

/**
 * Traffic at a load in an experiment.
 *
 * Models: TrafficGenerator with what an entry of type "open_loop" says.
 *
 * Source: TrafficGenerator names its own.
 *
 * Invariants: the same stream, seed and run give the same flows.
 *
 * Leaves out: posting them.
 */
class ExperimentOpenLoop
{
  public:
    using Json = ExperimentTraffic::Json; //!< a value

    /** Check an entry; std::invalid_argument or std::runtime_error say what is wrong.
     *  \param plan what it is checked against \param entry with its defaults */
    ExperimentOpenLoop(const ExperimentPlan& plan, const Json& entry);

    /** \return the flows of a run. \param graph the fabric \param stream first random stream */
    FlowList Generate(const FabricGraph& graph, int64_t stream);

    /** \return figures of what Generate has made */
    const ResultWriter::Json& GetFigures() const
    {
        return m_figures;
    }

  private:
    std::string m_links;
    std::optional<FlowSizeDistribution> m_sizes;
    TrafficOptions m_options;
    ResultWriter::Json m_figures;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_OPEN_LOOP_H
