/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-gpu-network.h"

#include "ns3/node.h"
#include "ns3/roce-admitted-message-channel.h"
#include "ns3/roce-nvlink-channel.h"
#include "ns3/roce-queue-pair-channel.h"
#include "ns3/roce-relay-channel.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint32_t MAX_QUEUE_PAIRS = 1024; //!< of a connection

} // namespace

GpuNetwork::GpuNetwork(Ptr<Fabric> fabric, const GpuMap& gpus)
    : m_fabric(fabric),
      m_gpus(gpus)
{
    m_channel.SetTypeId(QueuePairChannel::GetTypeId());
    m_nvlink.SetTypeId(NvlinkDomain::GetTypeId());
}

GpuNetwork::~GpuNetwork()
{
    for (const auto& [server, domain] : m_domains)
    {
        domain->Dispose();
    }
}

void
GpuNetwork::SetQueuePairs(uint32_t count)
{
    if (count == 0 || count > MAX_QUEUE_PAIRS)
    {
        throw std::invalid_argument("GPU network: " + std::to_string(count) +
                                    " queue pairs a connection, expected 1 to " +
                                    std::to_string(MAX_QUEUE_PAIRS));
    }
    m_queuePairs = count;
}

void
GpuNetwork::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channel.Set(name, value);
}

void
GpuNetwork::SetConnectionOptions(const ConnectionOptions& options)
{
    m_options = options;
}

void
GpuNetwork::SetNvlink(bool use)
{
    m_useNvlink = use;
}

void
GpuNetwork::SetNvlinkAttribute(const std::string& name, const AttributeValue& value)
{
    m_nvlink.Set(name, value);
}

void
GpuNetwork::SetPxn(bool use)
{
    m_pxn = use;
}

AdmissionHelper&
GpuNetwork::EnableAdmission()
{
    if (!m_admission)
    {
        m_admission = std::make_unique<AdmissionHelper>(m_fabric);
    }
    return *m_admission;
}

void
GpuNetwork::SetEngineOptions(const CollectiveEngineOptions& options)
{
    m_engine = options;
}

Ptr<NvlinkDomain>
GpuNetwork::GetNvlink(uint32_t server) const
{
    const auto found = m_domains.find(server);
    return found == m_domains.end() ? nullptr : found->second;
}

Ptr<NvlinkDomain>
GpuNetwork::UseNvlink(uint32_t server)
{
    Ptr<NvlinkDomain>& domain = m_domains[server];
    if (!domain)
    {
        domain = m_nvlink.Create<NvlinkDomain>();
        for (uint32_t slot = 0; slot < m_gpus.GetGpusPerServer(); ++slot)
        {
            domain->AddGpu(GetNode(m_gpus.GpuAt(server, slot))->GetId());
        }
    }
    return domain;
}

Ptr<Communicator>
GpuNetwork::MakeCommunicator(const std::vector<uint32_t>& gpus)
{
    std::map<uint32_t, std::size_t> rankOf;
    for (std::size_t rank = 0; rank < gpus.size(); ++rank)
    {
        m_gpus.At(gpus[rank]); // refuses what is not there
        const auto found = rankOf.emplace(gpus[rank], rank);
        if (!found.second)
        {
            throw std::invalid_argument("communicator: GPU " + std::to_string(gpus[rank]) +
                                        " is rank " + std::to_string(found.first->second) +
                                        " and rank " + std::to_string(rank) +
                                        "; give each rank a GPU of its own");
        }
    }
    const Ptr<GpuNetwork> self(this);
    auto made = Create<Communicator>(static_cast<uint32_t>(gpus.size()),
                                     [self, gpus](uint32_t from, uint32_t to, uint32_t) {
                                         return self->MakeChannel(gpus[from], gpus[to]);
                                     });
    made->SetOptions(m_engine);
    return made;
}

Ptr<MessageChannel>
GpuNetwork::MakeChannel(uint32_t from, uint32_t to)
{
    const GpuPlace& a = m_gpus.At(from);
    const GpuPlace& b = m_gpus.At(to);
    if (from == to)
    {
        throw std::invalid_argument("GPU network: a channel from GPU " + std::to_string(from) +
                                    " to itself");
    }
    if (a.server == b.server && m_useNvlink)
    {
        return MakeInside(from, to);
    }
    const uint32_t relay = m_gpus.GpuAt(a.server, b.slot);
    if (m_pxn && m_useNvlink && relay != from && m_gpus.At(relay).host != a.host)
    {
        auto channel = CreateObject<RelayChannel>();
        channel->Connect(MakeInside(from, relay), MakeOutside(relay, to));
        return channel;
    }
    return MakeOutside(from, to);
}

Ptr<MessageChannel>
GpuNetwork::MakeInside(uint32_t from, uint32_t to)
{
    auto channel = CreateObject<NvlinkChannel>();
    channel->Connect(UseNvlink(m_gpus.At(from).server), m_gpus.At(from).slot, m_gpus.At(to).slot);
    return channel;
}

Ptr<MessageChannel>
GpuNetwork::MakeOutside(uint32_t from, uint32_t to)
{
    const uint32_t source = m_gpus.At(from).host;
    const uint32_t destination = m_gpus.At(to).host;
    if (source == destination)
    {
        throw std::invalid_argument("GPU network: GPUs " + std::to_string(from) + " and " +
                                    std::to_string(to) + " share the NIC of host " +
                                    std::to_string(source) +
                                    ", which does not talk to itself; use NVLink between them");
    }
    if (m_admission)
    {
        if (m_queuePairs > 1)
        {
            throw std::invalid_argument("GPU network: " + std::to_string(m_queuePairs) +
                                        " queue pairs a connection, but channels with admission "
                                        "have 1; choose one of the two");
        }
        auto channel = CreateObject<AdmittedMessageChannel>();
        channel->SetChannel(m_admission->Connect(source, destination, m_options));
        return channel;
    }
    auto channel = m_channel.Create<QueuePairChannel>();
    for (uint32_t i = 0; i < m_queuePairs; ++i)
    {
        const Connection made = m_fabric->Connect(source, destination, m_options);
        channel->Add(made.nic, made.qp, made.peerNic, made.peerQp);
    }
    return channel;
}

} // namespace roce
} // namespace ns3
