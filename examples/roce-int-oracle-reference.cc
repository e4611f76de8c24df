/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-int-oracle-reference.h"

#include "roce-scenario-max-min.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

IntOracleReference::IntOracleReference(const IntOracleSettings& settings, uint32_t draws)
{
    std::mt19937 engine(1);
    for (uint32_t i = 0; i < draws; ++i)
    {
        Draw(settings, engine);
    }
}

void
IntOracleReference::Draw(const IntOracleSettings& settings, std::mt19937& engine)
{
    const uint32_t hosts = settings.GetHosts();
    const std::vector<uint32_t> to = IntOracleTrial::DrawPairs(settings, engine);
    // links by number: from each host, to each host, from leaf to spine, from spine to leaf
    const auto count = static_cast<uint32_t>(to.size());
    const uint32_t up = 2 * count;
    const uint32_t down = up + settings.leaves * settings.spines;
    std::vector<std::vector<uint64_t>> routes;
    for (uint32_t source = 0; source < count; ++source)
    {
        for (uint32_t i = 0; i < settings.qps; ++i)
        {
            const uint32_t spine = engine() % settings.spines;
            routes.push_back({source,
                              count + to[source],
                              up + source / hosts * settings.spines + spine,
                              down + to[source] / hosts * settings.spines + spine});
        }
    }
    for (uint32_t leaf = 0; settings.IsHot() && leaf < settings.leaves; ++leaf)
    {
        const uint32_t next = (leaf + 1) % settings.leaves;
        routes.push_back({up + leaf * settings.spines, down + next * settings.spines});
    }
    std::map<uint64_t, double> capacity;
    for (const auto& route : routes)
    {
        for (uint64_t link : route)
        {
            capacity[link] = 1;
        }
    }
    const std::vector<double> rates = MaxMinRates(capacity, routes).GetRates();
    std::vector<double> shares(count);
    double sum = 0;
    for (uint32_t i = 0; i < count * settings.qps; ++i)
    {
        shares[i / settings.qps] += rates[i];
        sum += rates[i];
    }
    m_mean.Add(sum / count);
    m_slowest.Add(*std::min_element(shares.begin(), shares.end()));
}

} // namespace roce
} // namespace ns3
