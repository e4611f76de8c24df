/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-link-schedule.h"

#include "ns3/pointer.h"
#include "ns3/roce-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr const char* FORM =
    "expected TIME LINK down|up|rate RATE|errors SHARE, as \"1ms 12-20 down\"";

/** \return an id of a node. \param graph the plan \param text of it */
uint32_t
NodeOf(const FabricGraph& graph, const std::string& text)
{
    const auto id = static_cast<uint32_t>(Quantity::Unsigned(text, UINT32_MAX));
    if (!graph.Has(id))
    {
        throw std::invalid_argument("there is no node " + text);
    }
    return id;
}

} // namespace

LinkSchedule::LinkSchedule(Ptr<Fabric> fabric)
    : m_fabric(fabric)
{
}

void
LinkSchedule::CheckLink(uint32_t link) const
{
    const uint32_t count = m_fabric->GetGraph().LinkCount();
    if (link >= count)
    {
        throw std::invalid_argument("link " + std::to_string(link) +
                                    ": the fabric has links 0 to " + std::to_string(count - 1));
    }
}

std::vector<uint32_t>
LinkSchedule::FindLinks(const FabricGraph& graph, const std::string& text)
{
    std::vector<uint32_t> links;
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos)
    {
        const uint64_t link = Quantity::Unsigned(text, UINT32_MAX);
        if (link >= graph.LinkCount())
        {
            throw std::invalid_argument("link " + text + ": the fabric has links 0 to " +
                                        std::to_string(graph.LinkCount() - 1));
        }
        links.push_back(static_cast<uint32_t>(link));
        return links;
    }
    const std::string far = text.substr(dash + 1);
    const uint32_t a = NodeOf(graph, text.substr(0, dash));
    const bool all = far == "*";
    const uint32_t b = all ? a : NodeOf(graph, far);
    for (const FabricNeighbour& neighbour : graph.Neighbours(a))
    {
        if (all || neighbour.peer == b)
        {
            links.push_back(neighbour.link);
        }
    }
    if (links.empty())
    {
        throw std::invalid_argument("no link " + text + ": its ends are not neighbors");
    }
    return links;
}

LinkSchedule::Entry
LinkSchedule::Parse(const std::string& text) const
{
    std::istringstream in(text);
    std::string at;
    std::string link;
    std::string value;
    std::string rest;
    Entry entry;
    in >> at >> link >> entry.what >> value >> rest;
    const bool valued = entry.what == "rate" || entry.what == "errors";
    if (!(valued || entry.what == "down" || entry.what == "up") || valued == value.empty() ||
        !rest.empty())
    {
        throw std::invalid_argument(FORM);
    }
    const int64_t ps = Quantity::DelayPs(at);
    if (ps < 0)
    {
        throw std::invalid_argument("time " + at + " is negative");
    }
    entry.at = PicoSeconds(ps);
    entry.links = FindLinks(m_fabric->GetGraph(), link);
    if (entry.what == "rate")
    {
        entry.rateBps = Quantity::RateBps(value);
        if (entry.rateBps < FabricGraph::MIN_RATE_BPS)
        {
            throw std::invalid_argument("rate " + value + ", the least is " +
                                        Quantity::RateText(FabricGraph::MIN_RATE_BPS));
        }
    }
    else if (entry.what == "errors")
    {
        entry.share = Quantity::Real(value, 0, 1);
    }
    return entry;
}

void
LinkSchedule::Apply(const Entry& entry)
{
    for (uint32_t link : entry.links)
    {
        if (entry.what == "down")
        {
            Down(entry.at, link);
        }
        else if (entry.what == "up")
        {
            Up(entry.at, link);
        }
        else if (entry.what == "rate")
        {
            Rate(entry.at, link, entry.rateBps);
        }
        else
        {
            Errors(entry.at, link, entry.share);
        }
    }
}

uint32_t
LinkSchedule::Add(const std::string& text)
{
    std::vector<Entry> entries;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ';');)
    {
        if (item.find_first_not_of(" \t\r\n") == std::string::npos)
        {
            continue;
        }
        try
        {
            entries.push_back(Parse(item));
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument("link schedule, " + Quantity::Shown(item) + ": " +
                                        error.what());
        }
    }
    uint32_t changes = 0;
    for (const Entry& entry : entries)
    {
        Apply(entry);
        changes += static_cast<uint32_t>(entry.links.size());
    }
    return changes;
}

void
LinkSchedule::Down(Time at, uint32_t link)
{
    CheckLink(link);
    Simulator::Schedule(at, [fabric = m_fabric, link] { fabric->SetLinkUp(link, false); });
}

void
LinkSchedule::Up(Time at, uint32_t link)
{
    CheckLink(link);
    Simulator::Schedule(at, [fabric = m_fabric, link] { fabric->SetLinkUp(link, true); });
}

void
LinkSchedule::Rate(Time at, uint32_t link, uint64_t rateBps)
{
    CheckLink(link);
    Simulator::Schedule(at,
                        [fabric = m_fabric, link, rateBps] { fabric->SetLinkRate(link, rateBps); });
}

void
LinkSchedule::Errors(Time at, uint32_t link, double share)
{
    CheckLink(link);
    if (!(share >= 0 && share <= 1))
    {
        throw std::invalid_argument("link " + std::to_string(link) +
                                    ": a share of lost frames of " + std::to_string(share) +
                                    ", expected 0 to 1");
    }
    const FabricLink& ends = m_fabric->GetGraph().Link(link);
    for (const auto& [id, port] : {std::pair(ends.a, ends.portA), std::pair(ends.b, ends.portB)})
    {
        Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(share);
        m_errors.push_back(errors);
        Simulator::Schedule(at, [end = m_fabric->GetPort(id, port), errors] {
            end->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        });
    }
}

int64_t
LinkSchedule::AssignStreams(int64_t stream)
{
    for (const auto& errors : m_errors)
    {
        errors->AssignStreams(stream++);
    }
    return static_cast<int64_t>(m_errors.size());
}

} // namespace roce
} // namespace ns3
