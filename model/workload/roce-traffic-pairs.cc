/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-pairs.h"

#include "ns3/roce-quantity.h"

#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Most hosts of ALL_TO_ALL: a round has 16 million pairs. */
constexpr uint32_t MAX_ROUND_HOSTS = 4096;

} // namespace

TrafficPattern
TrafficPairs::Parse(const std::string& name)
{
    const std::pair<const char*, TrafficPattern> known[] = {
        {"uniform", TrafficPattern::UNIFORM},
        {"permutation", TrafficPattern::PERMUTATION},
        {"all-to-all", TrafficPattern::ALL_TO_ALL},
        {"hotspot", TrafficPattern::HOTSPOT}};
    for (const auto& [word, pattern] : known)
    {
        if (name == word)
        {
            return pattern;
        }
    }
    throw std::invalid_argument("expected uniform, permutation, all-to-all or hotspot, found " +
                                Quantity::Shown(name));
}

TrafficPairs::TrafficPairs(TrafficPattern pattern,
                           uint32_t hosts,
                           uint32_t hotHosts,
                           double hotFraction)
    : m_pattern(pattern),
      m_hosts(hosts),
      m_hotHosts(hotHosts),
      m_hotFraction(hotFraction),
      m_choice(CreateObject<UniformRandomVariable>()),
      m_order(CreateObject<UniformRandomVariable>())
{
    if (hosts < 2)
    {
        throw std::invalid_argument("traffic needs at least 2 hosts, there are " +
                                    std::to_string(hosts));
    }
    if (pattern == TrafficPattern::ALL_TO_ALL && hosts > MAX_ROUND_HOSTS)
    {
        throw std::invalid_argument("all-to-all among " + std::to_string(hosts) +
                                    " hosts, expected at most " + std::to_string(MAX_ROUND_HOSTS) +
                                    "; choose uniform");
    }
    if (pattern == TrafficPattern::HOTSPOT && (hotHosts == 0 || hotHosts > hosts))
    {
        throw std::invalid_argument(std::to_string(hotHosts) + " hot hosts, expected 1.." +
                                    std::to_string(hosts));
    }
    if (pattern == TrafficPattern::HOTSPOT && !(hotFraction >= 0 && hotFraction <= 1))
    {
        throw std::invalid_argument("hot fraction " + std::to_string(hotFraction) +
                                    ", expected 0..1");
    }
}

int64_t
TrafficPairs::AssignStreams(int64_t stream)
{
    m_choice->SetStream(stream);
    m_order->SetStream(stream + 1);
    return 2;
}

void
TrafficPairs::Shuffle(std::vector<uint32_t>& numbers)
{
    for (std::size_t left = numbers.size(); left > 1; --left)
    {
        std::swap(numbers[left - 1],
                  numbers[m_order->GetInteger(0, static_cast<uint32_t>(left - 1))]);
    }
}

void
TrafficPairs::Prepare()
{
    if (m_prepared)
    {
        return;
    }
    m_prepared = true;
    if (m_pattern == TrafficPattern::PERMUTATION)
    {
        m_target.resize(m_hosts);
        std::iota(m_target.begin(), m_target.end(), 0);
        bool fixed = true;
        while (fixed) // e times on average
        {
            Shuffle(m_target);
            fixed = false;
            for (uint32_t i = 0; i < m_hosts; ++i)
            {
                fixed = fixed || m_target[i] == i;
            }
        }
    }
    else if (m_pattern == TrafficPattern::HOTSPOT)
    {
        m_hot.resize(m_hosts);
        m_place.resize(m_hosts);
        std::iota(m_hot.begin(), m_hot.end(), 0);
        Shuffle(m_hot);
        for (uint32_t i = 0; i < m_hosts; ++i)
        {
            m_place[m_hot[i]] = i;
        }
    }
}

uint32_t
TrafficPairs::Other(uint32_t host)
{
    const uint32_t drawn = m_choice->GetInteger(0, m_hosts - 2);
    return drawn + (drawn >= host ? 1 : 0);
}

bool
TrafficPairs::IsOnlyHot(uint32_t source) const
{
    return m_hotHosts == 1 && m_place[source] == 0;
}

std::pair<uint32_t, uint32_t>
TrafficPairs::Next()
{
    Prepare();
    if (m_pattern == TrafficPattern::ALL_TO_ALL)
    {
        if (m_round.empty())
        {
            m_round.resize(m_hosts * (m_hosts - 1));
            std::iota(m_round.begin(), m_round.end(), 0);
            Shuffle(m_round);
        }
        const uint32_t source = m_round.back() / (m_hosts - 1);
        const uint32_t rest = m_round.back() % (m_hosts - 1);
        m_round.pop_back();
        return {source, rest + (rest >= source ? 1 : 0)};
    }
    const uint32_t source = m_choice->GetInteger(0, m_hosts - 1);
    if (m_pattern == TrafficPattern::PERMUTATION)
    {
        return {source, m_target[source]};
    }
    if (m_pattern == TrafficPattern::UNIFORM || IsOnlyHot(source) ||
        m_choice->GetValue(0, 1) >= m_hotFraction)
    {
        return {source, Other(source)};
    }
    const bool sourceIsHot = m_place[source] < m_hotHosts;
    uint32_t drawn = m_choice->GetInteger(0, m_hotHosts - (sourceIsHot ? 2 : 1));
    drawn += sourceIsHot && drawn >= m_place[source] ? 1 : 0;
    return {source, m_hot[drawn]};
}

double
TrafficPairs::HotChance(uint32_t source, uint32_t destination) const
{
    const double any = 1.0 / (m_hosts - 1);
    if (IsOnlyHot(source))
    {
        return any;
    }
    const double hot = m_place[source] < m_hotHosts ? m_hotHosts - 1 : m_hotHosts;
    return (1 - m_hotFraction) * any +
           (m_place[destination] < m_hotHosts ? m_hotFraction / hot : 0);
}

double
TrafficPairs::GetChance(uint32_t source, uint32_t destination)
{
    Prepare();
    if (source == destination)
    {
        return 0;
    }
    switch (m_pattern)
    {
    case TrafficPattern::PERMUTATION:
        return m_target[source] == destination ? 1.0 / m_hosts : 0;
    case TrafficPattern::HOTSPOT:
        return HotChance(source, destination) / m_hosts;
    case TrafficPattern::UNIFORM:
    case TrafficPattern::ALL_TO_ALL:
        break;
    }
    return 1.0 / m_hosts / (m_hosts - 1);
}

} // namespace roce
} // namespace ns3
