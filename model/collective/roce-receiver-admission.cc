/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-receiver-admission.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace roce
{

namespace
{

/** Sets a flag for as long as it lives, also past an exception. */
class Raised
{
  public:
    explicit Raised(bool& flag)
        : m_flag(flag)
    {
        m_flag = true;
    }

    ~Raised()
    {
        m_flag = false;
    }

    Raised(const Raised&) = delete;
    Raised& operator=(const Raised&) = delete;

  private:
    bool& m_flag;
};

} // namespace

ReceiverAdmission::ReceiverAdmission(uint64_t limitBytes)
    : m_limit(limitBytes)
{
}

void
ReceiverAdmission::RaiseLimit(uint64_t limitBytes)
{
    if (limitBytes != 0 && (m_limit == 0 || limitBytes < m_limit))
    {
        throw std::invalid_argument("receiver admission: a limit of " + std::to_string(limitBytes) +
                                    " bytes is below the present one, " +
                                    (m_limit ? std::to_string(m_limit) + " bytes" : "none") +
                                    "; more may be in flight already");
    }
    m_limit = limitBytes;
    GrantWaiting();
}

uint32_t
ReceiverAdmission::AddChannel(uint64_t chunkBytes, uint32_t slots, GrantFunction grant)
{
    if (chunkBytes == 0 || slots == 0 || !grant)
    {
        throw std::invalid_argument(
            "receiver admission: a channel with chunks of " + std::to_string(chunkBytes) +
            " bytes, " + std::to_string(slots) + " slots and " + (grant ? "a" : "no") +
            " grant function; at least 1 byte, 1 slot and a function are needed");
    }
    Channel channel;
    channel.grant = std::move(grant);
    channel.chunkBytes = chunkBytes;
    channel.slots = slots;
    m_channels.push_back(std::move(channel));
    return static_cast<uint32_t>(m_channels.size() - 1);
}

ReceiverAdmission::Channel&
ReceiverAdmission::At(uint32_t channel)
{
    return const_cast<Channel&>(std::as_const(*this).At(channel));
}

const ReceiverAdmission::Channel&
ReceiverAdmission::At(uint32_t channel) const
{
    if (channel >= m_channels.size())
    {
        throw std::invalid_argument("receiver admission: there are " +
                                    std::to_string(m_channels.size()) + " channels, no channel " +
                                    std::to_string(channel));
    }
    return m_channels[channel];
}

void
ReceiverAdmission::Expect(uint32_t channel, uint64_t bytes)
{
    Channel& state = At(channel);
    if (state.closed)
    {
        return;
    }
    state.messages.push_back(bytes);
    state.waiting += bytes;
    Queue(channel);
    GrantWaiting();
}

uint64_t
ReceiverAdmission::Done(uint32_t channel)
{
    Channel& state = At(channel);
    if (state.flying.empty())
    {
        throw std::invalid_argument("receiver admission: channel " + std::to_string(channel) +
                                    " has nothing in flight that could be done");
    }
    const uint64_t bytes = state.flying.front();
    state.flying.pop_front();
    m_inFlight -= bytes;
    Queue(channel);
    GrantWaiting();
    return bytes;
}

void
ReceiverAdmission::Close(uint32_t channel)
{
    Channel& state = At(channel);
    state.closed = true;
    Unqueue(channel);
    for (uint64_t bytes : state.flying)
    {
        m_inFlight -= bytes;
    }
    state.flying.clear();
    state.messages.clear();
    state.waiting = 0;
}

uint64_t
ReceiverAdmission::NextBytes(const Channel& channel) const
{
    const uint64_t longest = m_limit ? std::min(channel.chunkBytes, m_limit) : channel.chunkBytes;
    return std::min(channel.messages.front(), longest);
}

void
ReceiverAdmission::Queue(uint32_t channel)
{
    Channel& state = m_channels[channel];
    if (state.queued || state.messages.empty() || state.flying.size() >= state.slots)
    {
        return;
    }
    state.queued = true;
    state.next = NONE;
    if (m_head == NONE)
    {
        m_head = channel;
    }
    else
    {
        m_channels[m_tail].next = channel;
    }
    m_tail = channel;
}

void
ReceiverAdmission::Unqueue(uint32_t channel)
{
    if (!m_channels[channel].queued)
    {
        return;
    }
    uint32_t before = NONE;
    for (uint32_t i = m_head; i != channel; i = m_channels[i].next)
    {
        before = i;
    }
    const uint32_t after = m_channels[channel].next;
    (before == NONE ? m_head : m_channels[before].next) = after;
    m_tail = after == NONE ? before : m_tail;
    m_channels[channel].queued = false;
}

void
ReceiverAdmission::GrantWaiting()
{
    if (m_serving)
    {
        return; // called by a grant function; the loop below goes on
    }
    const Raised serving(m_serving);
    while (m_head != NONE)
    {
        const uint32_t channel = m_head;
        Channel& state = m_channels[channel];
        const uint64_t bytes = NextBytes(state);
        if (m_limit && bytes > m_limit - m_inFlight)
        {
            return; // its turn waits
        }
        Unqueue(channel);
        state.messages.front() -= bytes;
        if (state.messages.front() == 0)
        {
            state.messages.pop_front();
        }
        state.waiting -= bytes;
        state.granted += bytes;
        state.flying.push_back(bytes);
        m_granted += bytes;
        m_inFlight += bytes;
        m_peak = std::max(m_peak, m_inFlight);
        Queue(channel);
        state.grant(bytes);
    }
}

uint64_t
ReceiverAdmission::GetGranted(uint32_t channel) const
{
    return At(channel).granted;
}

uint64_t
ReceiverAdmission::GetWaiting(uint32_t channel) const
{
    return At(channel).waiting;
}

uint32_t
ReceiverAdmission::GetChunksInFlight(uint32_t channel) const
{
    return static_cast<uint32_t>(At(channel).flying.size());
}

} // namespace roce
} // namespace ns3
