/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-in-flight.h"

#include "roce-port-owner.h"
#include "roce-port.h"

namespace ns3
{
namespace roce
{

void
InFlight::Connect(EventCore* core, Port* to)
{
    m_core = core;
    m_to = to;
}

void
InFlight::Fire(Tick now)
{
    Frame* frame = m_head;
    Frame* next = frame->next;
    m_head = next;
    if (next)
    {
        if (__builtin_expect(!(next->flags & FRAME_SCHEDULED), 1))
        {
            m_core->At(next->arrival, this, EventPhase::ARRIVAL);
        }
        __builtin_prefetch(next->next);
    }
    m_core->CountHop();
    ++m_frames;
    m_bytes += frame->size;
    if (__builtin_expect(frame->kind == FrameKind::PFC, 0))
    {
        m_to->ReceivePause(frame, now);
        return;
    }
    m_owner->Receive(frame, frame->inPort, now);
}

uint64_t
InFlight::Lose()
{
    uint64_t lost = 0;
    if (m_head)
    {
        m_core->Forget(this);
    }
    while (Frame* frame = m_head)
    {
        m_head = frame->next;
        m_core->GetPool().Free(frame);
        ++lost;
    }
    return lost;
}

} // namespace roce
} // namespace ns3
