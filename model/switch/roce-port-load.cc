/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-load.h"

#include "ns3/roce-transmitter.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace roce
{

void
PortLoad::Configure(const std::vector<const Transmitter*>& transmitters,
                    Tick period,
                    double part,
                    double ticksPerSecond)
{
    m_period = std::max<Tick>(period, 1);
    m_keep = 1 - part;
    m_full = static_cast<double>(m_period) / part;
    m_ports.clear();
    for (const Transmitter* tx : transmitters)
    {
        const LinkTiming* timing = tx->GetTiming();
        // a port without cable sends nothing; any rate will do
        const double rate = timing ? static_cast<double>(timing->GetRate()) : 1e9;
        m_ports.push_back(PortState{tx, 8 * ticksPerSecond / rate, 0, 0});
    }
}

double
PortLoad::GetBacklog(uint32_t port, Tick now) const
{
    const PortState& state = m_ports[port];
    uint64_t bytes = 0;
    if (state.tx->HasBacklog())
    {
        for (unsigned q = 0; q < Transmitter::NUM_QUEUES; ++q)
        {
            bytes += state.tx->GetQueueBytes(q);
        }
    }
    const Tick rest = std::max<Tick>(state.tx->GetBusyUntil() - now, 0);
    return static_cast<double>(bytes) * state.ticksPerByte + static_cast<double>(rest);
}

void
PortLoad::Discount(PortState& port, Tick now) const
{
    const Tick period = now / m_period;
    if (period == port.period)
    {
        return;
    }
    if (port.bytes > 0)
    {
        port.bytes *= std::pow(m_keep, static_cast<double>(period - port.period));
    }
    port.period = period;
}

void
PortLoad::Add(uint32_t port, uint32_t bytes, Tick now)
{
    Discount(m_ports[port], now);
    m_ports[port].bytes += bytes;
}

double
PortLoad::GetRegister(uint32_t port, Tick now)
{
    Discount(m_ports[port], now);
    return m_ports[port].bytes;
}

double
PortLoad::GetUtilization(uint32_t port, Tick now)
{
    return GetRegister(port, now) * m_ports[port].ticksPerByte / m_full;
}

double
PortLoad::GetLoad(uint32_t port, Tick now)
{
    return GetBacklog(port, now) + GetRegister(port, now) * m_ports[port].ticksPerByte;
}

} // namespace roce
} // namespace ns3
