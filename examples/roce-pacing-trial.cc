/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pacing-trial.h"

#include "roce-long-flows.h"

#include "ns3/double.h"
#include "ns3/roce-clos-helper.h"
#include "ns3/roce-pacing.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace ns3
{
namespace roce
{

namespace
{

/** \return options with a UDP source port of 49152 to 65535. \param engine draws it */
ConnectionOptions
DrawPort(std::mt19937& engine)
{
    ConnectionOptions options;
    options.sourcePort = static_cast<uint16_t>(49152 + engine() % 16384);
    return options;
}

} // namespace

PacingTrial::PacingTrial(ExperimentHelper& experiment, const PacingOptions& options)
    : m_experiment(experiment),
      m_options(options),
      m_measure(LongFlows::ParseTime("measure", options.measure))
{
}

Ptr<Fabric>
PacingTrial::Install(RoceHelper& roce,
                     const std::string& mode,
                     const std::string& rate,
                     uint32_t hosts)
{
    roce.SetTransportAttribute("Pacing", StringValue(mode));
    ClosHelper star(1, 0, hosts);
    star.SetHostLinks(rate, "500ns");
    return star.Install(roce);
}

double
PacingTrial::Predict(Ptr<Fabric> fabric, const QueuePair& qp) const
{
    const FlowParameters& flow = qp.GetCongestionControl()->GetFlow();
    const double slot = flow.frameBytes * 8e9 / double(flow.lineRate); // ns
    const Tick phase = Pacing::SlotPhase(qp.GetConfig().pacing, flow.hash);
    return LongFlows::GetFullRate(fabric, 0) * slot /
           (slot + double(phase) * 1e9 / double(TicksPerSecond()));
}

void
PacingTrial::RunAlone(const std::string& mode, const std::string& rate, uint32_t seed)
{
    RoceHelper roce;
    m_experiment.Configure(roce);
    Ptr<Fabric> fabric = Install(roce, mode, rate, 2 * m_options.pairs);
    ExperimentRun& run =
        m_experiment.Begin("alone " + rate + " " + mode + "/" + std::to_string(seed), fabric);
    LongFlows flows(fabric, MicroSeconds(20), NanoSeconds(m_measure.GetNanoSeconds() / 10), 2);
    std::mt19937 engine(seed);
    for (uint32_t i = 0; i < m_options.pairs; ++i)
    {
        flows.Add(i, m_options.pairs + i, Time(0), DrawPort(engine));
    }
    run.Run(flows.GetStop());
    const double full = LongFlows::GetFullRate(fabric, 0);
    double predicted = 0;
    double error = 0;
    for (uint32_t i = 0; i < m_options.pairs; ++i)
    {
        const double wanted = Predict(fabric, *flows.Get(i).qp);
        predicted += wanted / full / m_options.pairs;
        error = std::max(error, std::abs(flows.GetRate(i) / wanted - 1));
    }
    Row& row = m_rows[rate + " " + mode];
    row.share.Add(flows.GetSum() / full / m_options.pairs);
    row.least.Add(flows.GetLeast() / full);
    row.predicted.Add(predicted);
    run.GetExtra()["rate_share"] = flows.GetSum() / full / m_options.pairs;
    run.GetExtra()["least_rate_share"] = flows.GetLeast() / full;
    run.GetExtra()["predicted_share"] = predicted;
    run.GetExtra()["largest_error"] = error;
    m_experiment.End();
}

void
PacingTrial::RunCrowd(const std::string& mode, const std::string& rate, uint32_t seed)
{
    RoceHelper roce;
    m_experiment.Configure(roce);
    roce.SetCongestionControl("ns3::FixedRate");
    roce.SetCongestionControlAttribute("Share", DoubleValue(m_options.load / m_options.flows));
    Ptr<Fabric> fabric = Install(roce, mode, rate, m_options.flows + 1);
    ExperimentRun& run =
        m_experiment.Begin("crowd " + rate + " " + mode + "/" + std::to_string(seed), fabric);
    Ptr<QueueMonitor> queues = run.EnableQueueMonitor(NanoSeconds(200));
    const Time part = NanoSeconds(m_measure.GetNanoSeconds() / 10);
    LongFlows flows(fabric, part, m_measure - part, 2);
    std::mt19937 engine(seed);
    for (uint32_t i = 0; i < m_options.flows; ++i)
    {
        flows.Add(i, m_options.flows, Time(0), DrawPort(engine));
    }
    run.Run(flows.GetStop());
    const uint64_t first = LongFlows::GetPeak(queues, Time(0), part);
    const uint64_t last = LongFlows::GetPeak(queues, m_measure - part);
    Row& row = m_rows[rate + " " + mode];
    row.first.Add(double(first) / 1e3);
    row.last.Add(double(last) / 1e3);
    run.GetExtra()["peak_first_bytes"] = first;
    run.GetExtra()["peak_last_bytes"] = last;
    run.GetExtra()["load"] = flows.GetSum() / LongFlows::GetFullRate(fabric, m_options.flows);
    m_experiment.End();
}

} // namespace roce
} // namespace ns3
