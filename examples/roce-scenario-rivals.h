/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_RIVALS_H
#define ROCE_SCENARIO_RIVALS_H

#include "roce-scenario-plan.h"

#include "ns3/roce-helper.h"

#include <string>
#include <vector>

namespace ns3
{
namespace roce
{

/**
 * Who is compared, by label.
 *
 * Models: pfc (line rate, nothing but PFC), pfc-cap (the same with at most line rate x base RTT in
 * flight a queue pair), dcqcn-paper, dcqcn-vendor (what ConnectX has from the factory),
 * dcqcn-artifact (HPCC's), dcqcn-cap (dcqcn-paper with the same cap), hpcc, hcc-article, hcc; and
 * each short name of a congestion control as it comes. All have the buffer, recovery and load
 * balancer of the plan.
 *
 * Source: parameters of the presets, model/congestion/roce-dcqcn-parameters.cc; thresholds of
 * marking: doc/headline.rst.
 *
 * Invariants: a label sets the same on each fabric of a scenario.
 *
 * Leaves out: traffic.
 */
class ScenarioRivals
{
  public:
    /** \return labels. \param list with commas; std::invalid_argument if one is not known */
    static std::vector<std::string> Split(const std::string& list);

    /** \return whether flights are capped from outside the law. \param label a label */
    static bool IsCapped(const std::string& label);

    /** \return whether receivers admit data. \param label a label */
    static bool IsAdmitted(const std::string& label);

    /**
     * Set all that the label and the plan say.
     * \param roce will build the fabric
     * \param label a label
     * \param plan a scenario
     */
    static void Configure(RoceHelper& roce, const std::string& label, const ScenarioPlan& plan);

  private:
    static void SetLaw(RoceHelper& roce, const std::string& label, const ScenarioPlan& plan);
    static void SetFabric(RoceHelper& roce, const ScenarioPlan& plan);
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_RIVALS_H
