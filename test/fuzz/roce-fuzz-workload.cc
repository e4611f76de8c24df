/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-fuzz-targets.h"

#include "ns3/roce-chakra-decoder.h"
#include "ns3/roce-chakra-reader.h"
#include "ns3/roce-flow-size-distribution.h"
#include "ns3/roce-htsim-connection-reader.h"
#include "ns3/roce-quantity.h"
#include "ns3/roce-simai-workload-reader.h"
#include "ns3/roce-workload-json-reader.h"
#include "ns3/roce-workload-json-writer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::roce;

namespace
{

/** Two names of tasks, and what is wrong with them. */
constexpr std::size_t MAX_MESSAGE_BYTES = 1000;

/** \param why a message; begins with the name, short and printable, for it goes to a terminal */
void
CheckMessage(const std::string& why)
{
    fuzz::Check(why.compare(0, 2, "t:") == 0, "a message begins with the name");
    fuzz::Check(std::all_of(why.begin(), why.end(), [](char c) { return c >= ' ' && c < 127; }),
                "a message is printable");
    fuzz::Check(why.size() <= MAX_MESSAGE_BYTES, "a message is short");
}

/** Run a reader; std::invalid_argument is its only exception. \param read reads something */
template <typename F>
void
Guard(F read)
{
    try
    {
        read();
    }
    catch (const std::invalid_argument& e)
    {
        CheckMessage(e.what());
    }
}

/** Run a reader of lines; its messages name a line. \param text it \param read reads it */
template <typename F>
void
GuardLines(const std::string& text, F read)
{
    const TextSource source = TextSource::FromString("t", text);
    try
    {
        read(source);
    }
    catch (const std::invalid_argument& e)
    {
        const std::string why = e.what();
        CheckMessage(why);
        const std::size_t colon = why.find(':', 2);
        fuzz::Check(colon != std::string::npos, "a message has a line");
        const uint64_t line = Quantity::Unsigned(why.substr(2, colon - 2));
        fuzz::Check(line >= 1 && line <= source.LastLine(), "the line exists");
    }
}

/** \param graph must be whole, and the same when written and read */
void
CheckGraph(Ptr<TaskGraph> graph)
{
    graph->Validate();
    const std::string text = WorkloadJsonWriter::Format(*graph);
    fuzz::Check(WorkloadJsonWriter::Format(*WorkloadJsonReader::Read("t", text)) == text,
                "written and read again, a workload is the same");
}

/** \param source the text */
void
ReadSizes(const TextSource& source)
{
    const FlowSizeDistribution sizes = FlowSizeDistribution::Read(source);
    const uint64_t last = sizes.GetPoints().back().bytes;
    fuzz::Check(std::isfinite(sizes.GetMean()) && sizes.GetMean() > 0.999 &&
                    sizes.GetMean() <= double(last) + 1,
                "the mean is a size");
    uint64_t before = 1;
    for (int i = 0; i <= 100; ++i)
    {
        const uint64_t size = sizes.Sample(i / 100.0);
        fuzz::Check(size >= before && size <= last, "samples never fall");
        before = size;
    }
}

/** \param bytes a trace, which all of two ranks have */
void
ReadChakra(const std::string& bytes)
{
    if (!ChakraDecoder::IsAvailable())
    {
        return;
    }
    ChakraTrace trace = ChakraDecoder::Decode("t", bytes);
    trace.name = "t:"; // messages of the reader begin with it
    CheckGraph(ChakraReader::Read({trace, trace}));
}

} // namespace

int
fuzz::Workload(const uint8_t* data, std::size_t size)
{
    if (size == 0)
    {
        return 0;
    }
    const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
    SimaiOptions options;
    options.gpus = 8; // a header may ask for a million
    switch (data[0] & 7)
    {
    case 0:
        Guard([&text]() { CheckGraph(WorkloadJsonReader::Read("t", text)); });
        break;
    case 1:
        GuardLines(text, ReadSizes);
        break;
    case 2:
        GuardLines(text, [](const TextSource& s) { CheckGraph(HtsimConnectionReader::Read(s)); });
        break;
    case 3:
        GuardLines(text, [&options](const TextSource& s) {
            CheckGraph(SimaiWorkloadReader::Read(s, options));
        });
        break;
    default:
        Guard([&text]() { ReadChakra(text); });
        break;
    }
    return 0;
}
