/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-workload-text.h"

#include "ns3/roce-quantity.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace roce
{

namespace
{

/** \return whether a terminal can show it. \param c a byte */
bool
IsPrintable(char c)
{
    return c >= ' ' && c <= '~';
}

} // namespace

const std::string&
WorkloadText::Check(const std::string& name)
{
    if (name.size() > MAX_NAME || !std::all_of(name.begin(), name.end(), IsPrintable))
    {
        throw std::invalid_argument("expected a name of at most " + std::to_string(MAX_NAME) +
                                    " printable ASCII characters, found " + Quantity::Shown(name) +
                                    " of " + std::to_string(name.size()));
    }
    return name;
}

std::string
WorkloadText::Tidy(const std::string& name)
{
    std::string tidy = name.substr(0, MAX_NAME);
    std::replace_if(
        tidy.begin(),
        tidy.end(),
        [](char c) { return !IsPrintable(c); },
        '?');
    return tidy;
}

int64_t
WorkloadText::Nanoseconds(const std::string& text)
{
    const int64_t ps = Quantity::DelayPs(text);
    if (ps < 0 || ps % 1000 != 0)
    {
        throw std::invalid_argument("expected a time of whole nanoseconds from 0 on, found " +
                                    Quantity::Shown(text));
    }
    return ps / 1000;
}

std::string
WorkloadText::DurationText(int64_t ns)
{
    if (ns < 0 || ns > MAX_NS)
    {
        throw std::invalid_argument("a time of " + std::to_string(ns) + " ns, expected 0.." +
                                    std::to_string(MAX_NS));
    }
    return Quantity::DelayText(ns * 1000);
}

} // namespace roce
} // namespace ns3
