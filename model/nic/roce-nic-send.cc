/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// what Nic does when it sends and when requests end
#include "roce-nic-lane.h"
#include "roce-nic.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceNicSend");

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
            SendData(lane, qp, now);
            busy = tx.GetBusyUntil();
            break;
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

void
Nic::SendData(Lane& lane, QueuePair* qp, Tick now)
{
    Frame* frame = m_core->GetPool().Get();
    qp->m_requester.Build(*frame);
    frame->stamp = static_cast<uint32_t>(now);
    const uint32_t size = frame->size;
    ++m_counters.dataSent;
    if (__builtin_expect(frame->flags & FRAME_RETRANSMIT, 0))
    {
        ++m_counters.retransmitted;
    }
    const uint16_t fraction = qp->m_nextSlot == now ? qp->m_slotFraction : 0;
    lane.tx->Start(frame, now, fraction);

    const uint32_t bytes = size + lane.tx->GetTiming()->GetOverhead();
    if (qp->m_hearsSent || now >= qp->m_controlDeadline)
    {
        qp->m_control->OnSent(bytes, now);
        qp->Refresh();
    }
    if (qp->m_deadline == NEVER)
    {
        SetDeadline(qp, now);
    }
    qp->m_nextSlot = NextSlot(*lane.tx, qp, bytes, now);
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
    if (qp->m_queued || !qp->CanSend())
    {
        return;
    }
    qp->m_queued = true;
    Lane& lane = m_lanes[qp->m_config.localPort];
    lane.arbiter.Insert(qp, qp->m_config.priority, std::max(now, qp->m_nextSlot));
    lane.tx->Kick(now);
}

void
Nic::Retire(QueuePair* qp, Tick now)
{
    qp->m_retries = 0;
    SetDeadline(qp, now);
    Requester::OpenRequest open;
    while (qp->m_requester.Retire(open))
    {
        Complete(qp, open, CompletionStatus::SUCCESS, now);
    }
}

void
Nic::Complete(QueuePair* qp, const Requester::OpenRequest& open, CompletionStatus status, Tick now)
{
    Completion completion;
    completion.id = open.request.id;
    completion.bytes = open.request.bytes;
    completion.posted = open.posted;
    completion.completed = now;
    completion.qpn = qp->m_qpn;
    completion.kind = CompletionKind::WRITE;
    completion.status = status;
    if (status == CompletionStatus::SUCCESS)
    {
        ++m_counters.requestsCompleted;
        m_counters.bytesCompleted += open.request.bytes;
    }
    else
    {
        ++m_counters.requestsFailed;
    }
    if (qp->m_sendQueue)
    {
        qp->m_sendQueue->Push(completion);
    }
    m_completed(completion);
}

void
Nic::SetDeadline(QueuePair* qp, Tick now)
{
    if (qp->m_config.ackTimeout == 0 || !qp->m_requester.IsWaiting())
    {
        qp->m_deadline = NEVER;
        return;
    }
    qp->m_deadline = now + qp->m_config.ackTimeout;
    if (!qp->m_timerSet)
    {
        qp->m_timerSet = true;
        m_timers->Arm(qp, qp->m_deadline);
    }
}

void
Nic::CheckTimer(QueuePair* qp, Tick now)
{
    qp->m_timerSet = false;
    if (qp->m_deadline == NEVER || qp->m_state != QueuePairState::RTS)
    {
        return;
    }
    if (now < qp->m_deadline)
    {
        qp->m_timerSet = true;
        m_timers->Arm(qp, qp->m_deadline);
        return;
    }
    ++qp->m_timeouts;
    ++m_counters.timeouts;
    m_timeout(qp->m_qpn, now);
    if (++qp->m_retries > qp->m_config.retryLimit)
    {
        NS_LOG_WARN("QP " << qp->m_qpn << " at node " << m_nodeId << ": " << qp->m_retries
                          << " timeouts in a row, limit " << qp->m_config.retryLimit);
        Fail(qp, CompletionStatus::RETRY_EXCEEDED, now);
        return;
    }
    qp->m_requester.GoBackToOldest();
    qp->m_control->OnLoss(true, now);
    qp->Refresh();
    SetDeadline(qp, now);
    Activate(qp, now);
}

void
Nic::Fail(QueuePair* qp, CompletionStatus status, Tick now)
{
    qp->m_state = QueuePairState::ERROR;
    qp->m_deadline = NEVER;
    Requester::OpenRequest open;
    while (qp->m_requester.Flush(open))
    {
        Complete(qp, open, status, now);
        status = CompletionStatus::FLUSHED;
    }
}

} // namespace roce
} // namespace ns3
