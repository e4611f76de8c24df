/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-validate-probe.h"

#include "ns3/roce-congestion-control.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

ValidateProbe::ValidateProbe(Ptr<Fabric> fabric,
                             uint32_t node,
                             uint32_t port,
                             Time interval,
                             Time end)
    : m_fabric(fabric),
      m_port(fabric->GetPort(node, port)),
      m_interval(interval),
      m_end(end)
{
}

void
ValidateProbe::AddFlow(const Connection& connection, Time start, uint32_t packetBytes)
{
    m_flows.push_back({connection, start, packetBytes, {}, {}});
    if (std::find(m_receivers.begin(), m_receivers.end(), connection.peerNic) == m_receivers.end())
    {
        m_receivers.push_back(connection.peerNic);
    }
}

void
ValidateProbe::Start()
{
    Simulator::Schedule(Time(0), &ValidateProbe::Take, this);
}

void
ValidateProbe::Detach()
{
    m_fabric = nullptr;
    m_port = nullptr;
    m_receivers.clear();
    for (Flow& flow : m_flows)
    {
        flow.connection = Connection();
    }
}

void
ValidateProbe::Take()
{
    const Time now = Simulator::Now();
    const Transmitter& tx = m_port->GetTransmitter();
    Sample sample{now, 0, 0, 0, 0};
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        sample.queue += tx.GetQueueBytes(p);
    }
    for (const Ptr<Nic>& nic : m_receivers)
    {
        sample.marks += nic->GetCounters().marksReceived;
        sample.received += nic->GetCounters().dataReceived;
        sample.delivered += nic->GetCounters().bytesDelivered;
    }
    m_samples.push_back(sample);
    for (Flow& flow : m_flows)
    {
        const bool begun = now >= flow.start;
        flow.sent.push_back(flow.connection.nic->GetCounters().dataSent);
        flow.law.push_back(begun ? double(flow.connection.qp->GetCongestionControl()->GetRate())
                                 : 0);
    }
    if (now + m_interval <= m_end)
    {
        Simulator::Schedule(m_interval, &ValidateProbe::Take, this);
    }
}

void
ValidateProbe::WriteCsv(const std::string& path, std::size_t rows) const
{
    std::ofstream out(path);
    if (!out)
    {
        throw std::runtime_error("--csv: cannot write " + path);
    }
    out << "time_ms,queue_kb";
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        out << ",rate" << i << "_gbps";
    }
    out << "\n";
    const std::size_t step = std::max<std::size_t>(1, m_samples.size() / rows);
    for (std::size_t i = step; i < m_samples.size(); i += step)
    {
        out << m_samples[i].at.GetSeconds() * 1e3 << "," << double(m_samples[i].queue) / 1e3;
        for (std::size_t f = 0; f < m_flows.size(); ++f)
        {
            out << "," << GetRate(f, m_samples[i - step].at, m_samples[i].at) / 1e9;
        }
        out << "\n";
    }
}

} // namespace roce
} // namespace ns3
