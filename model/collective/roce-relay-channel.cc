/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-relay-channel.h"

#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(RelayChannel);

TypeId
RelayChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::RelayChannel")
                            .SetParent<MessageChannel>()
                            .SetGroupName("Roce")
                            .AddConstructor<RelayChannel>();
    return tid;
}

RelayChannel::~RelayChannel()
{
    Shut();
}

void
RelayChannel::DoDispose()
{
    Shut();
    MessageChannel::DoDispose();
}

void
RelayChannel::Shut()
{
    for (const auto& way : {m_first, m_second})
    {
        if (way)
        {
            way->SetSentHandler(nullptr);
            way->SetReceivedHandler(nullptr);
        }
    }
    m_first = nullptr;
    m_second = nullptr;
}

void
RelayChannel::Connect(Ptr<MessageChannel> first, Ptr<MessageChannel> second)
{
    m_first = first;
    m_second = second;
    first->SetSentHandler([](const MessageEnd&) {});
    first->SetReceivedHandler([this](const MessageEnd& record) {
        m_second->Send(record.bytes, m_sent[m_relayed++].second);
    });
    second->SetSentHandler([this](const MessageEnd& record) {
        MessageEnd whole = record;
        whole.begun = m_sent.front().first;
        m_sent.pop_front();
        --m_relayed;
        TellSent(whole);
    });
    second->SetReceivedHandler([this](const MessageEnd& record) { TellReceived(record); });
}

void
RelayChannel::DoSend(uint64_t, uint64_t bytes, uint64_t remoteAddress)
{
    if (!m_first)
    {
        throw std::runtime_error("relay channel: it has no ways; call Connect");
    }
    m_sent.emplace_back(ToTick(Simulator::Now()), remoteAddress);
    m_first->Send(bytes, remoteAddress);
}

void
RelayChannel::DoExpect(uint64_t bytes)
{
    if (m_second)
    {
        m_second->Expect(bytes);
    }
}

} // namespace roce
} // namespace ns3
