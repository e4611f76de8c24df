/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-stages-trial.h"

#include "roce-long-flows.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <random>

// what StagesTrial runs; how it is set up is in roce-stages-setup.cc

namespace ns3
{
namespace roce
{

namespace
{
constexpr int64_t START_NS = 50000; //!< flows begin within it
constexpr uint32_t SENDERS = 16;    //!< inside a pod

/** \return options with a UDP source port of 49152 to 65535. \param engine draws it */
ConnectionOptions
DrawPort(std::mt19937& engine)
{
    ConnectionOptions options;
    options.sourcePort = static_cast<uint16_t>(49152 + engine() % 16384);
    return options;
}

/** \return a start, above 0. \param engine draws it */
Time
DrawStart(std::mt19937& engine)
{
    return NanoSeconds(1 + int64_t(engine() % START_NS));
}

} // namespace

StagesTrial::StagesTrial(ExperimentHelper& experiment, const StagesOptions& options)
    : m_experiment(experiment),
      m_options(options),
      m_warmup(LongFlows::ParseTime("warmup", options.warmup)),
      m_measure(LongFlows::ParseTime("measure", options.measure))
{
}

void
StagesTrial::Run(const StagesWay& way, uint32_t seed)
{
    if (std::find(m_names.begin(), m_names.end(), way.GetName()) == m_names.end())
    {
        m_names.push_back(way.GetName());
    }
    RunBetween(way, seed);
    RunInside(way, seed);
}

void
StagesTrial::RunBetween(const StagesWay& way, uint32_t seed)
{
    Ptr<Fabric> fabric = Install(way);
    ExperimentRun& run =
        m_experiment.Begin("between " + way.GetName() + "/" + std::to_string(seed), fabric);
    Ptr<QueueMonitor> queues = run.EnableQueueMonitor(MicroSeconds(2));
    LongFlows flows(fabric, m_warmup, m_measure);
    std::mt19937 engine(seed);
    const uint32_t pod = m_options.leaves * m_options.hosts;
    for (uint32_t i = 0; i < 2 * pod; ++i)
    {
        for (uint32_t j = 0; j < pod; ++j)
        {
            const ConnectionOptions options = DrawPort(engine);
            flows.Add(i, (i < pod ? pod : 0) + j, DrawStart(engine), options);
        }
    }
    run.Run(flows.GetStop());
    // four links of 100 Gb/s are what one of 400 Gb/s carries
    const double full = LongFlows::GetFullRate(fabric, 0) * 4 * 2 * m_options.spines;
    const double share = flows.GetSum() / full;
    const double least = flows.GetLeast() / (full / (2.0 * pod * pod));
    const uint64_t peak = LongFlows::GetPeak(queues, m_warmup);
    const double cnps = double(run.GetResult().cnpReceived) / flows.GetStop().GetSeconds();
    run.GetExtra()["between_share"] = share;
    run.GetExtra()["least_flow_share"] = least;
    run.GetExtra()["peak_queue_bytes"] = peak;
    run.GetExtra()["steady_xoff"] = flows.GetXoffs();
    run.GetExtra()["cnps_per_s"] = cnps;
    Row& row = m_rows[way.GetName()];
    row.share.Add(share);
    row.least.Add(least);
    row.xoff.Add(double(flows.GetXoffs()));
    row.peakKb.Add(double(peak) / 1e3);
    row.cnps.Add(cnps);
    m_experiment.End();
}

void
StagesTrial::RunInside(const StagesWay& way, uint32_t seed)
{
    Ptr<Fabric> fabric = Install(way);
    ExperimentRun& run =
        m_experiment.Begin("inside " + way.GetName() + "/" + std::to_string(seed), fabric);
    Ptr<QueueMonitor> queues = run.EnableQueueMonitor(MicroSeconds(1));
    LongFlows flows(fabric, m_warmup, m_measure);
    std::mt19937 engine(seed);
    const uint32_t senders = std::min(SENDERS, (m_options.leaves - 1) * m_options.hosts);
    for (uint32_t i = 0; i < senders; ++i)
    {
        const ConnectionOptions options = DrawPort(engine);
        const uint32_t flow = flows.Add(m_options.hosts + i, 0, DrawStart(engine), options);
        if (i > 0)
        {
            flows.End(flow, m_warmup);
        }
    }
    run.SetExpectedFailures(senders - 1); // those that stop
    run.Run(flows.GetStop());
    const double reclaim = flows.GetRate(0) / LongFlows::GetFullRate(fabric, 0);
    const uint64_t peak = LongFlows::GetPeak(queues, m_warmup / 2, m_warmup);
    run.GetExtra()["reclaimed_share"] = reclaim;
    run.GetExtra()["peak_queue_bytes"] = peak;
    run.GetExtra()["steady_xoff"] = flows.GetXoffs();
    Row& row = m_rows[way.GetName()];
    row.reclaim.Add(reclaim);
    row.localXoff.Add(double(flows.GetXoffs()));
    row.localKb.Add(double(peak) / 1e3);
    m_experiment.End();
}

} // namespace roce
} // namespace ns3
