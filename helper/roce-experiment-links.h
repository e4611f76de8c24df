/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXPERIMENT_LINKS_H
#define ROCE_EXPERIMENT_LINKS_H

#include "roce-experiment-document.h"
#include "roce-fabric.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * What happens to links in an experiment.
 *
 * Models: the key "links": LinkSchedule with the entries of a document.
 *
 * Source: none.
 *
 * Invariants: all entries are checked against the graph before any run.
 *
 * Leaves out: what LinkSchedule leaves out.
 */
class ExperimentLinks
{
  public:
    /** Check; std::invalid_argument has the path of the key. \param document the experiment
     *  \param graph the fabric */
    ExperimentLinks(const ExperimentDocument& document, const FabricGraph& graph);

    /** Schedule all of it in a run. \param fabric the fabric \param stream first random stream to
     *  use \return random streams used */
    int64_t Install(Ptr<Fabric> fabric, int64_t stream) const;

  private:
    enum Kind : uint8_t
    {
        DOWN,
        UP,
        RATE,
        ERRORS,
    };

    struct Change
    {
        Time at;
        std::vector<uint32_t> links;
        Kind kind{DOWN};
        uint64_t rateBps{0};
        double share{0};
    };

    using Json = ExperimentDocument::Json;

    static Change Read(const Json& entry, const FabricGraph& graph);

    std::vector<Change> m_changes;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_EXPERIMENT_LINKS_H
