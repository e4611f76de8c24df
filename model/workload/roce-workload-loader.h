/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WORKLOAD_LOADER_H
#define ROCE_WORKLOAD_LOADER_H

#include "roce-simai-workload-reader.h"

#include "ns3/roce-task-graph.h"

#include <string>

namespace ns3
{
namespace roce
{

/**
 * \brief Reads a workload of any kind the module knows.
 *
 * Models: one door for all readers. A text that begins with { is JSON, one whose first word is
 * HYBRID_TRANSFORMER_FWD_IN_BCKWD or MICRO is SimAI's, another one htsim's. A name that is no file,
 * but is one with
 * ".0.et" behind it, is the prefix of Chakra traces, one a rank; so is such a file itself.
 *
 * Source: the readers name theirs.
 *
 * Invariants: what it returns has passed TaskGraph::Validate().
 *
 * Leaves out: flow lists, which have no ranks (FlowReader).
 */
class WorkloadLoader
{
  public:
    /**
     * \param name path of a file, or prefix of Chakra traces
     * \param options for SimAI's
     * \return the workload
     *
     * std::invalid_argument says what is wrong in the file; std::runtime_error if it cannot be
     * read.
     */
    static Ptr<TaskGraph> Load(const std::string& name, const SimaiOptions& options = {});

    /** \return the workload in a text. \param name in messages \param text the bytes
     *  \param options for SimAI's */
    static Ptr<TaskGraph> Parse(const std::string& name,
                                const std::string& text,
                                const SimaiOptions& options = {});
};

} // namespace roce
} // namespace ns3

#endif // ROCE_WORKLOAD_LOADER_H
