/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-leave-notifier.h"

#include "roce-switch.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(LeaveNotifier);

TypeId
LeaveNotifier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::LeaveNotifier")
            .SetParent<SwitchStage>()
            .SetGroupName("Roce")
            .AddConstructor<LeaveNotifier>()
            .AddAttribute("Memory",
                          "A flow that is moved is told if it had a CNP of the domain it leaves so "
                          "long ago at most; 0: never",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&LeaveNotifier::m_memory),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ControlPriority",
                          "Priority of CNPs",
                          UintegerValue(6),
                          MakeUintegerAccessor(&LeaveNotifier::m_controlPriority),
                          MakeUintegerChecker<uint8_t>(0, NUM_PRIORITIES - 1))
            .AddTraceSource("Move",
                            "The load balancer moves a flow that had a CNP",
                            MakeTraceSourceAccessor(&LeaveNotifier::m_moveTrace),
                            "ns3::roce::LeaveNotifier::MoveTracedCallback");
    return tid;
}

LeaveNotifier::LeaveNotifier() = default;

LeaveNotifier::~LeaveNotifier() = default;

void
LeaveNotifier::DoDispose()
{
    m_out.reset();
    m_history.reset();
    m_switch = nullptr;
    SwitchStage::DoDispose();
}

void
LeaveNotifier::SetPlaces(std::vector<CnpBody> places)
{
    NS_ABORT_MSG_IF(m_switch, "SetPlaces must come before the stage is added to a frozen switch");
    m_places = std::move(places);
}

uint8_t
LeaveNotifier::GetHears() const
{
    return m_history ? HEARS_ENQUEUE : 0;
}

void
LeaveNotifier::Assemble(Switch& device)
{
    if (m_places.size() != device.GetNumPorts())
    {
        throw std::invalid_argument("switch " + std::to_string(device.GetId()) +
                                    ": SetPlaces has " + std::to_string(m_places.size()) +
                                    " ports, the switch has " +
                                    std::to_string(device.GetNumPorts()));
    }
    m_switch = &device;
    const bool moves = m_memory.IsStrictlyPositive() &&
                       device.GetLoadBalancer()->SetMoveListener(
                           [this](const Frame& frame, uint32_t from, uint32_t to, Tick now) {
                               OnMove(frame, from, to, now);
                           });
    if (moves)
    {
        m_core = EventCore::Get();
        m_out = std::make_unique<CnpInjector>(m_switch, PeekPointer(m_core));
        m_history = std::make_unique<CnpHistory>(ToTick(m_memory));
    }
}

bool
LeaveNotifier::MayEnqueue(Frame* frame, uint32_t, uint32_t, Tick now)
{
    CnpBody body;
    if (frame->kind != FrameKind::CNP || !(frame->flags & FRAME_EXTENDED) ||
        !CnpBody::Decode(frame->cnpBody, body) || body.leave)
    {
        return true;
    }
    if (m_history->Note(CnpInjector::TargetOf(*frame), body.domain, now))
    {
        body.leave = true;
        body.clear = false;
        ++m_repeats;
        m_out->Follow(*frame, body, now);
    }
    return true;
}

void
LeaveNotifier::OnMove(const Frame& frame, uint32_t from, uint32_t to, Tick now)
{
    if (!m_history || !CnpInjector::IsData(frame) || !CnpInjector::CanTell(frame) ||
        from >= m_places.size() || to >= m_places.size())
    {
        return;
    }
    const uint64_t flow = CnpInjector::FlowOf(frame);
    if (m_history->Leave(flow, m_places[from].domain, m_places[to].domain, now))
    {
        CnpBody body = m_places[from];
        body.leave = true;
        body.hops = frame.hops;
        ++m_leaves;
        m_moveTrace(flow, from, to);
        m_out->Send(frame, body, m_controlPriority, now);
    }
}

uint64_t
LeaveNotifier::GetLeaves() const
{
    return m_leaves;
}

uint64_t
LeaveNotifier::GetRepeats() const
{
    return m_repeats;
}

} // namespace roce
} // namespace ns3
