/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-workload-loader.h"

#include "roce-chakra-reader.h"
#include "roce-htsim-connection-reader.h"
#include "roce-workload-json-reader.h"

#include "ns3/roce-text-source.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

constexpr const char* FIRST_TRACE = ".0.et"; //!< how the name of the trace of rank 0 ends

/** \return whether a file can be opened. \param path its path */
bool
IsFile(const std::string& path)
{
    return std::ifstream(path).good();
}

/** \return whether a text ends so. \param text the text \param end the end */
bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Ptr<TaskGraph>
WorkloadLoader::Load(const std::string& name, const SimaiOptions& options)
{
    if (EndsWith(name, FIRST_TRACE))
    {
        return Load(name.substr(0, name.size() - std::string(FIRST_TRACE).size()), options);
    }
    Ptr<TaskGraph> graph;
    if (IsFile(name + FIRST_TRACE))
    {
        graph = ChakraReader::ReadFiles(name);
        graph->Validate();
        return graph;
    }
    std::ifstream in(name, std::ios::binary);
    if (!in)
    {
        throw std::runtime_error("'" + name + "' cannot be opened, and there is no '" + name +
                                 FIRST_TRACE + "'; expected a workload file or the prefix of " +
                                 "Chakra traces");
    }
    in.peek(); // a folder can be opened, but not read
    if (in.bad())
    {
        throw std::runtime_error(name + ": cannot be read; expected a workload file");
    }
    in.clear();
    return Parse(name,
                 std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()),
                 options);
}

Ptr<TaskGraph>
WorkloadLoader::Parse(const std::string& name, const std::string& text, const SimaiOptions& options)
{
    const std::string blank = " \t\r\n\v\f";
    const std::size_t mark = text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0; // byte order mark
    const std::size_t first = text.find_first_not_of(blank, mark);
    const std::string word = first == std::string::npos
                                 ? ""
                                 : text.substr(first, text.find_first_of(blank, first) - first);
    Ptr<TaskGraph> graph;
    if (!word.empty() && word[0] == '{')
    {
        graph = WorkloadJsonReader::Read(name, text);
    }
    else if (word == "HYBRID_TRANSFORMER_FWD_IN_BCKWD" || word == "MICRO")
    {
        graph = SimaiWorkloadReader::Read(TextSource::FromString(name, text), options);
    }
    else
    {
        graph = HtsimConnectionReader::Read(TextSource::FromString(name, text));
    }
    graph->Validate();
    return graph;
}

} // namespace roce
} // namespace ns3
