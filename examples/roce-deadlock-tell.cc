/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-deadlock-run.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <sstream>

// what DeadlockRun says of a run

using namespace ns3;
using namespace ns3::roce;

void
DeadlockRun::Say(const std::string& line) const
{
    if (!m_experiment.IsQuiet())
    {
        std::cout << "  " << m_case.name << ": " << line << "\n";
    }
}

DeadlockRun::Progress
DeadlockRun::Read() const
{
    Progress progress;
    progress.at = Simulator::Now();
    for (const Connection& pair : m_connections)
    {
        progress.bytes += pair.peerNic->GetCounters().bytesDelivered;
    }
    for (uint32_t i = 0; i < m_fabric->GetSwitches().GetN(); ++i)
    {
        const auto device = m_fabric->GetSwitches().Get(i)->GetObject<Switch>();
        progress.bytes += 1000 * device->GetDrops(DropReason::TTL); // of one MTU each
    }
    return progress;
}

void
DeadlockRun::OnDeadlock(const DeadlockReport& report)
{
    if (m_found.at.IsZero())
    {
        m_found = Read();
        Say(report.GetText());
    }
}

void
DeadlockRun::OnStorm(DeadlockRun* self, uint32_t id, uint32_t port, uint32_t priority, bool on)
{
    if (on && self->m_storm.at.IsZero())
    {
        self->m_storm = self->Read();
        std::ostringstream text;
        text << "a watchdog acts (" << self->m_watchdogs.front()->GetAction() << ") at "
             << self->m_storm.at.As(Time::US) << ": switch " << id << " port " << port
             << ", priority " << priority;
        self->Say(text.str());
    }
}

void
DeadlockRun::Tell(ExperimentRun& run) const
{
    ResultWriter::Json& extra = run.GetExtra();
    const Progress end = Read();
    extra["static_cycle"] = m_static;
    extra["deadlocks"] = m_detector->GetReports().size();
    if (m_detector->GetReports().empty())
    {
        return;
    }
    const DeadlockReport& first = m_detector->GetReports().front();
    const Progress& from = m_watchdogs.empty() ? m_found : m_storm;
    // until the last request ended; a frozen run, and one that had sent all before, has no such end
    const double last = FromTick(run.GetMonitor()->GetLastCompletion()).GetSeconds();
    const double begin = from.at.GetSeconds();
    const double span = (last > begin ? last : end.at.GetSeconds()) - begin;
    const double rate = 8.0 * static_cast<double>(end.bytes - from.bytes) / std::max(span, 1e-9);
    extra["cycle"] = first.GetCycleText();
    extra["frozen_s"] = FromTick(first.frozen).GetSeconds();
    extra["rate_after_bps"] = rate;
    PfcWatchdogCounters sum;
    for (const auto& watchdog : m_watchdogs)
    {
        sum.storms += watchdog->GetTotals().storms;
        sum.dropped += watchdog->GetTotals().dropped;
    }
    std::ostringstream text;
    if (!m_watchdogs.empty())
    {
        extra["watchdog"] = {{"storms", sum.storms}, {"dropped", sum.dropped}};
        text << m_detector->GetReports().size() << " deadlocks, " << sum.storms << " storms, "
             << sum.dropped << " frames dropped; ";
    }
    text << "rate of all flows since then: " << rate / 1e9 << " Gb/s";
    Say(text.str());
}
