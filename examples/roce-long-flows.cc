/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-long-flows.h"

#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{
constexpr uint64_t ENDLESS = 1ULL << 30; //!< bytes of a message that outlasts a run
}

LongFlows::LongFlows(Ptr<Fabric> fabric, Time warmup, Time measure, uint32_t slices)
    : m_fabric(fabric),
      m_warmup(warmup),
      m_slice(NanoSeconds(measure.GetNanoSeconds() / slices)),
      m_slices(slices)
{
    for (uint32_t i = 0; i <= m_slices; ++i)
    {
        Simulator::Schedule(m_warmup + m_slice * int64_t(i), &LongFlows::Note, this);
    }
}

uint32_t
LongFlows::Add(uint32_t source, uint32_t destination, Time start, const ConnectionOptions& options)
{
    const auto flow = static_cast<uint32_t>(m_flows.size());
    m_flows.push_back(m_fabric->Connect(source, destination, options));
    m_packets.emplace_back();
    if (start.IsStrictlyPositive())
    {
        Simulator::Schedule(start, &LongFlows::Post, this, flow);
    }
    else
    {
        Post(flow);
    }
    return flow;
}

void
LongFlows::Post(uint32_t flow)
{
    WorkRequest request;
    request.bytes = ENDLESS;
    m_flows[flow].nic->Post(m_flows[flow].qp, request);
}

void
LongFlows::End(uint32_t flow, Time at)
{
    Simulator::Schedule(at, &LongFlows::Destroy, this, flow);
}

void
LongFlows::Destroy(uint32_t flow)
{
    m_flows[flow].nic->Destroy(m_flows[flow].qp);
}

void
LongFlows::Note()
{
    if (m_packets.empty() || m_packets[0].empty())
    {
        m_xoffs = CountXoffs();
    }
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        m_packets[i].push_back(m_flows[i].peerQp->GetResponder().GetExpected());
    }
}

const Connection&
LongFlows::Get(uint32_t flow) const
{
    return m_flows.at(flow);
}

Time
LongFlows::GetStop() const
{
    // a tick behind the last count, which must not be cut off
    return m_warmup + m_slice * int64_t(m_slices) + NanoSeconds(1);
}

Time
LongFlows::ParseTime(const std::string& flag, const std::string& text)
{
    int64_t ns = 0;
    try
    {
        ns = Quantity::DelayPs(text) / 1000;
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument("--" + flag + "=" + text + ": " + error.what());
    }
    if (ns < 1)
    {
        throw std::invalid_argument("--" + flag + "=" + text + ": expected at least 1ns");
    }
    return NanoSeconds(ns);
}

} // namespace roce
} // namespace ns3
