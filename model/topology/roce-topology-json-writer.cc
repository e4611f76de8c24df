/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-json-writer.h"

#include "roce-fabric-graph-storage.h"
#include "roce-quantity.h"
#include "roce-topology-json-reader.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace roce
{

namespace
{

/** \return a text in quotes; bytes that are no UTF-8 are replaced. \param text any bytes */
std::string
Quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/** \return a node. \param node the node */
std::string
NodeText(const FabricNode& node)
{
    const bool host = node.kind == NodeKind::Host;
    std::string text = "{\"id\":" + std::to_string(node.id) + ",\"kind\":\"";
    text += host ? "host\"" : node.kind == NodeKind::Switch ? "switch\"" : "nvswitch\"";
    if (!host && !node.tier.empty())
    {
        text += ",\"tier\":" + Quoted(node.tier);
    }
    if (!node.name.empty())
    {
        text += ",\"name\":" + Quoted(node.name);
    }
    return text + "}";
}

/** \return a link. \param link the link */
std::string
LinkText(const FabricLink& link)
{
    std::string text = "{\"a\":" + std::to_string(link.a) + ",\"b\":" + std::to_string(link.b) +
                       ",\"rate\":\"" + Quantity::RateText(link.rateBps) + "\",\"delay\":\"" +
                       Quantity::DelayText(link.delayPs) + "\"";
    if (link.errorRate != 0)
    {
        text += ",\"error_rate\":" + nlohmann::json(link.errorRate).dump();
    }
    return text + (link.up ? "}" : ",\"up\":false}");
}

} // namespace

std::string
TopologyJsonWriter::Format(const FabricDocument& fabric)
{
    const FabricGraph& graph = fabric.graph;
    std::string text = "{\n\"schema\":\"" + std::string(TopologyJsonReader::SCHEMA) + "\"";
    if (!fabric.name.empty())
    {
        text += ",\n\"name\":" + Quoted(fabric.name);
    }
    if (!fabric.radix.empty())
    {
        text += ",\n\"radix\":{";
        const char* comma = "";
        for (const auto& [tier, ports] : fabric.radix)
        {
            text += comma + Quoted(tier) + ":" + std::to_string(ports);
            comma = ",";
        }
        text += "}";
    }
    text += ",\n\"nodes\":[";
    for (uint32_t i = 0; i < graph.NodeCount(); i++)
    {
        text += (i == 0 ? "\n" : ",\n") + NodeText(graph.GetStorage()[i]);
    }
    text += "\n],\n\"links\":[";
    for (uint32_t i = 0; i < graph.LinkCount(); i++)
    {
        text += (i == 0 ? "\n" : ",\n") + LinkText(graph.Link(i));
    }
    return text + "\n]\n}\n";
}

} // namespace roce
} // namespace ns3
