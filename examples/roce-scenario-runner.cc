/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-runner.h"

#include "roce-scenario-rivals.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return the time. \param flag its flag \param text of the user; empty: 0 */
Time
ParseTime(const std::string& flag, const std::string& text)
{
    const int64_t ps = text.empty() ? 0 : Quantity::DelayPs(text);
    if (ps < 0)
    {
        throw std::invalid_argument(flag + text + ": no time is negative");
    }
    return PicoSeconds(ps);
}

} // namespace

ScenarioRunner::ScenarioRunner(ExperimentHelper& experiment, const ScenarioSettings& settings)
    : m_experiment(experiment),
      m_settings(settings),
      m_labels(experiment.IsGiven("cc") ? experiment.GetCcs()
                                        : ScenarioRivals::Split(settings.runs)),
      m_buffer(ParseBytes(settings.buffer)),
      m_warmup(ParseTime("--warmup=", settings.warmup)),
      m_measure(ParseTime("--measure=", settings.measure))
{
    if (settings.seeds == 0)
    {
        throw std::invalid_argument("--seeds=0: at least 1 run is needed");
    }
    if (!settings.measure.empty() && m_measure < MicroSeconds(1))
    {
        throw std::invalid_argument("--measure=" + settings.measure + ": at least 1us is needed");
    }
    std::istringstream in(settings.cnpDelay);
    for (std::string text; std::getline(in, text, ',');)
    {
        m_delays.emplace_back(text, ParseTime("--cnp-delay=", text));
    }
    if (m_delays.empty())
    {
        throw std::invalid_argument("--cnp-delay is empty; give 500ns or others");
    }
}

const ScenarioReport&
ScenarioRunner::GetReport() const
{
    return m_report;
}

ScenarioPlan
ScenarioRunner::MakePlan(const Maker& make, uint32_t seed) const
{
    ScenarioPlan plan = make(seed);
    plan.bufferBytes = m_buffer;
    plan.warmup = m_settings.warmup.empty() ? plan.warmup : m_warmup;
    plan.measure = m_settings.measure.empty() ? plan.measure : m_measure;
    if (m_experiment.IsGiven("lb"))
    {
        plan.pinned = m_experiment.GetLb() == "pinned";
    }
    return plan;
}

Ptr<Fabric>
ScenarioRunner::Build(const ScenarioPlan& plan, const std::string& label, Time delay) const
{
    RoceHelper roce;
    ScenarioRivals::Configure(roce, label, plan);
    roce.SetNicAttribute("CnpHandling", TimeValue(delay));
    if (m_experiment.IsGiven("lb") && !plan.pinned)
    {
        roce.SetLoadBalancer(m_experiment.GetLb());
    }
    if (m_experiment.IsGiven("recovery"))
    {
        roce.SetLossRecovery(m_experiment.GetRecovery());
    }
    return plan.clos.Install(roce);
}

void
ScenarioRunner::RunOne(const ScenarioPlan& plan,
                       const std::string& label,
                       Time delay,
                       uint32_t seed,
                       const std::string& row)
{
    Ptr<Fabric> fabric = Build(plan, label, delay);
    ExperimentRun& run = m_experiment.Begin(row + "/" + std::to_string(seed), fabric);
    {
        const bool admitted = ScenarioRivals::IsAdmitted(label);
        ScenarioTraffic traffic(plan, fabric, ScenarioRivals::IsCapped(label), seed, admitted);
        ScenarioWindow window(plan, fabric, traffic);
        window.Arm();
        traffic.Start();
        run.Run(plan.warmup + plan.measure + NanoSeconds(1));
        const ScenarioFigures figures = window.Measure(run);
        for (const auto& [name, value] : figures)
        {
            run.GetExtra()["figures"][name] = value;
        }
        run.GetExtra()["flow_goodput_bps"] = window.GetFlowBps();
        m_report.Add(row, figures);
    }
    m_experiment.End();
}

void
ScenarioRunner::RunAll(const Maker& make, const std::string& prefix)
{
    for (const std::string& label : m_labels)
    {
        for (const auto& [text, delay] : m_delays)
        {
            const std::string row = prefix + label + (m_delays.size() > 1 ? " " + text : "");
            for (uint32_t i = 0; i < m_settings.seeds; ++i)
            {
                const uint32_t seed = m_settings.first + i;
                RunOne(MakePlan(make, seed), label, delay, seed, row);
            }
        }
    }
}

} // namespace roce
} // namespace ns3
