/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_COLLECTIVE_CATALOG_H
#define ROCE_COLLECTIVE_CATALOG_H

#include "roce-collective-schedule.h"

#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/** Which collective, and how. */
struct CollectivePlan
{
    std::string operation{"all-reduce"}; //!< one of CollectiveCatalog::GetOperations()
    std::string algorithm;        //!< one of GetAlgorithms(operation); empty: the first of them
    uint32_t ranks{1};            //!< number of ranks
    uint64_t bytes{0};            //!< size as nccl-tests counts it; a barrier has none
    uint32_t channels{1};         //!< parts with connections of their own
    uint32_t chunks{1};           //!< pieces of a channel
    uint32_t root{0};             //!< of a broadcast or reduce
    std::vector<uint32_t> levels; //!< of algorithm hierarchical: sizes of groups, innermost first
    std::string mapping;          //!< of algorithm hierarchical: rail (also if empty) or leader
};

/**
 * The collectives by name.
 *
 * Models: a table of operations and their algorithms, and the factor that turns the algorithm
 * bandwidth of an operation into its bus bandwidth.
 *
 * Source: names and sizes of operations and the factors: nccl-tests, PERFORMANCE.md. The size S is
 * the buffer of a rank in all-reduce, broadcast, reduce and send-recv; the output with the parts of
 * all ranks in all-gather; the input in reduce-scatter; what a rank has for all ranks, itself
 * included, in all-to-all.
 *
 * Invariants: Make() of any operation with any of its algorithms gives a schedule that Validate()
 * accepts, for any number of ranks and bytes; a name or field that has no use is refused.
 *
 * Leaves out: which algorithm is best for a size.
 */
class CollectiveCatalog
{
  public:
    /**
     * Throws std::invalid_argument if a name is not known, if root, levels or mapping are given to
     * an algorithm that has no use for them, or as the schedule says. A barrier ignores channels
     * and chunks and carries no data whatever bytes says.
     * \param plan what is wanted
     * \return its schedule
     */
    static Ptr<CollectiveSchedule> Make(const CollectivePlan& plan);

    /**
     * \param operation one of GetOperations(); std::invalid_argument if not
     * \param ranks number of ranks; std::invalid_argument if 0
     * \return bus bandwidth / algorithm bandwidth; 0 for a barrier
     */
    static double BusFactor(const std::string& operation, uint32_t ranks);

    /** \return names of operations */
    static std::vector<std::string> GetOperations();

    /** \return names of algorithms, the default first. \param operation one of GetOperations();
     *  std::invalid_argument if not */
    static std::vector<std::string> GetAlgorithms(const std::string& operation);

    /** \return algorithm if none is named. \param operation one of GetOperations();
     *  std::invalid_argument if not */
    static std::string GetDefaultAlgorithm(const std::string& operation);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_COLLECTIVE_CATALOG_H
