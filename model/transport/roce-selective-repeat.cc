/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-selective-repeat.h"

#include "roce-send-queue.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);

TypeId
SelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::SelectiveRepeat")
            .SetParent<LossRecovery>()
            .SetGroupName("Roce")
            .AddConstructor<SelectiveRepeat>()
            .AddAttribute("RtoLow",
                          "Retransmission timer while few packets are out (IRN, 4.1: 100 us); "
                          "more than a round trip",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&SelectiveRepeat::m_rtoLow),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoHigh",
                          "Retransmission timer otherwise (IRN, 4.1: 320 us); more than a round "
                          "trip with full queues",
                          TimeValue(MicroSeconds(320)),
                          MakeTimeAccessor(&SelectiveRepeat::m_rtoHigh),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoLowPackets",
                          "Up to how many outstanding packets RtoLow counts (IRN, 4.1: 3)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&SelectiveRepeat::m_rtoLowPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BdpCap",
                          "At most a bandwidth-delay product is outstanding: line rate times "
                          "unloaded round trip (IRN, 3.2: BDP-FC)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SelectiveRepeat::m_bdpCap),
                          MakeBooleanChecker())
            .AddAttribute("Window",
                          "Bytes of BdpCap; 0: computed from line rate and round trip",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SelectiveRepeat::m_windowBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ReorderThreshold",
                          "How many later packets must have arrived before one counts as lost "
                          "(IRN: 1); more where packets are sprayed over unequal paths",
                          UintegerValue(1),
                          MakeUintegerAccessor(&SelectiveRepeat::m_reorderThreshold),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

SelectiveRepeat::SelectiveRepeat() = default;

EarlyPolicy
SelectiveRepeat::GetEarlyPolicy() const
{
    return EarlyPolicy::KEEP;
}

uint64_t
SelectiveRepeat::GetWindow() const
{
    const RecoveryParameters& p = GetParameters();
    if (!m_bdpCap)
    {
        return ~uint64_t(0);
    }
    if (m_windowBytes > 0)
    {
        return m_windowBytes;
    }
    if (p.baseRtt == 0)
    {
        return ~uint64_t(0);
    }
    const double bytes = double(p.lineRate) / 8.0 * double(p.baseRtt) / double(TicksPerSecond());
    const uint64_t packets = static_cast<uint64_t>(bytes) / p.mtu; // whole ones, or it is exceeded
    return std::max<uint64_t>(1, packets) * p.mtu;
}

bool
SelectiveRepeat::HasTimeout() const
{
    return true;
}

Tick
SelectiveRepeat::GetTimeout(const SendQueue& queue) const
{
    const uint64_t out = queue.GetHigh() - queue.GetUnacknowledged();
    return ToTick(out <= m_rtoLowPackets ? m_rtoLow : m_rtoHigh);
}

bool
SelectiveRepeat::IsRecovering() const
{
    return m_recovering;
}

bool
SelectiveRepeat::HearsAcks() const
{
    return true;
}

void
SelectiveRepeat::Enter(const SendQueue& queue, uint64_t from)
{
    m_recovering = true;
    m_recoveryEnd = queue.GetHigh();
    m_scan = std::max(m_scan, from); // what the last recovery sent again may be on its way
}

void
SelectiveRepeat::FindLost(SendQueue& queue)
{
    const uint64_t una = queue.GetUnacknowledged();
    m_sacked.Raise(una);
    bool found = true;
    if (m_readGap != NO_NUMBER && m_readGap >= una)
    {
        m_lost = m_readGap;
    }
    else if (m_forced != NO_NUMBER && m_forced >= una && m_forced < queue.GetHigh())
    {
        m_lost = m_forced;
    }
    else
    {
        const uint64_t limit = m_recovering ? m_sacked.FromTop(m_reorderThreshold) : 0;
        m_lost = std::max(m_scan, una);
        while (m_lost < limit && m_sacked.Test(m_lost))
        {
            ++m_lost;
        }
        found = m_lost < limit;
    }
    queue.SetHold(SendQueue::RESEND, found);
}

void
SelectiveRepeat::OnNak(SendQueue& queue, uint64_t expected, uint64_t seen)
{
    m_sacked.Raise(queue.GetUnacknowledged());
    if (!m_recovering)
    {
        Enter(queue, expected);
    }
    m_scan = std::max(m_scan, expected);
    if (seen <= expected)
    {
        m_forced = expected; // refused, or a responder that keeps nothing: it needs that one
    }
    else if (seen < queue.GetHigh())
    {
        // the numbers of a READ behind its first are no packets that could be lost
        const SendQueue::OpenRequest* open = queue.FindOpen(seen);
        const bool read = open && IsReadOrAtomic(open->request.operation);
        const uint64_t end =
            read ? std::min(open->first + open->packets, queue.GetHigh()) : seen + 1;
        for (uint64_t number = seen; number < end; ++number)
        {
            m_sacked.Set(number);
        }
    }
    FindLost(queue);
}

void
SelectiveRepeat::OnReadGap(SendQueue& queue, uint64_t number)
{
    m_readGap = number;
    FindLost(queue);
}

void
SelectiveRepeat::OnTimeout(SendQueue& queue)
{
    Enter(queue, queue.GetUnacknowledged());
    m_scan = queue.GetUnacknowledged(); // it is not: all that is missing goes again
    m_forced = m_scan;
    FindLost(queue);
}

void
SelectiveRepeat::OnAck(SendQueue& queue)
{
    const uint64_t una = queue.GetUnacknowledged();
    if (m_recovering && una >= m_recoveryEnd)
    {
        m_recovering = false;
        m_forced = NO_NUMBER;
        if (m_sacked.GetEnd() > una)
        {
            Enter(queue, una); // a packet sent meanwhile is missing, and may be the last to tell
        }
    }
    if (m_recovering || m_readGap != NO_NUMBER || (queue.GetHolds() & SendQueue::RESEND))
    {
        FindLost(queue);
    }
}

uint64_t
SelectiveRepeat::GetLost() const
{
    return m_lost;
}

void
SelectiveRepeat::OnResent(SendQueue& queue, uint64_t after)
{
    if (m_lost == m_readGap)
    {
        m_readGap = NO_NUMBER;
    }
    else
    {
        m_scan = std::max(m_scan, after);
        m_forced = NO_NUMBER;
    }
    FindLost(queue);
}

} // namespace roce
} // namespace ns3
