/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_PLANS_H
#define ROCE_SCENARIO_PLANS_H

#include "roce-scenario-plan.h"

namespace ns3
{
namespace roce
{

/**
 * The scenarios by name.
 *
 * Models: those of the exploration of hierarchical congestion control: 100 Gb/s, cables of 100 ns
 * to hosts, 400 ns to spines and 2 us to super-spines, a packet of 4096 bytes.
 *
 * Invariants: the same name and seed give the same plan.
 *
 * Leaves out: paths; ScenarioTraffic draws them.
 */
class ScenarioPlans
{
  public:
    /** \return the scenario. \param name its name; std::invalid_argument if unknown \param seed
     *  draws hosts */
    static ScenarioPlan Make(const std::string& name, uint32_t seed);

    /**
     * Many flows to host 0, from hosts of other racks in turn.
     * \param flows how many
     * \param senders hosts that send, 1 to 56
     * \param bytes of a message
     * \return the scenario
     */
    static ScenarioPlan MakeIncast(uint32_t flows, uint32_t senders, uint64_t bytes);

    /**
     * Two bottlenecks in series: an uplink and a downlink of the only spine. Group "both" crosses
     * both, "first" the uplink only, "second" the downlink only.
     * \param flows of each group
     * \param pods whether the second one is in another pod
     * \return the scenario
     */
    static ScenarioPlan MakeParkingLot(uint32_t flows, bool pods);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_PLANS_H
