/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-run.h"

#include "roce-link-use.h"
#include "roce-monitor-helper.h"
#include "roce-progress-meter.h"
#include "roce-run-series.h"
#include "roce-watchdog-helper.h"

#include "ns3/simulator.h"

#include <chrono>
#include <stdexcept>

namespace ns3
{
namespace roce
{

ExperimentRun::ExperimentRun(const std::string& label, Ptr<Fabric> fabric, bool progress)
    : m_label(label),
      m_fabric(fabric),
      m_extra(ResultWriter::Json::object())
{
    MonitorHelper helper;
    // the same with and without progress, so that both see the same events
    helper.SetStallAttribute("CheckInterval", TimeValue(MicroSeconds(20)));
    m_monitor = helper.InstallFabricMonitor(fabric);
    m_detector = helper.InstallStallDetector(fabric);
    if (progress)
    {
        m_progress = std::make_unique<ProgressMeter>(label, fabric);
        m_detector->SetBeat([this](Tick now) { m_progress->Poll(now); });
    }
}

ExperimentRun::~ExperimentRun()
{
    m_detector->Dispose();
    if (m_queues)
    {
        m_queues->Dispose();
    }
    if (m_rates)
    {
        m_rates->Dispose();
    }
}

void
ExperimentRun::SetExpectedBytes(uint64_t bytes)
{
    if (m_progress)
    {
        m_progress->SetExpectedBytes(bytes);
    }
}

void
ExperimentRun::SetExpectedFailures(uint64_t count)
{
    m_expectedFailures = count;
}

uint64_t
ExperimentRun::GetExpectedFailures() const
{
    return m_expectedFailures;
}

void
ExperimentRun::ExpectStall()
{
    m_expectStall = true;
}

bool
ExperimentRun::IsStallExpected() const
{
    return m_expectStall;
}

Ptr<QueueMonitor>
ExperimentRun::EnableQueueMonitor(Time interval)
{
    MonitorHelper helper;
    helper.SetQueueAttribute("Interval", TimeValue(interval));
    m_queues = helper.InstallQueueMonitor(m_fabric);
    return m_queues;
}

Ptr<RateMonitor>
ExperimentRun::EnableRateMonitor(Time interval)
{
    MonitorHelper helper;
    helper.SetRateAttribute("Interval", TimeValue(interval));
    m_rates = helper.InstallRateMonitor(m_fabric);
    return m_rates;
}

Ptr<PauseTreeMonitor>
ExperimentRun::EnablePauseMonitor()
{
    m_pauses = WatchdogHelper::InstallPauseTree(m_fabric);
    return m_pauses;
}

void
ExperimentRun::EnableLinks()
{
    m_links = true;
}

void
ExperimentRun::Run(Time stop)
{
    if (m_done)
    {
        throw std::logic_error("run \"" + m_label + "\" has run already");
    }
    m_done = true;
    if (stop.IsStrictlyPositive())
    {
        Simulator::Stop(stop);
    }
    const auto wall = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - wall;
    if (m_progress)
    {
        m_progress->Finish();
    }
    m_result = m_monitor->Collect(m_label);
    m_result.wallS = elapsed.count();
    if (m_detector->HasStopped())
    {
        m_result.stalled = m_detector->GetReport();
    }
    else if (!stop.IsStrictlyPositive() || Simulator::Now() < stop)
    {
        m_result.stalled = m_detector->Describe();
    }
    if (m_queues)
    {
        AddQueues();
    }
    AddSeries();
}

void
ExperimentRun::AddSeries()
{
    if (m_rates)
    {
        m_extra["rates"] = RunSeries::Rates(*m_rates);
    }
    if (m_pauses)
    {
        m_extra["pauses"] = RunSeries::Pauses(m_pauses->GetTree(), ToTick(Simulator::Now()));
    }
    if (m_links)
    {
        m_extra["links"] =
            RunSeries::Links(m_fabric->GetGraph(), LinkUse::Read(*m_fabric, *m_monitor));
    }
}

void
ExperimentRun::AddQueues()
{
    const QueuePeak& peak = m_queues->GetPeak();
    ResultWriter::Json series = ResultWriter::Json::array();
    for (const auto& [begin, bytes] : m_queues->GetSeries().GetBuckets())
    {
        series.push_back({double(begin) / double(TicksPerSecond()), bytes});
    }
    ResultWriter::Json& queues = m_extra["queues"];
    queues["interval_ns"] = m_queues->GetInterval().ToDouble(Time::NS);
    queues["samples"] = m_queues->GetSamples();
    queues["max_bytes"] = peak.bytes;
    queues["max_switch"] = peak.node;
    queues["max_port"] = peak.port;
    queues["max_priority"] = peak.priority;
    queues["max_bytes_over_s"] = series;
}

const std::string&
ExperimentRun::GetLabel() const
{
    return m_label;
}

const RunResult&
ExperimentRun::GetResult() const
{
    return m_result;
}

Ptr<Fabric>
ExperimentRun::GetFabric() const
{
    return m_fabric;
}

Ptr<FabricMonitor>
ExperimentRun::GetMonitor() const
{
    return m_monitor;
}

Ptr<RateMonitor>
ExperimentRun::GetRateMonitor() const
{
    return m_rates;
}

Ptr<PauseTreeMonitor>
ExperimentRun::GetPauseMonitor() const
{
    return m_pauses;
}

Ptr<StallDetector>
ExperimentRun::GetStallDetector() const
{
    return m_detector;
}

ResultWriter::Json&
ExperimentRun::GetExtra()
{
    return m_extra;
}

bool
ExperimentRun::IsDone() const
{
    return m_done;
}

} // namespace roce
} // namespace ns3
