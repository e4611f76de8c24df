/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-flow-reader.h"

#include "roce-quantity.h"

#include <string>

namespace ns3
{
namespace roce
{

namespace
{

/**
 * Read the words of a row.
 * \param words six words
 * \return the flow without its line
 */
FlowSpec
ParseRow(const std::vector<std::string>& words)
{
    FlowSpec flow;
    flow.src = static_cast<uint32_t>(Quantity::Unsigned(words[0], UINT32_MAX));
    flow.dst = static_cast<uint32_t>(Quantity::Unsigned(words[1], UINT32_MAX));
    flow.pg = static_cast<uint32_t>(Quantity::Unsigned(words[2], 7));
    flow.dport = static_cast<uint32_t>(Quantity::Unsigned(words[3], 65535));
    flow.sizeBytes = Quantity::Unsigned(words[4], FlowReader::MAX_SIZE_BYTES);
    flow.startPs = Quantity::SecondsToPs(words[5]);
    return flow;
}

/**
 * Refuse a flow that the fabric cannot carry.
 * \param graph the fabric
 * \param flow the flow
 */
void
CheckHosts(const FabricGraph& graph, const FlowSpec& flow)
{
    for (uint32_t id : {flow.src, flow.dst})
    {
        if (!graph.IsHost(id))
        {
            throw std::invalid_argument(
                std::string("expected a host of the topology as ") +
                (id == flow.src ? "source" : "destination") + ", found " + std::to_string(id) +
                (graph.Has(id) ? ", which is a switch" : ", which does not exist"));
        }
    }
    if (flow.src == flow.dst)
    {
        throw std::invalid_argument("expected two different hosts, found " +
                                    std::to_string(flow.src) + " as source and destination");
    }
}

/** \return true for a row of six words that begins with numbers. \param words of a line */
bool
LooksLikeFlow(const std::vector<std::string>& words)
{
    static const char* digits = "0123456789";
    return words.size() == 6 && words[0].find_first_not_of(digits) == std::string::npos &&
           words[1].find_first_not_of(digits) == std::string::npos;
}

} // namespace

constexpr uint64_t FlowReader::MAX_SIZE_BYTES;

FlowList
FlowReader::Read(const TextSource& source, const FabricGraph* graph)
{
    if (source.Count() == 0)
    {
        source.Fail(1, "expected the number of flows, found an empty file");
    }
    const TextLine first = source.At(0);
    if (first.words.size() != 1)
    {
        source.Fail(first.number,
                    "expected the number of flows alone in the first line, found " +
                        std::to_string(first.words.size()) + " words");
    }
    const uint64_t count = source.Read(first.number, "number of flows", [&first]() {
        return Quantity::Unsigned(first.words[0], UINT32_MAX);
    });

    FlowList list;
    for (uint64_t i = 0; i < count; i++)
    {
        const std::string what = "flow " + std::to_string(i + 1) + " of " + std::to_string(count);
        if (i + 1 >= source.Count())
        {
            source.Fail(source.LastLine(), "expected " + what + ", found the end of the file");
        }
        const TextLine line = source.At(i + 1);
        if (line.words.size() != 6)
        {
            source.Fail(line.number,
                        what + ": expected 'src dst pg dport size start', found " +
                            std::to_string(line.words.size()) + " words");
        }
        FlowSpec flow = source.Read(line.number, what, [&line, graph]() {
            const FlowSpec row = ParseRow(line.words);
            if (graph != nullptr)
            {
                CheckHosts(*graph, row);
            }
            return row;
        });
        flow.line = line.number;
        list.sorted =
            list.sorted && (list.flows.empty() || list.flows.back().startPs <= flow.startPs);
        list.flows.push_back(flow);
    }
    for (size_t i = count + 1; i < source.Count(); i++)
    {
        list.ignoredRows += LooksLikeFlow(source.At(i).words) ? 1 : 0;
    }
    return list;
}

} // namespace roce
} // namespace ns3
