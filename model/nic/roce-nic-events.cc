/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-events.h"

#include "roce-nic.h"

#include <algorithm>
#include <functional>

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

QueuePairTimers::QueuePairTimers(Nic* nic, Handler handler)
    : m_nic(nic),
      m_handler(handler)
{
}

QueuePairTimers::~QueuePairTimers()
{
    if (m_pending)
    {
        m_nic->GetCore()->Forget(this);
    }
}

void
QueuePairTimers::Arm(QueuePair* qp, Tick deadline)
{
    m_heap.push_back(Item{deadline, m_order++, qp->GetQpn()});
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<Item>());
    Schedule();
}

void
QueuePairTimers::Forget()
{
    constexpr std::size_t few = 8;
    if (++m_stale <= few || 2 * m_stale <= m_heap.size())
    {
        return;
    }
    m_stale = 0;
    m_heap.erase(std::remove_if(m_heap.begin(),
                                m_heap.end(),
                                [this](const Item& item) { return !m_nic->Find(item.qpn); }),
                 m_heap.end());
    m_heap.shrink_to_fit();
    std::make_heap(m_heap.begin(), m_heap.end(), std::greater<Item>());
}

void
QueuePairTimers::Schedule()
{
    if (!m_heap.empty() && m_heap.front().deadline < m_armed)
    {
        m_armed = m_heap.front().deadline;
        ++m_pending;
        m_nic->GetCore()->At(m_armed, this, EventPhase::SERVICE);
    }
}

void
QueuePairTimers::Fire(Tick now)
{
    --m_pending;
    if (now != m_armed)
    {
        return;
    }
    m_armed = NEVER;
    while (!m_heap.empty() && m_heap.front().deadline <= now)
    {
        const Item item = m_heap.front();
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<Item>());
        m_heap.pop_back();
        if (const Ptr<QueuePair> qp = m_nic->Find(item.qpn))
        {
            (m_nic->*m_handler)(PeekPointer(qp), item.deadline, now);
        }
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
