/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-deadlock-run.h"

#include "ns3/boolean.h"
#include "ns3/roce-buffer-dependency.h"
#include "ns3/roce-byte-size.h"
#include "ns3/roce-monitor-helper.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-watchdog-helper.h"
#include "ns3/uinteger.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** \return a time of at least 1 ns. \param flag its flag \param text what was given */
Time
TimeOf(const std::string& flag, const std::string& text)
{
    const int64_t ns = Quantity::DelayPs(text) / 1000;
    if (ns < 1)
    {
        throw std::invalid_argument("--" + flag + "=" + text + ": expected at least 1ns");
    }
    return NanoSeconds(ns);
}

} // namespace

DeadlockRun::DeadlockRun(ExperimentHelper& experiment,
                         const DeadlockCase& what,
                         const DeadlockOptions& options)
    : m_experiment(experiment),
      m_case(what),
      m_options(options)
{
}

void
DeadlockRun::Build()
{
    RoceHelper roce;
    m_experiment.Configure(roce);
    roce.SetNicAttribute("PathMtu", UintegerValue(1000));
    roce.SetNicAttribute("AckTimeout", TimeValue(m_case.watchdog ? MilliSeconds(1) : Time(0)));
    roce.SetSwitchAttribute("BufferSize", UintegerValue(ParseBytes(m_options.buffer)));
    if (m_case.datagrams)
    {
        roce.SetTransportAttribute("TimeToLive", UintegerValue(m_options.ttl));
    }
    m_fabric = roce.Install(m_case.graph);
    Connect();
    BufferDependency dependency(m_fabric->GetGraph());
    dependency.AddRoutes(m_fabric->GetRouting());
    const auto cycles = dependency.FindCycles();
    m_static = cycles.empty() ? "" : cycles.front().GetText();
    Say("the routes " +
        (m_static.empty() ? "have no cyclic buffer dependency" : "may deadlock: " + m_static));
    m_detector = MonitorHelper().InstallDeadlockDetector(m_fabric);
    m_detector->TraceConnectWithoutContext("Deadlock",
                                           MakeCallback(&DeadlockRun::OnDeadlock, this));
    if (m_case.watchdog)
    {
        WatchdogHelper guard;
        guard.SetAttribute("PollInterval", TimeValue(TimeOf("poll", m_options.poll)));
        guard.SetAttribute("DetectionTime", TimeValue(TimeOf("detection", m_options.detection)));
        guard.SetAttribute("RestorationTime", TimeValue(TimeOf("detection", m_options.detection)));
        m_watchdogs = guard.Install(m_fabric);
        for (uint32_t i = 0; i < m_watchdogs.size(); ++i)
        {
            const uint32_t id = m_fabric->GetSwitches().Get(i)->GetObject<Switch>()->GetId();
            m_watchdogs[i]->TraceConnectWithoutContext(
                "Storm",
                MakeBoundCallback(&DeadlockRun::OnStorm, this, id));
        }
    }
}

void
DeadlockRun::Connect()
{
    ConnectionOptions options;
    options.service = m_case.datagrams ? TransportService::UC : TransportService::RC;
    for (const auto& flow : m_case.flows)
    {
        m_connections.push_back(m_fabric->Connect(flow.first, flow.second, options));
    }
    for (const ForcedRoute& route : m_case.routes)
    {
        for (const FabricNeighbour& n : m_fabric->GetGraph().Neighbours(route.device))
        {
            if (n.peer == route.next)
            {
                m_fabric->OverrideRoute(route.device, route.destination, n.port);
            }
        }
    }
}

void
DeadlockRun::Run()
{
    Build();
    ExperimentRun& run = m_experiment.Begin(m_case.name, m_fabric);
    if (m_case.freezes)
    {
        run.ExpectStall();
    }
    for (const Connection& pair : m_connections)
    {
        WorkRequest request;
        request.bytes = ParseBytes(m_options.size);
        pair.nic->Post(pair.qp, request);
    }
    run.Run();
    Tell(run);
    m_detector->Dispose();
    m_experiment.End();
}
