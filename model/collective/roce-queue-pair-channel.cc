/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-queue-pair-channel.h"

#include "roce-collective-schedule.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/roce-compat.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceQueuePairChannel");

NS_OBJECT_ENSURE_REGISTERED(QueuePairChannel);

TypeId
QueuePairChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::QueuePairChannel")
            .SetParent<MessageChannel>()
            .SetGroupName("Roce")
            .AddConstructor<QueuePairChannel>()
            .AddAttribute("Policy",
                          "How messages use several queue pairs",
                          EnumValue(QueuePairChannel::SPLIT),
                          CompatMakeEnumAccessor<Policy>(&QueuePairChannel::m_policy),
                          MakeEnumChecker(QueuePairChannel::SPLIT,
                                          "Split",
                                          QueuePairChannel::ROUND_ROBIN,
                                          "RoundRobin"))
            .AddAttribute("ProxyDelay",
                          "Time from Send until the WRITE is posted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QueuePairChannel::m_proxyDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

QueuePairChannel::QueuePairChannel() = default;

QueuePairChannel::~QueuePairChannel()
{
    Shut();
}

void
QueuePairChannel::DoDispose()
{
    Shut();
    m_lanes.clear();
    m_nic = nullptr;
    m_peerNic = nullptr;
    MessageChannel::DoDispose();
}

void
QueuePairChannel::Shut()
{
    for (const Lane& lane : m_lanes)
    {
        lane.sent->SetHandler(0, CompletionQueue::Handler());
        lane.arrived->SetHandler(0, CompletionQueue::Handler());
    }
    for (EventId& event : m_proxy)
    {
        event.Cancel();
    }
    m_proxy.clear();
}

void
QueuePairChannel::Add(Ptr<Nic> nic, Ptr<QueuePair> qp, Ptr<Nic> peerNic, Ptr<QueuePair> peerQp)
{
    const std::string self = "queue pair channel: ";
    if (!nic || !qp || !peerNic || !peerQp || !nic->GetObject<Node>() ||
        !peerNic->GetObject<Node>())
    {
        throw std::invalid_argument(self + "it needs a NIC at a node and a queue pair at each end");
    }
    if (GetPosted() > 0)
    {
        throw std::invalid_argument(self + "it has sent " + std::to_string(GetPosted()) +
                                    " messages already; add queue pairs before");
    }
    if (m_nic && (m_nic != nic || m_peerNic != peerNic))
    {
        throw std::invalid_argument(self + "queue pair " + std::to_string(qp->GetQpn()) +
                                    " is not between the hosts of the others");
    }
    m_nic = nic;
    m_peerNic = peerNic;
    const std::size_t index = m_lanes.size();
    Lane lane;
    lane.qp = qp;
    lane.sent = CreateObject<CompletionQueue>();
    lane.arrived = CreateObject<CompletionQueue>();
    lane.sent->SetHandler(nic->GetObject<Node>()->GetId(),
                          [this, index](const Completion& c) { OnSent(index, c); });
    lane.arrived->SetHandler(peerNic->GetObject<Node>()->GetId(),
                             [this, index](const Completion& c) { OnArrival(index, c); });
    qp->SetSendQueue(lane.sent);
    peerQp->SetReceiveQueue(lane.arrived);
    m_lanes.push_back(lane);
}

void
QueuePairChannel::DoSend(uint64_t number, uint64_t bytes, uint64_t remoteAddress)
{
    if (m_lanes.empty())
    {
        throw std::runtime_error("queue pair channel: it has no queue pair; call Add first");
    }
    Message message;
    message.sent.number = number;
    message.sent.bytes = bytes;
    message.sent.begun = ToTick(Simulator::Now());
    message.received.number = number;
    message.received.bytes = bytes;
    message.received.begun = NEVER;
    message.unsent = m_policy == ROUND_ROBIN
                         ? 1
                         : static_cast<uint32_t>(std::clamp<uint64_t>(bytes, 1, m_lanes.size()));
    message.unarrived = message.unsent;
    m_messages.push_back(message);
    if (m_proxyDelay.IsZero())
    {
        Post(number, bytes, remoteAddress);
        return;
    }
    while (!m_proxy.empty() && m_proxy.front().IsExpired())
    {
        m_proxy.pop_front();
    }
    m_proxy.push_back(Simulator::Schedule(m_proxyDelay,
                                          &QueuePairChannel::Post,
                                          this,
                                          number,
                                          bytes,
                                          remoteAddress));
}

void
QueuePairChannel::Post(uint64_t number, uint64_t bytes, uint64_t remoteAddress)
{
    if (m_policy == ROUND_ROBIN)
    {
        PostPart(m_lanes[number % m_lanes.size()], number, bytes, remoteAddress);
        return;
    }
    const uint64_t parts = std::clamp<uint64_t>(bytes, 1, m_lanes.size());
    for (uint64_t i = 0; i < parts; ++i)
    {
        PostPart(m_lanes[i],
                 number,
                 CollectiveSchedule::PartBytes(bytes, parts, i),
                 remoteAddress + CollectiveSchedule::PartOffset(bytes, parts, i));
    }
}

void
QueuePairChannel::PostPart(Lane& lane, uint64_t number, uint64_t bytes, uint64_t remoteAddress)
{
    NS_LOG_LOGIC("message " << number << ": " << bytes << " bytes on queue pair "
                            << lane.qp->GetQpn());
    lane.posted.push_back(number);
    lane.coming.push_back(number);
    lane.bytes += bytes;
    WorkRequest request;
    request.id = number;
    request.bytes = bytes;
    request.remoteAddress = remoteAddress;
    m_nic->Post(lane.qp, request);
}

void
QueuePairChannel::OnSent(std::size_t index, const Completion& completion)
{
    Lane& lane = m_lanes[index];
    const uint64_t number = lane.posted.front();
    lane.posted.pop_front();
    Message& message = m_messages[number - m_first];
    message.sent.ended = std::max(message.sent.ended, completion.completed);
    message.sent.failed |= completion.status != CompletionStatus::SUCCESS;
    if (completion.status != CompletionStatus::SUCCESS)
    {
        NS_LOG_WARN("message " << number << " of " << completion.bytes
                               << " bytes: " << CompletionStatusName(completion.status));
    }
    if (--message.unsent == 0)
    {
        const MessageEnd record = message.sent;
        Forget();
        TellSent(record);
    }
}

void
QueuePairChannel::OnArrival(std::size_t index, const Completion& completion)
{
    Lane& lane = m_lanes[index];
    const uint64_t number = lane.coming.front();
    lane.coming.pop_front();
    Message& message = m_messages[number - m_first];
    message.received.begun = std::min(message.received.begun, completion.posted);
    message.received.ended = std::max(message.received.ended, completion.completed);
    if (--message.unarrived == 0)
    {
        const MessageEnd record = message.received;
        Forget();
        TellReceived(record);
    }
}

void
QueuePairChannel::Forget()
{
    while (!m_messages.empty() && m_messages.front().unsent == 0 &&
           m_messages.front().unarrived == 0)
    {
        m_messages.pop_front();
        ++m_first;
    }
}

} // namespace roce
} // namespace ns3
