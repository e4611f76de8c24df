/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pfc-spike-detector.h"

#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PfcSpikeDetector);

TypeId
PfcSpikeDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::PfcSpikeDetector")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<PfcSpikeDetector>()
            .AddAttribute("Interval",
                          "Time over which pause frames are counted",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&PfcSpikeDetector::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Threshold",
                          "Pause frames of one port and priority in an interval that make a spike",
                          UintegerValue(100),
                          MakeUintegerAccessor(&PfcSpikeDetector::m_threshold),
                          MakeUintegerChecker<uint64_t>(1))
            .AddTraceSource("Spike",
                            "A port was paused often in the last interval",
                            MakeTraceSourceAccessor(&PfcSpikeDetector::m_spikeTrace),
                            "ns3::roce::PfcSpikeDetector::SpikeTracedCallback");
    return tid;
}

PfcSpikeDetector::PfcSpikeDetector() = default;
PfcSpikeDetector::~PfcSpikeDetector() = default;

void
PfcSpikeDetector::DoDispose()
{
    m_heartbeat.reset();
    m_ports.clear();
    Object::DoDispose();
}

void
PfcSpikeDetector::Add(Ptr<Port> port, uint32_t node, bool host)
{
    m_ports.push_back({port, node, host, {}});
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_ports.back().xoffs[p] = port->GetPauseState().GetXoffs(p);
    }
}

void
PfcSpikeDetector::Install(const NodeContainer& hosts,
                          const NodeContainer& switches,
                          const std::vector<uint32_t>& ids)
{
    m_hosts = HostDirectory(hosts, ids);
    for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
    {
        Nic& nic = m_hosts.GetNic(i);
        for (uint32_t p = 0; p < nic.GetNPorts(); ++p)
        {
            Add(nic.GetPort(p), m_hosts.GetId(i), true);
        }
    }
    for (uint32_t i = 0; i < switches.GetN(); ++i)
    {
        const Ptr<Switch> device = switches.Get(i)->GetObject<Switch>();
        if (!device)
        {
            throw std::invalid_argument("node " + std::to_string(switches.Get(i)->GetId()) +
                                        " has no Switch");
        }
        for (uint32_t p = 0; p < device->GetNumPorts(); ++p)
        {
            Add(device->GetPort(p), device->GetId(), false);
        }
    }
    m_heartbeat = std::make_unique<Heartbeat>(m_hosts, [this](Tick now) { Look(now); });
    Start();
}

void
PfcSpikeDetector::Start()
{
    m_heartbeat->Start(m_interval);
}

void
PfcSpikeDetector::Look(Tick now)
{
    for (Watched& watched : m_ports)
    {
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            const uint64_t total = watched.port->GetPauseState().GetXoffs(p);
            const uint64_t xoffs = total - watched.xoffs[p];
            watched.xoffs[p] = total;
            if (xoffs < m_threshold)
            {
                continue;
            }
            ++m_spikes;
            const PfcSpike spike{watched.node,
                                 watched.host,
                                 watched.port->GetIndex(),
                                 p,
                                 xoffs,
                                 now};
            if (xoffs > m_peak.xoffs)
            {
                m_peak = spike;
            }
            m_spikeTrace(spike);
        }
    }
}

uint64_t
PfcSpikeDetector::GetSpikes() const
{
    return m_spikes;
}

const PfcSpike&
PfcSpikeDetector::GetPeak() const
{
    return m_peak;
}

} // namespace roce
} // namespace ns3
