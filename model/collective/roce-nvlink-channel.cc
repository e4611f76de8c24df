/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nvlink-channel.h"

#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(NvlinkChannel);

TypeId
NvlinkChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::roce::NvlinkChannel")
                            .SetParent<MessageChannel>()
                            .SetGroupName("Roce")
                            .AddConstructor<NvlinkChannel>();
    return tid;
}

void
NvlinkChannel::DoDispose()
{
    m_domain = nullptr;
    MessageChannel::DoDispose();
}

void
NvlinkChannel::Connect(Ptr<NvlinkDomain> domain, uint32_t from, uint32_t to)
{
    m_domain = domain;
    m_from = from;
    m_to = to;
}

void
NvlinkChannel::DoSend(uint64_t number, uint64_t bytes, uint64_t)
{
    if (!m_domain)
    {
        throw std::runtime_error("NVLink channel: it has no links; call Connect");
    }
    const Ptr<NvlinkChannel> self(this); // lives until both ends are told
    const Tick begun = ToTick(Simulator::Now());
    m_domain->Transfer(
        m_from,
        m_to,
        bytes,
        [self, number, bytes, begun](Tick ended) {
            self->TellSent(MessageEnd{number, bytes, begun, ended, false});
        },
        [self, number, bytes](Tick came) {
            self->TellReceived(MessageEnd{number, bytes, came, ToTick(Simulator::Now()), false});
        });
}

} // namespace roce
} // namespace ns3
