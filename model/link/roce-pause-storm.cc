/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pause-storm.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(PauseStorm);

TypeId
PauseStorm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::PauseStorm")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<PauseStorm>()
            .AddAttribute("Quanta",
                          "Pause time in each frame; 0: frames that end pauses",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&PauseStorm::m_quanta),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Interval",
                          "Time between frames; 0: half the pause time, or 10 us with Quanta 0",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PauseStorm::m_interval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Release",
                          "Whether a frame that ends the pause is sent at the end; if not it runs "
                          "out",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PauseStorm::m_release),
                          MakeBooleanChecker());
    return tid;
}

PauseStorm::PauseStorm()
    : m_core(EventCore::Get()),
      m_timer(this)
{
}

PauseStorm::~PauseStorm() = default;

void
PauseStorm::DoDispose()
{
    if (m_port)
    {
        m_core->Forget(&m_timer);
        m_port = nullptr;
    }
    Object::DoDispose();
}

void
PauseStorm::Start(Ptr<Port> port, uint8_t mask, Time start, Time duration)
{
    std::ostringstream wrong;
    if (m_port)
    {
        wrong << "one is under way; stop it, or make another";
    }
    else if (ToTick(start) < m_core->Now())
    {
        wrong << "start " << start.As(Time::NS) << " lies in the past, now is "
              << FromTick(m_core->Now()).As(Time::NS);
    }
    else if (mask == 0 || !duration.IsStrictlyPositive())
    {
        wrong << "mask " << +mask << " for " << duration.As(Time::NS)
              << " sends nothing; both must be above zero";
    }
    else if (!port || !port->GetPeer())
    {
        wrong << "the port has no cable";
    }
    if (!wrong.str().empty())
    {
        throw std::invalid_argument("pause storm: " + wrong.str());
    }
    m_port = port;
    m_mask = mask;
    m_end = ToTick(start + duration);
    m_period = ToTick(m_interval);
    if (m_period == 0)
    {
        const Tick half = port->GetPauseState().QuantaToTicks(m_quanta) / 2;
        m_period = m_quanta ? std::max<Tick>(half, 1) : ToTick(MicroSeconds(10));
    }
    m_core->At(ToTick(start), &m_timer, EventPhase::SERVICE);
}

void
PauseStorm::Stop()
{
    if (!m_port)
    {
        return;
    }
    m_core->Forget(&m_timer);
    if (m_release && m_quanta)
    {
        Send(0, m_core->Now());
    }
    m_port = nullptr;
}

void
PauseStorm::Timer::Fire(Tick now)
{
    m_owner->Step(now);
}

void
PauseStorm::Step(Tick now)
{
    if (now >= m_end)
    {
        if (m_release && m_quanta)
        {
            Send(0, now);
        }
        m_port = nullptr;
        return;
    }
    Send(m_quanta, now);
    m_core->At(std::min(now + m_period, m_end), &m_timer, EventPhase::SERVICE);
}

void
PauseStorm::Send(uint16_t quanta, Tick now)
{
    if (!m_port->IsLinkUp())
    {
        return;
    }
    uint16_t times[NUM_PRIORITIES] = {};
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        times[p] = (m_mask >> p) & 1 ? quanta : 0;
    }
    m_port->SendPause(m_mask, times, now);
    ++m_frames;
}

bool
PauseStorm::IsRunning() const
{
    return m_port != nullptr;
}

uint64_t
PauseStorm::GetFrames() const
{
    return m_frames;
}

} // namespace roce
} // namespace ns3
