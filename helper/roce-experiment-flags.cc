/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-experiment-flags.h"

#include "roce-attribute-text.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** Flags by which ns-3 prints something and ends the program. */
bool
IsPrinting(const std::string& name)
{
    static const char* const names[] = {"help", "h", "version"};
    return name.compare(0, 5, "Print") == 0 ||
           std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/** Whether ns-3 has a global value of this name. */
bool
IsGlobal(const std::string& name)
{
    return std::any_of(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* v) {
        return v->GetName() == name;
    });
}

} // namespace

ExperimentFlags::ExperimentFlags(const std::string& usage)
{
    m_line.Usage(usage);
}

void
ExperimentFlags::CheckBool(const std::string& name, const std::string& text)
{
    for (const char* good : {"", "true", "1", "t", "false", "0", "f"})
    {
        if (text == good)
        {
            return;
        }
    }
    throw std::invalid_argument("--" + name + "=" + text + ": expected true or false");
}

void
ExperimentFlags::CheckNumber(const std::string& name,
                             const std::string& text,
                             const std::function<void(const std::string&)>& check)
{
    try
    {
        check(text);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument("--" + name + "=" + text + ": " + error.what());
    }
}

void
ExperimentFlags::CheckFlag(const std::string& name, const std::string& text, bool hasValue) const
{
    auto own = m_checks.find(name);
    if (own != m_checks.end())
    {
        own->second(text);
        return;
    }
    if (IsPrinting(name))
    {
        return;
    }
    if (name.find("::") != std::string::npos)
    {
        if (!hasValue || !AttributeText::MayBe(name, text) ||
            !Config::SetDefaultFailSafe(name, StringValue(text)))
        {
            throw std::invalid_argument("--" + name + "=" + text +
                                        ": no such attribute, or not a value it takes");
        }
        return;
    }
    if (IsGlobal(name))
    {
        if (!hasValue || !GlobalValue::BindFailSafe(name, StringValue(text)))
        {
            throw std::invalid_argument("--" + name + "=" + text + ": not a value it takes");
        }
        return;
    }
    std::string known;
    for (const auto& check : m_checks)
    {
        known += " --" + check.first;
    }
    throw std::invalid_argument("--" + name + " is not known; choose" + known + ", or see --help");
}

void
ExperimentFlags::Parse(int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::size_t begin = argument.find_first_not_of('-');
        if (begin == 0 || begin > 2 || begin == std::string::npos)
        {
            throw std::invalid_argument("\"" + argument +
                                        "\" is no flag; flags are --name=value, see --help");
        }
        const std::size_t equals = argument.find('=');
        const bool hasValue = equals != std::string::npos;
        const std::string name = argument.substr(begin, hasValue ? equals - begin : equals);
        const std::string value = hasValue ? argument.substr(equals + 1) : "";
        CheckFlag(name, value, hasValue);
        m_given[name] = value;
    }
    m_line.Parse(argc, argv);
}

bool
ExperimentFlags::IsGiven(const std::string& name) const
{
    return m_given.count(name) > 0;
}

std::map<std::string, std::string>
ExperimentFlags::GetValues() const
{
    std::map<std::string, std::string> values;
    for (const auto& given : m_given)
    {
        if (!IsPrinting(given.first))
        {
            values[given.first] = given.second;
        }
    }
    for (const auto& own : m_values)
    {
        values[own.first] = own.second();
    }
    return values;
}

} // namespace roce
} // namespace ns3
