/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-switch.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/roce-event-core.h"

#include <algorithm>

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
    if (__builtin_expect(m_hears & (SwitchStage::HEARS_ENQUEUE | LIMITS_EGRESS), 0) &&
        Refuses(frame, port, out, now))
    {
        return;
    }
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
    if (__builtin_expect(m_hears & MARKS_ARRIVALS, 0))
    {
        MarkArrival(frame, out);
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
        NoteMark(*frame, port);
    }
    if (__builtin_expect((m_pfc->GetMask(inPort) >> priority) & 1, 0))
    {
        TryXon(inPort, priority, now);
    }
    if (__builtin_expect(m_hears & SwitchStage::HEARS_DEPARTURE, 0))
    {
        TellStages(frame, port, now);
    }
}

void
Switch::MarkArrival(Frame* frame, uint32_t out)
{
    if (m_marker->Mark(frame, m_arrivalEcn[out], m_ports[out].tx->GetQueueBytes(frame->priority)))
    {
        NoteMark(*frame, out);
    }
}

void
Switch::NoteMark(const Frame& frame, uint32_t out)
{
    ++m_marks;
    if (!m_ecnTrace.IsEmpty())
    {
        m_ecnTrace(frame, out);
    }
}

bool
Switch::Refuses(Frame* frame, uint32_t in, uint32_t out, Tick now)
{
    if (!AskStages(frame, in, out, now))
    {
        Drop(frame, DropReason::WATCHDOG);
        return true;
    }
    if ((m_hears & LIMITS_EGRESS) &&
        !m_mmu.AdmitsEgress(frame, m_ports[out].tx->GetQueueBytes(frame->priority)))
    {
        Drop(frame, DropReason::LOSSY_BUFFER);
        return true;
    }
    return false;
}

bool
Switch::AskStages(Frame* frame, uint32_t in, uint32_t out, Tick now) const
{
    bool may = true;
    for (const auto& stage : m_stages)
    {
        may = may && (!(stage->GetHears() & SwitchStage::HEARS_ENQUEUE) ||
                      stage->MayEnqueue(frame, in, out, now));
    }
    return may;
}

void
Switch::TellStages(Frame* frame, uint32_t out, Tick now) const
{
    for (const auto& stage : m_stages)
    {
        if (stage->GetHears() & SwitchStage::HEARS_DEPARTURE)
        {
            stage->OnDeparture(frame, out, now);
        }
    }
}

void
Switch::NotePause(uint32_t port, unsigned priority, bool xoff, Tick now)
{
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(port, priority, xoff);
    }
    for (const auto& stage : m_stages)
    {
        if (stage->GetHears() & SwitchStage::HEARS_PAUSE)
        {
            stage->OnPauseSent(port, priority, xoff, now);
        }
    }
}

void
Switch::DropQueue(uint32_t port, unsigned priority, Tick now)
{
    m_discardReason = DropReason::WATCHDOG;
    m_ports[port].tx->Flush(priority, now);
    m_discardReason = DropReason::LINK_DOWN;
}

void
Switch::Discarded(Frame* frame, uint32_t, Tick now)
{
    if (frame->kind == FrameKind::PFC)
    {
        return; // our own, never stored
    }
    m_mmu.Release(frame, frame->inPort);
    CountDrop(frame, m_discardReason);
    if ((m_pfc->GetMask(frame->inPort) >> frame->priority) & 1)
    {
        TryXon(frame->inPort, frame->priority, now);
    }
}

void
Switch::LinkChanged(uint32_t port, bool up, Tick now)
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
            NotePause(port, p, false, now);
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
    if (m_pfc->PausesLink())
    {
        if (quanta != 0 || m_pfc->GetMask(port) == 0) // it goes on when the last priority may
        {
            std::fill_n(times, NUM_PRIORITIES, quanta);
            m_devices[port]->SendPause(0xff, times, now, true);
        }
        return;
    }
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
    NotePause(port, priority, true, now);
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
    NotePause(port, priority, false, now);
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
