/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-engineering-trial.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <numeric>
#include <random>

// what EngineeringTrial draws and starts; its set-up is in roce-traffic-engineering-trial.cc

namespace ns3
{
namespace roce
{

namespace
{

constexpr uint64_t WINDOW = 128 * 1024; //!< bytes of a queue pair: twice what 100 Gb/s need in 5 us
constexpr uint64_t PAIR_WINDOW = 4 * WINDOW; //!< bytes of all queue pairs of two hosts

/** Put a list into a random order, alike with any standard library. \param list the list \param
 *  engine random numbers */
void
Shuffle(std::vector<uint32_t>& list, std::mt19937& engine)
{
    for (std::size_t i = list.size(); i > 1; --i)
    {
        std::swap(list[i - 1], list[engine() % i]);
    }
}

} // namespace

void
EngineeringTrial::DrawFailures()
{
    std::mt19937 engine(m_seed + 1);
    m_down.assign(m_settings.leaves, std::vector<bool>(m_settings.spines, false));
    std::vector<uint32_t> spines(m_settings.spines);
    std::iota(spines.begin(), spines.end(), 0);
    for (std::vector<bool>& down : m_down)
    {
        Shuffle(spines, engine);
        for (uint32_t i = 0; i < m_failed; ++i)
        {
            down[spines[i]] = true;
        }
    }
}

void
EngineeringTrial::Fail(Ptr<Fabric> fabric) const
{
    const uint32_t firstLeaf = m_settings.leaves * m_settings.hosts;
    for (uint32_t leaf = 0; leaf < m_settings.leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < m_settings.spines; ++spine)
        {
            if (m_down[leaf][spine])
            {
                const auto ports = fabric->GetGraph().Neighbours(firstLeaf + leaf);
                fabric->SetLinkUp(ports[m_settings.hosts + spine].link, false);
            }
        }
    }
}

void
EngineeringTrial::AddFlows()
{
    const uint32_t shift = 1 + m_seed % (m_settings.leaves - 1);
    std::mt19937 engine(m_seed + 1000001);
    std::vector<uint32_t> order(m_settings.hosts);
    std::iota(order.begin(), order.end(), 0);
    ConnectionOptions options;
    options.windowBytes = std::min(WINDOW, PAIR_WINDOW / m_qps);
    for (uint32_t leaf = 0; leaf < m_settings.leaves; ++leaf)
    {
        Shuffle(order, engine);
        const uint32_t to = (leaf + shift) % m_settings.leaves * m_settings.hosts;
        for (uint32_t host = 0; host < m_settings.hosts; ++host)
        {
            for (uint32_t i = 0; i < m_qps; ++i)
            {
                m_flows->Add(leaf * m_settings.hosts + host, to + order[host], Time(0), options);
            }
        }
    }
}

void
EngineeringTrial::Pin(Ptr<Fabric> fabric)
{
    m_engineer = std::make_unique<TrafficEngineer>(fabric);
    m_engineer->SetReactionDelay(m_reaction);
    m_engineer->SetKeepPaths(m_keeps);
    const uint64_t demand = Quantity::RateBps(m_settings.rate) / m_qps;
    for (uint32_t flow = 0; flow < m_settings.leaves * m_settings.hosts * m_qps; ++flow)
    {
        m_engineer->Add(m_flows->Get(flow), demand);
    }
    m_engineer->Start();
}

} // namespace roce
} // namespace ns3
