/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-delay-line.h"

namespace ns3
{
namespace roce
{

DelayLine::DelayLine(EventCore* core)
    : m_core(core)
{
}

DelayLine::~DelayLine()
{
    if (m_head)
    {
        m_core->Forget(this);
    }
    while (Frame* frame = m_head)
    {
        m_head = frame->next;
        m_core->GetPool().Free(frame);
    }
}

void
DelayLine::Push(Frame* frame, Tick at)
{
    frame->next = nullptr;
    frame->arrival = at;
    if (m_head)
    {
        m_tail->next = frame;
        m_tail = frame;
        return;
    }
    m_head = m_tail = frame;
    m_core->At(at, this, EventPhase::ARRIVAL);
}

void
DelayLine::Fire(Tick now)
{
    Frame* frame = m_head;
    m_head = frame->next;
    if (m_head)
    {
        m_core->At(m_head->arrival, this, EventPhase::ARRIVAL);
    }
    Release(frame, now);
}

} // namespace roce
} // namespace ns3
