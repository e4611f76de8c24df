/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-open-loop.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-traffic-generator.h"

#include <algorithm>

namespace ns3
{
namespace roce
{

namespace
{

/** \return sizes of flows. \param plan for files \param entry of the traffic */
FlowSizeDistribution
SizesOf(const ExperimentPlan& plan, const ExperimentOpenLoop::Json& entry)
{
    if (entry.contains("bytes"))
    {
        return FlowSizeDistribution::Fixed(ParseBytes(entry.at("bytes").get<std::string>()));
    }
    const std::string name = entry.at("sizes").get<std::string>();
    const std::vector<std::string> known = FlowSizeDistribution::Names();
    const bool named = std::find(known.begin(), known.end(), name) != known.end();
    return FlowSizeDistribution::Load(named ? name : plan.document.Resolve(name));
}

} // namespace

ExperimentOpenLoop::ExperimentOpenLoop(const ExperimentPlan& plan, const Json& entry)
    : m_links(entry.at("links").get<std::string>()),
      m_sizes(SizesOf(plan, entry))
{
    const auto ps = [](const Json& value) { return Quantity::DelayPs(value.get<std::string>()); };
    m_options.loadPercent = entry.at("load").get<double>();
    m_options.pattern = TrafficPairs::Parse(entry.at("pattern").get<std::string>());
    m_options.hotHosts = entry.at("hot_hosts").get<uint32_t>();
    m_options.hotFraction = entry.at("hot_fraction").get<double>();
    m_options.startPs = ps(entry.at("at"));
    m_options.durationPs = ps(entry.at("duration"));
    if (entry.contains("incast"))
    {
        const Json& incast = entry.at("incast");
        m_options.incastFanIn = incast.at("fan_in").get<uint32_t>();
        m_options.incastBytes = ParseBytes(incast.at("bytes").get<std::string>());
        m_options.incastEveryPs = ps(incast.at("every"));
    }
    const LinkSet links(plan.graph, m_links);
    TrafficGenerator generator(plan.graph, links, *m_sizes, m_options);
    generator.AssignStreams(0);
    if (m_options.loadPercent > 0)
    {
        generator.GetArrivalsPerSecond();
    }
}

FlowList
ExperimentOpenLoop::Generate(const FabricGraph& graph, int64_t stream)
{
    TrafficGenerator generator(graph, LinkSet(graph, m_links), *m_sizes, m_options);
    generator.AssignStreams(stream);
    FlowList list = generator.Generate();
    m_figures = {{"flows", list.flows.size()},
                 {"mean_size_bytes", m_sizes->GetMean()},
                 {"load_percent", m_options.loadPercent},
                 {"incast_load_percent", generator.GetIncastLoadPercent()},
                 {"peak_receive_percent", generator.GetPeakReceivePercent()}};
    return list;
}

} // namespace roce
} // namespace ns3
