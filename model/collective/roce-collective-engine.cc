/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-collective-engine.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_LOG_COMPONENT_DEFINE("RoceCollectiveEngine");

CollectiveEngine::CollectiveEngine(uint32_t rank)
    : m_rank(rank)
{
}

CollectiveEngine::~CollectiveEngine()
{
    Stop();
}

void
CollectiveEngine::Stop()
{
    for (auto& [link, sender] : m_senders)
    {
        sender.channel->SetSentHandler(nullptr);
    }
    for (auto& [link, receiver] : m_receivers)
    {
        receiver.channel->SetReceivedHandler(nullptr);
    }
    for (EventId& event : m_events)
    {
        event.Cancel();
    }
    m_events.clear();
    m_senders.clear();
    m_receivers.clear();
    m_missing = nullptr;
    m_step = nullptr;
    m_stopped = true;
}

void
CollectiveEngine::SetOptions(const CollectiveEngineOptions& options)
{
    m_options = options;
}

void
CollectiveEngine::SetLinkFunction(LinkFunction missing)
{
    m_missing = std::move(missing);
}

void
CollectiveEngine::SetStepFunction(StepFunction step)
{
    m_step = std::move(step);
}

void
CollectiveEngine::AddSender(const CollectiveLink& link, Ptr<MessageChannel> channel)
{
    if (!m_senders.emplace(link, Sender{channel, {}}).second)
    {
        throw std::invalid_argument("collective: rank " + std::to_string(m_rank) +
                                    " has a connection to rank " + std::to_string(link.peer) +
                                    " on channel " + std::to_string(link.channel) + " already");
    }
    channel->SetSentHandler([this, link](const MessageEnd& r) { OnSent(link, r); });
}

void
CollectiveEngine::AddReceiver(const CollectiveLink& link, Ptr<MessageChannel> channel)
{
    if (!m_receivers.emplace(link, Receiver{channel, {}}).second)
    {
        throw std::invalid_argument("collective: rank " + std::to_string(m_rank) +
                                    " has a connection from rank " + std::to_string(link.peer) +
                                    " on channel " + std::to_string(link.channel) + " already");
    }
    channel->SetReceivedHandler([this, link](const MessageEnd& r) { OnArrival(link, r); });
}

bool
CollectiveEngine::HasLink(const CollectiveLink& link, bool send) const
{
    return send ? m_senders.count(link) > 0 : m_receivers.count(link) > 0;
}

void
CollectiveEngine::Run(Ptr<const CollectiveSchedule> schedule, DoneFunction done)
{
    schedule->GetSteps(m_rank); // refuses a rank that it does not have
    m_calls.push_back(Call{schedule, std::move(done)});
    if (!m_progress)
    {
        Begin();
    }
}

void
CollectiveEngine::Begin()
{
    m_progress = std::make_unique<CollectiveProgress>(*m_calls.front().schedule, m_rank);
    CheckLinks();
    const uint64_t number = ++m_begun;
    m_accepting = false;
    if (m_options.receiveDelay.IsZero())
    {
        PostReceives();
    }
    else
    {
        m_events.assign(
            1,
            Simulator::Schedule(m_options.receiveDelay, &CollectiveEngine::PostReceives, this));
    }
    if (m_progress && m_begun == number) // what was there may have been all
    {
        for (const CollectiveLink& link : m_progress->GetSendLinks())
        {
            PostSends(link, m_senders.at(link));
        }
        CheckDone();
    }
}

void
CollectiveEngine::CheckLinks()
{
    for (const bool send : {true, false})
    {
        for (const CollectiveLink& link :
             send ? m_progress->GetSendLinks() : m_progress->GetReceiveLinks())
        {
            if (!HasLink(link, send) && m_missing)
            {
                m_missing(link, send);
            }
            if (!HasLink(link, send))
            {
                throw std::runtime_error("collective: rank " + std::to_string(m_rank) +
                                         " has no connection " + (send ? "to" : "from") + " rank " +
                                         std::to_string(link.peer) + " on channel " +
                                         std::to_string(link.channel) + "; call " +
                                         (send ? "AddSender" : "AddReceiver"));
            }
        }
    }
}

void
CollectiveEngine::PostReceives()
{
    m_accepting = true;
    const uint64_t number = m_begun;
    const Ptr<const CollectiveSchedule> schedule = m_calls.front().schedule;
    for (uint32_t step = 0; step < schedule->GetSteps(m_rank); ++step)
    {
        const CollectiveStep s = schedule->GetStep(m_rank, step);
        if (s.receiveFrom != CollectiveStep::NONE)
        {
            m_receivers.at(CollectiveLink{s.receiveFrom, s.channel})
                .channel->Expect(s.receiveBytes);
        }
    }
    // what came before was in memory all along
    const std::vector<CollectiveLink> links = m_progress->GetReceiveLinks();
    for (const CollectiveLink& link : links)
    {
        std::deque<MessageEnd>& early = m_receivers.at(link).early;
        while (!early.empty() && m_begun == number && m_progress && m_progress->IsExpecting(link))
        {
            const MessageEnd record = early.front();
            early.pop_front();
            Take(link, record);
        }
    }
}

void
CollectiveEngine::OnArrival(const CollectiveLink& link, const MessageEnd& record)
{
    if (!m_accepting || !m_progress->IsExpecting(link))
    {
        ++m_early;
        m_receivers.at(link).early.push_back(record);
        return;
    }
    Take(link, record);
}

void
CollectiveEngine::Take(const CollectiveLink& link, const MessageEnd& record)
{
    const uint32_t index = m_progress->Match(link);
    const CollectiveStep step = m_calls.front().schedule->GetStep(m_rank, index);
    if (record.bytes != step.receiveBytes)
    {
        throw std::runtime_error("collective: rank " + std::to_string(m_rank) + " got " +
                                 std::to_string(record.bytes) + " bytes from rank " +
                                 std::to_string(link.peer) + " for step " + std::to_string(index) +
                                 ", expected " + std::to_string(step.receiveBytes));
    }
    m_bytesReceived += record.bytes;
    if (!step.reduce || (m_options.reductionBps == 0 && m_options.reductionLatency.IsZero()))
    {
        SetIn(index, record);
        return;
    }
    const Tick now = ToTick(Simulator::Now());
    Tick span = ToTick(m_options.reductionLatency);
    if (m_options.reductionBps > 0)
    {
        span += static_cast<Tick>(std::ceil(static_cast<double>(record.bytes) * 8 *
                                            static_cast<double>(TicksPerSecond()) /
                                            static_cast<double>(m_options.reductionBps)));
    }
    Tick& busy = m_reducing[link.channel];
    busy = std::max(busy, now) + span;
    m_events.erase(std::remove_if(m_events.begin(),
                                  m_events.end(),
                                  [](const EventId& e) { return e.IsExpired(); }),
                   m_events.end());
    m_events.push_back(
        Simulator::Schedule(FromTick(busy - now), &CollectiveEngine::SetIn, this, index, record));
}

void
CollectiveEngine::SetIn(uint32_t step, const MessageEnd& record)
{
    if (m_step)
    {
        m_step(CollectiveStepRecord{m_rank,
                                    step,
                                    m_calls.front().schedule->GetStep(m_rank, step).receiveFrom,
                                    true,
                                    record.bytes,
                                    record.begun,
                                    ToTick(Simulator::Now())});
    }
    for (const CollectiveLink& freed : m_progress->SetIn(step))
    {
        PostSends(freed, m_senders.at(freed));
    }
    CheckDone();
}

void
CollectiveEngine::OnSent(const CollectiveLink& link, const MessageEnd& record)
{
    Sender& sender = m_senders.at(link);
    const uint32_t step = sender.steps.front();
    sender.steps.pop_front();
    --m_open;
    if (record.failed)
    {
        NS_LOG_WARN("rank " << m_rank << " step " << step << " to rank " << link.peer
                            << " has failed");
        m_failed = true;
        return;
    }
    m_bytesSent += record.bytes;
    if (m_step)
    {
        m_step(CollectiveStepRecord{m_rank,
                                    step,
                                    link.peer,
                                    false,
                                    record.bytes,
                                    record.begun,
                                    record.ended});
    }
    PostSends(link, sender);
    CheckDone();
}

void
CollectiveEngine::PostSends(const CollectiveLink& link, Sender& sender)
{
    while (!m_failed && !m_stopped &&
           (m_options.inFlight == 0 || sender.steps.size() < m_options.inFlight))
    {
        const uint32_t index = m_progress->TakeSend(link);
        if (index == CollectiveStep::NONE)
        {
            return;
        }
        const CollectiveStep step = m_calls.front().schedule->GetStep(m_rank, index);
        sender.steps.push_back(index);
        m_peak = std::max(m_peak, static_cast<uint32_t>(sender.steps.size()));
        ++m_open;
        NS_LOG_LOGIC("rank " << m_rank << " sends step " << index << ", " << step.sendBytes
                             << " bytes to rank " << step.sendTo);
        sender.channel->Send(step.sendBytes, step.remoteOffset);
    }
}

void
CollectiveEngine::CheckDone()
{
    if (!m_progress || m_open > 0 || m_failed || m_stopped || !m_accepting ||
        !m_progress->IsFinished())
    {
        return;
    }
    const DoneFunction done = std::move(m_calls.front().done);
    m_calls.pop_front();
    m_progress.reset();
    m_accepting = false;
    NS_LOG_INFO("rank " << m_rank << " is finished");
    if (!m_calls.empty())
    {
        Begin();
    }
    if (done)
    {
        done();
    }
}

std::string
CollectiveEngine::Describe() const
{
    if (!m_progress)
    {
        return "rank " + std::to_string(m_rank) + " has nothing under way";
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
    if (m_calls.size() > 1)
    {
        text += ", " + std::to_string(m_calls.size() - 1) + " more collectives to go";
    }
    return text;
}

} // namespace roce
} // namespace ns3
