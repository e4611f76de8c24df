/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port.h"

#include "roce-cable.h"
#include "roce-port-events.h"
#include "roce-port-owner.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-frame-codec.h"
#include "ns3/roce-frame-sizes.h"
#include "ns3/uinteger.h"

#include <cstdlib>
#include <new>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RocePort");

NS_OBJECT_ENSURE_REGISTERED(Port);

TypeId
Port::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::Port")
            .SetParent<NetDevice>()
            .SetGroupName("Roce")
            .AddConstructor<Port>()
            .AddAttribute("DataRate",
                          "Rate of the port; both ends of a cable must agree",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&Port::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Overhead",
                          "Bytes the link adds to each frame: preamble 8 and inter-packet gap 12",
                          UintegerValue(ETHERNET_PREAMBLE_BYTES + ETHERNET_GAP_BYTES),
                          MakeUintegerAccessor(&Port::m_gap),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("TruncateTicks",
                          "Cut each transmission time to whole ticks, to compare with simulators "
                          "that do",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Port::m_truncate),
                          MakeBooleanChecker())
            .AddAttribute("EagerEvents",
                          "An event for each end of transmission and each arrival, so that ties "
                          "within a tick go by the start of transmission; to compare with "
                          "simulators that do",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Port::m_eager),
                          MakeBooleanChecker())
            .AddAttribute("PauseExpires",
                          "Whether a received pause ends after its quanta (IEEE 802.1Q); if not "
                          "it lasts until an XON, to compare with simulators that do",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Port::m_pauseExpires),
                          MakeBooleanChecker())
            .AddAttribute("PauseResponse",
                          "Time from the arrival of a pause frame to its effect",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Port::m_pauseResponse),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PauseFrameBytes",
                          "Size of the pause frames this port sends",
                          UintegerValue(FrameSizes().pfcBytes),
                          MakeUintegerAccessor(&Port::m_pfcBytes),
                          MakeUintegerChecker<uint32_t>(1, 9000))
            .AddAttribute("Scheduler",
                          "Transmission selection; none is strict priority",
                          PointerValue(),
                          MakePointerAccessor(&Port::m_scheduler),
                          MakePointerChecker<PortScheduler>())
            .AddAttribute("ReceiveErrorModel",
                          "Error model applied to arriving frames other than pause frames",
                          PointerValue(),
                          MakePointerAccessor(&Port::SetErrorModel, &Port::GetErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute("Mtu",
                          "Largest IPv4 packet that Send takes, bytes",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&Port::SetMtu, &Port::GetMtu),
                          MakeUintegerChecker<uint16_t>(68, 9216))
            .AddAttribute("PacketPriority",
                          "Priority of ordinary packets given to Send",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Port::m_packetPriority),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddTraceSource(
                "PromiscSniffer",
                "Bytes of each frame that is sent or has arrived, without FCS",
                MakeWatchedTraceSourceAccessor(MakeTraceSourceAccessor(&Port::m_sniffer)),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("FrameSent",
                            "A frame begins to leave",
                            MakeWatchedTraceSourceAccessor(MakeTraceSourceAccessor(&Port::m_sent)),
                            "ns3::roce::Port::FrameTracedCallback")
            .AddTraceSource(
                "FrameReceived",
                "A frame other than a pause frame has arrived",
                MakeWatchedTraceSourceAccessor(MakeTraceSourceAccessor(&Port::m_received)),
                "ns3::roce::Port::FrameTracedCallback")
            .AddTraceSource("PauseReceived",
                            "A pause frame has arrived",
                            MakeTraceSourceAccessor(&Port::m_pauseReceived),
                            "ns3::roce::Port::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "This port dropped a frame",
                            MakeTraceSourceAccessor(&Port::m_drop),
                            "ns3::roce::Port::DropTracedCallback");
    return tid;
}

void*
Port::operator new(std::size_t size)
{
    constexpr std::size_t line = alignof(Port);
    void* place = std::aligned_alloc(line, (size + line - 1) / line * line);
    if (!place)
    {
        throw std::bad_alloc();
    }
    return place;
}

void
Port::operator delete(void* place)
{
    std::free(place);
}

Port::Port()
    : m_core(EventCore::Get()),
      m_tap(std::make_unique<PortTap>(this)),
      m_pauseExpiry(std::make_unique<PauseExpiry>(this))
{
}

Port::~Port() = default;

void
Port::Assemble(PortOwner* owner, uint32_t index, Transmitter::Role role)
{
    m_owner = owner;
    m_index = index;
    m_tx.Assemble(PeekPointer(m_core), owner, index, role);
    m_tx.SetScheduler(PeekPointer(m_scheduler));
    m_tx.SetEager(m_eager);
}

void
Port::Attach(Ptr<Cable> cable, Ptr<Port> peer, uint32_t delay)
{
    NS_ABORT_MSG_IF(m_cable, "port " << m_index << " has a cable already");
    NS_ABORT_MSG_IF(!m_owner || !peer->m_owner, "a cable needs ports of NICs or switches");
    m_cable = cable;
    m_peer = PeekPointer(peer);
    m_pause.Configure(GetRate(), m_pauseExpires, TicksPerSecond());
    m_tx.Attach(m_core->GetTiming(GetRate(), m_gap, m_truncate), delay, peer->m_index);
    m_tx.GetFlight().Connect(PeekPointer(m_core), m_peer);
    m_peer->UpdateWatch();
    UpdateWatch();
}

void
Port::UpdateWatch()
{
    m_tx.SetWatched(!m_sniffer.IsEmpty() || !m_sent.IsEmpty());
    const bool tap = !m_sniffer.IsEmpty() || !m_received.IsEmpty() || m_filter || m_errorModel;
    if (m_peer)
    {
        m_peer->m_tx.GetFlight().SetOwner(tap ? m_tap.get() : m_owner);
    }
}

void
Port::SetLinkUp(bool up)
{
    const Tick now = m_core->Now();
    if (!up)
    {
        m_pause.Reset(now);
    }
    m_drops[static_cast<unsigned>(DropReason::LINK_DOWN)] += m_tx.SetUp(up, now);
    m_owner->LinkChanged(m_index, up, now);
    m_linkChange();
}

uint64_t
Port::GetRate() const
{
    return m_rate.GetBitRate();
}

void
Port::SetRate(uint64_t rate)
{
    NS_ABORT_MSG_IF(rate == 0, "port " << m_index << ": a rate of 0; take the link down instead");
    m_rate = DataRate(rate);
    if (m_cable)
    {
        m_pause.Configure(rate, m_pauseExpires, TicksPerSecond());
        m_tx.m_timing = m_core->GetTiming(rate, m_gap, m_truncate);
        m_tx.m_remainder = 0; // it was in units of the old timing
    }
}

void
Port::SetErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
    UpdateWatch();
}

Ptr<ErrorModel>
Port::GetErrorModel() const
{
    return m_errorModel;
}

Tick
Port::GetDelay() const
{
    return m_tx.GetDelay();
}

uint32_t
Port::GetGap() const
{
    return m_gap;
}

Port*
Port::GetPeer() const
{
    return m_peer;
}

uint32_t
Port::GetIndex() const
{
    return m_index;
}

const PauseState&
Port::GetPauseState() const
{
    return m_pause;
}

const InFlight&
Port::GetReceived() const
{
    NS_ABORT_MSG_IF(!m_peer, "port " << m_index << " has no cable");
    return m_peer->m_tx.m_flight;
}

void
Port::SendPause(uint8_t enable, const uint16_t* quanta, Tick now, bool link)
{
    Frame* frame = m_core->GetPool().Get();
    frame->kind = FrameKind::PFC;
    frame->priority = NUM_PRIORITIES - 1;
    frame->size = static_cast<uint16_t>(m_pfcBytes);
    frame->ecn = ECN_NOT_ECT;
    frame->flags = FRAME_EXTENDED | (link ? FRAME_LINK_PAUSE : 0);
    frame->pauseEnable = enable;
    std::copy(quanta, quanta + NUM_PRIORITIES, frame->pauseQuanta);
    m_tx.Enqueue(frame, Transmitter::MAC_CONTROL, now);
}

void
Port::IgnorePause(uint8_t mask, Tick now)
{
    m_tx.SetIgnored(mask);
    m_tx.SetPaused(m_pause.GetMask());
    m_tx.Kick(now);
}

void
Port::ReceivePause(Frame* frame, Tick now)
{
    if (!m_sniffer.IsEmpty())
    {
        Sniff(*frame, m_peer->m_address);
    }
    m_pauseReceived(*frame);
    if (m_pauseResponse.IsStrictlyPositive())
    {
        if (!m_pauseDelay)
        {
            m_pauseDelay = std::make_unique<PauseDelay>(this);
        }
        m_pauseDelay->Push(frame, now + ToTick(m_pauseResponse));
        return;
    }
    ApplyPause(*frame, now);
    m_core->GetPool().Free(frame);
}

void
Port::ApplyPause(const Frame& frame, Tick now)
{
    const uint8_t before = m_pause.Expire(now);
    const uint8_t after = m_pause.Receive(frame.pauseEnable, frame.pauseQuanta, now);
    m_tx.SetPaused(after);
    m_pauseExpiry->Arm(m_pause.GetDeadline());
    if (before & ~after)
    {
        m_tx.Kick(now);
    }
}

void
Port::ExpirePause(Tick now)
{
    const uint8_t before = m_pause.GetMask();
    const uint8_t after = m_pause.Expire(now);
    m_tx.SetPaused(after);
    m_pauseExpiry->Arm(m_pause.GetDeadline());
    if (before & ~after)
    {
        m_tx.Kick(now);
    }
}

void
Port::SetReceiveFilter(std::function<bool(const Frame&)> filter)
{
    m_filter = std::move(filter);
    UpdateWatch();
}

uint64_t
Port::GetDrops(DropReason reason) const
{
    return m_drops[static_cast<unsigned>(reason)];
}

void
Port::Drop(const Frame& frame, DropReason reason, uint64_t count)
{
    m_drops[static_cast<unsigned>(reason)] += count;
    m_drop(frame, reason);
}

void
Port::Sniff(const Frame& frame, const Mac48Address& sender)
{
    FrameCodecOptions options;
    sender.CopyTo(options.pauseSource.data());
    std::vector<uint8_t> bytes;
    FrameCodec::Encode(frame, bytes, options);
    m_sniffer(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())));
}

void
Transmitter::Watch(const Frame* frame)
{
    m_flight.GetTo()->GetPeer()->WatchSent(*frame);
}

void
Port::WatchSent(const Frame& frame)
{
    m_sent(frame);
    if (!m_sniffer.IsEmpty())
    {
        Sniff(frame, m_address);
    }
}

bool
Port::WatchReceived(Frame* frame)
{
    bool corrupt = m_filter && m_filter(*frame);
    if (m_errorModel && !corrupt)
    {
        corrupt = m_errorModel->IsCorrupt(Create<Packet>(frame->size));
    }
    if (corrupt)
    {
        Drop(*frame, DropReason::CORRUPT);
        m_core->GetPool().Free(frame);
        return false;
    }
    m_received(*frame);
    if (!m_sniffer.IsEmpty())
    {
        Sniff(*frame, m_peer->m_address);
    }
    return true;
}

void
Port::DoDispose()
{
    m_tx.Dispose();
    m_pauseDelay.reset();
    m_pauseExpiry.reset();
    m_filter = nullptr;
    m_scheduler = nullptr;
    m_errorModel = nullptr;
    m_cable = nullptr;
    m_peer = nullptr;
    m_node = nullptr;
    m_receive.Nullify();
    m_promisc.Nullify();
    m_sniffer = {}; // closes capture files, even if someone still holds the port
    NetDevice::DoDispose();
}

} // namespace roce
} // namespace ns3
