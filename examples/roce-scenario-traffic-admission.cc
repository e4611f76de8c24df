/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-scenario-traffic.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

// admission of ScenarioTraffic; the rest is in roce-scenario-traffic.cc

namespace ns3
{
namespace roce
{

void
ScenarioTraffic::Admit()
{
    // what the user set for all channels counts instead of the plan
    const TypeId type = AdmittedChannel::GetTypeId();
    const bool ownSlots = CongestionStack::IsDefaultChanged(type, "Slots");
    UintegerValue chunk(m_plan.chunkBytes);
    if (CongestionStack::IsDefaultChanged(type, "ChunkBytes"))
    {
        CreateObject<AdmittedChannel>()->GetAttribute("ChunkBytes", chunk);
    }
    m_admission = std::make_unique<AdmissionHelper>(m_fabric);
    m_admission->SetLimitBdp(m_plan.admitBdp);
    m_admission->SetAttribute("ChunkBytes", chunk);
    std::map<uint32_t, uint64_t> senders; // flows to a host
    for (const ScenarioFlow& flow : m_plan.flows)
    {
        ++senders[flow.destination];
    }
    for (std::size_t i = 0; i < m_plan.flows.size(); ++i)
    {
        const ScenarioFlow& flow = m_plan.flows[i];
        // slots share the limit, so that a flow which is held up elsewhere does not take all of it
        const double rate = double(m_fabric->GetPort(flow.destination, 0)->GetRate()) / 8;
        const Time rtt = m_fabric->GetBaseRtt(flow.source, flow.destination);
        const double limit = m_plan.admitBdp * rate * rtt.GetSeconds();
        const double slots = limit / double(chunk.Get()) / double(senders[flow.destination]);
        if (!ownSlots)
        {
            m_admission->SetAttribute("Slots",
                                      UintegerValue(std::max<uint64_t>(1, uint64_t(slots))));
        }
        m_channels.push_back(m_admission->Connect(m_connections[i], flow.source, flow.destination));
    }
    m_waiting.resize(m_channels.size());
    m_sends.resize(m_channels.size());
    m_expects.resize(m_channels.size());
}

void
ScenarioTraffic::ListenAdmitted()
{
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        const int64_t after = m_plan.flows[i].after;
        m_channels[i]->SetReceivedCallback([this, i](uint64_t, uint64_t) { NoteAdmitted(i); });
        if (after < 0)
        {
            m_channels[i]->SetSentCallback([this, i](uint64_t, uint64_t) { Post(i); });
        }
        else
        {
            m_follower[static_cast<std::size_t>(after)] = i;
        }
    }
}

void
ScenarioTraffic::PostAdmitted(std::size_t flow)
{
    const uint64_t bytes = m_plan.flows[flow].bytes;
    if (m_expects[flow] == m_sends[flow])
    {
        ++m_expects[flow];
        m_channels[flow]->Expect(bytes);
    }
    ++m_sends[flow];
    m_waiting[flow].push_back(Simulator::Now());
    m_channels[flow]->Send(bytes);
}

void
ScenarioTraffic::NoteAdmitted(std::size_t flow)
{
    const ScenarioFlow& plan = m_plan.flows[flow];
    const Time now = Simulator::Now();
    if (plan.reported && now >= m_plan.warmup)
    {
        m_admittedUs.Add((now - m_waiting[flow].front()).ToDouble(Time::US));
    }
    m_waiting[flow].pop_front();
    if (plan.after < 0)
    {
        ++m_expects[flow];
        m_channels[flow]->Expect(plan.bytes);
    }
    const auto follower = m_follower.find(flow);
    if (follower != m_follower.end())
    {
        Post(follower->second);
    }
}

} // namespace roce
} // namespace ns3
