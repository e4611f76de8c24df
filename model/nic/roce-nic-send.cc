/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does when it sends and when requests end
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

EventPhase
Nic::GetServicePhase(uint32_t port) const
{
    return m_lanes[port].tx->GetServicePhase();
}

void
Nic::Wake(uint32_t port, Tick now)
{
    m_lanes[port].tx->Kick(now);
}

void
Nic::Discarded(Frame*, uint32_t, Tick)
{
    ++m_counters.discarded;
}

bool
Nic::Pull(uint32_t port, Tick now)
{
    Lane& lane = m_lanes[port];
    Transmitter& tx = *lane.tx;
    const unsigned paused = tx.GetPaused();
    Tick busy = now; // nothing started yet
    while (QueuePair* qp = lane.arbiter.Choose(now, paused))
    {
        if (qp->CanSend())
        {
            SendNext(lane, qp, now);
            busy = tx.GetBusyUntil();
            if (__builtin_expect(busy > now, 1))
            {
                break;
            }
            continue; // the queue pair failed instead
        }
        Dequeue(lane, qp);
    }
    const Tick next = lane.arbiter.GetNextSlot(paused);
    if (busy > now && next <= busy)
    {
        return true;
    }
    if (next != NEVER)
    {
        lane.pace->Arm(next);
    }
    return false;
}

bool
Nic::BuildRequest(QueuePair* qp, Frame* frame, Tick now)
{
    if (__builtin_expect(!qp->m_requester.Build(*frame), 0))
    {
        const int64_t number = qp->m_requester.NumberOf(frame->psn);
        Fail(qp, CompletionStatus::LOCAL_PROTECTION, static_cast<uint64_t>(number), now);
        return false;
    }
    ++m_counters.dataSent;
    if (__builtin_expect(frame->flags & FRAME_RETRANSMIT, 0))
    {
        ++m_counters.retransmitted;
    }
    return true;
}

bool
Nic::BuildResponse(QueuePair* qp, Frame* frame, Tick now)
{
    const uint32_t stamp = static_cast<uint32_t>(now);
    qp->m_requester.GetAddress().Apply(*frame);
    frame->sourceQp = qp->m_qpn;
    if (!qp->m_responder.BuildResponse(*frame))
    {
        qp->m_answering = false;
        AnswerAnew(qp, qp->m_responder.GetFailure(), stamp, now); // and fails
        return false;
    }
    ++m_counters.responsesSent;
    qp->m_answered = true;
    return true;
}

void
Nic::SendNext(Lane& lane, QueuePair* qp, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    // requests and responses of one queue pair take turns
    const bool response =
        __builtin_expect(qp->m_answering, 0) && !(qp->m_answered && qp->CanRequest());
    qp->m_answered = false;
    if (__builtin_expect(!(response ? BuildResponse(qp, frame, now) : BuildRequest(qp, frame, now)),
                         0))
    {
        m_core->GetPool().Free(frame);
        return; // it failed and will be taken out of the arbiter when it is chosen again
    }
    frame->stamp = static_cast<uint32_t>(now);
    const uint32_t size = frame->size;
    const uint16_t fraction = qp->m_nextSlot == now ? qp->m_slotFraction : 0;
    lane.tx->Start(frame, now, fraction);

    const uint32_t bytes = size + lane.tx->GetTiming()->GetOverhead();
    if (qp->m_hearsSent || now >= qp->m_controlDeadline)
    {
        qp->m_control->OnSent(bytes, now);
        qp->Refresh();
    }
    if (__builtin_expect(qp->m_guaranteed, 0))
    {
        qp->m_lastSent = now;
        qp->m_lastBytes = bytes;
        qp->Refresh(); // a grant is for one packet
    }
    if (__builtin_expect(response, 0))
    {
        SendDeferred(qp, now);
    }
    else if (__builtin_expect(qp->m_unreliable, 0))
    {
        qp->m_requester.AcknowledgeBefore(qp->m_requester.GetNext());
        Retire(qp, now);
    }
    else if (qp->m_deadline == NEVER)
    {
        SetDeadline(qp, now);
    }
    qp->m_nextSlot = NextSlot(*lane.tx, qp, bytes, now) + qp->m_slotPhase;
    if (qp->CanSend())
    {
        lane.arbiter.Reschedule(qp->m_nextSlot, lane.tx->GetBusyUntil());
        lane.arbiter.PrefetchNext();
        return;
    }
    Dequeue(lane, qp);
}

void
Nic::Dequeue(Lane& lane, QueuePair* qp)
{
    lane.arbiter.Remove();
    qp->m_queued = false;
    if (__builtin_expect(qp->m_guaranteed, 0))
    {
        ArmGrant(qp, m_core->Now());
    }
    if (__builtin_expect(!m_retired.empty(), 0))
    {
        m_retired.erase(std::remove(m_retired.begin(), m_retired.end(), Ptr<QueuePair>(qp)),
                        m_retired.end());
    }
}

Tick
Nic::NextSlot(const Transmitter& tx, QueuePair* qp, uint32_t bytes, Tick now)
{
    const LinkTiming& timing = *tx.GetTiming();
    const uint64_t rate = qp->m_rate;
    if (rate >= timing.GetRate())
    {
        qp->m_slotFraction = tx.GetBusyFraction();
        return tx.GetBusyUntil();
    }
    const double ticks = timing.GetTicksPerSecond();
    if (timing.IsTruncated())
    {
        qp->m_slotFraction = 0;
        return now + TruncateToTicks(bytes * 8.0 / double(rate), static_cast<int64_t>(ticks));
    }
    constexpr double scale = 1u << FRACTION_BITS;
    const double carried = qp->m_nextSlot == now ? qp->m_slotFraction / scale : 0.0;
    const double gap = bytes * 8.0 * ticks / double(rate) + carried;
    const auto whole = static_cast<Tick>(gap);
    qp->m_slotFraction = static_cast<uint16_t>((gap - double(whole)) * scale);
    return now + whole;
}

void
Nic::Activate(QueuePair* qp, Tick now)
{
    if (qp->m_queued)
    {
        return;
    }
    if (!qp->CanSend())
    {
        if (!qp->m_guaranteed || !qp->MayGrant())
        {
            return;
        }
        if (GrantSlot(qp, now) > now)
        {
            ArmGrant(qp, now);
            return;
        }
        qp->Grant();
    }
    qp->m_queued = true;
    Lane& lane = m_lanes[qp->m_config.localPort];
    lane.arbiter.Insert(qp, qp->m_config.priority, std::max(now, qp->m_nextSlot));
    lane.tx->Kick(now);
}

Tick
Nic::GrantSlot(const QueuePair* qp, Tick now) const
{
    if (qp->m_lastBytes == 0)
    {
        return now;
    }
    const double ticks = m_lanes[qp->m_config.localPort].tx->GetTiming()->GetTicksPerSecond();
    const double gap = qp->m_lastBytes * 8.0 * ticks / double(qp->m_control->GetGuarantee());
    return qp->m_lastSent + static_cast<Tick>(gap + 0.5);
}

void
Nic::ArmGrant(QueuePair* qp, Tick now)
{
    if (!qp->MayGrant())
    {
        return;
    }
    const Tick slot = std::max(GrantSlot(qp, now), now);
    if (slot < qp->m_grantAt)
    {
        qp->m_grantAt = slot;
        m_grants->Arm(qp, slot);
    }
}

void
Nic::CheckGrant(QueuePair* qp, Tick deadline, Tick now)
{
    if (deadline == qp->m_grantAt)
    {
        qp->m_grantAt = NEVER;
        Activate(qp, now);
    }
}

} // namespace roce
} // namespace ns3
