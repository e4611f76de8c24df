/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-replay-options.h"

#include <map>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace roce
{

ReplayOptions
ReplayOptions::Artifact()
{
    ReplayOptions options;
    options.hpccHash = true;
    options.ackInDataClass = true;
    options.peerHeaders = true;
    options.truncateTicks = true;
    options.peerSwitch = true;
    return options;
}

ReplayOptions
ReplayOptions::Parse(const std::string& list, const std::string& order)
{
    ReplayOptions options = list == "all" ? Artifact() : ReplayOptions();
    const std::map<std::string, bool ReplayOptions::*> known{
        {"hash", &ReplayOptions::hpccHash},
        {"ack", &ReplayOptions::ackInDataClass},
        {"headers", &ReplayOptions::peerHeaders},
        {"ticks", &ReplayOptions::truncateTicks},
        {"switch", &ReplayOptions::peerSwitch},
    };
    std::istringstream words(list == "all" || list == "none" ? "" : list);
    std::string word;
    while (std::getline(words, word, ','))
    {
        const auto found = known.find(word);
        if (found == known.end())
        {
            throw std::invalid_argument("compat option \"" + word +
                                        "\" is not known; expected all, none, or some of "
                                        "hash,ack,headers,ticks,switch");
        }
        options.*found->second = true;
    }
    if (order != "descending" && order != "ascending")
    {
        throw std::invalid_argument("order \"" + order +
                                    "\" is not known; expected descending or ascending");
    }
    options.order =
        order == "ascending" ? MemberOrder::AscendingPeerId : MemberOrder::DescendingPeerId;
    return options;
}

} // namespace roce
} // namespace ns3
