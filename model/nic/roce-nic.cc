/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic.h"

#include "roce-nic-lane.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/roce-flow-key.h"
#include "ns3/roce-no-congestion-control.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceNic");

NS_OBJECT_ENSURE_REGISTERED(Nic);

TypeId
Nic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::Nic")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddConstructor<Nic>()
            .AddAttribute("PathMtu",
                          "Payload bytes of a full packet; IBTA knows 256, 512, 1024, 2048 and "
                          "4096, other sizes are an extension",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&Nic::m_mtu),
                          MakeUintegerChecker<uint32_t>(1, 9216))
            .AddAttribute("Priority",
                          "Priority of data",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Nic::m_priority),
                          MakeUintegerChecker<uint8_t>(0, 7))
            .AddAttribute("ControlPriority",
                          "Priority of ACK, NAK and CNP; 255: that of the data they answer",
                          UintegerValue(6),
                          MakeUintegerAccessor(&Nic::m_controlPriority),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("ControlQueue",
                          "Queue of this NIC for ACK, NAK and CNP; 255: that of their priority",
                          UintegerValue(255),
                          MakeUintegerAccessor(&Nic::m_controlQueue),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("AckInterval",
                          "Packets between acknowledgements that a requester asks for; the last "
                          "packet of a message is always acknowledged",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Nic::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "AckTimeout",
                "Retransmission timer; 0 is none. Default 4.096 us * 2^14 (IBTA 9.7.6.1.3)",
                TimeValue(NanoSeconds(67108864)),
                MakeTimeAccessor(&Nic::m_ackTimeout),
                MakeTimeChecker(Time(0)))
            .AddAttribute("RetryLimit",
                          "Timeouts in a row after which a queue pair fails",
                          UintegerValue(7),
                          MakeUintegerAccessor(&Nic::m_retryLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("EcnCapable",
                          "Data is sent as ECT(0)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Nic::m_ecnCapable),
                          MakeBooleanChecker())
            .AddAttribute("SameSourcePort",
                          "All queue pairs send from one UDP port, so that a pair of hosts uses "
                          "one path",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Nic::m_sameSourcePort),
                          MakeBooleanChecker())
            .AddAttribute("CnpHandling",
                          "Time from the arrival of a CNP to the reaction",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Nic::m_cnpHandling),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CnpGenerator",
                          "The notification point",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&Nic::m_cnpGenerator),
                          MakePointerChecker<CnpGenerator>())
            .AddTraceSource("Posted",
                            "A work request is posted",
                            MakeTraceSourceAccessor(&Nic::m_posted),
                            "ns3::roce::Nic::PostedTracedCallback")
            .AddTraceSource("Completed",
                            "A work request has ended",
                            MakeTraceSourceAccessor(&Nic::m_completed),
                            "ns3::roce::Nic::CompletionTracedCallback")
            .AddTraceSource("Arrived",
                            "A message is whole here",
                            MakeTraceSourceAccessor(&Nic::m_arrived),
                            "ns3::roce::Nic::CompletionTracedCallback")
            .AddTraceSource("CnpSent",
                            "A CNP, or an ACK with an echo, is sent",
                            MakeTraceSourceAccessor(&Nic::m_cnpSent),
                            "ns3::roce::Nic::CnpTracedCallback")
            .AddTraceSource("CnpReceived",
                            "A CNP, or an ACK with an echo, has arrived",
                            MakeTraceSourceAccessor(&Nic::m_cnpReceived),
                            "ns3::roce::Nic::CnpTracedCallback")
            .AddTraceSource("Rtt",
                            "Round trip of an acknowledged packet, from its first bit to the ACK",
                            MakeTraceSourceAccessor(&Nic::m_rtt),
                            "ns3::roce::Nic::RttTracedCallback")
            .AddTraceSource("Timeout",
                            "A retransmission timer expired",
                            MakeTraceSourceAccessor(&Nic::m_timeout),
                            "ns3::roce::Nic::CnpTracedCallback");
    return tid;
}

Nic::Nic()
    : m_core(EventCore::Get()),
      m_timers(std::make_unique<RetransmitTimers>(this)),
      m_cnpOut(std::make_unique<CnpDelay>(this, true)),
      m_cnpIn(std::make_unique<CnpDelay>(this, false)),
      m_cnpGenerator(CreateObject<CnpGenerator>())
{
    m_control.SetTypeId(NoCongestionControl::GetTypeId());
}

Nic::~Nic() = default;

void
Nic::DoDispose()
{
    m_timers.reset();
    m_cnpOut.reset();
    m_cnpIn.reset();
    m_lanes.clear();
    m_qps.clear();
    m_retired.clear();
    m_cnpGenerator = nullptr;
    Object::DoDispose();
}

void
Nic::NotifyNewAggregate()
{
    if (Ptr<Node> node = GetObject<Node>())
    {
        m_nodeId = node->GetId();
    }
    Object::NotifyNewAggregate();
}

uint32_t
Nic::AddPort(Ptr<Port> port)
{
    const auto index = static_cast<uint32_t>(m_lanes.size());
    m_lanes.emplace_back(this, port, index);
    port->Assemble(this, index, Transmitter::NIC);
    return index;
}

uint32_t
Nic::GetNPorts() const
{
    return static_cast<uint32_t>(m_lanes.size());
}

Ptr<Port>
Nic::GetPort(uint32_t index) const
{
    NS_ABORT_MSG_IF(index >= m_lanes.size(),
                    "NIC of node " << m_nodeId << " has " << m_lanes.size() << " ports, not port "
                                   << index);
    return m_lanes[index].port;
}

Ptr<CnpGenerator>
Nic::GetCnpGenerator() const
{
    return m_cnpGenerator;
}

void
Nic::SetFrameSizes(const FrameSizes& sizes)
{
    m_sizes = sizes;
}

void
Nic::SetCongestionControl(const ObjectFactory& factory)
{
    NS_ABORT_MSG_IF(!factory.GetTypeId().IsChildOf(CongestionControl::GetTypeId()),
                    factory.GetTypeId().GetName() << " is not a congestion control");
    m_control = factory;
}

QueuePairConfig
Nic::GetDefaults() const
{
    QueuePairConfig config;
    config.mtu = m_mtu;
    config.priority = m_priority;
    config.ackInterval = m_ackInterval;
    config.ackTimeout = ToTick(m_ackTimeout);
    config.retryLimit = m_retryLimit;
    config.ecnCapable = m_ecnCapable;
    return config;
}

void
Nic::CheckConfig(const QueuePairConfig& config) const
{
    std::ostringstream problem;
    const uint32_t largest = m_sizes.DataBytes(config.mtu, true);
    if (config.localPort >= m_lanes.size())
    {
        problem << "local port " << config.localPort << ", the NIC has " << m_lanes.size();
    }
    else if (config.mtu == 0 || largest > 0xffff)
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
    else if ((config.sendPsn | config.receivePsn | config.remoteQpn) > MASK_24)
    {
        problem << "PSN or QPN above 24 bits";
    }
    else if (m_qps.size() + FIRST_QPN > MASK_24)
    {
        problem << "no QPN left of 2^24";
    }
    if (!problem.str().empty())
    {
        throw std::invalid_argument("queue pair at node " + std::to_string(m_nodeId) + ": " +
                                    problem.str());
    }
}

Ptr<QueuePair>
Nic::CreateQueuePair(const QueuePairConfig& wanted)
{
    CheckConfig(wanted);
    QueuePairConfig config = wanted;
    const uint32_t qpn = FIRST_QPN + static_cast<uint32_t>(m_qps.size());
    if (config.sourcePort == 0)
    {
        // entropy for equal-cost paths: 14 bits from the connection (IBTA Annex A17)
        const uint64_t seed = (uint64_t(config.localAddress) << 32 | config.remoteAddress) +
                              (m_sameSourcePort ? 0 : uint64_t(qpn) << 40);
        config.sourcePort =
            static_cast<uint16_t>(ROCE_UDP_SOURCE_PORT_MIN | (FlowKey::Mix(seed) & 0x3fff));
    }
    FlowParameters flow;
    flow.lineRate = m_lanes[config.localPort].port->GetRate();
    flow.baseRtt = config.baseRtt;
    flow.mtu = config.mtu;
    flow.frameBytes =
        m_sizes.DataBytes(config.mtu, false) + m_lanes[config.localPort].port->GetGap();
    flow.qpn = qpn;
    auto control = m_control.Create<CongestionControl>();
    control->Start(flow, m_core->Now());
    const uint64_t least = (uint64_t(config.ackInterval) + 1) * config.mtu;
    const uint64_t window = std::min(control->GetWindow(), config.windowBytes);
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
    auto qp = Create<QueuePair>(qpn, config, m_sizes, control);
    m_qps.push_back(qp);
    return qp;
}

void
Nic::Connect(Ptr<QueuePair> qp, uint32_t remoteQpn)
{
    NS_ABORT_MSG_IF(qp->m_state != QueuePairState::RESET,
                    "QP " << qp->m_qpn << " at node " << m_nodeId << " is connected already");
    NS_ABORT_MSG_IF(remoteQpn > MASK_24, "QPN " << remoteQpn << " has more than 24 bits");
    qp->SetRemoteQpn(remoteQpn);
    qp->m_state = QueuePairState::RTS;
}

void
Nic::Destroy(Ptr<QueuePair> qp)
{
    NS_ABORT_MSG_IF(Lookup(qp->m_qpn) != PeekPointer(qp),
                    "QP " << qp->m_qpn << " is not of node " << m_nodeId);
    Requester::OpenRequest open;
    while (qp->m_requester.Flush(open))
    {
        ++m_counters.requestsFailed;
    }
    qp->m_state = QueuePairState::ERROR;
    qp->m_deadline = NEVER;
    qp->m_sendQueue = nullptr;
    qp->m_receiveQueue = nullptr;
    if (qp->m_queued)
    {
        m_retired.push_back(qp);
    }
    m_qps[qp->m_qpn - FIRST_QPN] = nullptr;
}

Ptr<QueuePair>
Nic::Find(uint32_t qpn) const
{
    return Ptr<QueuePair>(Lookup(qpn));
}

std::vector<Ptr<QueuePair>>
Nic::GetQueuePairs() const
{
    std::vector<Ptr<QueuePair>> qps;
    for (const auto& qp : m_qps)
    {
        if (qp)
        {
            qps.push_back(qp);
        }
    }
    return qps;
}

uint64_t
Nic::GetOpenRequests() const
{
    return m_counters.requestsPosted - m_counters.requestsCompleted - m_counters.requestsFailed;
}

void
Nic::Post(Ptr<QueuePair> qp, const WorkRequest& request)
{
    const Tick now = m_core->Now();
    NS_ABORT_MSG_IF(qp->m_state == QueuePairState::RESET,
                    "QP " << qp->m_qpn << " at node " << m_nodeId
                          << " is not connected; call Connect before Post");
    ++m_counters.requestsPosted;
    m_counters.bytesPosted += request.bytes;
    m_posted(qp->m_qpn, request);
    if (qp->m_state == QueuePairState::ERROR)
    {
        Requester::OpenRequest open;
        open.request = request;
        open.posted = now;
        Complete(PeekPointer(qp), open, CompletionStatus::FLUSHED, now);
        return;
    }
    qp->m_requester.Post(request, now);
    Activate(PeekPointer(qp), now);
}

} // namespace roce
} // namespace ns3
