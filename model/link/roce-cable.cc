/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-cable.h"

#include "ns3/abort.h"

#include <limits>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(Cable);

TypeId
Cable::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::Cable")
                            .SetParent<Channel>()
                            .SetGroupName("Roce")
                            .AddConstructor<Cable>()
                            .AddAttribute("Delay",
                                          "One-way propagation delay (5 ns a metre)",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&Cable::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

Cable::Cable() = default;

void
Cable::Connect(Ptr<Port> a, Ptr<Port> b)
{
    NS_ABORT_MSG_IF(a == b, "a cable needs two different ports");
    NS_ABORT_MSG_IF(m_ports[0], "this cable joins two ports already");
    NS_ABORT_MSG_IF(a->GetRate() != b->GetRate(),
                    "a cable joins ports of equal rate, not " << a->GetRate() << " and "
                                                              << b->GetRate() << " bit/s");
    NS_ABORT_MSG_IF(ToTick(m_delay) > std::numeric_limits<uint32_t>::max(),
                    "cable delay " << m_delay.As(Time::S) << " exceeds 2^32 - 1 ticks");
    m_ports[0] = a;
    m_ports[1] = b;
    const auto delay = static_cast<uint32_t>(ToTick(m_delay));
    a->Attach(this, b, delay);
    b->Attach(this, a, delay);
}

void
Cable::SetUp(bool up)
{
    if (m_up == up)
    {
        return;
    }
    m_up = up;
    for (auto& port : m_ports)
    {
        if (port)
        {
            port->SetLinkUp(up);
        }
    }
}

void
Cable::SetRate(uint64_t rate)
{
    for (auto& port : m_ports)
    {
        if (port)
        {
            port->SetRate(rate);
        }
    }
}

bool
Cable::IsUp() const
{
    return m_up;
}

Time
Cable::GetDelay() const
{
    return m_delay;
}

std::size_t
Cable::GetNDevices() const
{
    return m_ports[0] ? 2 : 0;
}

Ptr<NetDevice>
Cable::GetDevice(std::size_t i) const
{
    NS_ABORT_MSG_IF(i >= GetNDevices(), "a cable has no device " << i);
    return m_ports[i];
}

void
Cable::DoDispose()
{
    m_ports[0] = nullptr;
    m_ports[1] = nullptr;
    Channel::DoDispose();
}

} // namespace roce
} // namespace ns3
