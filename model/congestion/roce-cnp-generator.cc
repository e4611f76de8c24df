/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cnp-generator.h"

#include "ns3/boolean.h"

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
            .AddAttribute("ProcessingDelay",
                          "Time from the arrival of the marked packet until its CNP leaves",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CnpGenerator::SetDelay, &CnpGenerator::GetDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("EchoInAck",
                          "Echo CE in each ACK and send no CNP frame (HPCC artifact)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CnpGenerator::m_echoInAck),
                          MakeBooleanChecker());
    return tid;
}

CnpGenerator::CnpGenerator() = default;
CnpGenerator::~CnpGenerator() = default;

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

} // namespace roce
} // namespace ns3
