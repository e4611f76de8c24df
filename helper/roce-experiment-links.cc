/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-links.h"

#include "roce-link-schedule.h"

#include "ns3/roce-json-source.h"
#include "ns3/roce-quantity.h"

#include <stdexcept>

namespace ns3
{
namespace roce
{

ExperimentLinks::ExperimentLinks(const ExperimentDocument& document, const FabricGraph& graph)
{
    const Json& json = document.GetJson();
    if (!json.contains("links"))
    {
        return;
    }
    for (std::size_t i = 0; i < json.at("links").size(); ++i)
    {
        try
        {
            m_changes.push_back(Read(json.at("links")[i], graph));
        }
        catch (const std::invalid_argument& error)
        {
            JsonSource(document.GetName()).Fail("/links/" + std::to_string(i), error.what());
        }
    }
}

ExperimentLinks::Change
ExperimentLinks::Read(const Json& entry, const FabricGraph& graph)
{
    Change change;
    const int64_t ps = Quantity::DelayPs(entry.at("at").get<std::string>());
    change.at = NanoSeconds(ps / 1000) + PicoSeconds(ps % 1000);
    std::string which;
    if (entry.contains("link"))
    {
        which = entry.at("link").dump();
    }
    else
    {
        const Json& far = entry.at("between")[1];
        which = entry.at("between")[0].dump() + "-" + (far.is_string() ? "*" : far.dump());
    }
    change.links = LinkSchedule::FindLinks(graph, which);
    if (entry.contains("state"))
    {
        change.kind = entry.at("state") == "up" ? UP : DOWN;
    }
    else if (entry.contains("rate"))
    {
        change.kind = RATE;
        change.rateBps = Quantity::RateBps(entry.at("rate").get<std::string>());
    }
    else
    {
        change.kind = ERRORS;
        change.share = entry.at("errors").get<double>();
    }
    return change;
}

int64_t
ExperimentLinks::Install(Ptr<Fabric> fabric, int64_t stream) const
{
    LinkSchedule schedule(fabric);
    for (const Change& change : m_changes)
    {
        for (const uint32_t link : change.links)
        {
            switch (change.kind)
            {
            case DOWN:
                schedule.Down(change.at, link);
                break;
            case UP:
                schedule.Up(change.at, link);
                break;
            case RATE:
                schedule.Rate(change.at, link, change.rateBps);
                break;
            case ERRORS:
                schedule.Errors(change.at, link, change.share);
                break;
            }
        }
    }
    return schedule.AssignStreams(stream);
}

} // namespace roce
} // namespace ns3
