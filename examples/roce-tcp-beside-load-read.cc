/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-tcp-beside-load.h"

#include "ns3/simulator.h"

// what BesideLoad reads while it runs

namespace ns3
{
namespace roce
{

namespace
{

constexpr int64_t SAMPLE_NS = 1000; //!< between two looks at the queue

} // namespace

void
BesideLoad::OnMark(const Frame& frame, uint32_t)
{
    ++m_marks[frame.priority == BesideSetup::TCP_PRIORITY];
}

void
BesideLoad::Begin()
{
    m_before = Read();
    Sample();
}

void
BesideLoad::Sample()
{
    if (Simulator::Now() >= m_end)
    {
        return;
    }
    const Port* port = m_fabric->GetPort(BesideSetup::RECEIVER, 0)->GetPeer();
    const Transmitter& queues = port->GetTransmitter();
    m_queues[0].Add(double(queues.GetQueueBytes(BesideSetup::ROCE_PRIORITY)));
    m_queues[1].Add(double(queues.GetQueueBytes(BesideSetup::TCP_PRIORITY)));
    Simulator::Schedule(NanoSeconds(SAMPLE_NS), &BesideLoad::Sample, this);
}

void
BesideLoad::End()
{
    m_after = Read();
}

BesideLoad::Counts
BesideLoad::Read() const
{
    Counts counts;
    for (uint32_t id : m_fabric->GetGraph().Switches())
    {
        const Ptr<Switch> device = m_fabric->GetSwitch(id);
        counts.lossy += device->GetDrops(DropReason::LOSSY_BUFFER);
        counts.lossless += device->GetDrops(DropReason::LOSSLESS_BUFFER);
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            counts.xoff += device->GetPfcController()->GetXoffs(p);
        }
    }
    for (const Loop& loop : m_roce)
    {
        counts.bytes[0] += loop.connection.peerQp->GetResponder().GetBytes();
        counts.resent[0] += loop.connection.nic->GetCounters().retransmitted;
        counts.timeouts[0] += loop.connection.nic->GetCounters().timeouts;
    }
    for (const Loop& loop : m_tcp)
    {
        counts.bytes[1] += loop.stream->GetBytesRead();
        counts.resent[1] += loop.stream->GetRetransmissions();
        counts.timeouts[1] += loop.stream->GetTimeouts();
    }
    counts.marks = m_marks;
    return counts;
}

} // namespace roce
} // namespace ns3
