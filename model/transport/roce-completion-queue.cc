/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-completion-queue.h"

#include "ns3/simulator.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CompletionQueue);

TypeId
CompletionQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::CompletionQueue")
                            .SetParent<Object>()
                            .SetGroupName("Roce")
                            .AddConstructor<CompletionQueue>();
    return tid;
}

CompletionQueue::CompletionQueue() = default;

void
CompletionQueue::SetHandler(uint32_t context, Handler handler)
{
    m_context = context;
    m_handler = handler;
    ScheduleDrain();
}

void
CompletionQueue::ScheduleDrain()
{
    if (m_queue.empty() || m_handler.IsNull() || m_draining)
    {
        return;
    }
    m_draining = true;
    Ptr<CompletionQueue> self(this);
    Simulator::ScheduleWithContext(m_context, Time(0), [self]() { self->Drain(); });
}

void
CompletionQueue::Push(const Completion& completion)
{
    m_queue.push_back(completion);
    ScheduleDrain();
}

bool
CompletionQueue::Poll(Completion& completion)
{
    if (m_queue.empty())
    {
        return false;
    }
    completion = m_queue.front();
    m_queue.pop_front();
    return true;
}

std::size_t
CompletionQueue::GetDepth() const
{
    return m_queue.size();
}

void
CompletionQueue::Drain()
{
    m_draining = false;
    Completion completion;
    while (!m_handler.IsNull() && Poll(completion))
    {
        m_handler(completion);
    }
}

void
CompletionQueue::DoDispose()
{
    m_handler.Nullify();
    m_queue.clear();
    Object::DoDispose();
}

} // namespace roce
} // namespace ns3
