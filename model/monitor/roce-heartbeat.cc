/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-heartbeat.h"

#include "ns3/simulator.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

Heartbeat::Heartbeat(const HostDirectory& hosts, std::function<void(Tick)> beat)
    : m_hosts(hosts),
      m_beat(std::move(beat)),
      m_core(EventCore::Get())
{
}

Heartbeat::~Heartbeat()
{
    Stop();
}

void
Heartbeat::Start(Time period)
{
    if (!period.IsStrictlyPositive())
    {
        std::ostringstream message;
        message << "a period of " << period.As(Time::NS) << " is not above zero";
        throw std::invalid_argument(message.str());
    }
    m_period = period;
    if (!m_listening)
    {
        m_listening = true;
        m_onPosted = MakeBoundCallback(&Heartbeat::OnPosted, this);
        for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
        {
            m_hosts.GetNic(i).TraceConnectWithoutContext("Posted", m_onPosted);
        }
    }
    if (!IsArmed())
    {
        Arm();
    }
}

void
Heartbeat::Stop()
{
    m_event.Cancel();
    if (m_listening)
    {
        m_listening = false;
        for (uint32_t i = 0; i < m_hosts.GetN(); ++i)
        {
            m_hosts.GetNic(i).TraceDisconnectWithoutContext("Posted", m_onPosted);
        }
    }
}

void
Heartbeat::OnPosted(Heartbeat* self, uint32_t, const WorkRequest&)
{
    if (!self->IsArmed())
    {
        self->Arm();
    }
}

void
Heartbeat::Arm()
{
    m_event = Simulator::Schedule(m_period, &Heartbeat::Beat, this);
}

bool
Heartbeat::IsIdle() const
{
    return m_core->GetPending() == 0 ||
           (m_core->GetPool().GetLive() == 0 && m_hosts.GetOpenRequests() == 0);
}

void
Heartbeat::Beat()
{
    m_beat(ToTick(Simulator::Now()));
    if (m_listening && !IsIdle())
    {
        Arm();
    }
}

} // namespace roce
} // namespace ns3
