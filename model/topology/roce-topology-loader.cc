/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-topology-loader.h"

#include "roce-fabric-presets.h"
#include "roce-htsim-topology-reader.h"
#include "roce-text-source.h"
#include "roce-topology-json-reader.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace roce
{

FabricDocument
TopologyLoader::Load(const std::string& name, const TopologyReadOptions& options)
{
    std::ifstream in(name, std::ios::binary);
    if (!in && FabricPresets::Has(name))
    {
        return FabricPresets::Build(name);
    }
    if (!in)
    {
        std::string known;
        for (const FabricPreset& preset : FabricPresets::All())
        {
            known += (known.empty() ? "" : ", ") + std::string(preset.name);
        }
        throw std::invalid_argument("'" + name + "' is neither a file that can be opened nor a " +
                                    "preset; presets: " + known);
    }
    if (in.peek() == std::ifstream::traits_type::eof() && in.bad())
    {
        throw std::runtime_error(name + ": cannot be read; expected a topology file");
    }
    in.clear();
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad())
    {
        throw std::runtime_error(name + ": cannot be read; expected a topology file");
    }
    return Parse(name, text, options);
}

FabricDocument
TopologyLoader::Parse(const std::string& name,
                      const std::string& text,
                      const TopologyReadOptions& options)
{
    const size_t mark = text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0; // byte order mark
    const size_t first = text.find_first_not_of(" \t\r\n\v\f", mark);
    const char c = first == std::string::npos ? '0' : text[first];
    if (c == '{')
    {
        return TopologyJsonReader::Read(name, text.substr(mark));
    }
    const TextSource source = TextSource::FromString(name, text);
    if (c == '#' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
    {
        return HtsimTopologyReader::Read(source);
    }
    FabricDocument fabric;
    Topology topology = TopologyReader::Read(source, options);
    fabric.graph = std::move(topology.graph);
    if (topology.ignoredLinkRows > 0)
    {
        fabric.notes.push_back(name +
                               ": rows after the declared links that name other nodes, left "
                               "out as HPCC does: " +
                               std::to_string(topology.ignoredLinkRows));
    }
    return fabric;
}

} // namespace roce
} // namespace ns3
