/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_MIX_H
#define ROCE_SCENARIO_MIX_H

#include "roce-scenario-plan.h"

namespace ns3
{
namespace roce
{

/**
 * What scenarios are made of.
 *
 * Models: fabrics of 100 Gb/s, 400 Gb/s above pod spines; groups of flows. A rack is a leaf and its
 * hosts; hosts count rack by rack.
 *
 * Invariants: draws depend on the seed alone.
 *
 * Leaves out: times of warm-up and window.
 */
class ScenarioMix
{
  public:
    /** \return a leaf-spine fabric. \param racks leaves \param spines spines \param hosts a rack */
    static ClosHelper Pod(uint32_t racks, uint32_t spines, uint32_t hosts);

    /** \return pods under super-spines. \param pods pods \param racks of each \param spines of each
     *  \param tops super-spines \param hosts a rack */
    static ClosHelper Pods(uint32_t pods,
                           uint32_t racks,
                           uint32_t spines,
                           uint32_t tops,
                           uint32_t hosts);

    /**
     * Each host writes to the host of its place in the next rack.
     * \param plan gets the flows, group "ring"; those to host 0 are not reported
     * \param racks in the ring
     * \param hosts a rack
     * \param qps queue pairs of two hosts
     * \param bytes of a message
     * \param dependent whether a message follows the arrival of the one before in the ring; else it
     *                  follows the completion of the one before of the same queue pair
     */
    static void AddRing(ScenarioPlan& plan,
                        uint32_t racks,
                        uint32_t hosts,
                        uint32_t qps,
                        uint64_t bytes,
                        bool dependent);

    /** Random hosts of other racks write to host 0. \param plan gets the flows, group "hot"
     *  \param all hosts \param hosts a rack \param senders how many, each once \param bytes of a
     *  message \param seed draws them */
    static void AddHotspot(ScenarioPlan& plan,
                           uint32_t all,
                           uint32_t hosts,
                           uint32_t senders,
                           uint64_t bytes,
                           uint32_t seed);

    /** As AddHotspot; the same hosts write to the others of rack 0 too, group "victim".
     *  \param plan gets the flows \param all hosts \param hosts a rack \param senders how many
     *  \param bytes of a message \param seed draws them */
    static void AddVictims(ScenarioPlan& plan,
                           uint32_t all,
                           uint32_t hosts,
                           uint32_t senders,
                           uint64_t bytes,
                           uint32_t seed);

    /** Each host writes to each of the other half. \param plan gets the flows, group "all"
     *  \param all hosts \param half of them \param bytes of a message */
    static void AddAllToAll(ScenarioPlan& plan, uint32_t all, uint32_t half, uint64_t bytes);

    /** Each host writes to a random other one, which nobody else writes to. \param plan gets the
     *  flows, group "pair" \param all hosts \param qps queue pairs of two hosts \param bytes of a
     *  message \param seed draws the permutation */
    static void AddPermutation(ScenarioPlan& plan,
                               uint32_t all,
                               uint32_t qps,
                               uint64_t bytes,
                               uint32_t seed);

  private:
    static std::vector<uint32_t> Draw(uint32_t first, uint32_t end, uint32_t seed);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_MIX_H
