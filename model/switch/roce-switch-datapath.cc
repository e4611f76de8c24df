/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/roce-event-core.h"

// what Switch does with frames; its assembly is in roce-switch.cc

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceSwitch");

void
Switch::Receive(Frame* frame, uint32_t port, Tick now)
{
    NS_ABORT_MSG_IF(!m_pool, "a frame reached a switch that is not frozen (Freeze, Initialize)");
    ++m_framesIn;
    if (__builtin_expect(frame->ttl <= 1, 0))
    {
        Drop(frame, DropReason::TTL);
        return;
    }
    --frame->ttl;
    uint32_t count;
    const uint16_t* members = m_forwarding.Lookup(frame->destination, count);
    if (__builtin_expect(count == 0, 0))
    {
        Drop(frame, DropReason::NO_ROUTE);
        return;
    }
    const uint32_t out = m_balance->Pick(frame, members, count, now);
    Transmitter* tx = m_ports[out].tx;
    __builtin_prefetch(tx);
    if (__builtin_expect(!m_mmu.Admit(frame, port), 0))
    {
        Drop(frame,
             (frame->flags & FRAME_LOSSLESS) ? DropReason::LOSSLESS_BUFFER
                                             : DropReason::LOSSY_BUFFER);
        return;
    }
    const unsigned priority = frame->priority;
    if ((frame->flags & FRAME_LOSSLESS) && !((m_pfc->GetMask(port) >> priority) & 1) &&
        __builtin_expect(m_mmu.XoffDue(port, priority), 0))
    {
        SendXoff(port, priority, now);
    }
    tx->Enqueue(frame, priority, now);
}

void
Switch::Departing(Frame* frame, uint32_t port, Tick now)
{
    ++m_framesOut;
    const uint32_t inPort = frame->inPort;
    const unsigned priority = frame->priority;
    m_mmu.Release(frame, inPort);
    const PortState& state = m_ports[port];
    if (__builtin_expect(m_marker->Mark(frame, state.ecn, state.tx->GetQueueBytes(priority)), 0))
    {
        ++m_marks;
        if (!m_ecnTrace.IsEmpty())
        {
            m_ecnTrace(*frame, port);
        }
    }
    if (__builtin_expect((m_pfc->GetMask(inPort) >> priority) & 1, 0))
    {
        TryXon(inPort, priority, now);
    }
}

void
Switch::Discarded(Frame* frame, uint32_t, Tick now)
{
    if (frame->kind == FrameKind::PFC)
    {
        return; // our own, never stored
    }
    m_mmu.Release(frame, frame->inPort);
    CountDrop(frame, DropReason::LINK_DOWN);
    if ((m_pfc->GetMask(frame->inPort) >> frame->priority) & 1)
    {
        TryXon(frame->inPort, frame->priority, now);
    }
}

void
Switch::LinkChanged(uint32_t port, bool up, Tick)
{
    NS_LOG_INFO("switch " << m_id << " port " << port << (up ? " up" : " down"));
    if (up || !m_pool)
    {
        return;
    }
    const uint8_t mask = m_pfc->GetMask(port);
    m_pfc->Reset(port);
    for (unsigned p = 0; mask && p < NUM_PRIORITIES; ++p)
    {
        if ((mask >> p) & 1)
        {
            m_pfcTrace(port, p, false);
        }
    }
}

void
Switch::CountDrop(const Frame* frame, DropReason reason)
{
    ++m_drops[static_cast<unsigned>(reason)];
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(*frame, reason);
    }
}

void
Switch::Drop(Frame* frame, DropReason reason)
{
    NS_LOG_DEBUG("switch " << m_id << " drops a frame of " << frame->size << " bytes, priority "
                           << +frame->priority << ", " << DropReasonName(reason));
    CountDrop(frame, reason);
    m_pool->Free(frame);
}

void
Switch::SendPause(uint32_t port, uint8_t mask, uint16_t quanta, Tick now)
{
    uint16_t times[NUM_PRIORITIES] = {};
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        times[p] = (mask >> p) & 1 ? quanta : 0;
    }
    m_devices[port]->SendPause(mask, times, now);
}

void
Switch::SendXoff(uint32_t port, unsigned priority, Tick now)
{
    if (!m_pfc->Xoff(port, priority, now))
    {
        return;
    }
    NS_LOG_DEBUG("switch " << m_id << " port " << port << " XOFF priority " << priority);
    SendPause(port, 1u << priority, m_pfc->GetQuanta(), now);
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(port, priority, true);
    }
    ArmRefresh();
}

void
Switch::TryXon(uint32_t port, unsigned priority, Tick now)
{
    if (!m_mmu.XonDue(port, priority) || !m_pfc->Xon(port, priority))
    {
        return;
    }
    NS_LOG_DEBUG("switch " << m_id << " port " << port << " XON priority " << priority);
    SendPause(port, 1u << priority, 0, now);
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(port, priority, false);
    }
}

void
Switch::ArmRefresh()
{
    const Tick deadline = m_pfc->GetDeadline();
    if (deadline < m_refresh.armed)
    {
        m_refresh.armed = deadline;
        ++m_refresh.pending;
        m_core->At(deadline, &m_refresh, EventPhase::SERVICE);
    }
}

void
Switch::RefreshTimer::Fire(Tick now)
{
    --pending;
    if (now >= armed)
    {
        armed = NEVER;
    }
    m_owner->RefreshPauses(now);
}

void
Switch::RefreshPauses(Tick now)
{
    PfcController::Refresh refresh;
    while (m_pfc->NextRefresh(now, refresh))
    {
        SendPause(refresh.port, refresh.mask, m_pfc->GetQuanta(), now);
    }
    ArmRefresh();
}

} // namespace roce
} // namespace ns3
