/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-job-placement.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

JobPlacement::JobPlacement(const GpuMap& gpus)
    : m_gpus(gpus),
      m_used(gpus.GetGpus(), false),
      m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
JobPlacement::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint32_t
JobPlacement::GetFree() const
{
    return static_cast<uint32_t>(std::count(m_used.begin(), m_used.end(), false));
}

std::vector<uint32_t>
JobPlacement::Order(const std::string& policy)
{
    std::vector<uint32_t> order;
    if (policy == "fragmented")
    {
        for (uint32_t slot = 0; slot < m_gpus.GetGpusPerServer(); ++slot)
        {
            for (uint32_t server = 0; server < m_gpus.GetServers(); ++server)
            {
                order.push_back(m_gpus.GpuAt(server, slot));
            }
        }
        return order;
    }
    for (uint32_t gpu = 0; gpu < m_gpus.GetGpus(); ++gpu)
    {
        order.push_back(gpu);
    }
    if (policy == "random")
    {
        for (std::size_t i = order.size(); i > 1; --i) // Fisher and Yates
        {
            std::swap(order[i - 1], order[m_random->GetInteger(0, static_cast<uint32_t>(i - 1))]);
        }
    }
    else if (policy != "packed")
    {
        throw std::invalid_argument("placement \"" + policy +
                                    "\" is not known; choose packed, fragmented, random");
    }
    return order;
}

std::vector<uint32_t>
JobPlacement::Place(uint32_t count, const std::string& policy)
{
    const std::vector<uint32_t> order = Order(policy);
    if (count > GetFree())
    {
        throw std::invalid_argument("placement: a job of " + std::to_string(count) + " GPUs, but " +
                                    std::to_string(GetFree()) + " of " +
                                    std::to_string(m_gpus.GetGpus()) + " are free");
    }
    std::vector<uint32_t> chosen;
    for (const uint32_t gpu : order)
    {
        if (chosen.size() < count && !m_used[gpu])
        {
            m_used[gpu] = true;
            chosen.push_back(gpu);
        }
    }
    return chosen;
}

void
JobPlacement::Free(const std::vector<uint32_t>& gpus)
{
    for (const uint32_t gpu : gpus)
    {
        m_gpus.At(gpu); // refuses what is not there
        m_used[gpu] = false;
    }
}

} // namespace roce
} // namespace ns3
