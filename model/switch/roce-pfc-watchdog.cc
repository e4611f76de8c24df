/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pfc-watchdog.h"

#include "roce-switch.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RocePfcWatchdog");

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdog);

TypeId
PfcWatchdog::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::PfcWatchdog")
            .SetParent<SwitchStage>()
            .SetGroupName("Roce")
            .AddConstructor<PfcWatchdog>()
            .AddAttribute("DetectionTime",
                          "A queue that is paused, holds frames and sends nothing for this long is "
                          "in a storm",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&PfcWatchdog::m_detectionTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RestorationTime",
                          "A storm is over when the queue was not paused for this long",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&PfcWatchdog::m_restorationTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PollInterval",
                          "Queues are looked at at multiples of this time",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&PfcWatchdog::m_pollInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Action",
                          "What happens to a queue in a storm: drop, forward or alert",
                          StringValue("drop"),
                          MakeStringAccessor(&PfcWatchdog::SetAction, &PfcWatchdog::GetAction),
                          MakeStringChecker())
            .AddAttribute("PriorityMask",
                          "Bit p: queues of priority p are watched",
                          UintegerValue(0x18),
                          MakeUintegerAccessor(&PfcWatchdog::m_mask),
                          MakeUintegerChecker<uint8_t>())
            .AddTraceSource("Storm",
                            "A storm is found, or is over",
                            MakeTraceSourceAccessor(&PfcWatchdog::m_stormTrace),
                            "ns3::roce::PfcWatchdog::StormTracedCallback");
    return tid;
}

PfcWatchdog::PfcWatchdog()
    : m_timer(this)
{
}

PfcWatchdog::~PfcWatchdog() = default;

void
PfcWatchdog::DoDispose()
{
    if (m_timer.armed)
    {
        m_core->Forget(&m_timer);
        m_timer.armed = false;
    }
    for (const auto& port : m_ports)
    {
        port->TraceDisconnectWithoutContext("PauseReceived",
                                            MakeCallback(&PfcWatchdog::OnPauseFrame, this));
    }
    m_ports.clear();
    m_switch = nullptr;
    SwitchStage::DoDispose();
}

void
PfcWatchdog::SetAction(std::string action)
{
    if (action == "drop")
    {
        m_action = Action::DROP;
    }
    else if (action == "forward")
    {
        m_action = Action::FORWARD;
    }
    else if (action == "alert")
    {
        m_action = Action::ALERT;
    }
    else
    {
        throw std::invalid_argument("PFC watchdog: Action \"" + action +
                                    "\" is not known; choose drop, forward or alert");
    }
}

std::string
PfcWatchdog::GetAction() const
{
    switch (m_action)
    {
    case Action::DROP:
        return "drop";
    case Action::FORWARD:
        return "forward";
    case Action::ALERT:
        return "alert";
    }
    return "";
}

uint8_t
PfcWatchdog::GetHears() const
{
    return HEARS_ENQUEUE | HEARS_DEPARTURE;
}

void
PfcWatchdog::Assemble(Switch& device)
{
    NS_ABORT_MSG_IF(m_switch, "a PFC watchdog belongs to one switch; make one for each");
    m_switch = &device;
    m_core = EventCore::Get();
    m_interval = ToTick(m_pollInterval);
    const uint32_t count = device.GetNumPorts();
    m_queues.resize(count);
    m_ignored.resize(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        const Ptr<Port> port = device.GetPort(i);
        m_ports.push_back(port);
        TimeValue response;
        port->GetAttribute("PauseResponse", response);
        m_response = std::max(m_response, ToTick(response.Get()));
        port->TraceConnectWithoutContext("PauseReceived",
                                         MakeCallback(&PfcWatchdog::OnPauseFrame, this));
        for (Queue& queue : m_queues[i])
        {
            queue.core.Configure(ToTick(m_detectionTime), ToTick(m_restorationTime));
        }
    }
}

bool
PfcWatchdog::MayEnqueue(Frame* frame, uint32_t, uint32_t out, Tick now)
{
    Queue& queue = m_queues[out][frame->priority];
    if (!m_timer.armed)
    {
        // the first frame of a queue that was paused while it was empty, or whose storm ended with
        // its link
        const bool paused = (m_ports[out]->GetPauseState().GetMask() >> frame->priority) & 1;
        if (__builtin_expect(paused != queue.core.IsStormed(), 0))
        {
            Arm(now);
        }
    }
    if (__builtin_expect(queue.drops, 0))
    {
        ++queue.counters.dropped;
        return false;
    }
    return true;
}

void
PfcWatchdog::OnDeparture(Frame* frame, uint32_t out, Tick)
{
    Queue& queue = m_queues[out][frame->priority];
    ++queue.sent;
    queue.counters.forwarded += queue.core.IsStormed();
}

void
PfcWatchdog::OnPauseFrame(const Frame& frame)
{
    const unsigned asked = frame.pauseEnable & m_mask;
    bool xoff = false;
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        xoff = xoff || (((asked >> p) & 1) && frame.pauseQuanta[p] != 0);
    }
    if (!xoff && !(asked && m_storms))
    {
        return;
    }
    const Tick now = m_core->Now();
    m_effective = now + m_response;
    Arm(now);
}

void
PfcWatchdog::Arm(Tick now)
{
    if (m_timer.armed)
    {
        return;
    }
    for (uint32_t port = 0; port < m_queues.size(); ++port)
    {
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            m_queues[port][p].core.Begin(Read(port, p, now));
        }
    }
    m_timer.armed = true;
    m_core->At((now / m_interval + 1) * m_interval, &m_timer, EventPhase::SERVICE);
}

void
PfcWatchdog::PollTimer::Fire(Tick now)
{
    armed = false;
    m_owner->Poll(now);
}

PfcWatchdogSample
PfcWatchdog::Read(uint32_t port, unsigned priority, Tick now) const
{
    const Port& device = *m_ports[port];
    PfcWatchdogSample sample;
    sample.now = now;
    sample.linkUp = device.IsLinkUp();
    sample.paused = (device.GetPauseState().GetMask() >> priority) & 1;
    sample.pausedTotal = device.GetPauseState().GetPaused(priority, now);
    sample.queued = device.GetTransmitter().GetQueueBytes(priority);
    sample.sent = m_queues[port][priority].sent;
    return sample;
}

bool
PfcWatchdog::NeedsPolls(uint32_t port, unsigned priority) const
{
    const PfcWatchdogCore& core = m_queues[port][priority].core;
    const PauseState& pause = m_ports[port]->GetPauseState();
    switch (core.GetState())
    {
    case PfcWatchdogState::OPERATIONAL:
        return false; // the next frame for it, or the next pause, arms again
    case PfcWatchdogState::STORMED:
        return pause.GetDeadline() != NEVER; // else only a pause frame can end it
    case PfcWatchdogState::WATCHING:
    case PfcWatchdogState::CLEARING:
        break;
    }
    return true;
}

void
PfcWatchdog::Poll(Tick now)
{
    ++m_polls;
    m_lastPoll = now;
    bool again = now <= m_effective;
    m_timer.armed = true; // what the actions send or drop does not arm
    for (uint32_t port = 0; port < m_queues.size(); ++port)
    {
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (!((m_mask >> p) & 1))
            {
                continue;
            }
            switch (m_queues[port][p].core.Poll(Read(port, p, now)))
            {
            case PfcWatchdogVerdict::STORM:
                Begin(port, p, now);
                break;
            case PfcWatchdogVerdict::RESTORE:
                End(port, p, now);
                break;
            case PfcWatchdogVerdict::NONE:
                break;
            }
            again = again || NeedsPolls(port, p);
        }
    }
    m_timer.armed = again;
    if (again)
    {
        m_core->At(now + m_interval, &m_timer, EventPhase::SERVICE);
    }
}

void
PfcWatchdog::SetIgnored(uint32_t port, unsigned priority, bool ignored, Tick now)
{
    const auto bit = static_cast<uint8_t>(1u << priority);
    m_ignored[port] = ignored ? (m_ignored[port] | bit) : (m_ignored[port] & ~bit);
    m_ports[port]->IgnorePause(m_ignored[port], now);
}

void
PfcWatchdog::Begin(uint32_t port, unsigned priority, Tick now)
{
    Queue& queue = m_queues[port][priority];
    NS_LOG_WARN("switch " << m_switch->GetId() << " port " << port << " priority " << priority
                          << ": PFC storm, " << GetAction());
    ++m_storms;
    ++queue.counters.storms;
    if (m_action == Action::DROP)
    {
        queue.drops = true;
        const uint64_t before = m_switch->GetDrops(DropReason::WATCHDOG);
        m_switch->DropQueue(port, priority, now);
        queue.counters.dropped += m_switch->GetDrops(DropReason::WATCHDOG) - before;
    }
    else if (m_action == Action::FORWARD)
    {
        SetIgnored(port, priority, true, now);
    }
    m_stormTrace(port, priority, true);
}

void
PfcWatchdog::End(uint32_t port, unsigned priority, Tick now)
{
    Queue& queue = m_queues[port][priority];
    NS_LOG_WARN("switch " << m_switch->GetId() << " port " << port << " priority " << priority
                          << ": PFC storm is over");
    --m_storms;
    ++queue.counters.restores;
    if (queue.drops)
    {
        queue.drops = false;
    }
    else if ((m_ignored[port] >> priority) & 1)
    {
        SetIgnored(port, priority, false, now);
    }
    m_stormTrace(port, priority, false);
}

PfcWatchdogState
PfcWatchdog::GetState(uint32_t port, unsigned priority) const
{
    return m_queues.at(port).at(priority).core.GetState();
}

const PfcWatchdogCounters&
PfcWatchdog::GetCounters(uint32_t port, unsigned priority) const
{
    return m_queues.at(port).at(priority).counters;
}

PfcWatchdogCounters
PfcWatchdog::GetTotals() const
{
    PfcWatchdogCounters sum;
    for (const PortQueues& queues : m_queues)
    {
        for (const Queue& queue : queues)
        {
            sum.storms += queue.counters.storms;
            sum.restores += queue.counters.restores;
            sum.dropped += queue.counters.dropped;
            sum.forwarded += queue.counters.forwarded;
        }
    }
    return sum;
}

uint64_t
PfcWatchdog::GetPolls() const
{
    return m_polls;
}

Tick
PfcWatchdog::GetLastPoll() const
{
    return m_lastPoll;
}

} // namespace roce
} // namespace ns3
