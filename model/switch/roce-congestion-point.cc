/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-point.h"

#include "roce-switch.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Silence of a queue after which its past does not count. */
constexpr int64_t SILENCE_US = 50;
/** Rate to which AllClearBytes belongs, bit/s. */
constexpr uint64_t CLEAR_RATE = 100000000000;

/** P from which on a queue stands: where phi of the law drains it, too. */
constexpr double STANDING = 0.95;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(CongestionPoint);

TypeId
CongestionPoint::GetTypeId()
{
    static TypeId tid = AddNotification(
        TypeId("ns3::roce::CongestionPoint")
            .SetParent<SwitchStage>()
            .SetGroupName("Roce")
            .AddConstructor<CongestionPoint>()
            .AddAttribute("Window",
                          "Packets among which the share of marked ones is counted",
                          UintegerValue(16),
                          MakeUintegerAccessor(&CongestionPoint::m_window),
                          MakeUintegerChecker<uint16_t>(1, MarkWindow::MAX_LENGTH))
            .AddAttribute("Priorities",
                          "Bit p: queues of priority p are congestion points",
                          UintegerValue(0x8),
                          MakeUintegerAccessor(&CongestionPoint::m_priorities),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("FirstPoint",
                          "Id of the first one here; must be unique in the fabric. They follow by "
                          "port, then by priority",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CongestionPoint::m_firstPoint),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("FlowCounting",
                          "exact: all flows are known. bitmap: estimated as chips do",
                          CompatEnumValue<Counting>(EXACT),
                          CompatMakeEnumAccessor<Counting>(&CongestionPoint::m_counting),
                          MakeEnumChecker(EXACT, "exact", BITMAP, "bitmap"))
            .AddTraceSource("Marks",
                            "The number of marked packets in the window changes",
                            MakeTraceSourceAccessor(&CongestionPoint::m_marksTrace),
                            "ns3::roce::CongestionPoint::MarksTracedCallback")
            .AddTraceSource("Cnp",
                            "A CNP is sent",
                            MakeTraceSourceAccessor(&CongestionPoint::m_cnpTrace),
                            "ns3::roce::CongestionPoint::CnpTracedCallback"));
    return tid;
}

TypeId
CongestionPoint::AddNotification(TypeId tid)
{
    return tid
        .AddAttribute("Notify",
                      "How senders hear of it: cnp, by the switch; tag, for receivers; both; none",
                      CompatEnumValue<Path>(CNP),
                      CompatMakeEnumAccessor<Path>(&CongestionPoint::m_path),
                      MakeEnumChecker(CNP, "cnp", TAG, "tag", BOTH, "both", NONE, "none"))
        .AddAttribute("CnpInterval",
                      "Least time between two CNPs to one flow, in stages 1 and 2",
                      TimeValue(MicroSeconds(4)),
                      MakeTimeAccessor(&CongestionPoint::m_interval),
                      MakeTimeChecker(Time(0), MilliSeconds(1)))
        .AddAttribute("CnpIntervalStage3",
                      "The same between pods",
                      TimeValue(MicroSeconds(10)),
                      MakeTimeAccessor(&CongestionPoint::m_interval3),
                      MakeTimeChecker(Time(0), MilliSeconds(1)))
        .AddAttribute("FlowsPerInterval",
                      "With more flows F than this the interval is F / FlowsPerInterval times as "
                      "long for a flow that had a CNP, unless P >= 0.95; 0 = never",
                      UintegerValue(4),
                      MakeUintegerAccessor(&CongestionPoint::m_flowsPerInterval),
                      MakeUintegerChecker<uint16_t>())
        .AddAttribute("ControlPriority",
                      "Priority of CNPs",
                      UintegerValue(6),
                      MakeUintegerAccessor(&CongestionPoint::m_controlPriority),
                      MakeUintegerChecker<uint8_t>(0, NUM_PRIORITIES - 1))
        .AddAttribute("AllClearBytes",
                      "Queue at 100 Gb/s up to which flows that had a CNP get an all-clear; scales "
                      "with the rate. 0: no all-clear",
                      UintegerValue(0),
                      MakeUintegerAccessor(&CongestionPoint::m_clearBytes),
                      MakeUintegerChecker<uint64_t>());
}

CongestionPoint::CongestionPoint() = default;

CongestionPoint::~CongestionPoint() = default;

void
CongestionPoint::DoDispose()
{
    m_out.reset();
    m_switch = nullptr;
    m_marker = nullptr;
    m_tags = nullptr;
    SwitchStage::DoDispose();
}

void
CongestionPoint::SetPlace(uint32_t port, const Place& place)
{
    NS_ABORT_MSG_IF(m_switch, "SetPlace must come before the stage is added to a frozen switch");
    if (port >= m_places.size())
    {
        m_places.resize(port + 1);
    }
    m_places[port] = place;
}

void
CongestionPoint::SetTags(Ptr<CnpTagTable> tags)
{
    NS_ABORT_MSG_IF(m_switch, "SetTags must come before the stage is added to a frozen switch");
    m_tags = tags;
}

uint8_t
CongestionPoint::GetHears() const
{
    return HEARS_ENQUEUE | HEARS_DEPARTURE;
}

void
CongestionPoint::Assemble(Switch& device)
{
    std::ostringstream problem;
    const uint32_t ports = device.GetNumPorts();
    const auto classes = static_cast<unsigned>(__builtin_popcount(m_priorities));
    m_points = ports * classes;
    const bool tags = m_path & TAG;
    if (m_firstPoint + m_points > 65536)
    {
        problem << "congestion points " << m_firstPoint << " to " << m_firstPoint + m_points - 1
                << " do not fit 16 bits (65535); lower FirstPoint or have fewer Priorities";
    }
    else if (m_places.size() > ports)
    {
        problem << "SetPlace names port " << m_places.size() - 1 << ", the switch has " << ports;
    }
    else if (tags && !m_tags)
    {
        problem << "Notify is tag or both, but the fabric has no tag table; give one by SetTags";
    }
    if (!problem.str().empty())
    {
        throw std::invalid_argument("switch " + std::to_string(device.GetId()) + ": " +
                                    problem.str());
    }
    m_core = EventCore::Get();
    m_switch = &device;
    m_marker = device.GetEcnMarker();
    m_marksArrivals = m_marker->GetMoment() == EcnMarker::ENQUEUE;
    m_silence = ToTick(MicroSeconds(SILENCE_US));
    m_out = std::make_unique<CnpInjector>(m_switch, PeekPointer(m_core));
    m_queues.resize(std::size_t(ports) * NUM_PRIORITIES);
    for (uint32_t port = 0; tags && port < ports; ++port)
    {
        for (unsigned priority = 0; priority < NUM_PRIORITIES; ++priority)
        {
            if ((m_priorities >> priority) & 1)
            {
                CongestionQueue& queue = QueueOf(port, priority);
                const bool last = port < m_places.size() && m_places[port].last;
                queue.tag = m_tags->Assign(queue.place, last);
            }
        }
    }
}

CongestionQueue&
CongestionPoint::QueueOf(uint32_t port, unsigned priority)
{
    std::unique_ptr<CongestionQueue>& slot = m_queues[port * NUM_PRIORITIES + priority];
    if (slot)
    {
        return *slot;
    }
    slot = std::make_unique<CongestionQueue>(m_window, TicksPerSecond(), m_counting == BITMAP);
    CongestionQueue& queue = *slot;
    const Place place = port < m_places.size() ? m_places[port] : Place();
    const auto classes = static_cast<unsigned>(__builtin_popcount(m_priorities));
    const unsigned below = m_priorities & ((1u << priority) - 1);
    const Ptr<Port> device = m_switch->GetPort(port);
    queue.place.domain = place.domain;
    queue.place.tier = place.tier;
    queue.place.stage = place.stage;
    queue.place.point = static_cast<uint16_t>(m_firstPoint + port * classes +
                                              static_cast<unsigned>(__builtin_popcount(below)));
    queue.place.rateBps = device->GetRate();
    queue.transmitter = &device->GetTransmitter();
    queue.ecn = m_marker->GetThresholds(device->GetRate());
    queue.clearBytes = static_cast<uint64_t>(static_cast<__uint128_t>(m_clearBytes) *
                                             device->GetRate() / CLEAR_RATE);
    queue.interval = ToTick(place.stage == 3 ? m_interval3 : m_interval);
    queue.priority = static_cast<uint8_t>(priority);
    return queue;
}

bool
CongestionPoint::MayEnqueue(Frame* frame, uint32_t, uint32_t out, Tick)
{
    frame->flags &= ~FRAME_CE_BEFORE;
    if (frame->ecn == ECN_CE && CnpInjector::IsData(*frame) &&
        ((m_priorities >> frame->priority) & 1))
    {
        const CongestionQueue& queue = QueueOf(out, frame->priority);
        const bool here =
            m_marksArrivals &&
            m_marker->Decide(queue.ecn, queue.transmitter->GetQueueBytes(frame->priority));
        frame->flags |= here ? 0 : FRAME_CE_BEFORE;
    }
    return true;
}

bool
CongestionPoint::IsMarkedHere(const Frame& frame, const CongestionQueue& queue)
{
    if (frame.ecn != ECN_CE || !(frame.flags & FRAME_CE_BEFORE))
    {
        return frame.ecn == ECN_CE;
    }
    return !m_marksArrivals &&
           m_marker->Decide(queue.ecn, queue.transmitter->GetQueueBytes(queue.priority));
}

void
CongestionPoint::OnDeparture(Frame* frame, uint32_t out, Tick now)
{
    if (!CnpInjector::IsData(*frame) || !((m_priorities >> frame->priority) & 1))
    {
        return;
    }
    CongestionQueue& queue = QueueOf(out, frame->priority);
    const unsigned before = queue.window.GetMarks();
    if (now - queue.last > m_silence)
    {
        queue.window.Clear();
    }
    queue.last = now;
    const bool marked = IsMarkedHere(*frame, queue);
    queue.window.Add(marked);
    if (queue.window.GetMarks() != before)
    {
        m_marksTrace(queue.place.point, before, queue.window.GetMarks());
    }
    Notify(frame, queue, marked, now);
}

bool
CongestionPoint::IsDue(const FlowCounter::Flow& flow, CongestionQueue& queue, Tick now) const
{
    if (flow.notified < 0)
    {
        return true;
    }
    const Tick since = now - flow.notified;
    if (since < queue.interval)
    {
        return false;
    }
    // A flow at its share of many has steps that small that it need not be told so often; a queue
    // that stands is another matter.
    return m_flowsPerInterval == 0 || queue.window.GetShare() >= STANDING ||
           since * m_flowsPerInterval >= queue.interval * queue.GetFlows(now);
}

void
CongestionPoint::Notify(Frame* frame, CongestionQueue& queue, bool marked, Tick now)
{
    FlowCounter::Flow& flow = queue.See(CnpInjector::FlowOf(*frame), now);
    if (marked && queue.tag != 0 && !(frame->flags & FRAME_CE_BEFORE))
    {
        frame->flags |= FRAME_TAGGED;
        frame->tag = queue.tag;
    }
    if (!(m_path & CNP))
    {
        return;
    }
    if (marked)
    {
        if (IsDue(flow, queue, now))
        {
            flow.notified = now;
            flow.owesClear = true;
            SendCnp(*frame, queue, false, now);
        }
    }
    else if (flow.owesClear && queue.clearBytes > 0 &&
             queue.transmitter->GetQueueBytes(queue.priority) <= queue.clearBytes)
    {
        flow.owesClear = false;
        SendCnp(*frame, queue, true, now);
    }
}

void
CongestionPoint::SendCnp(const Frame& cause, CongestionQueue& queue, bool clear, Tick now)
{
    if (!CnpInjector::CanTell(cause))
    {
        ++m_unknown;
        return;
    }
    CnpBody body = queue.place;
    body.clear = clear;
    body.hops = cause.hops;
    body.share = queue.window.GetShare();
    body.flows = queue.GetFlows(now);
    ++m_cnps;
    m_clears += clear;
    m_cnpTrace(body, cause);
    m_out->Send(cause, body, m_controlPriority, now);
}

uint32_t
CongestionPoint::GetNumPoints() const
{
    return m_points;
}

CnpBody
CongestionPoint::GetState(uint32_t port, unsigned priority)
{
    NS_ABORT_MSG_IF(!m_switch || port >= m_switch->GetNumPorts() || priority >= NUM_PRIORITIES ||
                        !((m_priorities >> priority) & 1),
                    "no congestion point at port " << port << " priority " << priority);
    CongestionQueue& queue = QueueOf(port, priority);
    CnpBody body = queue.place;
    body.share = queue.window.GetShare();
    body.flows = queue.GetFlows(m_core->Now());
    return body;
}

uint64_t
CongestionPoint::GetCnps() const
{
    return m_cnps;
}

uint64_t
CongestionPoint::GetClears() const
{
    return m_clears;
}

uint64_t
CongestionPoint::GetUnknown() const
{
    return m_unknown;
}

} // namespace roce
} // namespace ns3
