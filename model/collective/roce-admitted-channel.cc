/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-admitted-channel.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/roce-constants.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceAdmittedChannel");

NS_OBJECT_ENSURE_REGISTERED(AdmittedChannel);

TypeId
AdmittedChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::AdmittedChannel")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<AdmittedChannel>()
            .AddAttribute("ChunkBytes",
                          "Longest chunk; NCCL's buffer of 4 MiB in 8 slots",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&AdmittedChannel::m_chunkBytes),
                          MakeUintegerChecker<uint64_t>(1, MAX_MESSAGE_BYTES))
            .AddAttribute("Slots",
                          "Chunks in flight at most; NCCL_STEPS",
                          UintegerValue(8),
                          MakeUintegerAccessor(&AdmittedChannel::m_slots),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("CtsBytes",
                          "Payload of a CTS; NCCL's struct ncclIbSendFifo",
                          UintegerValue(64),
                          MakeUintegerAccessor(&AdmittedChannel::m_ctsBytes),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("Priority",
                          "Priority of CTSs; 255: ControlPriority of the NIC of the receiver",
                          UintegerValue(255),
                          MakeUintegerAccessor(&AdmittedChannel::m_priority),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("ProxyDelay",
                          "Time from the arrival of a CTS until its chunk may be posted",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AdmittedChannel::m_proxyDelay),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Granted",
                            "The receiver grants a chunk",
                            MakeTraceSourceAccessor(&AdmittedChannel::m_grantedTrace),
                            "ns3::roce::AdmittedChannel::GrantedTracedCallback")
            .AddTraceSource("CtsSent",
                            "The receiver posts a CTS",
                            MakeTraceSourceAccessor(&AdmittedChannel::m_ctsSentTrace),
                            "ns3::roce::AdmittedChannel::CtsTracedCallback")
            .AddTraceSource("CtsReceived",
                            "A CTS has arrived at the sender",
                            MakeTraceSourceAccessor(&AdmittedChannel::m_ctsReceivedTrace),
                            "ns3::roce::AdmittedChannel::CtsTracedCallback");
    return tid;
}

AdmittedChannel::AdmittedChannel() = default;

AdmittedChannel::~AdmittedChannel()
{
    Shut();
}

void
AdmittedChannel::DoDispose()
{
    Shut();
    m_sentCallback.Nullify();
    m_receivedCallback.Nullify();
    m_qp = nullptr;
    m_ctsQp = nullptr;
    m_nic = nullptr;
    m_peerNic = nullptr;
    Object::DoDispose();
}

void
AdmittedChannel::Shut()
{
    for (const auto& queue : m_queues)
    {
        queue->SetHandler(0, CompletionQueue::Handler());
    }
    m_queues.clear();
    for (EventId& event : m_seeing)
    {
        event.Cancel();
    }
    m_seeing.clear();
    m_failed = true; // nothing is posted any more
    if (m_admission)
    {
        const Ptr<ReceiverAdmission> admission = m_admission;
        m_admission = nullptr;
        admission->Close(m_index); // grants nothing to others: their NICs may be gone
    }
}

void
AdmittedChannel::CheckPair(Ptr<Nic> nic,
                           Ptr<QueuePair> qp,
                           Ptr<Nic> peerNic,
                           Ptr<QueuePair> peerQp) const
{
    std::string problem;
    if (!nic || !qp || !peerNic || !peerQp)
    {
        problem = "it needs a NIC and a queue pair at both ends";
    }
    else if (m_nic)
    {
        problem = "it is connected already; make another one";
    }
    else if (!nic->GetObject<Node>() || !peerNic->GetObject<Node>())
    {
        problem = "a NIC is not aggregated to a node";
    }
    else if (nic == peerNic)
    {
        problem = "both ends are at node " + std::to_string(nic->GetObject<Node>()->GetId()) +
                  "; a NIC does not send to itself";
    }
    else if (qp->GetConfig().service != TransportService::RC)
    {
        problem = "its queue pairs must be of service RC, where messages are acknowledged";
    }
    else if (nic->Find(qp->GetQpn()) != qp || peerNic->Find(peerQp->GetQpn()) != peerQp ||
             qp->GetConfig().remoteQpn != peerQp->GetQpn() ||
             peerQp->GetConfig().remoteQpn != qp->GetQpn() ||
             qp->GetConfig().remoteAddress != peerQp->GetConfig().localAddress)
    {
        problem = "queue pairs " + std::to_string(qp->GetQpn()) + " and " +
                  std::to_string(peerQp->GetQpn()) +
                  " are not those of the NICs, or not connected to each other";
    }
    else if (m_priority >= NUM_PRIORITIES && m_priority != 255)
    {
        problem = "Priority " + std::to_string(m_priority) + " is none; 0 to 7, or 255 for that " +
                  "of ACKs";
    }
    if (!problem.empty())
    {
        throw std::invalid_argument("admitted channel: " + problem);
    }
}

void
AdmittedChannel::Connect(Ptr<ReceiverAdmission> admission,
                         Ptr<Nic> nic,
                         Ptr<QueuePair> qp,
                         Ptr<Nic> peerNic,
                         Ptr<QueuePair> peerQp)
{
    CheckPair(nic, qp, peerNic, peerQp);
    if (!admission)
    {
        throw std::invalid_argument("admitted channel: it needs the admission of its receiver");
    }
    m_index = admission->AddChannel(m_chunkBytes, m_slots, [this](uint64_t b) { OnGrant(b); });
    m_admission = admission;
    m_nic = nic;
    m_peerNic = peerNic;
    m_qp = qp;
    qp->SetSendQueue(Listen(nic, &AdmittedChannel::OnSent));
    peerQp->SetReceiveQueue(Listen(peerNic, &AdmittedChannel::OnArrival));
    ConnectCts(qp, peerQp);
}

uint8_t
AdmittedChannel::ChoosePriority() const
{
    if (m_priority < NUM_PRIORITIES)
    {
        return m_priority;
    }
    UintegerValue control;
    m_peerNic->GetAttribute("ControlPriority", control);
    const uint64_t priority = control.Get();
    return priority < NUM_PRIORITIES ? static_cast<uint8_t>(priority) : m_qp->GetConfig().priority;
}

void
AdmittedChannel::ConnectCts(Ptr<QueuePair> qp, Ptr<QueuePair> peerQp)
{
    const auto make = [this](Ptr<Nic> nic, const QueuePairConfig& data) {
        QueuePairConfig config = nic->GetDefaults();
        config.localAddress = data.localAddress;
        config.remoteAddress = data.remoteAddress;
        config.localPort = data.localPort;
        config.baseRtt = data.baseRtt;
        config.hops = data.hops;
        config.priority = ChoosePriority();
        return nic->CreateQueuePair(config);
    };
    m_ctsQp = make(m_peerNic, peerQp->GetConfig());
    const Ptr<QueuePair> ring = make(m_nic, qp->GetConfig());
    m_peerNic->Connect(m_ctsQp, ring->GetQpn());
    m_nic->Connect(ring, m_ctsQp->GetQpn());
    m_ctsQp->SetSendQueue(Listen(m_peerNic, &AdmittedChannel::OnCtsEnded));
    ring->SetReceiveQueue(Listen(m_nic, &AdmittedChannel::OnCtsArrival));
}

Ptr<CompletionQueue>
AdmittedChannel::Listen(Ptr<Nic> nic, void (AdmittedChannel::*handler)(const Completion&))
{
    Ptr<CompletionQueue> queue = CreateObject<CompletionQueue>();
    queue->SetHandler(nic->GetObject<Node>()->GetId(),
                      [this, handler](const Completion& c) { (this->*handler)(c); });
    m_queues.push_back(queue);
    return queue;
}

void
AdmittedChannel::SetSentCallback(MessageCallback sent)
{
    m_sentCallback = sent;
}

void
AdmittedChannel::SetReceivedCallback(MessageCallback received)
{
    m_receivedCallback = received;
}

AdmittedChannel::Message&
AdmittedChannel::At(uint64_t number)
{
    return m_messages[number - m_first];
}

void
AdmittedChannel::Name(uint64_t number, uint64_t bytes, const char* call, const char* other)
{
    if (!m_nic)
    {
        throw std::invalid_argument(std::string("admitted channel: ") + call + "(" +
                                    std::to_string(bytes) + ") before Connect");
    }
    if (number - m_first == m_messages.size())
    {
        m_messages.push_back(Message{bytes});
        return;
    }
    if (At(number).bytes != bytes)
    {
        throw std::invalid_argument(
            "admitted channel of queue pair " + std::to_string(m_qp->GetQpn()) + ": message " +
            std::to_string(number) + " has " + call + "(" + std::to_string(bytes) + "), but " +
            other + "(" + std::to_string(At(number).bytes) + "); give both the same length");
    }
}

void
AdmittedChannel::Send(uint64_t bytes)
{
    Name(m_sends, bytes, "Send", "Expect");
    ++m_sends;
    PostChunks();
}

void
AdmittedChannel::Expect(uint64_t bytes)
{
    Name(m_expects, bytes, "Expect", "Send");
    ++m_expects;
    if (!m_failed)
    {
        m_admission->Expect(m_index, bytes);
    }
}

void
AdmittedChannel::OnGrant(uint64_t bytes)
{
    m_grantedTrace(bytes, m_admission->GetInFlight());
    m_cts.push_back(bytes);
    WorkRequest request;
    request.id = m_ctsSent;
    request.bytes = m_ctsBytes;
    request.remoteAddress = m_ctsSent % m_slots * m_ctsBytes; // the place in the ring
    m_ctsSentTrace(m_ctsSent, bytes);
    ++m_ctsSent;
    m_peerNic->Post(m_ctsQp, request);
}

void
AdmittedChannel::OnCtsEnded(const Completion& completion)
{
    if (completion.status != CompletionStatus::SUCCESS)
    {
        Fail("CTS", completion);
    }
}

void
AdmittedChannel::OnCtsArrival(const Completion&)
{
    if (m_failed)
    {
        return;
    }
    const std::size_t unused = m_cts.size() - (m_ctsSent - m_ctsReceived); // arrived before
    m_ctsReceivedTrace(m_ctsReceived, m_cts[unused]);
    ++m_ctsReceived;
    if (m_proxyDelay.IsZero())
    {
        ++m_usable;
        PostChunks();
        return;
    }
    m_seeing.push_back(Simulator::Schedule(m_proxyDelay, &AdmittedChannel::OnProxy, this));
}

void
AdmittedChannel::OnProxy()
{
    m_seeing.pop_front();
    ++m_usable;
    PostChunks();
}

void
AdmittedChannel::PostChunks()
{
    while (!m_failed && m_usable > 0 && m_posting < m_sends)
    {
        Message& message = At(m_posting);
        WorkRequest request;
        request.id = m_posting;
        request.bytes = m_cts.front();
        request.remoteAddress = message.posted;
        m_cts.pop_front();
        --m_usable;
        message.posted += request.bytes;
        m_posting += message.posted == message.bytes;
        NS_LOG_LOGIC("QP " << m_qp->GetQpn() << " posts " << request.bytes << " bytes of message "
                           << request.id);
        m_nic->Post(m_qp, request);
    }
}

void
AdmittedChannel::OnSent(const Completion& completion)
{
    if (completion.status != CompletionStatus::SUCCESS)
    {
        Fail("WRITE", completion);
    }
    if (m_failed)
    {
        return;
    }
    const uint64_t number = m_sent;
    Message& message = At(number);
    message.acked += completion.bytes;
    if (message.acked < message.bytes)
    {
        return;
    }
    const uint64_t bytes = message.bytes;
    ++m_sent;
    Forget();
    if (!m_sentCallback.IsNull())
    {
        m_sentCallback(number, bytes);
    }
}

void
AdmittedChannel::OnArrival(const Completion& completion)
{
    if (m_failed)
    {
        return;
    }
    const uint64_t number = m_received;
    Message& message = At(number);
    message.arrived += completion.bytes;
    m_bytesReceived += completion.bytes;
    const bool whole = message.arrived == message.bytes;
    const uint64_t bytes = message.bytes;
    if (whole)
    {
        ++m_received;
        Forget();
    }
    const uint64_t chunk = m_admission->Done(m_index);
    if (chunk != completion.bytes)
    {
        throw std::runtime_error(
            "admitted channel of queue pair " + std::to_string(m_qp->GetQpn()) + ": " +
            std::to_string(completion.bytes) + " bytes came, " + std::to_string(chunk) +
            " were granted; nobody else may post on its queue pair");
    }
    if (whole && !m_receivedCallback.IsNull())
    {
        m_receivedCallback(number, bytes);
    }
}

void
AdmittedChannel::Forget()
{
    while (!m_messages.empty() && m_first < m_sent && m_first < m_received)
    {
        m_messages.pop_front();
        ++m_first;
    }
}

void
AdmittedChannel::Fail(const char* what, const Completion& completion)
{
    if (m_failed)
    {
        return;
    }
    NS_LOG_WARN("admitted channel of QP " << m_qp->GetQpn() << ": " << what << " " << completion.id
                                          << ": " << CompletionStatusName(completion.status));
    m_failed = true;
    m_admission->Close(m_index);
    m_admission->GrantWaiting();
}

std::string
AdmittedChannel::Describe() const
{
    if (!m_nic)
    {
        return "an admitted channel without a connection";
    }
    std::string text;
    const auto add = [&text](uint64_t count, const char* what) {
        if (count > 0)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
        }
    };
    add(m_failed, " WRITE has failed");
    add(m_sends - m_sent, " messages not acknowledged");
    add(m_expects - m_received, " messages expected");
    add(m_sends > m_expects ? m_sends - m_expects : 0, " messages nobody expects");
    add(m_expects > m_sends ? m_expects - m_sends : 0, " messages nobody sends");
    add(m_ctsSent - m_ctsReceived, " CTSs on their way");
    add(m_cts.size(), " CTSs not used");
    return text;
}

} // namespace roce
} // namespace ns3
