/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-abm-policy.h"

#include "roce-switch.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

NS_OBJECT_ENSURE_REGISTERED(AbmPolicy);

TypeId
AbmPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::roce::AbmPolicy").SetParent<SwitchStage>().SetGroupName("Roce");
    return tid;
}

AbmPolicy::AbmPolicy(SwitchMmu& mmu, Tick interval, double congested)
    : m_mmu(&mmu),
      m_interval(interval),
      m_congested(congested)
{
}

void
AbmPolicy::Start(const std::vector<uint64_t>& rates, int64_t ticksPerSecond)
{
    m_queues.assign(rates.size() * NUM_PRIORITIES, Queue());
    m_bytesPerTick.clear();
    for (uint32_t port = 0; port < rates.size(); ++port)
    {
        m_bytesPerTick.push_back(static_cast<double>(rates[port]) / 8 / ticksPerSecond);
        for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
        {
            m_queues[port * NUM_PRIORITIES + p].alpha = m_mmu->GetAlpha(port, p);
        }
    }
}

void
AbmPolicy::Assemble(Switch& device)
{
    std::vector<uint64_t> rates;
    for (uint32_t port = 0; port < device.GetNumPorts(); ++port)
    {
        rates.push_back(device.GetPort(port)->GetRate());
    }
    Start(rates, TicksPerSecond());
}

uint32_t
AbmPolicy::GetCongested(unsigned priority) const
{
    return m_counts[priority];
}

uint8_t
AbmPolicy::GetHears() const
{
    return HEARS_ENQUEUE | HEARS_DEPARTURE;
}

bool
AbmPolicy::MayEnqueue(Frame*, uint32_t, uint32_t, Tick now)
{
    if (now - m_last >= m_interval)
    {
        Measure(now);
    }
    return true;
}

void
AbmPolicy::OnDeparture(Frame* frame, uint32_t, Tick now)
{
    m_queues[frame->inPort * NUM_PRIORITIES + frame->priority].departed += frame->size;
    if (now - m_last >= m_interval)
    {
        Measure(now);
    }
}

double
AbmPolicy::DrainOf(const Queue& queue, uint32_t port, Tick span) const
{
    const double most = m_bytesPerTick[port] * static_cast<double>(span);
    const double drained = static_cast<double>(queue.departed) / most;
    return std::min(1.0, std::max(LEAST_DRAIN, drained));
}

void
AbmPolicy::Measure(Tick now)
{
    const auto ports = static_cast<uint32_t>(m_bytesPerTick.size());
    for (unsigned p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_counts[p] = 0;
        for (uint32_t port = 0; port < ports; ++port)
        {
            const uint64_t over = m_mmu->GetShared(port, p) + m_mmu->GetHeadroomUsed(port, p);
            const auto threshold = static_cast<double>(m_mmu->GetThreshold(port, p));
            m_counts[p] += over > 0 && static_cast<double>(over) >= m_congested * threshold;
        }
        for (uint32_t port = 0; port < ports; ++port)
        {
            Queue& queue = m_queues[port * NUM_PRIORITIES + p];
            const bool holds = m_mmu->GetBytes(port, p) + m_mmu->GetHeadroomUsed(port, p) > 0;
            const double drain = queue.backlogged && holds ? DrainOf(queue, port, now - m_last) : 1;
            m_mmu->SetAlpha(port, p, queue.alpha * drain / std::max(1u, m_counts[p]));
            queue.departed = 0;
            queue.backlogged = holds;
        }
    }
    m_last = now;
}

} // namespace roce
} // namespace ns3
