/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-admitted-message-channel.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(AdmittedMessageChannel);

TypeId
AdmittedMessageChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::AdmittedMessageChannel")
                            .SetParent<MessageChannel>()
                            .SetGroupName("Roce")
                            .AddConstructor<AdmittedMessageChannel>();
    return tid;
}

AdmittedMessageChannel::~AdmittedMessageChannel()
{
    if (m_channel)
    {
        m_channel->SetSentCallback(AdmittedChannel::MessageCallback());
        m_channel->SetReceivedCallback(AdmittedChannel::MessageCallback());
    }
}

void
AdmittedMessageChannel::DoDispose()
{
    if (m_channel)
    {
        m_channel->Dispose();
        m_channel = nullptr;
    }
    MessageChannel::DoDispose();
}

void
AdmittedMessageChannel::SetChannel(Ptr<AdmittedChannel> channel)
{
    m_channel = channel;
    channel->SetSentCallback(MakeCallback(&AdmittedMessageChannel::OnSent, this));
    channel->SetReceivedCallback(MakeCallback(&AdmittedMessageChannel::OnReceived, this));
}

void
AdmittedMessageChannel::DoSend(uint64_t, uint64_t bytes, uint64_t)
{
    if (!m_channel)
    {
        throw std::runtime_error("admitted message channel: it has no channel; call SetChannel");
    }
    m_begun.push_back(ToTick(Simulator::Now()));
    m_channel->Send(bytes);
}

void
AdmittedMessageChannel::DoExpect(uint64_t bytes)
{
    if (!m_channel)
    {
        throw std::runtime_error("admitted message channel: it has no channel; call SetChannel");
    }
    m_channel->Expect(bytes);
}

void
AdmittedMessageChannel::OnSent(uint64_t number, uint64_t bytes)
{
    MessageEnd record{number, bytes, m_begun[number - m_first], ToTick(Simulator::Now()), false};
    while (m_first < std::min(GetAcknowledged() + 1, GetReceived()))
    {
        m_begun.pop_front();
        ++m_first;
    }
    TellSent(record);
}

void
AdmittedMessageChannel::OnReceived(uint64_t number, uint64_t bytes)
{
    // the channel does not tell when the first packet came: the message was sent at that time
    TellReceived(
        MessageEnd{number, bytes, m_begun[number - m_first], ToTick(Simulator::Now()), false});
}

} // namespace roce
} // namespace ns3
