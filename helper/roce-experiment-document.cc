/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-document.h"

#include "roce-experiment-checker.h"

#include "ns3/roce-json-source.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

ExperimentDocument::ExperimentDocument(const std::string& name,
                                       const Json& given,
                                       const std::string& folder)
    : m_name(name),
      m_folder(folder),
      m_given(given),
      m_json(ExperimentChecker(name).Check(given))
{
}

ExperimentDocument
ExperimentDocument::Load(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || std::filesystem::is_directory(path) || !(text << file.rdbuf()))
    {
        throw std::runtime_error(path + ": cannot be read: " +
                                 (errno ? std::strerror(errno) : "it is empty or no file"));
    }
    return Parse(path, text.str(), std::filesystem::path(path).parent_path().string());
}

ExperimentDocument
ExperimentDocument::Parse(const std::string& name,
                          const std::string& text,
                          const std::string& folder)
{
    return {name, JsonSource(name).Parse(text), folder};
}

ExperimentDocument
ExperimentDocument::With(const std::string& key, const Json& value) const
{
    Json given = m_given;
    if (value.is_null())
    {
        given.erase(key);
    }
    else
    {
        given[key] = value;
    }
    return {m_name, given, m_folder};
}

std::string
ExperimentDocument::Resolve(const std::string& file) const
{
    return (std::filesystem::path(m_folder) / file).string();
}

} // namespace roce
} // namespace ns3
