/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair.h"

#include "ns3/roce-flow-key.h"

#include <algorithm>
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
                     Ptr<CongestionControl> control,
                     Ptr<LossRecovery> recovery)
    : m_unreliable(config.service != TransportService::RC),
      m_ownTimeout(recovery->HasTimeout()),
      m_qpn(qpn),
      m_lastCnp(-1), // CnpGenerator::NO_CNP
      m_control(control),
      m_recovery(recovery),
      m_config(config),
      m_sizes(sizes),
      m_receiveRequests(config.receiveQueue)
{
    Configure();
}

QueuePair::~QueuePair()
{
    m_control->SetListener(nullptr); // others may hold it longer
}

void
QueuePair::SetControl(Ptr<CongestionControl> control)
{
    m_control->SetListener(nullptr);
    m_control = control;
    m_control->SetListener([this] { Refresh(); });
    const Tick phase = Pacing::SlotPhase(m_config.pacing, m_control->GetFlow().hash);
    m_slotPhase = static_cast<uint16_t>(std::min<Tick>(phase, 0xffff));
    Refresh();
}

void
QueuePair::Configure()
{
    SetControl(m_control);
    ProtectionDomain* domain = PeekPointer(m_config.domain);
    RequesterConfig requester;
    requester.service = m_config.service;
    requester.mtu = m_config.mtu;
    requester.ackInterval = m_recovery->AsksInsideMessages() ? m_config.ackInterval : MASK_24;
    requester.initialPsn = m_config.sendPsn;
    requester.maxReads = m_config.maxReads;
    requester.qpn = m_qpn;
    requester.domain = domain;
    requester.recovery = PeekPointer(m_recovery);
    requester.sizes = m_sizes;
    m_requester = Requester();
    m_requester.Configure(requester);
    ResponderConfig responder;
    responder.service = m_config.service;
    responder.early = m_recovery->GetEarlyPolicy();
    responder.rnrTimerCode = m_config.rnrTimerCode;
    responder.remoteAccess = m_config.remoteAccess;
    responder.ackDuplicates = m_config.ackDuplicates;
    responder.credits = m_config.credits && !m_config.receiveQueue;
    responder.mtu = m_config.mtu;
    responder.initialPsn = m_config.receivePsn;
    responder.maxReads = m_config.responderReads;
    responder.queueKey = m_config.queueKey;
    responder.domain = domain;
    responder.sizes = m_sizes;
    m_responder = Responder();
    m_responder.Configure(responder, PeekPointer(m_receiveRequests));
    m_completer = Completer();
    m_completer.Configure(&m_requester,
                          PeekPointer(m_recovery),
                          domain,
                          m_config.rnrRetryLimit,
                          m_config.answersInOrder);
    SetRemoteQpn(m_config.remoteQpn);
}

void
QueuePair::SetState(QueuePairState state)
{
    m_state = state;
    m_receiving = IsReceiving(state);
    m_maySend = state == QueuePairState::RTS || state == QueuePairState::SQD;
    m_requester.SetHold(SendQueue::HOLD_DRAIN, state == QueuePairState::SQD);
    if (!m_receiving)
    {
        m_answering = false;
        m_deadline = NEVER;
    }
}

void
QueuePair::Refresh()
{
    m_rate = m_control->GetRate();
    m_controlDeadline = m_control->GetDeadline();
    m_hearsSent = m_control->HearsSent();
    m_hearsAck = m_control->HearsAck() || m_config.paths;
    uint64_t cap = m_config.windowBytes;
    if (m_config.windowFollowsRate && cap != CongestionControl::UNLIMITED)
    {
        // one packet is always allowed: the cap only says when no further one may leave
        const double share = double(m_rate) / double(m_control->GetFlow().lineRate);
        cap = std::max<uint64_t>(1, static_cast<uint64_t>(double(cap) * share));
    }
    m_window = std::min({m_control->GetWindow(), cap, m_recovery->GetWindow()});
    m_guaranteed = m_control->GetGuarantee() > 0;
    if (m_guaranteed)
    {
        m_grantWindow = std::min(
            {m_control->GetGuaranteeWindow(), m_config.windowBytes, m_recovery->GetWindow()});
    }
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
    address.sourceQp = m_qpn;
    address.sourcePort = key.sourcePort;
    address.destinationPort = key.destinationPort;
    address.localPort = static_cast<uint16_t>(m_config.localPort);
    address.priority = m_config.priority;
    address.ecn = m_config.ecnCapable ? ECN_ECT0 : ECN_NOT_ECT;
    address.ttl = m_config.timeToLive;
    m_requester.SetAddress(address);
}

void
QueuePair::SetSourcePort(uint16_t port)
{
    m_config.sourcePort = port;
    SetRemoteQpn(m_config.remoteQpn);
}

void
QueuePair::SetPath(const QueuePairPath& path)
{
    m_config.localPort = path.localPort;
    m_config.localAddress = path.localAddress;
    m_config.remoteAddress = path.remoteAddress;
    m_config.baseRtt = path.baseRtt;
    m_config.hops = path.hops;
    SetRemoteQpn(m_config.remoteQpn);
}

} // namespace roce
} // namespace ns3
