/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-monitor.h"

#include "ns3/node.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(QueueMonitor);

TypeId
QueueMonitor::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::QueueMonitor")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<QueueMonitor>()
                            .AddAttribute("Interval",
                                          "Time between samples",
                                          TimeValue(MicroSeconds(10)),
                                          MakeTimeAccessor(&QueueMonitor::m_interval),
                                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

QueueMonitor::QueueMonitor() = default;
QueueMonitor::~QueueMonitor() = default;

void
QueueMonitor::DoDispose()
{
    m_heartbeat.reset();
    m_switches.clear();
    Object::DoDispose();
}

void
QueueMonitor::Install(const NodeContainer& hosts, const NodeContainer& switches)
{
    m_hosts = HostDirectory(hosts);
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        m_switches.push_back(switches.Get(i)->GetObject<Switch>());
        m_max.emplace_back(m_switches.back()->GetNumPorts(), PortMaxima{});
    }
    m_heartbeat = std::make_unique<Heartbeat>(m_hosts, [this](Tick now) { Sample(now); });
    Start();
}

void
QueueMonitor::Start()
{
    m_heartbeat->Start(m_interval);
}

void
QueueMonitor::Sample(Tick now)
{
    ++m_samples;
    m_last = now;
    uint64_t longest = 0;
    for (std::size_t i = 0; i < m_switches.size(); ++i)
    {
        for (uint32_t port = 0; port < m_max[i].size(); ++port)
        {
            const Transmitter& tx = m_switches[i]->GetPort(port)->GetTransmitter();
            if (!tx.HasBacklog())
            {
                continue;
            }
            for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
            {
                const uint64_t bytes = tx.GetQueueBytes(p);
                m_max[i][port][p] = std::max(m_max[i][port][p], bytes);
                longest = std::max(longest, bytes);
                if (bytes > m_peak.bytes)
                {
                    m_peak = QueuePeak{bytes, m_switches[i]->GetId(), port, p, now};
                }
            }
        }
    }
    m_series.Add(now, longest);
}

uint64_t
QueueMonitor::GetSamples() const
{
    return m_samples;
}

Tick
QueueMonitor::GetLastSample() const
{
    return m_last;
}

Time
QueueMonitor::GetInterval() const
{
    return m_interval;
}

const QueuePeak&
QueueMonitor::GetPeak() const
{
    return m_peak;
}

uint64_t
QueueMonitor::GetMax(uint32_t index, uint32_t port, unsigned priority) const
{
    return m_max.at(index).at(port).at(priority);
}

const TimeSeries&
QueueMonitor::GetSeries() const
{
    return m_series;
}

} // namespace roce
} // namespace ns3
