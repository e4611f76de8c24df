/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-traffic-generator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr double PS_PER_S = 1e12;
constexpr uint32_t BACKGROUND_PORT = 100; //!< dport, as HPCC's analysis tells them apart
constexpr uint32_t INCAST_PORT = 200;     //!< the same

/** Throw. \param what is wrong */
[[noreturn]] void
Refuse(const std::string& what)
{
    throw std::invalid_argument("traffic: " + what);
}

} // namespace

TrafficGenerator::TrafficGenerator(const FabricGraph& graph,
                                   const LinkSet& links,
                                   const FlowSizeDistribution& sizes,
                                   const TrafficOptions& options)
    : m_hosts(graph.Hosts()),
      m_links(links),
      m_sizes(sizes),
      m_options(options),
      m_pairs(options.pattern,
              static_cast<uint32_t>(m_hosts.size()),
              options.hotHosts,
              options.hotFraction),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_size(CreateObject<UniformRandomVariable>()),
      m_incast(CreateObject<UniformRandomVariable>())
{
    CheckOptions();
    for (const uint32_t host : m_hosts)
    {
        double bps = 0;
        for (const FabricNeighbour& neighbour : graph.Neighbours(host))
        {
            bps += double(graph.Link(neighbour.link).rateBps);
        }
        m_hostBps.push_back(bps);
    }
}

void
TrafficGenerator::CheckOptions() const
{
    constexpr int64_t MAX_PS = INT64_MAX / 4;
    const TrafficOptions& o = m_options;
    if (!(o.loadPercent >= 0 && o.loadPercent <= 1000))
    {
        Refuse("a load of " + std::to_string(o.loadPercent) + " per cent, expected 0..1000");
    }
    if (o.durationPs <= 0 || o.durationPs > MAX_PS || o.startPs < 0 || o.startPs > MAX_PS)
    {
        Refuse("a start of " + std::to_string(o.startPs) + " ps and a duration of " +
               std::to_string(o.durationPs) + " ps, expected 0 and above 0, up to " +
               std::to_string(MAX_PS));
    }
    if (o.pg > 7)
    {
        Refuse("priority group " + std::to_string(o.pg) + ", expected 0..7");
    }
    if (o.incastFanIn == 0)
    {
        return;
    }
    if (o.incastFanIn >= m_hosts.size())
    {
        Refuse("an incast of " + std::to_string(o.incastFanIn) + " senders and a receiver among " +
               std::to_string(m_hosts.size()) + " hosts");
    }
    if (o.incastBytes == 0 || o.incastBytes > FlowSizeDistribution::MAX_BYTES)
    {
        Refuse("incasts of " + std::to_string(o.incastBytes) + " bytes a sender, expected 1..2^50");
    }
    if (o.incastEveryPs <= 0 || o.incastEveryPs > MAX_PS)
    {
        Refuse("an incast every " + std::to_string(o.incastEveryPs) +
               " ps, expected above 0, up to " + std::to_string(MAX_PS));
    }
}

int64_t
TrafficGenerator::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_size->SetStream(stream + 1);
    m_incast->SetStream(stream + 2);
    return 3 + m_pairs.AssignStreams(stream + 3);
}

double
TrafficGenerator::MeanCrossings(bool ofIncast)
{
    double& known = m_crossings[ofIncast ? 1 : 0];
    if (known >= 0)
    {
        return known;
    }
    known = 0;
    const double any = 1.0 / double(m_hosts.size()) / double(m_hosts.size() - 1);
    for (uint32_t source = 0; source < m_hosts.size(); ++source)
    {
        const std::vector<uint32_t> crossings = m_links.CrossingsFrom(m_hosts[source]);
        for (uint32_t destination = 0; destination < m_hosts.size(); ++destination)
        {
            // a sender of an incast and its receiver are any pair
            known +=
                crossings[destination] * (ofIncast ? any : m_pairs.GetChance(source, destination));
        }
    }
    return known;
}

double
TrafficGenerator::GetArrivalsPerSecond()
{
    if (m_options.loadPercent == 0)
    {
        return 0;
    }
    const double crossings = MeanCrossings(false);
    if (crossings == 0)
    {
        Refuse("no flow of this pattern passes a link of \"" + m_links.GetName() +
               "\", so it cannot load them");
    }
    return m_options.loadPercent / 100 * 2 * m_links.GetCapacityBps() /
           (8 * m_sizes.GetMean() * crossings);
}

double
TrafficGenerator::GetIncastLoadPercent()
{
    if (m_options.incastFanIn == 0)
    {
        return 0;
    }
    const double bps = 8.0 * double(m_options.incastFanIn) * double(m_options.incastBytes) *
                       PS_PER_S / double(m_options.incastEveryPs);
    return 100 * bps * MeanCrossings(true) / (2 * m_links.GetCapacityBps());
}

double
TrafficGenerator::GetPeakReceivePercent()
{
    const double bps = GetArrivalsPerSecond() * 8 * m_sizes.GetMean();
    double peak = 0;
    for (uint32_t destination = 0; destination < m_hosts.size(); ++destination)
    {
        double chance = 0;
        for (uint32_t source = 0; source < m_hosts.size(); ++source)
        {
            chance += m_pairs.GetChance(source, destination);
        }
        peak = std::max(peak, 100 * bps * chance / m_hostBps[destination]);
    }
    return peak;
}

void
TrafficGenerator::AddBackground(std::vector<FlowSpec>& flows)
{
    const double rate = GetArrivalsPerSecond();
    if (rate == 0)
    {
        return;
    }
    const double meanPs = PS_PER_S / rate;
    for (double t = m_gaps->GetValue(meanPs, 0); t < double(m_options.durationPs);
         t += m_gaps->GetValue(meanPs, 0))
    {
        const auto [source, destination] = m_pairs.Next();
        FlowSpec flow;
        flow.src = m_hosts[source];
        flow.dst = m_hosts[destination];
        flow.pg = m_options.pg;
        flow.dport = BACKGROUND_PORT;
        flow.sizeBytes = m_sizes.Sample(m_size->GetValue(0, 1));
        flow.startPs = m_options.startPs + static_cast<int64_t>(t);
        flows.push_back(flow);
    }
}

void
TrafficGenerator::AddIncasts(std::vector<FlowSpec>& flows)
{
    if (m_options.incastFanIn == 0)
    {
        return;
    }
    std::vector<uint32_t> hosts(m_hosts.size());
    std::iota(hosts.begin(), hosts.end(), 0);
    const auto last = static_cast<uint32_t>(hosts.size() - 1);
    for (int64_t t = m_options.incastEveryPs; t < m_options.durationPs;
         t += m_options.incastEveryPs)
    {
        for (uint32_t i = 0; i <= m_options.incastFanIn; ++i) // the first one receives
        {
            std::swap(hosts[i], hosts[m_incast->GetInteger(i, last)]);
        }
        for (uint32_t i = 1; i <= m_options.incastFanIn; ++i)
        {
            FlowSpec flow;
            flow.src = m_hosts[hosts[i]];
            flow.dst = m_hosts[hosts[0]];
            flow.pg = m_options.pg;
            flow.dport = INCAST_PORT;
            flow.sizeBytes = m_options.incastBytes;
            flow.startPs = m_options.startPs + t;
            flows.push_back(flow);
        }
    }
}

FlowList
TrafficGenerator::Generate()
{
    const double seconds = double(m_options.durationPs) / PS_PER_S;
    const double incasts = m_options.incastFanIn == 0
                               ? 0
                               : double(m_options.durationPs) / double(m_options.incastEveryPs) *
                                     double(m_options.incastFanIn);
    const double expected = GetArrivalsPerSecond() * seconds + incasts;
    if (expected > double(MAX_FLOWS))
    {
        Refuse("about " + std::to_string(std::llround(std::min(expected, 1e18))) +
               " flows, expected at most " + std::to_string(MAX_FLOWS) +
               "; shorten the duration or lower the load");
    }
    FlowList list;
    AddBackground(list.flows);
    AddIncasts(list.flows);
    std::stable_sort(list.flows.begin(),
                     list.flows.end(),
                     [](const FlowSpec& a, const FlowSpec& b) { return a.startPs < b.startPs; });
    return list;
}

} // namespace roce
} // namespace ns3
