/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-pinned-load-balancer.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{
constexpr uint64_t QUEUE_PAIR = 1ULL << 63; //!< marks keys of queue pairs
} // namespace

NS_OBJECT_ENSURE_REGISTERED(PinnedLoadBalancer);

TypeId
PinnedLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::PinnedLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Roce")
                            .AddConstructor<PinnedLoadBalancer>()
                            .AddAttribute("Fallback",
                                          "TypeId of the balancer of flows that are not pinned",
                                          StringValue("ns3::roce::EcmpLoadBalancer"),
                                          MakeStringAccessor(&PinnedLoadBalancer::SetFallbackType,
                                                             &PinnedLoadBalancer::GetFallbackType),
                                          MakeStringChecker());
    return tid;
}

PinnedLoadBalancer::PinnedLoadBalancer() = default;

void
PinnedLoadBalancer::SetFallbackType(std::string name)
{
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type) || !type.IsChildOf(LoadBalancer::GetTypeId()) ||
        type == GetTypeId())
    {
        throw std::invalid_argument("fallback \"" + name +
                                    "\" of a PinnedLoadBalancer: expected the TypeId of another "
                                    "load balancer, such as ns3::roce::EcmpLoadBalancer");
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    m_fallback = factory.Create<LoadBalancer>();
}

std::string
PinnedLoadBalancer::GetFallbackType() const
{
    return m_fallback ? m_fallback->GetInstanceTypeId().GetName() : "";
}

Ptr<LoadBalancer>
PinnedLoadBalancer::GetFallback() const
{
    return m_fallback;
}

uint64_t
PinnedLoadBalancer::GetMisses() const
{
    return m_misses;
}

PinnedLoadBalancer::Key
PinnedLoadBalancer::MakeKey(uint32_t source, uint32_t destination, uint16_t from, uint16_t to)
{
    return Key{(uint64_t(source) << 32) | destination, (uint64_t(from) << 16) | to};
}

PinnedLoadBalancer::Key
PinnedLoadBalancer::MakeKey(uint32_t destination, uint32_t qpn)
{
    return Key{destination, QUEUE_PAIR | qpn};
}

void
PinnedLoadBalancer::Add(const Key& key, uint32_t port)
{
    if (port >= m_numPorts)
    {
        throw std::invalid_argument("pin to port " + std::to_string(port) +
                                    ": the switch has ports 0 to " +
                                    std::to_string(m_numPorts - 1));
    }
    m_pins[key] = static_cast<uint16_t>(port);
}

void
PinnedLoadBalancer::Pin(const FlowKey& flow, uint32_t port)
{
    if (flow.protocol != FlowKey().protocol)
    {
        throw std::invalid_argument("pin of protocol " + std::to_string(flow.protocol) +
                                    ": only RoCE flows can be pinned, protocol 17 (UDP)");
    }
    Add(MakeKey(flow.source, flow.destination, flow.sourcePort, flow.destinationPort), port);
    m_hasFlows = true;
}

void
PinnedLoadBalancer::PinQueuePair(uint32_t destination, uint32_t qpn, uint32_t port)
{
    Add(MakeKey(destination, qpn), port);
    m_hasQueuePairs = true;
}

bool
PinnedLoadBalancer::Unpin(const FlowKey& flow)
{
    return m_pins.erase(
               MakeKey(flow.source, flow.destination, flow.sourcePort, flow.destinationPort)) > 0;
}

bool
PinnedLoadBalancer::UnpinQueuePair(uint32_t destination, uint32_t qpn)
{
    return m_pins.erase(MakeKey(destination, qpn)) > 0;
}

int32_t
PinnedLoadBalancer::Find(const Frame* frame) const
{
    if (frame->kind == FrameKind::PACKET)
    {
        return -1;
    }
    if (m_hasFlows)
    {
        auto found = m_pins.find(
            MakeKey(frame->source, frame->destination, frame->sourcePort, frame->destinationPort));
        if (found != m_pins.end())
        {
            return found->second;
        }
    }
    if (m_hasQueuePairs)
    {
        auto found = m_pins.find(MakeKey(frame->destination, frame->destinationQp));
        if (found != m_pins.end())
        {
            return found->second;
        }
    }
    return -1;
}

uint32_t
PinnedLoadBalancer::DoPick(const Frame* frame, const uint16_t* members, uint32_t count, Tick now)
{
    const int32_t port = Find(frame);
    if (port >= 0)
    {
        if (std::find(members, members + count, port) != members + count)
        {
            return port;
        }
        ++m_misses;
    }
    return m_fallback->Pick(frame, members, count, now);
}

void
PinnedLoadBalancer::DoAssemble(uint32_t id, const std::vector<const Transmitter*>& transmitters)
{
    m_numPorts = static_cast<uint32_t>(transmitters.size());
    for (const auto& pin : m_pins)
    {
        Add(pin.first, pin.second);
    }
    m_fallback->Assemble(id, transmitters);
}

LoadBalancer*
PinnedLoadBalancer::GetMover()
{
    return GetMoverOf(*m_fallback);
}

int64_t
PinnedLoadBalancer::DoAssignStreams(int64_t stream)
{
    return m_fallback->AssignStreams(stream);
}

} // namespace roce
} // namespace ns3
