/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_EXAMPLE_LIST_H
#define ROCE_EXAMPLE_LIST_H

#include <sstream>
#include <string>
#include <vector>

/**
 * \file
 * Lists in flags of programs.
 */

namespace ns3
{
namespace roce
{

/** \return the parts of a list with commas. \param text the list */
inline std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');)
    {
        parts.push_back(part);
    }
    return parts;
}

} // namespace roce
} // namespace ns3

#endif // ROCE_EXAMPLE_LIST_H
