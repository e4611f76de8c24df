/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-communicator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

Communicator::Communicator(uint32_t ranks, ChannelFunction make)
    : m_make(std::move(make))
{
    if (ranks == 0)
    {
        throw std::invalid_argument("communicator: 0 ranks, expected 1 or more");
    }
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        auto engine = Create<CollectiveEngine>(rank);
        engine->SetLinkFunction([this, rank](const CollectiveLink& link, bool send) {
            Make(send ? rank : link.peer, send ? link.peer : rank, link.channel);
        });
        m_engines.push_back(engine);
    }
}

Communicator::~Communicator()
{
    Stop();
}

void
Communicator::Stop()
{
    for (const auto& engine : m_engines)
    {
        engine->Stop();
    }
    for (const auto& [key, channel] : m_channels)
    {
        channel->Dispose();
    }
    m_channels.clear();
}

void
Communicator::SetOptions(const CollectiveEngineOptions& options)
{
    for (const auto& engine : m_engines)
    {
        engine->SetOptions(options);
    }
}

void
Communicator::Prepare(const CollectiveSchedule& schedule)
{
    if (schedule.GetRanks() != GetRanks())
    {
        throw std::invalid_argument("communicator: a schedule for " +
                                    std::to_string(schedule.GetRanks()) + " ranks, it has " +
                                    std::to_string(GetRanks()));
    }
    for (uint32_t rank = 0; rank < GetRanks(); ++rank)
    {
        for (const CollectiveLink& link : CollectiveProgress(schedule, rank).GetSendLinks())
        {
            if (!m_engines[rank]->HasLink(link, true))
            {
                Make(rank, link.peer, link.channel);
            }
        }
    }
}

void
Communicator::Make(uint32_t from, uint32_t to, uint32_t channel)
{
    const Ptr<MessageChannel> made = m_make(from, to, channel);
    m_channels.emplace(Key(from, to, channel), made);
    m_engines[from]->AddSender(CollectiveLink{to, channel}, made);
    m_engines[to]->AddReceiver(CollectiveLink{from, channel}, made);
}

Ptr<MessageChannel>
Communicator::GetChannel(uint32_t from, uint32_t to, uint32_t channel) const
{
    const auto found = m_channels.find(Key(from, to, channel));
    return found == m_channels.end() ? nullptr : found->second;
}

} // namespace roce
} // namespace ns3
