/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// the part of Port that ns-3's protocol stacks use
#include "roce-cable.h"
#include "roce-port.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/roce-flow-key.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RocePortNetDevice");

namespace
{

/** RFC 791: the header length field counts up to 15 words. */
constexpr uint32_t IPV4_MAX_HEADER_BYTES = 60;

uint32_t
Read32(const uint8_t* bytes)
{
    return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

} // namespace

void
Port::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
Port::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
Port::GetChannel() const
{
    return m_cable;
}

void
Port::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
Port::GetAddress() const
{
    return m_address;
}

bool
Port::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
Port::GetMtu() const
{
    return m_mtu;
}

bool
Port::IsLinkUp() const
{
    return m_cable && m_cable->IsUp();
}

void
Port::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
Port::IsBroadcast() const
{
    return false;
}

Address
Port::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
Port::IsMulticast() const
{
    return false;
}

Address
Port::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
Port::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
Port::IsBridge() const
{
    return false;
}

bool
Port::IsPointToPoint() const
{
    return true;
}

bool
Port::NeedsArp() const
{
    return false;
}

bool
Port::SupportsSendFrom() const
{
    return false;
}

bool
Port::SendFrom(Ptr<Packet> packet, const Address&, const Address& to, uint16_t protocol)
{
    return Send(packet, to, protocol);
}

bool
Port::Send(Ptr<Packet> packet, const Address&, uint16_t protocol)
{
    constexpr uint16_t ipv4 = 0x0800;
    uint8_t header[IPV4_MAX_HEADER_BYTES + 4] = {};
    const uint32_t copied = packet->CopyData(header, sizeof(header));
    const uint32_t length = (header[0] & 0xfu) * 4;
    if (protocol != ipv4 || !IsLinkUp() || packet->GetSize() > m_mtu ||
        copied < IPV4_HEADER_BYTES || header[0] >> 4 != 4 || length < IPV4_HEADER_BYTES)
    {
        NS_LOG_WARN("port " << m_index << " refuses a packet of " << packet->GetSize()
                            << " bytes, protocol " << protocol
                            << ": link down, larger than the MTU of " << m_mtu << " or not IPv4");
        return false;
    }
    const bool fragment = ((header[6] & 0x1f) | header[7]) != 0;
    const bool hasPorts = !fragment && copied >= length + 4;
    FlowKey key;
    key.source = Read32(header + 12);
    key.destination = Read32(header + 16);
    key.sourcePort = hasPorts ? static_cast<uint16_t>(Read32(header + length) >> 16) : 0;
    key.destinationPort = hasPorts ? static_cast<uint16_t>(Read32(header + length)) : 0;
    key.protocol = header[9];

    Frame* frame = m_core->GetPool().Get();
    frame->kind = FrameKind::PACKET;
    frame->source = key.source;
    frame->destination = key.destination;
    frame->sourcePort = key.sourcePort;
    frame->destinationPort = key.destinationPort;
    frame->hash = key.Hash();
    frame->priority = m_packetPriority;
    frame->ecn = header[1] & 3;
    frame->ttl = header[8];
    frame->payload = static_cast<uint16_t>(packet->GetSize());
    frame->size = static_cast<uint16_t>(
        std::max(ETHERNET_MIN_BYTES,
                 packet->GetSize() + ETHERNET_HEADER_BYTES + ETHERNET_FCS_BYTES));
    frame->flags = FRAME_PACKET | FRAME_EXTENDED;
    frame->protocol = protocol;
    frame->packet = GetPointer(packet->Copy());
    m_tx.Enqueue(frame, frame->priority, m_core->Now());
    return true;
}

void
Port::DeliverPacket(Ptr<Packet> packet, uint16_t protocol)
{
    // the stack runs in its own event, so that its context is the node's
    Simulator::ScheduleWithContext(m_node->GetId(), Time(0), [this, packet, protocol]() {
        if (!m_promisc.IsNull())
        {
            m_promisc(this, packet, protocol, m_address, m_address, NetDevice::PACKET_HOST);
        }
        if (!m_receive.IsNull())
        {
            m_receive(this, packet, protocol, m_address);
        }
    });
}

Ptr<Node>
Port::GetNode() const
{
    return m_node;
}

void
Port::SetNode(Ptr<Node> node)
{
    m_node = node;
}

void
Port::SetReceiveCallback(ReceiveCallback callback)
{
    m_receive = callback;
}

void
Port::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promisc = callback;
}

} // namespace roce
} // namespace ns3
