/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-receive-buffer.h"

#include "ns3/abort.h"
#include "ns3/roce-pause-headroom.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(ReceiveBuffer);

TypeId
ReceiveBuffer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::ReceiveBuffer")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<ReceiveBuffer>()
            .AddAttribute("DrainRate",
                          "Rate at which the host takes frames; 0: as fast as they come",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&ReceiveBuffer::m_drainRate),
                          MakeDataRateChecker())
            .AddAttribute("Bytes",
                          "Size of the buffer",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&ReceiveBuffer::m_bytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("XoffBytes",
                          "The sender is paused when so many bytes are stored; 0: half of Bytes",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReceiveBuffer::m_xoffBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("XonBytes",
                          "The sender goes on when so many bytes are left; 0: half of XoffBytes",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReceiveBuffer::m_xonBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("MaxFrameBytes",
                          "Largest frame, from destination address to FCS",
                          UintegerValue(4174),
                          MakeUintegerAccessor(&ReceiveBuffer::m_maxFrameBytes),
                          MakeUintegerChecker<uint32_t>(64, 65535))
            .AddAttribute("Quanta",
                          "Pause time to send, in quanta of 512 bit times",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&ReceiveBuffer::m_quanta),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("LosslessMask",
                          "Bit p: priority p is paused",
                          UintegerValue(0x18),
                          MakeUintegerAccessor(&ReceiveBuffer::m_losslessMask),
                          MakeUintegerChecker<uint8_t>());
    return tid;
}

ReceiveBuffer::Timer::Timer(ReceiveBuffer* owner, void (ReceiveBuffer::*action)(Tick))
    : m_owner(owner),
      m_action(action)
{
}

void
ReceiveBuffer::Timer::Fire(Tick now)
{
    pending = false;
    (m_owner->*m_action)(now);
}

ReceiveBuffer::ReceiveBuffer()
    : m_core(EventCore::Get()),
      m_drain(this, &ReceiveBuffer::Drain),
      m_refresh(this, &ReceiveBuffer::Refresh)
{
}

ReceiveBuffer::~ReceiveBuffer() = default;

void
ReceiveBuffer::DoDispose()
{
    for (Timer* timer : {&m_drain, &m_refresh})
    {
        if (timer->pending)
        {
            m_core->Forget(timer);
            timer->pending = false;
        }
    }
    while (m_head)
    {
        Frame* frame = m_head;
        m_head = frame->next;
        m_core->GetPool().Free(frame);
    }
    m_level = 0;
    m_port = nullptr;
    m_owner = nullptr;
    Object::DoDispose();
}

void
ReceiveBuffer::Install(Ptr<Port> port, PortOwner* owner)
{
    NS_ABORT_MSG_IF(m_port, "a receive buffer belongs to one port; make another one");
    NS_ABORT_MSG_IF(!port->GetPeer(), "a receive buffer is installed after the cable");
    m_xoffBytes = m_xoffBytes ? m_xoffBytes : m_bytes / 2;
    m_xonBytes = m_xonBytes ? m_xonBytes : m_xoffBytes / 2;
    m_port = PeekPointer(port);
    CheckRoom();
    m_owner = owner;
    port->AggregateObject(this); // it lives as long as the port
    port->Assemble(this, port->GetIndex(), Transmitter::NIC);
    port->UpdateWatch();
}

void
ReceiveBuffer::CheckRoom() const
{
    UintegerValue pauseBytes;
    m_port->GetAttribute("PauseFrameBytes", pauseBytes);
    TimeValue response;
    m_port->GetPeer()->GetAttribute("PauseResponse", response);
    const double quanta = response.Get().GetSeconds() * m_port->GetRate() / PAUSE_QUANTUM_BITS;
    PauseHeadroom headroom;
    headroom.rate = m_port->GetRate();
    headroom.delay = m_port->GetDelay();
    headroom.ticksPerSecond = TicksPerSecond();
    headroom.mtu = m_maxFrameBytes;
    headroom.pfc = static_cast<uint32_t>(pauseBytes.Get());
    headroom.responseQuanta = static_cast<uint32_t>(std::ceil(quanta));
    headroom.overhead = m_port->GetGap();
    const uint64_t need = headroom.GetBytes();
    const uint64_t room = m_bytes > m_xoffBytes ? m_bytes - m_xoffBytes : 0;
    if (room < need || m_xonBytes >= m_xoffBytes)
    {
        std::ostringstream message;
        message << "receive buffer: of " << m_bytes << " bytes " << room << " lie above XoffBytes ("
                << m_xoffBytes << "), but the link needs " << need << "; XonBytes is " << m_xonBytes
                << ", must be below XoffBytes. Enlarge Bytes or lower XoffBytes or XonBytes";
        throw std::invalid_argument(message.str());
    }
}

uint64_t
ReceiveBuffer::GetLevel() const
{
    return m_level;
}

uint64_t
ReceiveBuffer::GetPeak() const
{
    return m_peak;
}

uint64_t
ReceiveBuffer::GetDrops() const
{
    return m_drops;
}

uint64_t
ReceiveBuffer::GetXoffs() const
{
    return m_xoffs;
}

uint64_t
ReceiveBuffer::GetXons() const
{
    return m_xons;
}

uint64_t
ReceiveBuffer::GetRefreshes() const
{
    return m_refreshes;
}

void
ReceiveBuffer::Receive(Frame* frame, uint32_t port, Tick now)
{
    if (m_drainRate.GetBitRate() == 0 || frame->kind == FrameKind::CNP)
    {
        m_owner->Receive(frame, port, now);
        return;
    }
    if (m_level + frame->size > m_bytes)
    {
        ++m_drops;
        m_core->GetPool().Free(frame);
        return;
    }
    m_level += frame->size;
    m_peak = std::max(m_peak, m_level);
    frame->next = nullptr;
    if (m_head)
    {
        m_tail->next = frame;
        m_tail = frame;
    }
    else
    {
        m_head = m_tail = frame;
        m_remainder = 0;
        ScheduleHead(now);
    }
    if (!m_paused && m_level >= m_xoffBytes)
    {
        m_paused = true;
        ++m_xoffs;
        SendPause(m_quanta, now);
    }
}

void
ReceiveBuffer::Arm(Timer& timer, Tick at)
{
    if (!timer.pending)
    {
        timer.pending = true;
        m_core->At(at, &timer, EventPhase::SERVICE);
    }
}

void
ReceiveBuffer::ScheduleHead(Tick now)
{
    const auto bits = static_cast<__uint128_t>(m_head->size) * 8 * TicksPerSecond() + m_remainder;
    const uint64_t rate = m_drainRate.GetBitRate();
    m_remainder = static_cast<uint64_t>(bits % rate);
    Arm(m_drain, now + std::max<Tick>(1, static_cast<Tick>(bits / rate)));
}

void
ReceiveBuffer::Drain(Tick now)
{
    Frame* frame = m_head;
    m_head = frame->next;
    m_level -= frame->size;
    if (m_head)
    {
        ScheduleHead(now);
    }
    if (m_paused && m_level <= m_xonBytes)
    {
        m_paused = false;
        ++m_xons;
        SendPause(0, now);
    }
    m_owner->Receive(frame, m_port->GetIndex(), now);
}

void
ReceiveBuffer::SendPause(uint16_t quanta, Tick now)
{
    uint16_t times[NUM_PRIORITIES];
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        times[p] = (m_losslessMask >> p) & 1 ? quanta : 0;
    }
    m_port->SendPause(m_losslessMask, times, now);
    if (quanta)
    {
        const Tick pause = m_port->GetPauseState().QuantaToTicks(quanta);
        m_refreshAt = now + std::max<Tick>(1, pause / 2);
        Arm(m_refresh, m_refreshAt);
    }
}

void
ReceiveBuffer::Refresh(Tick now)
{
    if (!m_paused)
    {
        return;
    }
    if (now >= m_refreshAt)
    {
        ++m_refreshes;
        SendPause(m_quanta, now);
        return;
    }
    Arm(m_refresh, m_refreshAt); // it was let go and paused again meanwhile
}

void
ReceiveBuffer::Departing(Frame* frame, uint32_t port, Tick now)
{
    m_owner->Departing(frame, port, now);
}

void
ReceiveBuffer::Discarded(Frame* frame, uint32_t port, Tick now)
{
    m_owner->Discarded(frame, port, now);
}

bool
ReceiveBuffer::Pull(uint32_t port, Tick now)
{
    return m_owner->Pull(port, now);
}

void
ReceiveBuffer::LinkChanged(uint32_t port, bool up, Tick now)
{
    if (!up && m_paused)
    {
        m_paused = false; // the far end has forgotten the pause
        ++m_xons;
    }
    m_owner->LinkChanged(port, up, now);
}

} // namespace roce
} // namespace ns3
