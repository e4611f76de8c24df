/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-window.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

// what ScenarioWindow makes of what it reads; the rest is in roce-scenario-window.cc

namespace ns3
{
namespace roce
{

Distribution
ScenarioWindow::GetTtdUs(const FabricMonitor& monitor) const
{
    if (m_traffic.IsAdmitted())
    {
        return m_traffic.GetAdmittedUs(); // the monitor knows chunks, not messages
    }
    std::set<std::pair<const Nic*, uint32_t>> reported;
    for (std::size_t i = 0; i < m_plan.flows.size(); ++i)
    {
        const Connection& connection = m_traffic.GetConnections()[i];
        if (m_plan.flows[i].reported)
        {
            reported.emplace(PeekPointer(connection.nic), connection.qp->GetQpn());
        }
    }
    Distribution ttd;
    for (const MessageRecord& message : monitor.GetMessages())
    {
        const Nic* nic = &monitor.GetHosts().GetNic(message.host);
        if (message.arrived >= ToTick(m_plan.warmup) && reported.count({nic, message.qpn}))
        {
            ttd.Add(FromTick(message.arrived - message.posted).ToDouble(Time::US));
        }
    }
    return ttd;
}

double
ScenarioWindow::GetUtilization(const Counts& now) const
{
    double sum = 0;
    for (uint64_t number : m_full)
    {
        const auto rate =
            double(m_fabric->GetGraph().Link(static_cast<uint32_t>(number / 2)).rateBps);
        sum += (now.links.at(number) - m_before.links.at(number)) /
               (rate * m_plan.measure.GetSeconds());
    }
    return m_full.empty() ? 0 : sum / double(m_full.size());
}

double
ScenarioWindow::GetLongestPause(const Counts& now) const
{
    Tick longest = 0;
    for (std::size_t i = 0; i < now.paused.size(); ++i)
    {
        longest = std::max(longest, now.paused[i] - m_before.paused[i]);
    }
    return double(longest) / double(ToTick(m_plan.measure));
}

double
ScenarioWindow::GetUnrest() const
{
    // of each flow over the last quarter of the window: standard deviation / mean of its rates
    double worst = 0;
    for (std::size_t flow = 0; flow < m_plan.flows.size(); ++flow)
    {
        Distribution rates;
        for (std::size_t i = m_samples.size() - m_samples.size() / 4; i < m_samples.size(); ++i)
        {
            rates.Add(double(m_samples[i][flow] - m_samples[i - 1][flow]));
        }
        worst = rates.IsEmpty() ? worst : std::max(worst, rates.GetCov());
    }
    return worst;
}

void
ScenarioWindow::AddShares(ScenarioFigures& figures) const
{
    const std::vector<double> shares = GetShares();
    Distribution all;
    std::map<std::string, Distribution> groups;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        all.Add(shares[i]);
        groups[m_plan.flows[i].group].Add(shares[i]);
    }
    figures.emplace_back("worst_share", all.GetMin());
    // Jain's index: mean squared / mean of squares
    figures.emplace_back("jain", 1 / (1 + all.GetCov() * all.GetCov()));
    figures.emplace_back("unrest", GetUnrest());
    for (const auto& [name, group] : groups)
    {
        figures.emplace_back("share_" + name, group.GetMean());
    }
}

ScenarioFigures
ScenarioWindow::Measure(const ExperimentRun& run) const
{
    const Counts now = Read();
    const std::vector<double> rates = GetFlowBps();
    std::set<uint32_t> hosts;
    for (const ScenarioFlow& flow : m_plan.flows)
    {
        hosts.insert(flow.destination);
    }
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    const double line = double(m_fabric->GetPort(0, 0)->GetRate()) * double(hosts.size());
    const auto cnps = static_cast<double>(now.cnps - m_before.cnps);
    const auto packets = static_cast<double>(now.packets - m_before.packets);
    const auto& drops = run.GetResult().drops;
    const Distribution ttd = GetTtdUs(*run.GetMonitor());
    const bool none = ttd.IsEmpty();
    ScenarioFigures figures{
        {"goodput_share", sum / line},
        {"fair_share", sum / std::accumulate(m_fair.begin(), m_fair.end(), 0.0)},
        {"utilization", GetUtilization(now)},
        {"xoff", double(now.xoffs - m_before.xoffs)},
        {"xoff_all", double(run.GetResult().xoff)},
        {"longest_pause_share", GetLongestPause(now)},
        {"cnp_per_s", cnps / m_plan.measure.GetSeconds()},
        {"cnp_per_packet", packets > 0 ? cnps / packets : 0},
        {"drops", double(std::accumulate(drops.begin(), drops.end(), uint64_t(0)))},
        {"resent", double(run.GetResult().retransmitted)},
        {"ttd_mean_us", none ? 0 : ttd.GetMean()},
        {"ttd_std_us", none ? 0 : ttd.GetStd()},
        {"ttd_p99_us", none ? 0 : ttd.GetPercentile(99)},
        {"ttd_std_share", none ? 0 : ttd.GetCov()},
        {"worst_queue_bytes", double(m_queues->GetPeak().bytes)}};
    AddShares(figures);
    return figures;
}

} // namespace roce
} // namespace ns3
