/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-message-channel.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(MessageChannel);

TypeId
MessageChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::MessageChannel").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

MessageChannel::~MessageChannel() = default;

void
MessageChannel::DoDispose()
{
    m_sent.handler = nullptr;
    m_received.handler = nullptr;
    Object::DoDispose();
}

void
MessageChannel::Send(uint64_t bytes, uint64_t remoteAddress)
{
    DoSend(m_posted++, bytes, remoteAddress);
}

void
MessageChannel::Expect(uint64_t bytes)
{
    DoExpect(bytes);
}

void
MessageChannel::DoExpect(uint64_t)
{
}

void
MessageChannel::SetSentHandler(Handler handler)
{
    m_sent.handler = std::move(handler);
    Tell(m_sent);
}

void
MessageChannel::SetReceivedHandler(Handler handler)
{
    m_received.handler = std::move(handler);
    Tell(m_received);
}

void
MessageChannel::TellSent(const MessageEnd& record)
{
    Note(m_sent, record);
    Tell(m_sent);
}

void
MessageChannel::TellReceived(const MessageEnd& record)
{
    Note(m_received, record);
    Tell(m_received);
}

void
MessageChannel::Note(Side& side, const MessageEnd& record)
{
    if (record.number < side.told || (record.number - side.told < side.ended.size() &&
                                      side.ended[record.number - side.told].first))
    {
        throw std::logic_error("message channel: message " + std::to_string(record.number) +
                               " ended twice");
    }
    while (side.ended.size() <= record.number - side.told)
    {
        side.ended.emplace_back(false, MessageEnd());
    }
    side.ended[record.number - side.told] = {true, record};
}

void
MessageChannel::Tell(Side& side)
{
    if (side.telling) // a handler has caused this: the loop below goes on
    {
        return;
    }
    side.telling = true;
    while (side.handler && !side.ended.empty() && side.ended.front().first)
    {
        const MessageEnd record = side.ended.front().second;
        side.ended.pop_front();
        ++side.told;
        const Handler handler = side.handler; // it may replace itself
        handler(record);
    }
    side.telling = false;
}

} // namespace roce
} // namespace ns3
