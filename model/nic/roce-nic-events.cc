/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-events.h"

#include "roce-nic.h"

namespace ns3
{
namespace roce
{

PaceEvent::PaceEvent(Nic* nic, uint32_t port)
    : m_nic(nic),
      m_port(port)
{
}

PaceEvent::~PaceEvent()
{
    if (m_pending)
    {
        m_nic->GetCore()->Forget(this);
    }
}

void
PaceEvent::Arm(Tick at)
{
    if (at < m_armed)
    {
        m_armed = at;
        ++m_pending;
        m_nic->GetCore()->At(at, this, m_nic->GetServicePhase(m_port));
    }
}

void
PaceEvent::Fire(Tick now)
{
    --m_pending;
    if (now != m_armed)
    {
        return;
    }
    m_armed = NEVER;
    m_nic->Wake(m_port, now);
}

RetransmitTimers::RetransmitTimers(Nic* nic)
    : m_nic(nic)
{
}

RetransmitTimers::~RetransmitTimers()
{
    if (m_pending)
    {
        m_nic->GetCore()->Forget(this);
    }
}

void
RetransmitTimers::Arm(QueuePair* qp, Tick deadline)
{
    m_heap.push(Item{deadline, m_order++, Ptr<QueuePair>(qp)});
    Schedule();
}

void
RetransmitTimers::Schedule()
{
    if (!m_heap.empty() && m_heap.top().deadline < m_armed)
    {
        m_armed = m_heap.top().deadline;
        ++m_pending;
        m_nic->GetCore()->At(m_armed, this, EventPhase::SERVICE);
    }
}

void
RetransmitTimers::Fire(Tick now)
{
    --m_pending;
    if (now != m_armed)
    {
        return;
    }
    m_armed = NEVER;
    while (!m_heap.empty() && m_heap.top().deadline <= now)
    {
        const Item item = m_heap.top();
        m_heap.pop();
        m_nic->CheckTimer(PeekPointer(item.qp), item.deadline, now);
    }
    Schedule();
}

CnpDelay::CnpDelay(Nic* nic, bool outgoing)
    : DelayLine(nic->GetCore()),
      m_nic(nic),
      m_outgoing(outgoing)
{
}

void
CnpDelay::Release(Frame* frame, Tick now)
{
    if (m_outgoing)
    {
        m_nic->SendControl(frame, now);
    }
    else
    {
        m_nic->HandleCnp(frame, now);
    }
}

} // namespace roce
} // namespace ns3
