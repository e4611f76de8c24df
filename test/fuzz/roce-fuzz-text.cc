/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

#include "ns3/roce-byte-size.h"
#include "ns3/roce-flow-reader.h"
#include "ns3/roce-hpcc-config-reader.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-topology-reader.h"
#include "ns3/roce-topology-writer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

using namespace ns3::roce;

namespace
{

/** No message needs more; a longer one repeats the input. */
constexpr std::size_t MAX_MESSAGE_BYTES = 500;

/** \param why a message; must be short and printable, for it goes to a terminal */
void
CheckMessage(const std::string& why)
{
    const bool printable =
        std::all_of(why.begin(), why.end(), [](char c) { return c >= ' ' && c < 127; });
    fuzz::Check(printable, "a message is printable");
    fuzz::Check(why.size() <= MAX_MESSAGE_BYTES, "a message is short");
}

/**
 * Run a reader; std::invalid_argument that begins with name and line is its only exception.
 *
 * \param text the text
 * \param read reads it
 */
template <typename F>
void
Guard(const std::string& text, F read)
{
    const TextSource source = TextSource::FromString("t", text);
    try
    {
        read(source);
    }
    catch (const std::invalid_argument& e)
    {
        const std::string why = e.what();
        const std::size_t colon = why.find(':', 2);
        fuzz::Check(why.compare(0, 2, "t:") == 0 && colon != std::string::npos,
                    "a message begins with name and line");
        const uint64_t line = Quantity::Unsigned(why.substr(2, colon - 2));
        fuzz::Check(line >= 1 && line <= source.LastLine(), "the line exists");
        CheckMessage(why);
    }
}

/** \param a a fabric \param b a fabric that must be equal */
void
CheckSame(const FabricGraph& a, const FabricGraph& b)
{
    fuzz::Check(a.NodeCount() == b.NodeCount() && a.LinkCount() == b.LinkCount(),
                "written and read again, a fabric has as many nodes and links");
    for (uint32_t i = 0; i < a.NodeCount(); ++i)
    {
        const uint32_t id = a.IdOf(i);
        fuzz::Check(id == b.IdOf(i) && a.Node(id).kind == b.Node(id).kind, "nodes are kept");
    }
    for (uint32_t i = 0; i < a.LinkCount(); ++i)
    {
        const FabricLink& x = a.Link(i);
        const FabricLink& y = b.Link(i);
        fuzz::Check(x.a == y.a && x.b == y.b && x.rateBps == y.rateBps && x.delayPs == y.delayPs &&
                        x.errorRate == y.errorRate,
                    "links are kept");
    }
}

/** \param source the text \param gaps whether ids may have gaps */
void
ReadTopology(const TextSource& source, bool gaps)
{
    TopologyReadOptions options;
    options.allowIdGaps = gaps;
    const Topology topology = TopologyReader::Read(source, options);
    const TextSource again = TextSource::FromString("written", TopologyWriter::Format(topology));
    const Topology same = TopologyReader::Read(again, options);
    fuzz::Check(topology.format == same.format && topology.tors == same.tors &&
                    topology.gpusPerServer == same.gpusPerServer &&
                    topology.gpuType == same.gpuType,
                "the header is kept");
    CheckSame(topology.graph, same.graph);
}

/** \return four hosts, ids 0 to 3, on switch 4 */
FabricGraph
Star()
{
    FabricGraph graph;
    graph.AddSwitch(4);
    for (uint32_t host = 0; host < 4; ++host)
    {
        graph.AddHost(host);
        graph.AddLink(host, 4, 100000000000, 1000000);
    }
    return graph;
}

/** \param source the text \param graph the fabric, if hosts are to be checked */
void
ReadFlows(const TextSource& source, const FabricGraph* graph)
{
    const FlowList list = FlowReader::Read(source, graph);
    const FlowList same =
        FlowReader::Read(TextSource::FromString("written", TopologyWriter::Format(list.flows)),
                         graph);
    fuzz::Check(list.flows.size() == same.flows.size() && list.sorted == same.sorted,
                "written and read again, there are as many flows");
    for (std::size_t i = 0; i < list.flows.size(); ++i)
    {
        const FlowSpec& x = list.flows[i];
        const FlowSpec& y = same.flows[i];
        fuzz::Check(x.src == y.src && x.dst == y.dst && x.pg == y.pg && x.dport == y.dport &&
                        x.sizeBytes == y.sizeBytes && x.startPs == y.startPs,
                    "flows are kept");
        fuzz::Check(x.pg <= 7 && x.dport <= 65535 && x.sizeBytes <= FlowReader::MAX_SIZE_BYTES &&
                        x.startPs >= 0,
                    "a flow is within its limits");
        fuzz::Check(graph == nullptr || (graph->IsHost(x.src) && graph->IsHost(x.dst)),
                    "a flow is between hosts");
    }
}

/** \param source the text */
void
ReadConfig(const TextSource& source)
{
    const HpccConfig config = HpccConfigReader::Read(source);
    fuzz::Check(config.kminKb.size() == config.kmaxKb.size() &&
                    config.kminKb.size() == config.pmax.size(),
                "the maps have the same rates");
    for (const auto& [rate, kmin] : config.kminKb)
    {
        const double pmax = config.pmax.at(rate);
        fuzz::Check(kmin <= config.kmaxKb.at(rate) && pmax >= 0 && pmax <= 1, "ECN fits");
    }
    for (const double interval :
         {config.alphaResumeIntervalUs, config.rateDecreaseIntervalUs, config.rpTimerUs})
    {
        fuzz::Check(std::isfinite(interval) && interval > 0, "an interval is above zero");
    }
    fuzz::Check(config.rateAiBps > 0 && config.minRateBps > 0, "a rate is above zero");
}

/** \param parse reads a number; std::invalid_argument is its only exception */
template <typename F>
void
GuardNumber(F parse)
{
    try
    {
        parse();
    }
    catch (const std::invalid_argument& e)
    {
        CheckMessage(e.what());
    }
}

/** \param text a word */
void
ReadNumbers(const std::string& text)
{
    using fuzz::Check;
    GuardNumber([&text]() {
        const uint64_t rate = Quantity::RateBps(text);
        Check(Quantity::RateBps(Quantity::RateText(rate)) == rate, "a rate is kept");
    });
    GuardNumber([&text]() {
        const int64_t delay = Quantity::DelayPs(text);
        Check(Quantity::DelayPs(Quantity::DelayText(delay)) == delay, "a delay is kept");
    });
    GuardNumber([&text]() { Check(Quantity::SecondsToPs(text) >= 0, "a time is not negative"); });
    GuardNumber([&text]() {
        const uint64_t value = Quantity::Unsigned(text, UINT32_MAX);
        Check(value <= UINT32_MAX && Quantity::Unsigned(std::to_string(value)) == value,
              "a whole number is kept");
    });
    GuardNumber([&text]() {
        const double value = Quantity::Real(text, 0, 1);
        Check(value >= 0 && value <= 1, "a number is within its limits");
    });
    try
    {
        const uint64_t bytes = ByteSize::Parse(text);
        Check(ByteSize::Parse(ByteSize::Text(bytes)) == bytes, "a number of bytes is kept");
    }
    catch (const std::invalid_argument&)
    {
        // from a command line, so what it shows may be anything
    }
}

} // namespace

int
fuzz::Text(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    static const FabricGraph star = Star();
    const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
    switch (data[0] & 7)
    {
    case 0:
    case 1:
        Guard(text, [data](const TextSource& s) { ReadTopology(s, (data[0] & 1) != 0); });
        break;
    case 2:
        Guard(text, [](const TextSource& s) { ReadFlows(s, nullptr); });
        break;
    case 3:
        Guard(text, [](const TextSource& s) { ReadFlows(s, &star); });
        break;
    case 4:
    case 5:
        Guard(text, ReadConfig);
        break;
    default:
        ReadNumbers(text);
        break;
    }
    return 0;
}
