/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-generator.h"

#include "roce-tag-echo.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/pointer.h"
#include "ns3/roce-compat.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(CnpGenerator);

TypeId
CnpGenerator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CnpGenerator")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<CnpGenerator>()
            .AddAttribute("Interval",
                          "Least time between two CNPs of a queue pair; 0 = one a marked packet. "
                          "Paper 50 us, ConnectX 4 us",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&CnpGenerator::SetInterval, &CnpGenerator::GetInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Timing",
                          "AtMark: a CNP leaves when the packet arrives, none is owed for marks "
                          "within the interval; Periodic: it leaves when the interval ends, as in "
                          "the simulator of DCQCN's authors",
                          CompatEnumValue<Timing>(AT_MARK),
                          CompatMakeEnumAccessor<Timing>(&CnpGenerator::m_timing),
                          MakeEnumChecker(AT_MARK, "AtMark", PERIODIC, "Periodic"))
            .AddAttribute("ProcessingDelay",
                          "Time from the arrival of the marked packet until its CNP leaves",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CnpGenerator::SetDelay, &CnpGenerator::GetDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Enabled",
                "Whether marked packets cause anything; off where switches notify senders",
                BooleanValue(true),
                MakeBooleanAccessor(&CnpGenerator::m_enabled),
                MakeBooleanChecker())
            .AddAttribute("EchoInAck",
                          "Echo CE in each ACK and send no CNP frame (HPCC artifact)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CnpGenerator::m_echoInAck),
                          MakeBooleanChecker())
            .AddAttribute("Tags",
                          "Table of the fabric's tags, for CNPs with a body; none = no such CNPs",
                          PointerValue(),
                          MakePointerAccessor(&CnpGenerator::SetTags, &CnpGenerator::GetTags),
                          MakePointerChecker<CnpTagTable>())
            .AddAttribute(
                "TagWindow",
                "Packets of a flow among which the share of marked ones is counted",
                UintegerValue(16),
                MakeUintegerAccessor(&CnpGenerator::SetTagWindow, &CnpGenerator::GetTagWindow),
                MakeUintegerChecker<uint8_t>(1, TagEcho::MAX_WINDOW))
            .AddAttribute(
                "TagInterval",
                "Least time between two CNPs for one flow and tag, in stages 1 and 2",
                TimeValue(MicroSeconds(4)),
                MakeTimeAccessor(&CnpGenerator::SetTagInterval, &CnpGenerator::GetTagInterval),
                MakeTimeChecker(Time(0)))
            .AddAttribute(
                "TagIntervalStage3",
                "The same between pods",
                TimeValue(MicroSeconds(10)),
                MakeTimeAccessor(&CnpGenerator::SetTagInterval3, &CnpGenerator::GetTagInterval3),
                MakeTimeChecker(Time(0)));
    return tid;
}

CnpGenerator::CnpGenerator() = default;
CnpGenerator::~CnpGenerator() = default;

Tick
CnpGenerator::NextCheck(Tick lastCnp, Tick now) const
{
    if (lastCnp < 0 || m_intervalTicks == 0)
    {
        return now;
    }
    return lastCnp + ((now - lastCnp) / m_intervalTicks + 1) * m_intervalTicks;
}

void
CnpGenerator::SetInterval(Time interval)
{
    m_intervalTicks = ToTick(interval);
}

Time
CnpGenerator::GetInterval() const
{
    return FromTick(m_intervalTicks);
}

void
CnpGenerator::SetDelay(Time delay)
{
    m_delayTicks = ToTick(delay);
}

Time
CnpGenerator::GetDelay() const
{
    return FromTick(m_delayTicks);
}

void
CnpGenerator::DoDispose()
{
    m_echo.reset();
    m_tags = nullptr;
    Object::DoDispose();
}

void
CnpGenerator::SetTags(Ptr<CnpTagTable> tags)
{
    m_tags = tags;
    RenewEcho();
}

Ptr<CnpTagTable>
CnpGenerator::GetTags() const
{
    return m_tags;
}

void
CnpGenerator::SetTagWindow(uint8_t packets)
{
    m_tagWindow = packets;
    RenewEcho();
}

uint8_t
CnpGenerator::GetTagWindow() const
{
    return m_tagWindow;
}

void
CnpGenerator::SetTagInterval(Time interval)
{
    m_tagInterval = ToTick(interval);
    RenewEcho();
}

Time
CnpGenerator::GetTagInterval() const
{
    return FromTick(m_tagInterval);
}

void
CnpGenerator::SetTagInterval3(Time interval)
{
    m_tagInterval3 = ToTick(interval);
    RenewEcho();
}

Time
CnpGenerator::GetTagInterval3() const
{
    return FromTick(m_tagInterval3);
}

void
CnpGenerator::RenewEcho()
{
    TagEcho::Settings settings;
    settings.window = m_tagWindow;
    settings.interval = m_tagInterval;
    settings.interval3 = m_tagInterval3;
    settings.span = ToTick(MilliSeconds(1)); // as the long count of a congestion point
    settings.ticksPerSecond = TicksPerSecond();
    m_echo = m_tags ? std::make_unique<TagEcho>(m_tags, settings) : nullptr;
}

bool
CnpGenerator::OnTagged(uint64_t flow,
                       uint32_t psn,
                       uint8_t tag,
                       uint32_t bytes,
                       Tick now,
                       CnpBody& body)
{
    ++m_marked;
    const bool due = m_echo->OnMarked(flow, psn, tag, bytes, now, body);
    m_cnps += due;
    return due;
}

} // namespace roce
} // namespace ns3
