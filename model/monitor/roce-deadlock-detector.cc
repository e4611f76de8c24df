/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-deadlock-detector.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceDeadlockDetector");
NS_OBJECT_ENSURE_REGISTERED(DeadlockDetector);

TypeId
DeadlockDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::DeadlockDetector")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<DeadlockDetector>()
            .AddAttribute("CheckInterval",
                          "Time between looks while any switch has paused a sender",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeadlockDetector::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HoldTime",
                          "Time for which all queues of a ring must have been paused without a "
                          "break to be called a deadlock",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&DeadlockDetector::m_hold),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("StopRun",
                          "Whether to call Simulator::Stop at the first deadlock",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeadlockDetector::m_stop),
                          MakeBooleanChecker())
            .AddTraceSource("Deadlock",
                            "Switches wait for each other in a ring",
                            MakeTraceSourceAccessor(&DeadlockDetector::m_trace),
                            "ns3::roce::DeadlockDetector::DeadlockTracedCallback");
    return tid;
}

DeadlockDetector::DeadlockDetector() = default;

DeadlockDetector::~DeadlockDetector()
{
    Disconnect();
}

void
DeadlockDetector::DoDispose()
{
    Disconnect();
    Object::DoDispose();
}

void
DeadlockDetector::Disconnect()
{
    m_event.Cancel();
    for (const auto& device : m_switches)
    {
        device->TraceDisconnectWithoutContext("PfcState", m_onPfc);
    }
    m_switches.clear();
    m_graph = WaitForGraph();
}

void
DeadlockDetector::Install(const NodeContainer& switches)
{
    m_core = EventCore::Get();
    m_onPfc = MakeBoundCallback(&DeadlockDetector::OnPfc, this);
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        m_switches.push_back(switches.Get(i)->GetObject<Switch>());
        m_switches.back()->TraceConnectWithoutContext("PfcState", m_onPfc);
    }
    m_graph = WaitForGraph(m_switches);
    if (m_graph.IsAnyPaused())
    {
        Arm();
    }
}

void
DeadlockDetector::OnPfc(DeadlockDetector* self, uint32_t, uint32_t, bool xoff)
{
    if (xoff && !self->m_event.IsRunning())
    {
        self->Arm();
    }
}

void
DeadlockDetector::Arm()
{
    m_event = Simulator::Schedule(m_interval, &DeadlockDetector::Check, this);
}

bool
DeadlockDetector::IsKnown(const DeadlockReport& report) const
{
    for (const DeadlockReport& old : m_reports)
    {
        if (old.frozen == report.frozen && old.GetCycleText() == report.GetCycleText())
        {
            return true;
        }
    }
    return false;
}

void
DeadlockDetector::Check()
{
    for (DeadlockReport& report : Find(m_hold))
    {
        if (IsKnown(report))
        {
            continue;
        }
        NS_LOG_INFO(report.GetText());
        m_reports.push_back(report);
        m_trace(report);
        if (m_stop)
        {
            Simulator::Stop();
        }
    }
    if (m_graph.IsAnyPaused() && m_core->GetPending() > 0)
    {
        Arm();
    }
}

const std::vector<DeadlockReport>&
DeadlockDetector::GetReports() const
{
    return m_reports;
}

std::vector<DeadlockReport>
DeadlockDetector::Find(Time hold) const
{
    return m_graph.FindCycles(ToTick(Simulator::Now()), ToTick(hold));
}

} // namespace roce
} // namespace ns3
