/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REPLAY_HELPER_H
#define ROCE_REPLAY_HELPER_H

#include "roce-helper.h"
#include "roce-replay-options.h"

#include "ns3/roce-artifact-baseline.h"
#include "ns3/roce-flow-reader.h"
#include "ns3/roce-hpcc-config.h"

#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Runs flow files of the HPCC family on a fabric.
 *
 * Models: one queue pair a flow, one WRITE of its size at its start; completion when the last ACK
 * is back. With a config file, the settings of that file.
 *
 * Invariants: one row of fct.txt for each flow that completed, in order of completion.
 *
 * Leaves out: CC_MODE other than 1 (DCQCN) and 12 (none), refused with the mode named; monitors of
 * the originals (qlen, bandwidth).
 */
class ReplayHelper
{
  public:
    /**
     * \param graph the topology; copied
     * \param flows the flows
     * \param config settings of a config file, if there is one
     * \param options what to do as the artifact does
     */
    ReplayHelper(const FabricGraph& graph,
                 FlowList flows,
                 std::optional<HpccConfig> config,
                 const ReplayOptions& options);

    /**
     * Set a helper up for the replay. Throws std::invalid_argument for a setting that this version
     * has no counterpart for.
     * \param helper the helper; its congestion control stays if the replay has no config
     * \param controlFromConfig whether the congestion control is the config's (else what the
     *                          helper has)
     */
    void Configure(RoceHelper& helper, bool controlFromConfig) const;

    /**
     * Connect the queue pairs and schedule the flows, and the link failure of the config.
     * \param fabric the fabric built with the helper
     */
    void Schedule(Ptr<Fabric> fabric);

    /** \param out gets fct.txt rows as flows complete; must outlive the run */
    void WriteFct(std::ostream& out);

    /**
     * \param out gets pfc.txt rows as pause frames arrive; must outlive the run
     * \param fabric the fabric
     */
    void WritePfc(std::ostream& out, Ptr<Fabric> fabric);

    /** \return flows completed */
    uint64_t GetCompleted() const;

    /** \return flows that failed */
    uint64_t GetFailed() const;

    /** \return the plan */
    const FabricGraph& GetGraph() const;

  private:
    struct Flow
    {
        FlowSpec spec;
        uint16_t sourcePort;
        Connection connection;
    };

    void RefuseMissing() const;
    void ConfigureFrames(RoceHelper& helper) const;
    void ConfigureSwitches(RoceHelper& helper) const;
    void ConfigureControl(RoceHelper& helper) const;
    Time StartOf(const FlowSpec& spec) const;
    uint64_t WindowOf(Ptr<Fabric> fabric, const FlowSpec& spec) const;
    void Post(uint32_t index);
    void OnCompleted(const Completion& completion);
    void OnPause(uint32_t node, bool isSwitch, uint32_t port, const Frame& frame);

    FabricGraph m_graph;
    FlowList m_list;
    std::optional<HpccConfig> m_config;
    ReplayOptions m_options;
    ArtifactBaseline m_baseline;
    std::vector<Flow> m_flows;
    std::ostream* m_fct{nullptr};
    std::ostream* m_pfc{nullptr};
    uint64_t m_completed{0};
    uint64_t m_failed{0};
};

} // namespace roce
} // namespace ns3

#endif // ROCE_REPLAY_HELPER_H
