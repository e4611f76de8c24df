/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-window.h"

#include "roce-scenario-max-min.h"

#include "ns3/roce-monitor-helper.h"
#include "ns3/simulator.h"

#include <algorithm>

// what ScenarioWindow reads; what it makes of that is in roce-scenario-window-figures.cc

namespace ns3
{
namespace roce
{

namespace
{

constexpr int64_t SAMPLES = 20; //!< of the bytes of the flows in a window

} // namespace

ScenarioWindow::ScenarioWindow(const ScenarioPlan& plan,
                               Ptr<Fabric> fabric,
                               const ScenarioTraffic& traffic)
    : m_plan(plan),
      m_fabric(fabric),
      m_traffic(traffic)
{
    const MaxMinRates fair(traffic.GetCapacity(), traffic.GetRoutes());
    m_full = fair.GetFull();
    const uint32_t mtu = fabric->GetNic(0)->GetDefaults().mtu;
    const double wire = FrameSizes().DataBytes(mtu, false) + fabric->GetPort(0, 0)->GetGap();
    for (double rate : fair.GetRates())
    {
        m_fair.push_back(rate * mtu / wire);
    }
}

ScenarioWindow::~ScenarioWindow()
{
    if (m_queues)
    {
        m_queues->Dispose();
    }
}

void
ScenarioWindow::Arm()
{
    Simulator::Schedule(m_plan.warmup, &ScenarioWindow::Begin, this);
    for (int64_t i = 0; i <= SAMPLES; ++i)
    {
        Simulator::Schedule(m_plan.warmup + m_plan.measure * i / SAMPLES,
                            &ScenarioWindow::Sample,
                            this);
    }
}

void
ScenarioWindow::Begin()
{
    m_before = Read();
    MonitorHelper helper;
    helper.SetQueueAttribute("Interval", TimeValue(MicroSeconds(1)));
    m_queues = helper.InstallQueueMonitor(m_fabric);
}

void
ScenarioWindow::Sample()
{
    m_samples.push_back(Read().flows);
}

ScenarioWindow::Counts
ScenarioWindow::Read() const
{
    Counts counts;
    const Tick now = ToTick(Simulator::Now());
    for (const Connection& connection : m_traffic.GetConnections())
    {
        counts.flows.push_back(connection.peerQp->GetResponder().GetBytes());
    }
    const FabricGraph& graph = m_fabric->GetGraph();
    for (uint64_t number : m_full)
    {
        const FabricLink& link = graph.Link(static_cast<uint32_t>(number / 2));
        Ptr<Port> port = number % 2 ? m_fabric->GetPort(link.a, link.portA)
                                    : m_fabric->GetPort(link.b, link.portB);
        const InFlight& in = port->GetReceived();
        counts.links[number] = 8.0 * double(in.GetBytes() + in.GetFrames() * port->GetGap());
    }
    for (uint32_t i = 0; i < graph.NodeCount(); ++i)
    {
        const uint32_t id = graph.IdOf(i);
        for (uint32_t port = 0; port < graph.PortCount(id); ++port)
        {
            const PauseState& pause = m_fabric->GetPort(id, port)->GetPauseState();
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                counts.paused.push_back(pause.GetPaused(p, now));
            }
        }
        if (graph.IsHost(id))
        {
            counts.cnps += m_fabric->GetNic(id)->GetCounters().cnpsReceived;
            counts.packets += m_fabric->GetNic(id)->GetCounters().dataReceived;
            continue;
        }
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            counts.xoffs += m_fabric->GetSwitch(id)->GetPfcController()->GetXoffs(p);
        }
    }
    return counts;
}

std::vector<double>
ScenarioWindow::GetFlowBps() const
{
    const std::vector<uint64_t> now = Read().flows;
    std::vector<double> rates;
    for (std::size_t i = 0; i < now.size(); ++i)
    {
        rates.push_back(8.0 * double(now[i] - m_before.flows.at(i)) / m_plan.measure.GetSeconds());
    }
    return rates;
}

std::vector<double>
ScenarioWindow::GetShares() const
{
    std::vector<double> shares = GetFlowBps();
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        shares[i] /= m_fair[i];
    }
    return shares;
}

} // namespace roce
} // namespace ns3
