/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair-factory.h"

#include "ns3/abort.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-go-back-n.h"
#include "ns3/roce-no-congestion-control.h"
#include "ns3/roce-rnr-timer.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

QueuePairFactory::QueuePairFactory()
{
    m_control.SetTypeId(NoCongestionControl::GetTypeId());
    m_recovery.SetTypeId(GoBackN::GetTypeId());
}

void
QueuePairFactory::SetFrameSizes(const FrameSizes& sizes)
{
    m_sizes = sizes;
}

void
QueuePairFactory::SetCongestionControl(const ObjectFactory& factory)
{
    NS_ABORT_MSG_IF(!factory.GetTypeId().IsChildOf(CongestionControl::GetTypeId()),
                    factory.GetTypeId().GetName() << " is not a congestion control");
    m_control = factory;
    m_shared = nullptr;
}

void
QueuePairFactory::SetLossRecovery(const ObjectFactory& factory)
{
    NS_ABORT_MSG_IF(!factory.GetTypeId().IsChildOf(LossRecovery::GetTypeId()),
                    factory.GetTypeId().GetName() << " is not a loss recovery");
    m_recovery = factory;
}

void
QueuePairFactory::CheckConfig(uint32_t qpn, const QueuePairConfig& config, uint32_t node) const
{
    std::ostringstream problem;
    const uint32_t largest = m_sizes.DataBytes(config.mtu, true);
    if (config.mtu == 0 || largest > 0xffff)
    {
        problem << "MTU " << config.mtu << ", expected 1 up to frames of 65535 bytes";
    }
    else if (config.priority >= NUM_PRIORITIES)
    {
        problem << "priority " << unsigned(config.priority) << ", expected 0..7";
    }
    else if (config.ackInterval == 0 || config.ackInterval >= MAX_OUTSTANDING_PSNS)
    {
        problem << "ACK interval " << config.ackInterval << ", expected 1.."
                << MAX_OUTSTANDING_PSNS - 1;
    }
    else if (config.retryLimit >= 0xffff)
    {
        problem << "retry limit " << config.retryLimit << ", expected 0..65534";
    }
    else if (config.maxReads == 0)
    {
        problem << "0 READs and atomics outstanding, expected at least 1";
    }
    else if (config.rnrRetryLimit > 7 || config.rnrTimerCode > RnrTimer::MAX_CODE)
    {
        problem << "RNR retry limit " << config.rnrRetryLimit << " and timer code "
                << unsigned(config.rnrTimerCode) << ", expected 0..7 and 0.."
                << unsigned(RnrTimer::MAX_CODE);
    }
    else if ((config.sendPsn | config.receivePsn | config.remoteQpn) > MASK_24)
    {
        problem << "PSN or QPN above 24 bits";
    }
    else if (qpn > MASK_24)
    {
        problem << "no QPN left of 2^24";
    }
    if (!problem.str().empty())
    {
        throw std::invalid_argument("queue pair at node " + std::to_string(node) + ": " +
                                    problem.str());
    }
}

Ptr<QueuePair>
QueuePairFactory::Create(uint32_t qpn, const QueuePairConfig& wanted, const QueuePairOwner& owner)
{
    CheckConfig(qpn, wanted, owner.node);
    QueuePairConfig config = wanted;
    if (config.sourcePort == 0)
    {
        // entropy for equal-cost paths: 14 bits from the connection (IBTA Annex A17)
        const uint64_t seed = (uint64_t(config.localAddress) << 32 | config.remoteAddress) +
                              (owner.sameSourcePort ? 0 : uint64_t(qpn) << 40);
        config.sourcePort =
            static_cast<uint16_t>(ROCE_UDP_SOURCE_PORT_MIN | (FlowKey::Mix(seed) & 0x3fff));
    }
    config.answersInOrder = owner.answersInOrder;
    Ptr<CongestionControl> control = MakeControl(qpn, config, owner);
    Ptr<LossRecovery> recovery = MakeRecovery(config, owner);
    const uint64_t window =
        std::min({control->GetWindow(), config.windowBytes, recovery->GetWindow()});
    CheckWindow(config, window);
    if (window != CongestionControl::UNLIMITED && !recovery->AsksInsideMessages())
    {
        std::ostringstream problem;
        problem
            << "window of " << window << " bytes: " << recovery->GetInstanceTypeId().GetName()
            << " acknowledges whole messages only, so a longer one would never end; use another "
               "loss recovery or no window";
        throw std::invalid_argument(problem.str());
    }
    return ns3::Create<QueuePair>(qpn, config, m_sizes, control, recovery);
}

Ptr<CongestionControl>
QueuePairFactory::MakeControl(uint32_t qpn,
                              const QueuePairConfig& config,
                              const QueuePairOwner& owner)
{
    FlowParameters flow;
    flow.lineRate = owner.lineRate;
    flow.baseRtt = config.baseRtt;
    flow.mtu = config.mtu;
    flow.frameBytes = m_sizes.DataBytes(config.mtu, false) + owner.gapBytes;
    flow.qpn = qpn;
    flow.hops = config.hops;
    FlowKey key;
    key.source = config.localAddress;
    key.destination = config.remoteAddress;
    key.sourcePort = config.sourcePort;
    key.destinationPort = config.destinationPort;
    flow.hash = FlowKey::Mix(uint64_t(key.Hash()) << 24 | qpn);
    auto control = m_control.Create<CongestionControl>();
    if (!m_shared)
    {
        m_shared = control->MakeShared();
    }
    flow.shared = m_shared;
    control->Start(flow, owner.now);
    return control;
}

Ptr<LossRecovery>
QueuePairFactory::MakeRecovery(const QueuePairConfig& config, const QueuePairOwner& owner) const
{
    RecoveryParameters parameters;
    parameters.lineRate = owner.lineRate;
    parameters.baseRtt = config.baseRtt;
    parameters.mtu = config.mtu;
    parameters.ackTimeout = config.ackTimeout;
    auto recovery = m_recovery.Create<LossRecovery>();
    recovery->Start(parameters);
    return recovery;
}

void
QueuePairFactory::CheckWindow(const QueuePairConfig& config, uint64_t window)
{
    const uint64_t least = (uint64_t(config.ackInterval) + 1) * config.mtu;
    if (window < (config.ackInterval > 1 ? least : 1))
    {
        std::ostringstream problem;
        problem << "window of " << window
                << " bytes is below ACK interval + 1 = " << config.ackInterval + 1 << " packets of "
                << config.mtu
                << " bytes: the sender would wait for an ACK nobody owes it; raise the window or "
                   "lower the ACK interval";
        throw std::invalid_argument(problem.str());
    }
}

void
QueuePairFactory::CheckRequest(const QueuePair& qp, const WorkRequest& request, uint32_t node)
{
    const QueuePairConfig& config = qp.GetConfig();
    const bool reliable = config.service == TransportService::RC;
    const Operation operation = request.operation;
    std::ostringstream problem;
    if (qp.GetState() < QueuePairState::RTS)
    {
        problem << "is in state " << QueuePairStateName(qp.GetState())
                << "; call Connect, or Modify up to RTS, before Post";
    }
    else if (!reliable && (IsReadOrAtomic(operation) || operation == Operation::SEND_INVALIDATE))
    {
        problem << "is unreliable: READ, atomics and SEND with Invalidate need service RC";
    }
    else if (config.service == TransportService::UD && operation != Operation::SEND &&
             operation != Operation::SEND_IMMEDIATE)
    {
        problem << "sends datagrams: only SEND and SEND with immediate data";
    }
    else if (config.service == TransportService::UD && request.bytes > config.mtu)
    {
        problem << "sends datagrams of at most " << config.mtu << " bytes (the MTU), not "
                << request.bytes;
    }
    else if (IsAtomic(operation) && request.bytes != 0 && request.bytes != 8)
    {
        problem << "is asked for an atomic on " << request.bytes << " bytes; it is always 8";
    }
    else if (!request.inlineData.empty() &&
             (IsReadOrAtomic(operation) || request.inlineData.size() != request.bytes ||
              request.bytes > config.maxInlineBytes))
    {
        problem << "gets " << request.inlineData.size() << " bytes of inline data for a request of "
                << request.bytes << " bytes; they must be equal, at most " << config.maxInlineBytes
                << ", and not for READ or atomics";
    }
    if (!problem.str().empty())
    {
        throw std::invalid_argument("QP " + std::to_string(qp.GetQpn()) + " at node " +
                                    std::to_string(node) + " " + problem.str());
    }
}

} // namespace roce
} // namespace ns3
