/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

#include "ns3/roce-flow-key.h"

#include <cstdlib>
#include <new>

namespace ns3
{
namespace roce
{

void*
QueuePair::operator new(std::size_t size)
{
    constexpr std::size_t line = alignof(QueuePair);
    void* place = std::aligned_alloc(line, (size + line - 1) / line * line);
    if (!place)
    {
        throw std::bad_alloc();
    }
    return place;
}

void
QueuePair::operator delete(void* place)
{
    std::free(place);
}

QueuePair::QueuePair(uint32_t qpn,
                     const QueuePairConfig& config,
                     const FrameSizes& sizes,
                     Ptr<CongestionControl> control)
    : m_qpn(qpn),
      m_lastCnp(-1), // CnpGenerator::NO_CNP
      m_control(control),
      m_config(config)
{
    m_requester.Configure(config.mtu, config.ackInterval, config.sendPsn, sizes);
    m_responder.Configure(config.receivePsn);
    SetRemoteQpn(config.remoteQpn);
    Refresh();
}

void
QueuePair::Refresh()
{
    m_rate = m_control->GetRate();
    m_controlDeadline = m_control->GetDeadline();
    m_hearsSent = m_control->HearsSent();
    m_hearsAck = m_control->HearsAck();
    uint64_t cap = m_config.windowBytes;
    if (m_config.windowFollowsRate && cap != CongestionControl::UNLIMITED)
    {
        // one packet is always allowed: the cap only says when no further one may leave
        const double share = double(m_rate) / double(m_control->GetFlow().lineRate);
        cap = std::max<uint64_t>(1, static_cast<uint64_t>(double(cap) * share));
    }
    m_window = std::min(m_control->GetWindow(), cap);
}

void
QueuePair::SetRemoteQpn(uint32_t qpn)
{
    m_config.remoteQpn = qpn;
    FlowKey key;
    key.source = m_config.localAddress;
    key.destination = m_config.remoteAddress;
    key.sourcePort = m_config.sourcePort;
    key.destinationPort = m_config.destinationPort;
    FrameAddress address;
    address.source = key.source;
    address.destination = key.destination;
    address.hash = key.Hash();
    address.destinationQp = qpn;
    address.sourcePort = key.sourcePort;
    address.destinationPort = key.destinationPort;
    address.localPort = static_cast<uint16_t>(m_config.localPort);
    address.priority = m_config.priority;
    address.ecn = m_config.ecnCapable ? ECN_ECT0 : ECN_NOT_ECT;
    m_requester.SetAddress(address);
}

} // namespace roce
} // namespace ns3
