/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-parts.h"

#include "ns3/roce-path-list.h"
#include "ns3/roce-quantity.h"

#include <iostream>

using namespace ns3::roce;
using Json = ResultWriter::Json;

namespace
{

/** How many paths are printed; the result file has all. */
constexpr size_t PRINTED = 16;

/** \return one id of --flow. \param text the id \param pair the whole, for the message */
uint32_t
ParseHost(const std::string& text, const std::string& pair)
{
    try
    {
        return static_cast<uint32_t>(Quantity::Unsigned(text, UINT32_MAX));
    }
    catch (const std::invalid_argument& e)
    {
        throw std::invalid_argument("--flow=" + pair +
                                    ": expected two ids of hosts, A,B: " + e.what());
    }
}

/** \return "leaf0", or the id of a node without a name. \param graph the fabric \param id it */
std::string
Called(const FabricGraph& graph, uint32_t id)
{
    const std::string& name = graph.Node(id).name;
    return name.empty() ? std::to_string(id) : name;
}

} // namespace

Json
ListPaths(const FabricDocument& fabric, const std::string& pair, bool print)
{
    const size_t comma = std::min(pair.find(','), pair.size());
    const uint32_t from = ParseHost(pair.substr(0, comma), pair);
    const uint32_t to = ParseHost(pair.substr(std::min(comma + 1, pair.size())), pair);
    const Routing routing(fabric.graph);
    const PathList list(fabric.graph, routing, from, to);
    Json json = Json::array();
    for (const TracedPath& path : list.Paths())
    {
        json.push_back(path.nodes);
    }
    if (!print)
    {
        return json;
    }
    std::cout << "\n"
              << (list.Complete() ? "" : "more than ") << list.Paths().size()
              << " shortest paths from host " << from << " to host " << to << "\n";
    for (size_t i = 0; i < list.Paths().size() && i < PRINTED; i++)
    {
        const TracedPath& path = list.Paths()[i];
        std::cout << "  " << from;
        for (size_t hop = 1; hop < path.nodes.size(); hop++)
        {
            // the port tells parallel links apart
            const FabricLink& link = fabric.graph.Link(path.links[hop - 1]);
            const uint32_t port = link.a == path.nodes[hop - 1] ? link.portA : link.portB;
            std::cout << " -(" << port << ")- " << Called(fabric.graph, path.nodes[hop]);
        }
        std::cout << "\n";
    }
    if (list.Paths().size() > PRINTED)
    {
        std::cout << "  ... the first " << PRINTED << "; --json=FILE has up to "
                  << PathList::DEFAULT_LIMIT << "\n";
    }
    return json;
}
