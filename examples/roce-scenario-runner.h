/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_SCENARIO_RUNNER_H
#define ROCE_SCENARIO_RUNNER_H

#include "roce-scenario-report.h"

#include "ns3/roce-experiment-helper.h"

#include <functional>
#include <string>

namespace ns3
{
namespace roce
{

/** What the user may choose. */
struct ScenarioSettings
{
    std::string runs;              //!< labels of ScenarioRivals, with commas
    uint32_t seeds{5};             //!< runs of each
    uint32_t first{1};             //!< first seed
    std::string cnpDelay{"500ns"}; //!< from the arrival of a CNP to the reaction, with commas
    std::string buffer{"500kB"};   //!< of a switch, for each 100 Gb/s of its ports
    std::string warmup;            //!< empty: as the scenario says
    std::string measure;           //!< empty: as the scenario says
};

/**
 * Runs scenarios: each label, each delay of CNPs and each seed.
 *
 * Models: one fabric and one run of the experiment each; keys "figures" and "flow_goodput_bps" in
 * the result file.
 *
 * Invariants: all labels get the same traffic for the same seed.
 *
 * Leaves out: flags, which each program names itself.
 */
class ScenarioRunner
{
  public:
    /** Makes a plan of a seed. */
    using Maker = std::function<ScenarioPlan(uint32_t seed)>;

    /** \param experiment the program, after Parse \param settings what was chosen;
     *  std::invalid_argument if something is impossible */
    ScenarioRunner(ExperimentHelper& experiment, const ScenarioSettings& settings);

    /** Run all. \param make the scenario \param prefix of the labels */
    void RunAll(const Maker& make, const std::string& prefix = "");

    /** \return all figures so far */
    const ScenarioReport& GetReport() const;

    /** \return labels of a scenario, without a prefix */
    const std::vector<std::string>& GetLabels() const
    {
        return m_labels;
    }

  private:
    ScenarioPlan MakePlan(const Maker& make, uint32_t seed) const;
    Ptr<Fabric> Build(const ScenarioPlan& plan, const std::string& label, Time delay) const;
    void RunOne(const ScenarioPlan& plan,
                const std::string& label,
                Time delay,
                uint32_t seed,
                const std::string& row);

    ExperimentHelper& m_experiment;
    ScenarioSettings m_settings;
    std::vector<std::string> m_labels;
    std::vector<std::pair<std::string, Time>> m_delays;
    uint64_t m_buffer;
    Time m_warmup;
    Time m_measure;
    ScenarioReport m_report;
};

} // namespace roce
} // namespace ns3

#endif // ROCE_SCENARIO_RUNNER_H
