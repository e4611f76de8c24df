/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-traffic.h"

#include "ns3/simulator.h"

#include <random>

namespace ns3
{
namespace roce
{

ScenarioTraffic::ScenarioTraffic(const ScenarioPlan& plan,
                                 Ptr<Fabric> fabric,
                                 bool capped,
                                 uint32_t seed,
                                 bool admitted)
    : m_plan(plan),
      m_fabric(fabric)
{
    std::mt19937 engine(seed + 1000); // hosts were drawn with the seed itself
    for (const ScenarioFlow& flow : m_plan.flows)
    {
        Connect(flow, capped);
        m_routes.emplace_back();
        Route(m_routes.size() - 1, static_cast<uint32_t>(engine()));
        m_begins.push_back(NanoSeconds(engine() % 10000));
    }
    if (admitted)
    {
        Admit();
    }
}

ScenarioTraffic::~ScenarioTraffic()
{
    for (const auto& queue : m_queues)
    {
        queue->SetHandler(0, CompletionQueue::Handler());
    }
    for (const auto& channel : m_channels)
    {
        channel->Dispose();
    }
}

void
ScenarioTraffic::Connect(const ScenarioFlow& flow, bool capped)
{
    ConnectionOptions options;
    if (capped)
    {
        const double rate = double(m_fabric->GetPort(flow.source, 0)->GetRate()) / 8;
        const Time rtt = m_fabric->GetBaseRtt(flow.source, flow.destination);
        options.windowBytes = static_cast<uint64_t>(rate * rtt.GetSeconds());
    }
    m_connections.push_back(m_fabric->Connect(flow.source, flow.destination, options));
}

void
ScenarioTraffic::Post(std::size_t flow)
{
    if (IsAdmitted())
    {
        PostAdmitted(flow);
        return;
    }
    WorkRequest request;
    request.bytes = m_plan.flows[flow].bytes;
    m_connections[flow].nic->Post(m_connections[flow].qp, request);
}

void
ScenarioTraffic::Listen()
{
    for (std::size_t i = 0; i < m_connections.size(); ++i)
    {
        const int64_t after = m_plan.flows[i].after;
        Ptr<CompletionQueue> queue = CreateObject<CompletionQueue>();
        queue->SetHandler(m_fabric->GetNode(m_plan.flows[i].source)->GetId(),
                          [this, i](const Completion&) { Post(i); });
        m_queues.push_back(queue);
        if (after < 0)
        {
            m_connections[i].qp->SetSendQueue(queue);
        }
        else
        {
            m_connections.at(static_cast<std::size_t>(after)).peerQp->SetReceiveQueue(queue);
        }
    }
}

void
ScenarioTraffic::Start()
{
    if (IsAdmitted())
    {
        ListenAdmitted();
    }
    else
    {
        Listen();
    }
    for (std::size_t i = 0; i < m_connections.size(); ++i)
    {
        for (uint32_t k = 0; k < m_plan.flows[i].ahead; ++k)
        {
            Simulator::ScheduleWithContext(m_fabric->GetNode(m_plan.flows[i].source)->GetId(),
                                           m_begins[i],
                                           [this, i]() { Post(i); });
        }
    }
}

const std::vector<Connection>&
ScenarioTraffic::GetConnections() const
{
    return m_connections;
}

} // namespace roce
} // namespace ns3
