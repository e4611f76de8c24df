/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic.h"

#include "roce-nic-lane.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace roce
{

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
                          MakeUintegerChecker<uint32_t>(0, 65534))
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
            .AddAttribute("Transport",
                          "What its queue pairs do where the standard leaves a choice",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&Nic::m_transport),
                          MakePointerChecker<TransportOptions>())
            .AddTraceSource("Posted",
                            "A work request is posted",
                            MakeTraceSourceAccessor(&Nic::m_posted),
                            "ns3::roce::Nic::PostedTracedCallback")
            .AddTraceSource("Completed",
                            "A work request has ended",
                            MakeTraceSourceAccessor(&Nic::m_completed),
                            "ns3::roce::Nic::CompletionTracedCallback")
            .AddTraceSource("Arrived",
                            "A message is whole here, or a receive request has ended",
                            MakeTraceSourceAccessor(&Nic::m_arrived),
                            "ns3::roce::Nic::CompletionTracedCallback")
            .AddTraceSource("CnpSent",
                            "A CNP, or an ACK with an echo, is sent",
                            MakeTraceSourceAccessor(&Nic::m_cnpSent),
                            "ns3::roce::Nic::TickTracedCallback")
            .AddTraceSource("CnpReceived",
                            "A CNP, or an ACK with an echo, has arrived",
                            MakeTraceSourceAccessor(&Nic::m_cnpReceived),
                            "ns3::roce::Nic::TickTracedCallback")
            .AddTraceSource("Rtt",
                            "Round trip of an acknowledged packet, from its first bit to the ACK",
                            MakeTraceSourceAccessor(&Nic::m_rtt),
                            "ns3::roce::Nic::TickTracedCallback")
            .AddTraceSource("Timeout",
                            "A retransmission timer expired",
                            MakeTraceSourceAccessor(&Nic::m_timeout),
                            "ns3::roce::Nic::TickTracedCallback")
            .AddTraceSource("Drained",
                            "A queue pair in state SQD has nothing outstanding any more",
                            MakeTraceSourceAccessor(&Nic::m_drained),
                            "ns3::roce::Nic::TickTracedCallback")
            .AddTraceSource("StateChange",
                            "A queue pair has a new state",
                            MakeTraceSourceAccessor(&Nic::m_stateChange),
                            "ns3::roce::Nic::StateTracedCallback");
    return tid;
}

Nic::Nic()
    : m_core(EventCore::Get()),
      m_timers(std::make_unique<QueuePairTimers>(this, &Nic::CheckTimer)),
      m_grants(std::make_unique<QueuePairTimers>(this, &Nic::CheckGrant)),
      m_cnpChecks(std::make_unique<QueuePairTimers>(this, &Nic::CheckCnp)),
      m_cnpOut(std::make_unique<CnpDelay>(this, true)),
      m_cnpIn(std::make_unique<CnpDelay>(this, false)),
      m_cnpGenerator(CreateObject<CnpGenerator>()),
      m_transport(CreateObject<TransportOptions>())
{
}

Nic::~Nic() = default;

void
Nic::DoDispose()
{
    m_timers.reset();
    m_grants.reset();
    m_cnpChecks.reset();
    m_cnpOut.reset();
    m_cnpIn.reset();
    for (const auto& qp : m_qps)
    {
        while (Frame* frame = qp ? qp->m_responder.DropKept() : nullptr)
        {
            m_core->GetPool().Free(frame);
        }
    }
    m_lanes.clear();
    m_qps.clear();
    m_retired.clear();
    m_cnpGenerator = nullptr;
    m_transport = nullptr;
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
    m_factory.SetFrameSizes(sizes);
}

void
Nic::SetCongestionControl(const ObjectFactory& factory)
{
    m_factory.SetCongestionControl(factory);
}

void
Nic::SetLossRecovery(const ObjectFactory& factory)
{
    m_factory.SetLossRecovery(factory);
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

} // namespace roce
} // namespace ns3
