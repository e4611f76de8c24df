/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-application.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceCollectiveApplication");

NS_OBJECT_ENSURE_REGISTERED(CollectiveApplication);

TypeId
CollectiveApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::CollectiveApplication")
            .SetParent<Application>()
            .SetGroupName("Roce")
            .AddConstructor<CollectiveApplication>()
            .AddAttribute("InFlight",
                          "WRITEs of a connection that may be unfinished at a time; 0: any number",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::m_inFlight),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReceiveDelay",
                          "Time from the start of a rank until it has posted its receives",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&CollectiveApplication::m_receiveDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Size",
                          "Bytes of the buffer of a rank; given by the schedule",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::GetSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Rank",
                          "Which part of the schedule it runs",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&CollectiveApplication::GetRank),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("StepDone",
                            "A send is acknowledged, or a receive is in",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_stepDone),
                            "ns3::roce::CollectiveApplication::StepTracedCallback")
            .AddTraceSource("Done",
                            "The rank is finished",
                            MakeTraceSourceAccessor(&CollectiveApplication::m_doneTrace),
                            "ns3::roce::CollectiveApplication::DoneTracedCallback");
    return tid;
}

CollectiveApplication::CollectiveApplication() = default;

CollectiveApplication::~CollectiveApplication() = default;

void
CollectiveApplication::DoDispose()
{
    StopApplication();
    m_done.Nullify();
    m_senders.clear();
    m_receivers.clear();
    m_sendQueues.clear();
    Application::DoDispose();
}

void
CollectiveApplication::SetSchedule(Ptr<const CollectiveSchedule> schedule, uint32_t rank)
{
    if (m_schedule)
    {
        throw std::invalid_argument("collective: rank " + std::to_string(m_rank) +
                                    " has a schedule already; make another application");
    }
    m_progress = std::make_unique<CollectiveProgress>(*schedule, rank);
    m_schedule = schedule;
    m_rank = rank;
}

void
CollectiveApplication::AddSender(const CollectiveLink& link, Ptr<Nic> nic, Ptr<QueuePair> qp)
{
    if (!m_senderOf.emplace(link, m_senders.size()).second)
    {
        throw std::invalid_argument("collective: rank " + std::to_string(m_rank) +
                                    " has a connection to rank " + std::to_string(link.peer) +
                                    " on channel " + std::to_string(link.channel) + " already");
    }
    m_senders.push_back(Sender{link, nic, qp});
    m_sendQueues.push_back(CreateObject<CompletionQueue>());
    qp->SetSendQueue(m_sendQueues.back());
}

void
CollectiveApplication::AddReceiver(const CollectiveLink& link, Ptr<QueuePair> qp)
{
    m_receivers.push_back(Receiver{link, qp, CreateObject<CompletionQueue>()});
    qp->SetReceiveQueue(m_receivers.back().queue);
}

void
CollectiveApplication::SetDoneCallback(DoneCallback done)
{
    m_done = done;
}

uint32_t
CollectiveApplication::GetRank() const
{
    return m_rank;
}

uint64_t
CollectiveApplication::GetSize() const
{
    return m_schedule ? m_schedule->GetBytes() : 0;
}

uint64_t
CollectiveApplication::GetBytesSent() const
{
    return m_bytesSent;
}

uint64_t
CollectiveApplication::GetBytesReceived() const
{
    return m_bytesReceived;
}

uint32_t
CollectiveApplication::GetPeakInFlight() const
{
    return m_peak;
}

uint64_t
CollectiveApplication::GetEarlyArrivals() const
{
    return m_early;
}

bool
CollectiveApplication::IsFinished() const
{
    return m_doneTick != NEVER;
}

bool
CollectiveApplication::HasFailed() const
{
    return m_failed;
}

Tick
CollectiveApplication::GetStarted() const
{
    return m_startTick;
}

Tick
CollectiveApplication::GetFinished() const
{
    return m_doneTick;
}

std::string
CollectiveApplication::Describe() const
{
    if (!m_progress)
    {
        return "a collective application without a schedule";
    }
    std::string text = m_progress->Describe();
    if (m_open)
    {
        text += ", " + std::to_string(m_open) + " writes not acknowledged";
    }
    if (m_failed)
    {
        text += ", a write has failed";
    }
    if (m_startTick == NEVER)
    {
        text += ", has not started";
    }
    return text;
}

void
CollectiveApplication::CheckLinks() const
{
    if (!m_progress)
    {
        throw std::runtime_error("collective application at node " +
                                 std::to_string(GetNode()->GetId()) +
                                 " starts without a schedule; call SetSchedule");
    }
    for (const CollectiveLink& link : m_progress->GetSendLinks())
    {
        if (!m_senderOf.count(link))
        {
            throw std::runtime_error("collective: rank " + std::to_string(m_rank) +
                                     " has no connection to rank " + std::to_string(link.peer) +
                                     " on channel " + std::to_string(link.channel) +
                                     "; call AddSender");
        }
    }
    for (const CollectiveLink& link : m_progress->GetReceiveLinks())
    {
        if (std::none_of(m_receivers.begin(), m_receivers.end(), [&link](const Receiver& r) {
                return !(r.link < link) && !(link < r.link);
            }))
        {
            throw std::runtime_error("collective: rank " + std::to_string(m_rank) +
                                     " has no connection from rank " + std::to_string(link.peer) +
                                     " on channel " + std::to_string(link.channel) +
                                     "; call AddReceiver");
        }
    }
}

void
CollectiveApplication::StartApplication()
{
    CheckLinks();
    m_started = true;
    m_startTick = ToTick(Simulator::Now());
    const uint32_t context = GetNode()->GetId();
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        m_sendQueues[i]->SetHandler(context, [this, i](const Completion& c) { OnSent(i, c); });
    }
    if (m_receiveDelay.IsZero())
    {
        PostReceives();
    }
    else
    {
        m_receiveEvent =
            Simulator::Schedule(m_receiveDelay, &CollectiveApplication::PostReceives, this);
    }
    for (Sender& sender : m_senders)
    {
        PostSends(sender);
    }
    CheckDone();
}

void
CollectiveApplication::StopApplication()
{
    m_started = false;
    m_receiveEvent.Cancel();
    for (const auto& queue : m_sendQueues)
    {
        queue->SetHandler(0, CompletionQueue::Handler());
    }
    for (const Receiver& receiver : m_receivers)
    {
        receiver.queue->SetHandler(0, CompletionQueue::Handler());
    }
}

void
CollectiveApplication::PostReceives()
{
    const uint32_t context = GetNode()->GetId();
    for (std::size_t i = 0; i < m_receivers.size(); ++i)
    {
        m_receivers[i].queue->SetHandler(context,
                                         [this, i](const Completion& c) { OnArrival(i, c); });
    }
    // what came before was in memory all along
    Completion completion;
    for (std::size_t i = 0; i < m_receivers.size(); ++i)
    {
        while (m_receivers[i].queue->Poll(completion))
        {
            ++m_early;
            OnArrival(i, completion);
        }
    }
}

void
CollectiveApplication::OnArrival(std::size_t receiver, const Completion& completion)
{
    const CollectiveLink& link = m_receivers[receiver].link;
    const uint32_t step = m_progress->Match(link);
    const uint64_t expected = m_schedule->GetStep(m_rank, step).receiveBytes;
    if (completion.bytes != expected)
    {
        throw std::runtime_error("collective: rank " + std::to_string(m_rank) + " got " +
                                 std::to_string(completion.bytes) + " bytes from rank " +
                                 std::to_string(link.peer) + " for step " + std::to_string(step) +
                                 ", expected " + std::to_string(expected));
    }
    m_bytesReceived += completion.bytes;
    if (!m_stepDone.IsEmpty())
    {
        m_stepDone(CollectiveStepRecord{m_rank,
                                        step,
                                        link.peer,
                                        true,
                                        completion.bytes,
                                        completion.posted,
                                        ToTick(Simulator::Now())});
    }
    for (const CollectiveLink& freed : m_progress->SetIn(step))
    {
        PostSends(m_senders[m_senderOf.at(freed)]);
    }
    CheckDone();
}

void
CollectiveApplication::OnSent(std::size_t index, const Completion& completion)
{
    Sender& sender = m_senders[index];
    --sender.open;
    --m_open;
    if (completion.status != CompletionStatus::SUCCESS)
    {
        NS_LOG_WARN("rank " << m_rank << " step " << completion.id << " to rank "
                            << sender.link.peer << ": " << CompletionStatusName(completion.status));
        m_failed = true;
        return;
    }
    m_bytesSent += completion.bytes;
    if (!m_stepDone.IsEmpty())
    {
        m_stepDone(CollectiveStepRecord{m_rank,
                                        static_cast<uint32_t>(completion.id),
                                        sender.link.peer,
                                        false,
                                        completion.bytes,
                                        completion.posted,
                                        completion.completed});
    }
    PostSends(sender);
    CheckDone();
}

void
CollectiveApplication::PostSends(Sender& sender)
{
    while (m_started && !m_failed && (m_inFlight == 0 || sender.open < m_inFlight))
    {
        const uint32_t index = m_progress->TakeSend(sender.link);
        if (index == CollectiveStep::NONE)
        {
            return;
        }
        const CollectiveStep step = m_schedule->GetStep(m_rank, index);
        WorkRequest request;
        request.id = index;
        request.bytes = step.sendBytes;
        request.remoteAddress = step.sendOffset;
        m_peak = std::max(m_peak, ++sender.open);
        ++m_open;
        NS_LOG_LOGIC("rank " << m_rank << " posts step " << index << ", " << step.sendBytes
                             << " bytes to rank " << step.sendTo);
        sender.nic->Post(sender.qp, request);
    }
}

void
CollectiveApplication::CheckDone()
{
    if (!m_started || m_open > 0 || m_failed || m_doneTick != NEVER || !m_progress->IsFinished())
    {
        return;
    }
    m_doneTick = ToTick(Simulator::Now());
    NS_LOG_INFO("rank " << m_rank << " is finished");
    m_doneTrace(m_rank, m_doneTick);
    if (!m_done.IsNull())
    {
        m_done(this);
    }
}

} // namespace roce
} // namespace ns3
