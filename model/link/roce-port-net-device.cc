/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The part of Port that ns-3's protocol stacks use.
 */
#include "roce-cable.h"
#include "roce-port.h"

#include "ns3/ipv4-header.h"
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
    Ipv4Header ip;
    if (protocol != ipv4 || !IsLinkUp() || packet->GetSize() > m_mtu ||
        packet->PeekHeader(ip) == 0)
    {
        NS_LOG_WARN("port " << m_index << " refuses a packet of " << packet->GetSize()
                            << " bytes, protocol " << protocol
                            << ": link down, larger than the MTU of " << m_mtu << " or not IPv4");
        return false;
    }
    uint8_t ports[4] = {0, 0, 0, 0};
    Ptr<Packet> copy = packet->Copy();
    if (ip.GetFragmentOffset() == 0 && packet->GetSize() >= ip.GetSerializedSize() + sizeof(ports))
    {
        copy->RemoveAtStart(ip.GetSerializedSize());
        copy->CopyData(ports, sizeof(ports));
        copy = packet->Copy();
    }
    FlowKey key;
    key.source = ip.GetSource().Get();
    key.destination = ip.GetDestination().Get();
    key.sourcePort = static_cast<uint16_t>(ports[0] << 8 | ports[1]);
    key.destinationPort = static_cast<uint16_t>(ports[2] << 8 | ports[3]);
    key.protocol = ip.GetProtocol();

    Frame* frame = m_core->GetPool().Get();
    frame->kind = FrameKind::PACKET;
    frame->source = key.source;
    frame->destination = key.destination;
    frame->sourcePort = key.sourcePort;
    frame->destinationPort = key.destinationPort;
    frame->hash = key.Hash();
    frame->priority = m_packetPriority;
    frame->ecn = static_cast<uint8_t>(ip.GetEcn());
    frame->ttl = ip.GetTtl();
    frame->payload = static_cast<uint16_t>(packet->GetSize());
    frame->size = static_cast<uint16_t>(
        std::max(ETHERNET_MIN_BYTES,
                 packet->GetSize() + ETHERNET_HEADER_BYTES + ETHERNET_FCS_BYTES));
    frame->flags = FRAME_PACKET | FRAME_EXTENDED;
    frame->protocol = protocol;
    frame->packet = GetPointer(copy);
    m_tx.Enqueue(frame, frame->priority, m_core->Now());
    return true;
}

void
Port::DeliverPacket(Frame* frame)
{
    Ptr<Packet> packet(frame->packet, true);
    if (frame->ecn == ECN_CE)
    {
        Ipv4Header ip;
        packet = packet->Copy();
        packet->RemoveHeader(ip);
        ip.SetEcn(Ipv4Header::ECN_CE);
        packet->AddHeader(ip);
    }
    const uint16_t protocol = frame->protocol;
    m_core->GetPool().Free(frame);
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
