/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-stamper.h"

#include "roce-switch.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/roce-compat.h"
#include "ns3/roce-hpcc-int.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/** What a hop of INT_MD has besides the words of the domain. */
constexpr uint16_t INSTRUCTIONS = INT_MD_NODE_ID | INT_MD_PORTS | INT_MD_QUEUE | INT_MD_EGRESS_TIME;
/** Longest occupancy; all ones mean that it is not known. */
constexpr uint64_t LONGEST = 0xfffffe;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(IntStamper);

TypeId
IntStamper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::IntStamper")
            .SetParent<SwitchStage>()
            .SetGroupName("Roce")
            .AddConstructor<IntStamper>()
            .AddAttribute("Layout",
                          "hpcc: as its simulator packs it, 42 bytes. hpcc-extended: any rate, 62 "
                          "bytes. int-md: of P4.org, 16 bytes and 28 a hop",
                          CompatEnumValue<IntRecord::Layout>(IntRecord::HPCC),
                          CompatMakeEnumAccessor<IntRecord::Layout>(&IntStamper::m_layout),
                          MakeEnumChecker(IntRecord::HPCC,
                                          "hpcc",
                                          IntRecord::HPCC_EXTENDED,
                                          "hpcc-extended",
                                          IntRecord::INT_MD,
                                          "int-md"))
            .AddAttribute("CountBytes",
                          "Whether frames grow by what is written, and their ACKs with them. If "
                          "not, FrameSizes::WithInt can leave room from the sender on",
                          BooleanValue(true),
                          MakeBooleanAccessor(&IntStamper::m_countBytes),
                          MakeBooleanChecker())
            .AddAttribute("Multi",
                          "Factor of the units of bytes and queue, for hpcc and hpcc-extended; "
                          "HpccInt::MultiFor gives the smallest without early wraps",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IntStamper::m_multi),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("MaxHops",
                          "Switches that may write into a frame, for int-md",
                          UintegerValue(8),
                          MakeUintegerAccessor(&IntStamper::m_maxHops),
                          MakeUintegerChecker<uint8_t>(1));
    return tid;
}

void
IntStamper::DoDispose()
{
    m_ports.clear();
    SwitchStage::DoDispose();
}

uint8_t
IntStamper::GetHears() const
{
    return HEARS_DEPARTURE;
}

void
IntStamper::Assemble(Switch& device)
{
    m_core = EventCore::Get();
    m_node = device.GetId();
    m_ticksPerSecond = TicksPerSecond();
    const HpccIntLayout layout =
        m_layout == IntRecord::HPCC ? HpccIntLayout::ARTIFACT : HpccIntLayout::EXTENDED;
    for (uint32_t i = 0; i < device.GetNumPorts(); ++i)
    {
        const Ptr<Port> port = device.GetPort(i);
        try
        {
            m_ports.push_back(
                {&port->GetTransmitter(), 0, HpccInt::RateOf(port->GetRate(), layout)});
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument("switch " + std::to_string(m_node) + " port " +
                                        std::to_string(i) + ": " + error.what());
        }
    }
}

uint32_t
IntStamper::GetGrowth() const
{
    if (!m_countBytes)
    {
        return 0;
    }
    if (m_layout != IntRecord::INT_MD)
    {
        return HpccInt::Bytes(m_layout == IntRecord::HPCC ? HpccIntLayout::ARTIFACT
                                                          : HpccIntLayout::EXTENDED);
    }
    IntMdStack md;
    md.instructions = INSTRUCTIONS;
    md.domainId = DOMAIN_ID;
    md.domainWords = DOMAIN_WORDS;
    return static_cast<uint32_t>(md.GetBytes() + m_maxHops * md.GetHopWords() * 4);
}

void
IntStamper::OnDeparture(Frame* frame, uint32_t out, Tick now)
{
    if (frame->kind == FrameKind::REQUEST && frame->payload > 0)
    {
        Stamp(frame, out, now);
    }
    m_ports[out].sent += frame->size;
}

void
IntStamper::Stamp(Frame* frame, uint32_t out, Tick now)
{
    if (!(frame->flags & FRAME_INT))
    {
        Begin(frame);
    }
    IntRecord& record = *frame->record;
    const auto nanoseconds =
        static_cast<uint64_t>(static_cast<__int128_t>(now) * 1000000000 / m_ticksPerSecond);
    bool pushed = false;
    if (record.layout == IntRecord::INT_MD && m_layout == IntRecord::INT_MD)
    {
        pushed = PushMd(frame, out, nanoseconds);
    }
    else if (record.layout == m_layout)
    {
        const Egress& port = m_ports[out];
        uint64_t waiting = 0;
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            waiting += port.transmitter->GetQueueBytes(p);
        }
        pushed = record.hpcc.Push(
            HpccIntHop::Make(port.rateMbps, nanoseconds, port.sent, waiting, record.multi));
    }
    ++(pushed ? m_stamps : m_skipped);
}

void
IntStamper::Begin(Frame* frame)
{
    IntRecord* record = m_core->GetPool().GetRecords().Get();
    record->layout = m_layout;
    record->multi = m_multi;
    frame->record = record;
    frame->flags |= FRAME_INT;
    if (m_layout != IntRecord::INT_MD)
    {
        Grow(frame,
             HpccInt::Bytes(m_layout == IntRecord::HPCC ? HpccIntLayout::ARTIFACT
                                                        : HpccIntLayout::EXTENDED));
        return;
    }
    record->md.nextValue = frame->destinationPort;
    record->md.instructions = INSTRUCTIONS;
    record->md.domainId = DOMAIN_ID;
    record->md.domainWords = DOMAIN_WORDS;
    record->md.remainingHops = m_maxHops;
    Grow(frame, record->md.GetBytes());
}

void
IntStamper::Grow(Frame* frame, std::size_t bytes) const
{
    if (m_countBytes && frame->size + bytes <= 0xffff)
    {
        frame->size = static_cast<uint16_t>(frame->size + bytes);
        frame->record->counted = static_cast<uint16_t>(frame->record->counted + bytes);
    }
}

bool
IntStamper::PushMd(Frame* frame, uint32_t out, uint64_t nanoseconds)
{
    const Egress& port = m_ports[out];
    IntMdHop hop;
    hop.nodeId = m_node;
    hop.ingressPort = frame->inPort;
    hop.egressPort = static_cast<uint16_t>(out);
    hop.queueId = frame->priority;
    hop.queueOccupancy =
        static_cast<uint32_t>(std::min(port.transmitter->GetQueueBytes(frame->priority), LONGEST));
    hop.egressTime = nanoseconds;
    hop.domain = {port.rateMbps, static_cast<uint32_t>(port.sent)};
    IntMdStack& md = frame->record->md;
    const std::size_t room = m_countBytes ? 0xffffu - frame->size : 0xffffu;
    if (!md.Push(hop, room))
    {
        return false;
    }
    Grow(frame, md.GetHopWords() * 4);
    return true;
}

uint64_t
IntStamper::GetStamps() const
{
    return m_stamps;
}

uint64_t
IntStamper::GetSkipped() const
{
    return m_skipped;
}

} // namespace roce
} // namespace ns3
